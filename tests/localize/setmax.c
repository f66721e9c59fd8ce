#include <stdio.h>

int max;

void setmax(int x, int y) {
    max = -x;
    if (max < y) {
        max = y;
        if (x * y < 0)
            printf("diff.sign");
    }
    printf("%d", max);
}
