// C functions for the measured region of a benchmark: a function with a name that tools can find, and hardware
// counters.
#ifndef ROUSE_REGION_HOOKS_H
#define ROUSE_REGION_HOOKS_H

#include <stdint.h>

/// Calls `body` with `context`. Only measured code runs within this function, so
/// `valgrind --tool=callgrind --toggle-collect=rouse_measured_region` counts that code alone.
void rouse_measured_region(void (*body)(void *), void *context);

/// The hardware counters, in the order of their values.
enum {
  ROUSE_COUNTER_INSTRUCTIONS,
  ROUSE_COUNTER_CYCLES,
  ROUSE_COUNTER_BRANCH_MISSES,
  ROUSE_COUNTER_CACHE_MISSES,
  ROUSE_COUNTER_COUNT
};

/// Opens a stopped counter of this thread and of threads that it starts later: user space only. Returns a
/// descriptor, or the negated errno.
int rouse_counter_open(int counter);

/// What a counter has counted since it was opened, and the nanoseconds for which it was started and for which it ran.
/// If the processor has fewer counters than are open, `running` is less than `enabled`, and the count covers that
/// fraction of the time. No reset would set the times to 0.
typedef struct rouse_counter_reading {
  uint64_t count;
  uint64_t enabled;
  uint64_t running;
} rouse_counter_reading_t;

/// Reads a counter and starts it; returns 0, or the negated errno.
int rouse_counter_start(int descriptor, rouse_counter_reading_t *reading);

/// Stops a counter and reads it; returns 0, or the negated errno.
int rouse_counter_stop(int descriptor, rouse_counter_reading_t *reading);

/// Whether the calling thread may run on a processor.
int rouse_may_run_on(int processor);

/// Pins the calling thread, and threads it starts later, to one processor; returns 0 or an errno.
int rouse_keep_on(int processor);

/// Makes this process the parent of its orphaned descendants, so that they can be found.
void rouse_adopt_orphans(void);

/// Makes the allocator keep freed memory. Whether it returns a large block to the system, and faults it in again
/// page by page, depends on earlier allocations: a replay can take 1.5 times as long in one process as in another
/// of the same build.
void rouse_keep_freed_memory(void);

/// Returns the allocator's free memory to the system.
void rouse_give_back_freed_memory(void);

#endif
