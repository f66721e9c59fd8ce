/* wildcaught: conditions that can be made of values. The file of WILDCAUGHT_VALUES
   has in words of 64 bits: how many are used, and for how many there is room;
   how often conditions were passed, and may be, as whoever passes them for ever
   hangs; then for every condition that was made of values its unit, how many values it
   has and what the original gives (the highest bit), and the values. */
#define _GNU_SOURCE
#include "runtime.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define MOST 64 /* values of a condition */
#define NOTING 65535
#define FULL (1ull << 62) /* in the first word: not all is there */

extern const unsigned short wildcaught_on[] HIDDEN;
extern _Bool wildcaught_reach[] HIDDEN;

int wildcaught_holds(unsigned, int) SHARED;
int wildcaught_compared(unsigned) SHARED;
int wildcaught_compare(unsigned, unsigned, ...) SHARED;

static uint64_t nothing[4], *values;
static __thread int held;

static uint64_t *open_values(void)
{
    const char *path = getenv("WILDCAUGHT_VALUES");
    struct stat about;
    void *at;
    int fd;
    if (!path || !*path)
        return nothing;
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about) < 0 || about.st_size < 32
        || (at = mmap(0, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
        wildcaught_die("cannot map WILDCAUGHT_VALUES");
    close(fd);
    return at;
}

static void tell(unsigned unit, int original, unsigned count, const double *v)
{
    uint64_t used = values[0], *record;
    if (used >= FULL || used + 1 + count > values[1]) {
        values[0] = used | FULL;
        return;
    }
    record = values + 4 + used;
    record[0] = unit | (uint64_t)count << 32 | (original ? 1ull << 63 : 0);
    memcpy(record + 1, v, count * sizeof *v);
    values[0] = used + 1 + count;
}

/* In the order of the numbers: the comparison, the pair of values, and how the
   original takes part. */
static int composed(unsigned number, int original, unsigned count, const double *v)
{
    unsigned operator = number % 6, pairs = count * (count - 1) / 2, rest = number / 6;
    unsigned pair = rest % pairs, first = 0, form = rest / pairs;
    double a, b;
    int holds;
    for (; pair >= count - 1 - first; ++first)
        pair -= count - 1 - first;
    a = v[first], b = v[first + 1 + pair];
    if (a != a || b != b)
        return original;
    holds = operator == 0 ? a < b : operator == 1 ? a <= b : operator == 2 ? a > b
        : operator == 3 ? a >= b : operator == 4 ? a == b : a != b;
    return form == 0 ? holds : form == 1 ? original && holds : original || holds;
}

int wildcaught_holds(unsigned unit, int original)
{
    unsigned short on = wildcaught_on[unit];
    if (!values)
        values = open_values();
    if (values[3] && ++values[2] > values[3])
        _exit(124);
    if (on)
        wildcaught_reach[unit] = 1;
    if (on == 0 || on == NOTING)
        return original;
    held = original;
    return 0;
}

int wildcaught_compared(unsigned unit)
{
    return wildcaught_on[unit] != 0 && wildcaught_on[unit] != NOTING;
}

int wildcaught_compare(unsigned unit, unsigned count, ...)
{
    int original = held;
    double v[MOST];
    unsigned k;
    va_list rest;
    if (!values)
        values = open_values();
    va_start(rest, count);
    for (k = 0; k < count && k < MOST; ++k)
        v[k] = va_arg(rest, double);
    va_end(rest);
    if (values[1] > 0)
        tell(unit, original, k, v);
    return composed(wildcaught_on[unit] - 1u, original, k, v);
}
