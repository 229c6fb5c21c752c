// Copies of this process that a scheduler under test makes by fork(2).
#include "shim.h"

#include <pthread.h>

volatile sig_atomic_t rouse_fork_mark;

static void mark(void) { rouse_fork_mark = ROUSE_HAS_FORKED; }

static void mark_copy(void) {
  rouse_fork_mark = ROUSE_IS_FORK;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void rouse_watch_forks(void) { pthread_atfork(NULL, mark, mark_copy); }
