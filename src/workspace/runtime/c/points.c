/* wildcaught: points, at which operators are exchanged while the program runs.
   Operators that give the same stay together; the run goes on with those that
   the original belongs to, or with the first. The others go to forks of the
   process where that is possible, or are left for another run. */
#pragma GCC optimize("O2") /* it runs at every point; the rest of the runtime is compiled with -O1 */
#define _GNU_SOURCE
#include "runtime.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PASSED (1ull << 63)
#define MOST 8 /* operators of a point */

static struct {
    struct slot head;
    uint64_t masks[WILDCAUGHT_UNITS + 1];
} no_points = { .head = { .most_steps = ~0ull } };
SHARED struct slot *wildcaught_slots = &no_points.head, *wildcaught_slot = &no_points.head;

int wildcaught_truth(unsigned, unsigned, unsigned) SHARED;
int wildcaught_lazy(unsigned, unsigned, int) SHARED;
unsigned wildcaught_value(unsigned, unsigned, const void *, unsigned, unsigned, unsigned) SHARED;

SHARED void wildcaught_open_points(const char *path)
{
    struct stat about;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *at;
    if (fd < 0 || fstat(fd, &about) < 0 || about.st_size < (off_t)sizeof(struct slot)
        || (at = mmap(0, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
        wildcaught_die("cannot map WILDCAUGHT_SPLIT");
    close(fd);
    wildcaught_slots = wildcaught_slot = at;
}

static unsigned first_of(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

/* Those of a mask that give the same as one of them. */
static uint64_t group(uint64_t mask, const unsigned char *same, unsigned count, unsigned of)
{
    uint64_t found = 0;
    unsigned k;
    for (k = 0; k < count; ++k)
        if (mask >> k & 1 && same[k] == same[of])
            found |= 1ull << k;
    return found;
}

static void leave(unsigned point, uint64_t other)
{
    struct slot *slot = wildcaught_slot;
    uint64_t *record = slot->masks + slot->points + 2 * slot->records;
    if (slot->records >= slot->room)
        wildcaught_die("no room for another split");
    record[0] = point;
    record[1] = other;
    ++slot->records;
}

/* Counts a step. The operator to use where there is no choice, else MOST: most
   points are like that, and need not be told what their operators give. */
static inline unsigned pass(unsigned point, unsigned original)
{
    struct slot *slot = wildcaught_slot;
    uint64_t mask = slot->masks[point] & ~PASSED;
    if (++slot->steps > slot->most_steps) {
        raise(SIGXCPU);
        _exit(152);
    }
    if (mask & (mask - 1))
        return MOST;
    slot->masks[point] = mask | PASSED;
    return mask ? first_of(mask) : original;
}

/* Which of several operators to use: same[k] is equal for those that give the same. */
static unsigned pick(unsigned point, unsigned original, const unsigned char *same, unsigned count)
{
    uint64_t mask = wildcaught_slot->masks[point] & ~PASSED, own, other;
    unsigned first;
    int loses;
    for (;;) {
        first = mask >> original & 1 ? original : first_of(mask);
        own = group(mask, same, count, first);
        if (own == mask)
            break;
        other = group(mask & ~own, same, count, first_of(mask & ~own));
        loses = (int)(mask >> original & 1);
        mask &= ~other;
        leave(point, other);
        if (wildcaught_fork(loses))
            mask = other;
        wildcaught_slot->masks[point] = PASSED | mask;
    }
    wildcaught_slot->masks[point] = PASSED | mask;
    return first;
}

int wildcaught_truth(unsigned point, unsigned original, unsigned bits)
{
    unsigned char same[MOST];
    unsigned k = pass(point, original);
    if (k < MOST)
        return (int)(bits >> k & 1);
    for (k = 0; k < MOST; ++k)
        same[k] = bits >> k & 1;
    return (int)(bits >> pick(point, original, same, MOST) & 1);
}

/* Whether the right operand of && (0) or || (1) is evaluated. */
int wildcaught_lazy(unsigned point, unsigned original, int left)
{
    const unsigned char same[2] = { left != 0, left == 0 };
    unsigned k = pass(point, original);
    return same[k < MOST ? k : pick(point, original, same, 2)];
}

unsigned wildcaught_value(unsigned point, unsigned original, const void *values, unsigned size, unsigned count,
                          unsigned traps)
{
    const char *at = values;
    unsigned char same[MOST];
    unsigned chosen = pass(point, original), k, other;
    for (k = 0; chosen == MOST && k < count; ++k) {
        same[k] = (unsigned char)k;
        if (traps >> k & 1)
            same[k] = MOST;
        else
            for (other = 0; other < k; ++other)
                if (!(traps >> other & 1) && !memcmp(at + other * size, at + k * size, size)) {
                    same[k] = (unsigned char)other;
                    break;
                }
    }
    if (chosen == MOST)
        chosen = pick(point, original, same, count);
    if (traps >> chosen & 1) {
        raise(SIGFPE);
        _exit(136);
    }
    return chosen;
}
