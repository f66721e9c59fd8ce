/* Lets a program that crashes, or is about to be ended, write where it is and its coverage first, then end as it would
   have. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t pending;
static char stack[1 << 18];
static const char *place;

/* Where it is, as addresses in files. */
static void note_stack(void) {
  void *frames[96];
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  int file = place ? open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (file >= 0) {
    /* Frames name the program as it was called, from a directory that nobody knows. */
    program[length < 0 ? 0 : length++] = '\n';
    if (length > 0 && write(file, program, (size_t)length) < 0)
      _exit(1);
    backtrace_symbols_fd(frames, backtrace(frames, 96), file);
    close(file);
  }
}

/* Whether it has children: a shell that waits is not what takes too long. */
static int is_parent(void) {
  siginfo_t child;
  return waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static void on_signal(int signal_number) {
  if (signal_number == SIGALRM && is_parent())
    return;
  if (pending)
    _exit(128 + signal_number);
  pending = signal_number;
  note_stack();
  exit(128 + signal_number);
}

__attribute__((constructor)) static void begin(void) {
  static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGTERM, SIGALRM};
  stack_t alternate;
  struct sigaction action;
  const char *limit = getenv("WILDCAUGHT_DUMP_AFTER_MS");
  unsigned i;
  void *frame;
  place = getenv("WILDCAUGHT_STACK");
  backtrace(&frame, 1); /* the first call loads a library, which must not happen in a crash */
  memset(&alternate, 0, sizeof alternate);
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, 0);
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, 0);
  if (limit) {
    struct itimerval timer;
    long ms = atol(limit);
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = ms / 1000;
    timer.it_value.tv_usec = ms % 1000 * 1000;
    setitimer(ITIMER_REAL, &timer, 0);
  }
}

/* Runs after the program's own exit handlers: its coverage is written. */
__attribute__((destructor)) static void end(void) {
  if (pending) {
    signal(pending, SIG_DFL);
    raise(pending);
  }
}
