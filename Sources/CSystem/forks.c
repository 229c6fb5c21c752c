// Copies of this process that a scheduler under test makes by fork(2).
#include "shim.h"

#include <pthread.h>

volatile sig_atomic_t fork_watch_mark;

static void mark(void) { fork_watch_mark = FORK_WATCH_ORIGINAL; }

static void mark_copy(void) {
  fork_watch_mark = FORK_WATCH_COPY;
  system_end_with_parent();
}

void fork_watch_begin(void) { pthread_atfork(NULL, mark, mark_copy); }
