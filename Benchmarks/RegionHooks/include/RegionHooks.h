// What a benchmark's measured region needs from C: a function with a name that tools can find, and the
// processor's counters.
#ifndef ROUSE_REGION_HOOKS_H
#define ROUSE_REGION_HOOKS_H

#include <stdint.h>

/// Calls `body` with `context`. Everything measured runs inside of this function and nothing else does,
/// so `valgrind --tool=callgrind --toggle-collect=rouse_measured_region` counts just that.
void rouse_measured_region(void (*body)(void *), void *context);

/// The counters that the kernel is asked for, in the order of their values.
enum {
  ROUSE_COUNTER_INSTRUCTIONS,
  ROUSE_COUNTER_CYCLES,
  ROUSE_COUNTER_BRANCH_MISSES,
  ROUSE_COUNTER_CACHE_MISSES,
  ROUSE_COUNTER_COUNT
};

/// Opens a counter of this thread, and of threads it starts later, that stands still: user space only.
/// Returns a descriptor, or the negated errno.
int rouse_counter_open(int counter);

/// Lets a counter run from 0.
void rouse_counter_start(int descriptor);

/// Stops a counter and reads it; returns 0, or the negated errno. If the processor had fewer counters
/// than were asked of it at once, `running` is less than `enabled`, and the count covers that share.
int rouse_counter_stop(int descriptor, uint64_t *count, uint64_t *enabled, uint64_t *running);

/// Whether the calling thread may run on a processor.
int rouse_may_run_on(int processor);

/// Keeps the calling thread, and threads it starts later, on one processor; returns 0 or an errno.
int rouse_keep_on(int processor);

/// Lets processes whose parent ends become children of this one, if it descends from it, so that they can be
/// found.
void rouse_adopt_orphans(void);

/// Lets the allocator keep what is given back. Whether it returns a large piece to the system, and takes it
/// anew page by page, depends on what was allocated before: whole replays can be half as slow again in one
/// process as in another of the same build.
void rouse_keep_freed_memory(void);

/// Gives what is free of the allocator's memory back to the system.
void rouse_give_back_freed_memory(void);

#endif
