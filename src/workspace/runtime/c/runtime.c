/* wildcaught: the tables behind the guards of prelude.h, and the fork server.
   Compiled once per target with -DWILDCAUGHT_UNITS=N; every link takes it.

   Everything shared is weak and hidden: two copies in one link do not clash,
   and a program and its shared libraries have tables of their own, filled from
   the same environment. Neither stdio nor malloc is used: the program under
   test finds both as a fresh process would. */
#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined __x86_64__ || defined __i386__
#define PAGE 4096
#else
#define PAGE 65536 /* the largest page of the other architectures */
#endif
#define PAGES(bytes) (((bytes) / PAGE + 1UL) * PAGE)
#define REACH_BYTES PAGES(WILDCAUGHT_UNITS)
#define ON_BYTES PAGES(WILDCAUGHT_UNITS * sizeof(unsigned short))
#define NOTING 255 /* both bytes of a switch: 65535 in prelude.h */
#define OUTPUT_LIMIT (64UL << 20) /* bytes of stdout, and as many of stderr */

/* Whole pages, so that a file can be mapped over them in place: guards then
   use fixed addresses, not pointers. */
SHARED unsigned short wildcaught_on[ON_BYTES / sizeof(unsigned short)]
    __attribute__((aligned(PAGE)));
SHARED unsigned char wildcaught_reach[REACH_BYTES] __attribute__((aligned(PAGE)));

static const unsigned long units = WILDCAUGHT_UNITS;

int wildcaught_serve(int, char **, char **, int (*)(int, char **, char **)) SHARED;

SHARED void wildcaught_die(const char *why)
{
    if (write(2, "wildcaught: ", 12) < 0 || write(2, why, strlen(why)) < 0 || write(2, "\n", 1) < 0)
        _exit(126);
    _exit(125);
}

/* Reads digits at *at and moves past them; -1 if there are none or too many. */
static long number(const char **at)
{
    const char *from = *at;
    long value = 0;
    for (; **at >= '0' && **at <= '9' && *at - from < 9; ++*at)
        value = value * 10 + (**at - '0');
    return *at == from ? -1 : value;
}

/* Switches all mutants off; with `noting`, the guards note the units they pass. */
static void clear(int noting)
{
    memset(wildcaught_on, noting ? NOTING : 0, units * sizeof *wildcaught_on);
    memset(wildcaught_reach, 0, units);
}

/* Switches on a list such as "17:2,40:1"; 0 if it is not one. */
static int switch_on(const char *list)
{
    while (*list) {
        long unit = number(&list), mutant;
        if (unit < 0 || (unsigned long)unit >= units || *list++ != ':')
            return 0;
        mutant = number(&list);
        if (mutant < 0 || mutant >= USHRT_MAX)
            return 0;
        wildcaught_on[unit] = (unsigned short)mutant;
        if (*list == ',')
            ++list;
        else if (*list)
            return 0;
    }
    return 1;
}

static int map(void *table, unsigned long bytes, int fd, off_t offset)
{
    return mmap(table, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset) == table;
}

/* Text put together without stdio. */
struct text {
    char at[PATH_MAX];
    size_t length;
    int fd; /* where it goes when full, or -1 */
};

static void send_all(int fd, const char *bytes, size_t count)
{
    while (count) {
        ssize_t n = CALL(write, fd, bytes, count, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(1); /* the parent is gone */
        bytes += n;
        count -= (size_t)n;
    }
}

static void flush(struct text *text)
{
    send_all(text->fd, text->at, text->length);
    text->length = 0;
}

static void put(struct text *text, const char *string)
{
    for (; *string; ++string) {
        if (text->length == sizeof text->at - 1 && text->fd >= 0)
            flush(text);
        if (text->length < sizeof text->at - 1)
            text->at[text->length++] = *string;
    }
    text->at[text->length] = 0;
}

static void put_number(struct text *text, uint64_t value, unsigned base)
{
    char digits[24], *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = "0123456789abcdef"[value % base];
    while (value /= base);
    put(text, at);
}

/* The reached units as ranges: "3-7,9", or "-" for none. */
static void put_reach(struct text *text)
{
    unsigned long unit = 0, first, any = 0;
    while (unit < units) {
        if (!wildcaught_reach[unit]) {
            ++unit;
            continue;
        }
        for (first = unit; unit < units && wildcaught_reach[unit]; ++unit)
            ;
        if (any++)
            put(text, ",");
        put_number(text, first, 10);
        if (unit - first > 1) {
            put(text, "-");
            put_number(text, unit - 1, 10);
        }
    }
    if (!any)
        put(text, "-");
}

/* The server's state travels in WILDCAUGHT_SERVER as "@pid:requests:replies:
   tables" (three descriptors). The first constructor to see any other value
   sets it up; the shared libraries of the process, plugins opened later and
   programs that the tests start then map the same tables. */
struct server {
    long pid;
    int requests, replies, tables;
    int rules; /* of runs; -1 without */
};

static int read_server(const char *at, struct server *server)
{
    long field[4];
    int i;
    if (!at || *at != '@')
        return 0;
    for (i = 0; i < 4; ++i) {
        ++at;
        field[i] = number(&at);
        if (field[i] < 0 || (i < 3 && *at != ':'))
            return 0;
    }
    server->pid = field[0];
    server->requests = (int)field[1];
    server->replies = (int)field[2];
    server->tables = (int)field[3];
    return 1;
}

SHARED int wildcaught_high(int fd)
{
    /* Out of the way of programs that count on 3 being the next descriptor. */
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, 200);
    return moved < 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : moved;
}

static void new_server(void)
{
    struct text text = { .length = 0, .fd = -1 };
    int tables = memfd_create("wildcaught", MFD_CLOEXEC), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int moved = wildcaught_high(tables), requests = wildcaught_high(0), replies = wildcaught_high(1);
    if (moved < 0 || requests < 0 || replies < 0 || null < 0
        || ftruncate(moved, (off_t)(REACH_BYTES + ON_BYTES)) < 0
        /* What the program prints before main must not look like a reply. */
        || dup2(null, 0) < 0 || dup2(null, 1) < 0)
        wildcaught_die("cannot set up the server");
    close(tables);
    close(null);
    put(&text, "@");
    put_number(&text, (uint64_t)getpid(), 10);
    put(&text, ":");
    put_number(&text, (uint64_t)requests, 10);
    put(&text, ":");
    put_number(&text, (uint64_t)replies, 10);
    put(&text, ":");
    put_number(&text, (uint64_t)moved, 10);
    setenv("WILDCAUGHT_SERVER", text.at, 1);
}

static int open_tables(const struct server *server)
{
    struct text path = { .length = 0, .fd = -1 };
    put(&path, "/proc/");
    put_number(&path, (uint64_t)server->pid, 10);
    put(&path, "/fd/");
    put_number(&path, (uint64_t)server->tables, 10);
    return open(path.at, O_RDWR | O_CLOEXEC);
}

/* Starts the server again with its memory where it always is: a mutant that
   goes by addresses, or by what was in memory before, then does the same in
   every run. */
static void fix_addresses(char **argv)
{
    int now = personality(0xffffffff);
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    if (now >= 0 && !(now & ADDR_NO_RANDOMIZE) && personality((unsigned)now | ADDR_NO_RANDOMIZE) >= 0)
        execv(path, argv);
}

/* 101: before the constructors of the program. */
#ifdef __GLIBC__
__attribute__((constructor(101))) static void start(int argc, char **argv)
#else /* constructors are told nothing */
__attribute__((constructor(101))) static void start(void)
#endif
{
    const char *on = getenv("WILDCAUGHT_ON"), *reach = getenv("WILDCAUGHT_REACH");
    const char *serve = getenv("WILDCAUGHT_SERVER"), *split = getenv("WILDCAUGHT_SPLIT");
    struct server server;
    struct stat about;
    int saved = errno, fd, first = serve && *serve && *serve != '@';
    if (split && *split)
        wildcaught_open_points(split);
    if (serve && *serve) {
        if (first) {
#ifdef __GLIBC__
            (void)argc;
            fix_addresses(argv);
#endif
#ifdef SYS_close_range
            /* What whoever started us has open is nothing to forks; they do not fork with it. */
            if (getenv("WILDCAUGHT_FORKS"))
                syscall(SYS_close_range, 3, ~0u, 0);
#endif
            new_server();
        }
        if (!read_server(getenv("WILDCAUGHT_SERVER"), &server))
            wildcaught_die("bad WILDCAUGHT_SERVER");
        /* How many copies of this runtime the server has. */
        if (server.pid == getpid())
            setenv("WILDCAUGHT_COPIES", first ? "1" : "2", 1);
        else
            wildcaught_not_in_a_fork();
        fd = open_tables(&server);
        /* No tables: a program left over from a server that is gone. */
        if (fd >= 0) {
            if (!map(wildcaught_reach, REACH_BYTES, fd, 0)
                || !map(wildcaught_on, ON_BYTES, fd, (off_t)REACH_BYTES))
                wildcaught_die("cannot map the server's tables");
            close(fd);
            if (first)
                clear(1); /* for the units passed before main */
        }
    } else {
        if (reach && *reach && units) {
            fd = open(reach, O_RDWR | O_CLOEXEC);
            /* A shorter file would fault at the first store past its end. */
            if (fd < 0 || fstat(fd, &about) < 0 || (unsigned long)about.st_size < units
                || !map(wildcaught_reach, units, fd, 0))
                wildcaught_die("cannot map WILDCAUGHT_REACH");
            close(fd);
            /* Not clear(): processes of one test add to one file. */
            memset(wildcaught_on, NOTING, units * sizeof *wildcaught_on);
        }
        if (on && !switch_on(on))
            wildcaught_die("bad WILDCAUGHT_ON");
    }
    errno = saved;
}

/* The fork server. */

struct buffer {
    char *at;
    size_t size, used, taken;
};

static void grow(struct buffer *buffer, size_t size)
{
    size_t bytes = buffer->size ? buffer->size : 65536;
    void *at;
    while (bytes < size)
        bytes *= 2;
    if (bytes == buffer->size)
        return;
    at = buffer->at ? mremap(buffer->at, buffer->size, bytes, MREMAP_MAYMOVE)
                    : mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        wildcaught_die("no memory for a request");
    buffer->at = at;
    buffer->size = bytes;
}

/* The next request line, ended by a zero in place of its newline; exits at the
   end of input. */
static char *next_line(struct buffer *in, int fd)
{
    char *newline, *line;
    size_t seen = 0;
    ssize_t n;
    memmove(in->at, in->at + in->taken, in->used - in->taken);
    in->used -= in->taken;
    in->taken = 0;
    while (!(newline = memchr(in->at + seen, '\n', in->used - seen))) {
        seen = in->used;
        grow(in, in->used + 4096);
        n = read(fd, in->at + in->used, in->size - in->used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            _exit(0); /* not exit(): what the program set up was never used */
        in->used += (size_t)n;
    }
    *newline = 0;
    line = in->at;
    in->taken = (size_t)(newline - in->at) + 1;
    return line;
}

/* Cuts the next field off *at, its escapes undone; null if there is none. */
static char *field(char **at)
{
    char *from = *at, *to = from, *read = from;
    if (!from)
        return 0;
    for (; *read && *read != '\t'; ++read) {
        if (*read == '\\' && read[1]) {
            ++read;
            *to++ = *read == 't' ? '\t' : *read == 'n' ? '\n' : *read;
        } else
            *to++ = *read;
    }
    *at = *read ? read + 1 : 0;
    *to = 0;
    return from;
}

static volatile pid_t running;
static volatile sig_atomic_t overdue;
static volatile long most_micros;

static void too_late(int signal)
{
    struct slot *slots = wildcaught_slots;
    pid_t late = running;
    int saved = errno;
    (void)signal;
    if (slots->slots > 1 && slots->active) {
        /* Of the forks of a run, one does not wait for the others. */
        if (wildcaught_micros() - (long)slots->since < most_micros)
            return;
        late = (pid_t)slots->active;
        slots->overdue = slots->active;
    }
    overdue |= late == running;
    if (late > 0) {
        CALL(kill, -late, SIGKILL, 0, 0);
        CALL(kill, late, SIGKILL, 0, 0);
    }
    errno = saved;
}

static void set_timer(int which, long ms)
{
    struct itimerval timer = { { 0, 0 }, { ms / 1000, ms % 1000 * 1000 } };
    if (which == ITIMER_REAL) /* fires again, should the first kill come too early */
        timer.it_interval.tv_usec = ms ? 100000 : 0;
    CALL(setitimer, which, &timer, 0, 0);
}

SHARED long wildcaught_micros(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Ends and reaps what the run has left behind. As the subreaper this process
   is the parent of all orphans, also of those that left the group. */
static void sweep(void)
{
    struct text path = { .length = 0, .fd = -1 };
    char pids[4096];
    const char *at;
    int tries, fd;
    pid_t pid;
    ssize_t n;
    for (tries = 0; tries < 10000; ++tries) {
        while ((pid = (pid_t)CALL(wait4, -1, 0, WNOHANG, 0)) > 0)
            ;
        if (pid < 0)
            return; /* ECHILD, as nearly always */
        path.length = 0;
        put(&path, "/proc/self/task/");
        put_number(&path, (uint64_t)getpid(), 10);
        put(&path, "/children");
        fd = open(path.at, O_RDONLY | O_CLOEXEC);
        n = fd < 0 ? 0 : read(fd, pids, sizeof pids - 1);
        close(fd);
        pids[n < 0 ? 0 : n] = 0;
        for (at = pids; *at; ++at) {
            long child = number(&at);
            if (*at != ' ')
                break; /* cut short */
            if (child > 0)
                CALL(kill, child, SIGKILL, 0, 0);
        }
        usleep(1000);
    }
}

/* FNV-1a of a run's output. */
SHARED uint64_t wildcaught_hash(int fd, off_t *bytes)
{
    uint64_t value = 0xcbf29ce484222325u;
    struct stat about;
    unsigned char *at;
    off_t i;
    *bytes = fstat(fd, &about) < 0 ? 0 : about.st_size;
    if (!*bytes)
        return value;
    at = mmap(0, (size_t)*bytes, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
    if (at == MAP_FAILED)
        wildcaught_die("cannot read the output");
    for (i = 0; i < *bytes; ++i)
        value = (value ^ at[i]) * 0x100000001b3u;
    munmap(at, (size_t)*bytes);
    return value;
}

static void send_output(struct text *text, int fd, off_t bytes)
{
    char block[65536];
    off_t at = 0;
    ssize_t n;
    put(text, "output\t");
    put_number(text, (uint64_t)bytes, 10);
    put(text, "\n");
    flush(text);
    while (at < bytes) {
        n = pread(fd, block, sizeof block, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            wildcaught_die("cannot read the output");
        send_all(text->fd, block, (size_t)n);
        at += n;
    }
}

/* One request, and how it went. */
struct run {
    char *on, *mode, *dir, *input, **args;
    char **env;        /* behind the arguments: variables to set */
    long limit, count; /* milliseconds; arguments with argv[0] */
    int in, at, out, err; /* descriptors: input, directory, both outputs */
    int status, timed_out;
    pid_t pid;
    long wall;
    struct rusage used;
};

/* Reads a request and opens what it names. Null, or what is wrong with it. */
static const char *prepare(struct run *run, char *line, char *name, struct buffer *arguments)
{
    const char *verb = field(&line), *limit, *count;
    long i, variables;
    run->on = field(&line);
    limit = field(&line);
    run->mode = field(&line);
    run->dir = field(&line);
    run->input = field(&line);
    count = field(&line);
    if (!count || strcmp(verb, "run"))
        return "not a request";
    run->limit = number(&limit);
    run->count = number(&count) + 1;
    if (run->limit <= 0 || *limit || run->count <= 0 || run->count > 1 << 20 || *count)
        return "bad number";
    grow(arguments, (size_t)(run->count + 1) * sizeof *run->args);
    run->args = (char **)(void *)arguments->at;
    run->args[0] = name;
    for (i = 1; i < run->count; ++i)
        if (!(run->args[i] = field(&line)))
            break;
    run->args[i] = 0;
    if (i < run->count)
        return "wrong count of arguments";
    for (variables = 0; line; ++variables) {
        grow(arguments, (size_t)(run->count + variables + 3) * sizeof *run->args);
        run->args = (char **)(void *)arguments->at;
        run->args[run->count + 1 + variables] = field(&line);
    }
    grow(arguments, (size_t)(run->count + variables + 2) * sizeof *run->args);
    run->args = (char **)(void *)arguments->at;
    run->env = run->args + run->count + 1;
    run->env[variables] = 0;
    clear(strstr(run->mode, "reach") != 0);
    if (strcmp(run->on, "-") && !switch_on(run->on))
        return "bad list of mutants";
    if ((run->in = open(strcmp(run->input, "-") ? run->input : "/dev/null", O_RDONLY | O_CLOEXEC)) < 0)
        return "cannot open the input";
    if (strcmp(run->dir, "-") && (run->at = (int)CALL(openat, AT_FDCWD, run->dir, O_PATH | O_DIRECTORY | O_CLOEXEC, 0)) < 0)
        return "cannot open the directory";
    /* New ones each time: what outlives a run cannot write into the next. */
    run->out = (int)CALL(memfd_create, "out", MFD_CLOEXEC, 0, 0);
    run->err = (int)CALL(memfd_create, "err", MFD_CLOEXEC, 0, 0);
    if (run->out < 0 || run->err < 0)
        return "cannot make the outputs";
    return 0;
}

static void close_all(const struct run *run)
{
    const int all[] = { run->in, run->at, run->out, run->err };
    size_t i;
    for (i = 0; i < sizeof all / sizeof *all; ++i)
        if (all[i] >= 0)
            close(all[i]);
}

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

/* Rules under which a run cannot send signals to the server, or -1. Only in a
   sandbox: the rules need what a sandbox sets. */
static int keep_signals_inside(void)
{
    const struct { uint64_t files, ports, scopes; } rules = { 0, 0, 2 /* signals */ };
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? (int)CALL(landlock_create_ruleset, &rules, sizeof rules, 0, 0) : -1;
}

/* Makes the forked process look like a fresh one. */
static void become(const struct run *run, const struct server *server, const struct sigaction *alarm)
{
    const struct rlimit64 files = { OUTPUT_LIMIT, OUTPUT_LIMIT }, cores = { 0, 0 };
    sigset_t none;
    CALL(setpgid, 0, 0, 0, 0);
    CALL(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
    sigaction(SIGALRM, alarm, 0);
    signal(SIGPROF, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    if (CALL(dup3, run->in, 0, 0, 0) < 0 || CALL(dup3, run->out, 1, 0, 0) < 0 || CALL(dup3, run->err, 2, 0, 0) < 0
        || (run->at >= 0 && CALL(fchdir, run->at, 0, 0, 0) < 0))
        _exit(125);
    close_all(run);
    close(server->requests);
    close(server->replies);
    close(server->tables);
    if (server->rules >= 0) {
        CALL(landlock_restrict_self, server->rules, 0, 0, 0);
        close(server->rules);
    }
    CALL(prlimit64, 0, RLIMIT_FSIZE, &files, 0);
    CALL(prlimit64, 0, RLIMIT_CORE, &cores, 0);
    set_timer(ITIMER_PROF, run->limit);
    wildcaught_may_fork();
    errno = 0;
}

/* Waits for a run within its time, and ends all of it. */
static void watch(struct run *run, pid_t child)
{
    siginfo_t info;
    CALL(setpgid, child, child, 0, 0); /* here too: whichever of the two comes first */
    overdue = 0;
    running = run->pid = child;
    most_micros = (3 * run->limit + 1000) * 1000;
    set_timer(ITIMER_REAL, 3 * run->limit + 1000);
    while (CALL(waitid, P_PID, child, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    running = 0;
    set_timer(ITIMER_REAL, 0);
    CALL(kill, -child, SIGKILL, 0, 0); /* before the reaping frees its number */
    while (CALL(wait4, child, &run->status, 0, &run->used) < 0 && errno == EINTR)
        ;
    run->timed_out = overdue || (WIFSIGNALED(run->status) && WTERMSIG(run->status) == SIGPROF);
    sweep();
}

static void put_field(struct text *text, int there, long value)
{
    put(text, "\t");
    if (there)
        put_number(text, (uint64_t)value, 10);
    else
        put(text, "-");
}

static void put_hash(struct text *text, int fd, off_t *bytes)
{
    uint64_t value = wildcaught_hash(fd, bytes);
    int shift;
    put(text, "\t");
    for (shift = 60; shift >= 0; shift -= 4)
        put_number(text, value >> shift & 15, 16);
    put_field(text, 1, (long)*bytes);
}

static void report(struct text *reply, const struct run *run)
{
    const struct timeval *user = &run->used.ru_utime, *system = &run->used.ru_stime;
    off_t out, err;
    if (wildcaught_slots->slots > 1)
        wildcaught_note(wildcaught_slots, run->status, run->pid, 0, 0); /* the rest is in the reply */
    put(reply, "done");
    put_field(reply, WIFEXITED(run->status), WEXITSTATUS(run->status));
    put_field(reply, WIFSIGNALED(run->status), WTERMSIG(run->status));
    put_field(reply, 1, run->timed_out);
    put_field(reply, 1, run->wall / 1000);
    put_hash(reply, run->out, &out);
    put_hash(reply, run->err, &err);
    put_field(reply, 1, (user->tv_sec + system->tv_sec) * 1000000 + user->tv_usec + system->tv_usec);
    put(reply, "\n");
    if (strstr(run->mode, "reach")) {
        put(reply, "reach\t");
        put_reach(reply);
        put(reply, "\n");
    }
    if (strstr(run->mode, "output")) {
        send_output(reply, run->out, out);
        send_output(reply, run->err, err);
    }
}

int wildcaught_serve(int argc, char **argv, char **envp, int (*program)(int, char **, char **))
{
    struct buffer in = { 0, 0, 0, 0 }, arguments = { 0, 0, 0, 0 };
    struct text reply = { .length = 0 };
    struct sigaction action, alarm_before;
    struct server server;

    /* The pid: a program started by a test has the variable, but is no server. */
    if (!read_server(getenv("WILDCAUGHT_SERVER"), &server) || server.pid != getpid())
        return program(argc, argv, envp);

    reply.fd = server.replies;
    memset(&action, 0, sizeof action);
    action.sa_handler = too_late;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, &alarm_before);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    server.rules = keep_signals_inside();
    if (getenv("WILDCAUGHT_FORKS"))
        wildcaught_only_inside();
    grow(&in, 1);

    /* What ran before main cannot be switched by a request: its units are told. */
    put(&reply, "ready");
    put_field(&reply, 1, (long)units);
    put(&reply, "\t");
    put_reach(&reply);
    put(&reply, "\n");
    flush(&reply);

    for (;;) {
        struct run run = { .in = -1, .at = -1, .out = -1, .err = -1 };
        const char *trouble = prepare(&run, next_line(&in, server.requests), argv[0], &arguments);
        pid_t child = -1;
        if (!trouble) {
            long began = wildcaught_micros();
            child = fork();
            if (child == 0) {
                become(&run, &server, &alarm_before);
                if (*run.env) {
                    for (; *run.env; ++run.env)
                        putenv(*run.env);
                    envp = environ;
                }
                exit(program((int)run.count, run.args, envp));
            }
            if (child < 0)
                trouble = "cannot fork";
            else
                watch(&run, child);
            run.wall = wildcaught_micros() - began;
        }
        if (trouble) {
            put(&reply, "error\t");
            put(&reply, trouble);
            put(&reply, "\n");
        } else
            report(&reply, &run);
        flush(&reply);
        close_all(&run);
    }
}
