#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int spoiled;

static int same(int x) { return x; }
static int alike(int x) { return x + 0; }
static int right(int x) { return spoiled ? -1 : 2 * x; }
static int wrong(int x) { return 2 * x + 1; }

static void calm(void) { }

static void stay(void)
{
    if (fork() == 0) {
        setsid();
        /* Whoever reads what we print must not wait for it. */
        close(1);
        close(2);
        execlp("sleep", "sleep", "@MARK@", (char *)0);
        _exit(1);
    }
}

static void leave_process(void) { stay(); usleep(20000); }
static void write_outside(void) { close(open("@OUTSIDE@/written", O_CREAT | O_WRONLY, 0600)); }
static void delete_outside(void) { unlink("@OUTSIDE@/precious"); }

static void take_memory(void)
{
    size_t block = 64 << 20, taken;
    for (taken = 0; taken < (size_t)3 << 30; taken += block) {
        char *at = malloc(block);
        if (!at)
            abort();
        memset(at, 1, block);
    }
}

static void flood(int fd)
{
    static char text[65536];
    memset(text, 'x', sizeof text);
    for (;;)
        if (write(fd, text, sizeof text) < 0)
            abort();
}

static void flood_stdout(void) { flood(1); }
static void flood_stderr(void) { flood(2); }

static void fork_bomb(void)
{
    int i;
    for (i = 0; i < 300; ++i)
        stay();
}

static void remove_program(void) { unlink("prog"); }
static void kill_parent(void) { kill(getppid(), SIGKILL); usleep(50000); }

static void write_tree(void)
{
    FILE *file = fopen("cases/two.txt", "w");
    if (file) {
        fputs("7\n", file);
        fclose(file);
    }
}

static void forge_result(void) { fputs("4\n10\nok 1\nok 2\n", stdout); spoiled = 1; }
static void exit_early(void) { _exit(0); }
static void loop_forever(void) { volatile int on = 1; while (on) ; }
static void sleep_forever(void) { for (;;) pause(); }
static void close_files(void) { int fd; for (fd = 0; fd < 1024; ++fd) close(fd); }

static void connect_out(void)
{
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(@PORT@) };
    int s = socket(AF_INET, SOCK_STREAM, 0);
    inet_pton(AF_INET, "@HOST@", &to.sin_addr);
    if (s >= 0) {
        fcntl(s, F_SETFL, O_NONBLOCK);
        connect(s, (struct sockaddr *)&to, sizeof to);
        usleep(50000);
        close(s);
    }
}

static void *idle(void *unused) { for (;;) pause(); return unused; }
static void leave_thread(void) { pthread_t thread; pthread_create(&thread, 0, idle, 0); }
