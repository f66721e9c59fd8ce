#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET(x, v) do { (x) = (v); } while (0)
#define BLOCK(x) { (x)++; }
#define STOP break
#define EACH(i, n) for (i = 0; i < (n); i++)
#define WHEN(c) if (c)
#define CASE(n) case n:

static int pick(int a, int b) { return a > b ? a : b; }

/* `else` with a parenthesised value that goes on. */
static int sign(int n) {
    if (n == 0)
        return 0;
    else
        return (n > 0)
            ? 1
            : (n < -10)
                ? -2
                : -1;
}

/* `else` with a call whose argument is a nested conditional on many lines. */
static int nested(int n) {
    int out;
    if (n > 100)
        out = 1;
    else
        out = pick(n > 50 ? 2
                 : n > 20 ? 3
                 : 4,
                 0);
    return out;
}

static void printed(int n) {
    if (n > 1000)
        puts("big");
    else
        printf("%s\n", n > 50 ? "half"
                     : n > 20 ? "some"
                     : "none");
}

static int *cell(int *at) { return at; }

static void through(int *at, int n) {
    if (n > 3)
        *cell(at) = 3;
    else
        *cell(at) = n;
    if (n > 5)
        cell(at)[0] += 1;
    else
        cell(at)[0] += 2;
}

/* Macros that end without `;`. */
static int blocks(int n) {
    int out = 0;
    if (n > 1)
        BLOCK(out)
    else
        out = 9;
    if (n > 2)
        BLOCK(out)
    else if (n > 1)
        BLOCK(out)
    else
        BLOCK(out)
    if (n > 7)
        BLOCK(out)
    out += 10;
    BLOCK(out)
    return out;
}

static int loops(int n) {
    int i, out = 0;
    EACH(i, n)
        out += i;
    EACH(i, n) {
        out += i;
    }
    WHEN(n > 3)
        out++;
    if (n)
        EACH(i, 2)
            out++;
    else
        EACH(i, 3)
            out--;
    do out++; while (out < 5);
    do
        BLOCK(out)
    while (out < 7);
    do {
        out++;
        if (out > 100) STOP;
    } while (out < n);
    do
        if (out > 3) out++; else out += 2;
    while (out < 30);
    return out;
}

static int switches(int n) {
    int out = 0;
    switch (n) {
    CASE(0) out = 4; break;
    case 1: out = 5;
    case 2: case 3:
        out++;
        break;
    case 4: {
        out = 7;
        break;
    }
    case 'x' ? 5 : 6:
        SET(out, 8);
        break;
    default:
        if (n > 10) SET(out, 1); else SET(out, 2);
    }
    switch (n)
    case 3: out++;
    return out;
}

static int jumps(int n) {
    int out = 0;
again:
    out++;
    if (out < n) goto again;
    if (n == 3) goto out;
    else goto next;
next: ;
    out += 2;
    if (n > 4)
inner:  out += 3;
    else
        out += 4;
    if (out == 12) goto inner;
out:
    return out;
}

static int empty(int n) {
    if (n) ; else n++;
    while (n-- > 3) ;
    for (;;) { if (n < 100) break; }
    return n;
}

#ifdef NEVER
#define HALF(x) else if (x)
#endif

static int halves(int n) {
    if (n > 1)
        n = 2;
#ifdef NEVER
    else if (n < -5)
        n = 4;
#endif
    else
        n = 3;
#ifdef NEVER
    if (n > 7) {
        n = 3;
    } else
#endif
    {
        n++;
    }
    return n;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0, cells[2] = {0, 0};
    printed(n);
    through(cells, n);
    printf("%d %d %d %d %d %d %d %d %d\n", sign(n), nested(n), cells[0], blocks(n), loops(n), switches(n), jumps(n), empty(n), halves(n));
    return 0;
}
