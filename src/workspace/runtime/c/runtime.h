/* wildcaught: what the parts of the runtime share. Weak and hidden: two copies
   in one link do not clash, and a program and its shared libraries each have
   their own. */
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))
/* Only what is defined: a weak reference takes no member of an archive. */
#define SHARED __attribute__((weak, visibility("hidden")))

/* Calls of our own are told by what they have where a sixth argument would be:
   the filter of fork.c lets them pass. */
#define OURS_LOW 0x77696c64u
#define OURS_HIGH 0x63617567u
#define OURS ((long)((uint64_t)OURS_HIGH << 32 | OURS_LOW))
#define CALL(name, a, b, c, d) syscall(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0L, OURS)

/* A part of the file of WILDCAUGHT_SPLIT, in words of 64 bits. Each process of
   a run has one; the first has what concerns all of them. */
struct slot {
    uint64_t records;    /* how often something was split off */
    uint64_t points;     /* how many masks there are */
    uint64_t room;       /* for so many records */
    uint64_t steps;      /* how often points were passed, */
    uint64_t most_steps; /* and may be: whoever passes them for ever hangs */
    uint64_t slots;      /* one: the run must not fork */
    uint64_t used;       /* slots */
    uint64_t losses;     /* at so many more points the original may be given up */
    uint64_t micros;     /* for so long, forks are begun */
    uint64_t active;     /* the process that does not wait for another, */
    uint64_t since;      /* since when, */
    uint64_t overdue;    /* and the last one that took too long */
    uint64_t end;        /* how the process ended: one of the three below, */
    uint64_t status;     /* as wait has it, */
    uint64_t out, err;   /* and hashes of what it printed */
    uint64_t masks[];    /* the operators that are possible at each point; then
                            the records, each a point and a mask */
};
#define FORKED (1ull << 63) /* in the point of a record: another process has it */
enum { NOT_YET, ENDED, UNTOLD /* what it does must not be done in a fork */ };

/* The first, and our own. */
extern struct slot *wildcaught_slots HIDDEN, *wildcaught_slot HIDDEN;

void wildcaught_die(const char *) HIDDEN;
long wildcaught_micros(void) HIDDEN;
int wildcaught_high(int) HIDDEN;
uint64_t wildcaught_hash(int, off_t *) HIDDEN;
void wildcaught_open_points(const char *) HIDDEN;
void wildcaught_only_inside(void) HIDDEN;
void wildcaught_may_fork(void) HIDDEN;
int wildcaught_fork(int) HIDDEN;
void wildcaught_turn(pid_t) HIDDEN;
void wildcaught_note(struct slot *, int, pid_t, uint64_t, uint64_t) HIDDEN;
void wildcaught_not_in_a_fork(void) HIDDEN;
