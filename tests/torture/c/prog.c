#include <stdio.h>
#include <stdlib.h>
#include "hostile.h"

static int answer(int x)
{
    calm();
    return right(same(x));
}

int main(int argc, char **argv)
{
    FILE *file = fopen(argv[argc - 1], "r");
    int x = -1;
    if (!file || fscanf(file, "%d", &x) != 1)
        return 1;
    fclose(file);
    printf("%d\n", answer(x));
    return 0;
}
