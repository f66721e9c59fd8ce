/* wildcaught: forks of a run, one for each group of operators that a point
   tells apart: what led there is then run once.

   A fork must not see what another did. Memory is its own; what it prints goes
   to files of its own, and files that it reads are opened again where it stood.
   Whatever else a process may do to the world is not done at all: a filter
   lets calls pass that have no effect outside, and ends the process at any
   other. Such a run is done again from its start, without forks. */
#define _GNU_SOURCE
#include "runtime.h"

#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__ && !defined __ILP32__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__ && defined __AARCH64EL__
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#define MOST_FILES 32 /* that are open */

static int filtered; /* whether nothing outside can be changed */
static int forking;  /* whether this process may */
static int inside;   /* whether it is us who forks */
static long began;

/* Ends a process that must not go on in a fork; does nothing elsewhere. */
SHARED void wildcaught_not_in_a_fork(void)
{
    int saved = errno;
    personality(0xffffffff); /* asks only, and is not let pass */
    errno = saved;
}

static void before_fork(void)
{
    if (forking && !inside)
        wildcaught_not_in_a_fork();
}

/* From now on, `pid` is the one that is watched. */
SHARED void wildcaught_turn(pid_t pid)
{
    wildcaught_slots->active = (uint64_t)pid;
    wildcaught_slots->since = (uint64_t)wildcaught_micros();
}

/* Notes how a process ended. */
SHARED void wildcaught_note(struct slot *slot, int status, pid_t pid, uint64_t out, uint64_t err)
{
    int untold = WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
    slot->status = (uint64_t)(unsigned)status;
    slot->out = out;
    slot->err = err;
    slot->end = untold || wildcaught_slots->overdue == (uint64_t)pid ? UNTOLD : ENDED;
}

#ifdef MACHINE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define HIGHER(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field) + 4)
#define IF(value, then, other) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), then, other)
#define IF_ANY(bits, then, other) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (unsigned)(bits), then, other)
#define PASS BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define END BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ANY(name) IF(SYS_##name, 0, 1), PASS
#define WITHOUT(name, arg, bits) IF(SYS_##name, 0, 4), LOAD(args[arg]), IF_ANY(bits, 1, 0), PASS, END
#define ONE_OF(name, arg, a, b) IF(SYS_##name, 0, 5), LOAD(args[arg]), IF(a, 1, 0), IF(b, 0, 1), PASS, END
#define CHANGES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_PATH | (O_TMPFILE & ~O_DIRECTORY))

static struct sock_filter rules[] = {
    LOAD(arch), IF(MACHINE, 1, 0), END,
    LOAD(args[5]), IF(OURS_LOW, 0, 3), HIGHER(args[5]), IF(OURS_HIGH, 0, 1), PASS,
    LOAD(nr),
    ANY(read), ANY(pread64), ANY(readv), ANY(lseek), ANY(close), ANY(getdents64),
    ONE_OF(write, 0, 1, 2), ONE_OF(writev, 0, 1, 2),
    WITHOUT(openat, 2, CHANGES),
    IF(SYS_mmap, 0, 6), LOAD(args[2]), IF_ANY(PROT_WRITE, 0, 2), LOAD(args[3]), IF_ANY(MAP_SHARED, 1, 0), PASS, END,
    ANY(brk), ANY(mprotect), ANY(munmap), ANY(mremap), ANY(madvise), ANY(futex),
    ANY(fstat), ANY(newfstatat), ANY(statx), ANY(faccessat), ANY(readlinkat), ANY(getcwd), ANY(statfs), ANY(fstatfs),
#ifdef SYS_faccessat2
    ANY(faccessat2),
#endif
#ifdef SYS_open
    WITHOUT(open, 1, CHANGES), ANY(stat), ANY(lstat), ANY(access), ANY(readlink), ANY(time),
#endif
    ONE_OF(ioctl, 1, TCGETS, TIOCGWINSZ),
    ONE_OF(fcntl, 1, F_GETFD, F_GETFL),
    IF(SYS_prlimit64, 0, 4), LOAD(args[2]), IF(0, 0, 1), PASS, END,
    ANY(getrlimit), ANY(getrusage), ANY(sysinfo), ANY(uname), ANY(getrandom), ANY(sched_getaffinity), ANY(sched_yield),
    ANY(rt_sigaction), ANY(rt_sigprocmask), ANY(rt_sigreturn), ANY(sigaltstack), ANY(tgkill),
    ANY(getpid), ANY(gettid), ANY(getppid), ANY(getuid), ANY(geteuid), ANY(getgid), ANY(getegid),
    ANY(clock_gettime), ANY(clock_getres), ANY(gettimeofday), ANY(times), ANY(nanosleep), ANY(clock_nanosleep),
    ANY(set_tid_address), ANY(set_robust_list), ANY(restart_syscall), ANY(exit), ANY(exit_group),
#ifdef SYS_rseq
    ANY(rseq),
#endif
#ifdef SYS_arch_prctl
    ANY(arch_prctl),
#endif
    /* fork; nobody else's, for which there is before_fork */
#ifdef SYS_fork
    ANY(fork),
#endif
    ONE_OF(clone, 0, SIGCHLD, CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD),
    END,
};

/* Has the filter for this process and all that it makes, if that is possible. */
SHARED void wildcaught_only_inside(void)
{
    const struct sock_fprog program = { sizeof rules / sizeof *rules, rules };
    const char *copies = getenv("WILDCAUGHT_COPIES");
    /* Libraries with points have copies of our variables, which would not know of a fork. */
    filtered = copies && !strcmp(copies, "1") && !pthread_atfork(before_fork, 0, 0)
        && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* Lets a process that was just made for a run fork, if it is asked to. */
SHARED void wildcaught_may_fork(void)
{
    forking = filtered && wildcaught_slots->slots > 1;
    wildcaught_turn(getpid());
    began = wildcaught_micros();
}

/* Files that are open for reading, and how far they were read. */
struct reading {
    int fd[MOST_FILES];
    off_t at[MOST_FILES];
    unsigned count;
};

static void name_of(int fd, char *name)
{
    char digits[12], *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = (char)('0' + fd % 10);
    while (fd /= 10);
    strcpy(strcpy(name, "/proc/self/fd/") + 14, at);
}

/* Whether a file can be opened again, or need not be. */
static int look_at(struct reading *open, int fd)
{
    struct stat about;
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fstat(fd, &about) < 0)
        return 0;
    if (S_ISCHR(about.st_mode) && about.st_rdev == 0x103) /* /dev/null */
        return 1;
    if ((flags & O_ACCMODE) != O_RDONLY || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)))
        return 0;
    if (open->count == MOST_FILES)
        return 0;
    open->at[open->count] = lseek(fd, 0, SEEK_CUR);
    open->fd[open->count] = fd;
    return open->at[open->count++] >= 0;
}

/* Looks at all open files but the two outputs. */
static int look(struct reading *open, const int *besides)
{
    struct { uint64_t inode, offset; unsigned short length; char type, name[]; } *entry;
    char block[2048] __attribute__((aligned(8))), *at;
    int all = openat(AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC), fine = all >= 0;
    long bytes;
    open->count = 0;
    while (fine && (bytes = syscall(SYS_getdents64, all, block, sizeof block)) > 0)
        for (at = block; at < block + bytes; at += entry->length) {
            const char *digit;
            int fd = 0;
            entry = (void *)at;
            if (*entry->name == '.')
                continue;
            for (digit = entry->name; *digit; ++digit)
                fd = fd * 10 + (*digit - '0');
            if (fd != 1 && fd != 2 && fd != all && fd != besides[0] && fd != besides[1])
                fine = fine && look_at(open, fd);
        }
    if (all >= 0)
        close(all);
    return fine;
}

/* What was printed so far, in a new file; -1 if there is none. */
static int copy_of(int fd)
{
    struct stat about;
    off_t place = lseek(fd, 0, SEEK_CUR), from = 0;
    int copy;
    if (place < 0 || fstat(fd, &about) < 0 || !S_ISREG(about.st_mode))
        return -1;
    copy = (int)CALL(memfd_create, "out", MFD_CLOEXEC, 0, 0);
    while (copy >= 0 && from < about.st_size) {
        char block[4096];
        ssize_t n = pread(fd, block, sizeof block, from);
        if (n <= 0 || CALL(pwrite64, copy, block, n, from) != n) {
            close(copy);
            return -1;
        }
        from += n;
    }
    if (copy >= 0)
        lseek(copy, place, SEEK_SET);
    return copy;
}

/* Gives a fork files of its own. */
static void part(const struct reading *open, const int *outputs)
{
    char name[32];
    unsigned k;
    int fd, fine = CALL(dup3, outputs[0], 1, 0, 0) == 1 && CALL(dup3, outputs[1], 2, 0, 0) == 2;
    close(outputs[0]);
    close(outputs[1]);
    for (k = 0; k < open->count; ++k) {
        int kept = fcntl(open->fd[k], F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0;
        name_of(open->fd[k], name);
        fd = openat(AT_FDCWD, name, O_RDONLY | O_CLOEXEC);
        fine = fine && fd >= 0 && lseek(fd, open->at[k], SEEK_SET) == open->at[k]
            && CALL(dup3, fd, open->fd[k], kept, 0) == open->fd[k];
        close(fd);
    }
    if (!fine)
        wildcaught_not_in_a_fork();
}

static struct slot *next_slot(const uint64_t *record, int loses)
{
    struct slot *first = wildcaught_slots, *own = wildcaught_slot, *next;
    size_t words = sizeof *first / 8 + first->points + 2 * first->room;
    if (first->used >= first->slots || own->losses < (uint64_t)loses
        || (uint64_t)(wildcaught_micros() - began) > first->micros)
        return 0;
    next = (struct slot *)((uint64_t *)first + words * first->used);
    memcpy(next, own, sizeof *own + own->points * sizeof *own->masks);
    next->records = 0;
    next->losses -= (uint64_t)loses;
    next->end = NOT_YET;
    next->masks[record[0]] = record[1];
    return next;
}

/* Waits for a fork and notes how it ended. */
static void await(pid_t child, struct slot *slot, const int *outputs)
{
    uint64_t out, err;
    int status = 0;
    off_t bytes;
    while (CALL(wait4, child, &status, 0, 0) < 0 && errno == EINTR)
        ;
    wildcaught_turn(getpid());
    out = wildcaught_hash(outputs[0], &bytes);
    err = wildcaught_hash(outputs[1], &bytes);
    wildcaught_note(slot, status, child, out, err);
}

/* Goes on with what the last record says in another process, and returns when
   that has ended; 1 in the process itself. */
SHARED int wildcaught_fork(int loses)
{
    uint64_t record = wildcaught_slot->points + 2 * (wildcaught_slot->records - 1);
    struct sigaction plain = { .sa_handler = SIG_DFL }, before;
    int saved = errno, outputs[2] = { -1, -1 };
    struct itimerval left;
    struct reading open;
    struct slot *slot;
    pid_t child = -1;
    if (!forking || !(slot = next_slot(wildcaught_slot->masks + record, loses)))
        return 0;
    outputs[0] = copy_of(1);
    outputs[1] = copy_of(2);
    if (outputs[0] >= 0 && outputs[1] >= 0 && look(&open, outputs)) {
        CALL(getitimer, ITIMER_PROF, &left, 0, 0);
        sigaction(SIGCHLD, &plain, &before);
        ++wildcaught_slots->used; /* first: nothing is lost, whenever we are ended */
        wildcaught_slot->masks[record] |= FORKED;
        inside = 1;
        child = fork();
        inside = 0;
        if (child == 0) {
            wildcaught_slot = slot;
            wildcaught_turn(getpid());
            CALL(setpgid, 0, 0, 0, 0);
            CALL(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
            CALL(setitimer, ITIMER_PROF, &left, 0, 0);
            part(&open, outputs);
        } else if (child > 0)
            await(child, slot, outputs);
        else {
            --wildcaught_slots->used;
            wildcaught_slot->masks[record] &= ~FORKED;
        }
        sigaction(SIGCHLD, &before, 0);
    }
    if (child != 0) {
        close(outputs[0]);
        close(outputs[1]);
    }
    errno = saved;
    return child == 0;
}

#else /* on other machines every run begins at its start */

SHARED void wildcaught_only_inside(void)
{
}

SHARED void wildcaught_may_fork(void)
{
}

SHARED int wildcaught_fork(int loses)
{
    (void)loses;
    return 0;
}

#endif
