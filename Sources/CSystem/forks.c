#include "forks.h"

#include <pthread.h>

#include "system_calls.h"

volatile sig_atomic_t fork_watch_mark;

static void mark(void) { fork_watch_mark = FORK_WATCH_ORIGINAL; }

static void mark_copy(void) {
  fork_watch_mark = FORK_WATCH_COPY;
  system_end_with_parent();
}

void fork_watch_begin(void) { pthread_atfork(NULL, mark, mark_copy); }
