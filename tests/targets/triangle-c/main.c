/* Reads three sides and the kind that is expected; ends with 0 if that is what comes out. */
#include <stdio.h>

int triangle(int a, int b, int c);

int main(void)
{
    int a, b, c, expected;
    if (scanf("%d %d %d %d", &a, &b, &c, &expected) != 4)
        return 2;
    return triangle(a, b, c) != expected;
}
