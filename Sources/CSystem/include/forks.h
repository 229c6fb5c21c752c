// Copies of this process that a scheduler under test makes by fork(2).
#ifndef ROUSE_FORKS_H
#define ROUSE_FORKS_H

#include <signal.h>

#pragma GCC visibility push(hidden)

/// What fork(2) has made of a process that has called `fork_watch_begin`.
enum {
  /// It has made a copy.
  FORK_WATCH_ORIGINAL = 1,
  /// It is a copy, which ends with the thread that made it.
  FORK_WATCH_COPY = 2
};
extern volatile sig_atomic_t fork_watch_mark;
static inline int fork_watch_state(void) { return fork_watch_mark; }
static inline void fork_watch_forget(void) { fork_watch_mark = 0; }

/// Call it once a process, before `fork_watch_state`.
void fork_watch_begin(void);

#pragma GCC visibility pop

#endif
