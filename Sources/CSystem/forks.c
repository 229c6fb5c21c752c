#include "forks.h"

#include <pthread.h>
#include <unistd.h>

#include "system_calls.h"

volatile sig_atomic_t fork_watch_mark;

/// The process that is about to be copied.
static pid_t original;

static void note_original(void) { original = getpid(); }

static void mark(void) { fork_watch_mark = FORK_WATCH_ORIGINAL; }

static void mark_copy(void) {
  fork_watch_mark = FORK_WATCH_COPY;
  system_end_with_parent();
  // The original may have ended before the copy could say that it ends with it.
  if (getppid() != original) _exit(1);
}

void fork_watch_begin(void) { pthread_atfork(note_original, mark, mark_copy); }
