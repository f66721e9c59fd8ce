#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWICE(x) ((x) * 2)
#define LIMIT 8

static int weights[] = {1, 2, 3, 5, 8};
static int seen = 0;

static int weigh(int kind, int n)
{
    int sum = 0;
    switch (kind) {
    case 0:
        sum = n;
        break;
    case 1:
        sum += weights[n % 5];
        /* fall through */
    case 2:
        sum += TWICE(n);
        break;
    default:
        return -1;
    }
    return sum;
}

static int clamp(int n)
{
    if (n > LIMIT)
        n = LIMIT;
    else if (n < 0)
        n = 0;
    else
        seen++;
#ifdef STRICT
    if (n == LIMIT)
        return -1;
#endif
    return n;
}

static int digits(unsigned n)
{
    int count = 0;
    do
        count++;
    while ((n /= 10) > 0 && count < 20);
    return count;
}

static int find(const char *text, char wanted)
{
    int at = 0;
again:
    if (text[at] == '\0')
        goto out;
    if (text[at] != wanted) {
        if (++at < 64)
            goto again;
    }
    return at;
out:
    return -1;
}

int main(int argc, char **argv)
{
    char line[64];
    FILE *file = NULL;
    int n = 0, total = 0;

    if (argc < 2 || !(file = fopen(argv[1], "r")))
        return 3;
    while (fgets(line, sizeof line, file)) {
        n = atoi(line);
        for (int kind = 0; kind < 4; kind++)
            total += weigh(kind, clamp(n));
        if (find(line, '!') >= 0) printf("! at %d\n", find(line, '!')); else printf("%d\n", digits((unsigned)abs(n)));
    }
    fclose(file);
    printf("%d %d\n", total, seen);
    return total > 100;
}
