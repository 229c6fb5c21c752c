#define _GNU_SOURCE
#include "RegionHooks.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) void rouse_measured_region(void (*body)(void *), void *context) {
  body(context);
  // The code after the call prevents a tail call, which would leave no stack frame for tools.
  __asm__ volatile("" ::: "memory");
}

static const uint64_t events[ROUSE_COUNTER_COUNT] = {
    [ROUSE_COUNTER_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
    [ROUSE_COUNTER_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
    [ROUSE_COUNTER_BRANCH_MISSES] = PERF_COUNT_HW_BRANCH_MISSES,
    [ROUSE_COUNTER_CACHE_MISSES] = PERF_COUNT_HW_CACHE_MISSES,
};

int rouse_counter_open(int counter) {
  if (counter < 0 || counter >= ROUSE_COUNTER_COUNT) return -EINVAL;
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = events[counter];
  attributes.disabled = 1;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  long descriptor =
      syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return descriptor < 0 ? -errno : (int)descriptor;
}

static int read_counter(int descriptor, rouse_counter_reading_t *reading) {
  uint64_t values[3];
  ssize_t size = read(descriptor, values, sizeof values);
  if (size < 0) return -errno;
  if (size != (ssize_t)sizeof values) return -EIO;
  *reading = (rouse_counter_reading_t){values[0], values[1], values[2]};
  return 0;
}

int rouse_counter_start(int descriptor, rouse_counter_reading_t *reading) {
  int status = read_counter(descriptor, reading);
  if (status != 0) return status;
  return ioctl(descriptor, PERF_EVENT_IOC_ENABLE, 0) == 0 ? 0 : -errno;
}

int rouse_counter_stop(int descriptor, rouse_counter_reading_t *reading) {
  if (ioctl(descriptor, PERF_EVENT_IOC_DISABLE, 0) != 0) return -errno;
  return read_counter(descriptor, reading);
}

int rouse_may_run_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (processor < 0 || processor >= CPU_SETSIZE) return 0;
  return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_ISSET(processor, &set);
}

int rouse_keep_on(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (processor < 0 || processor >= CPU_SETSIZE) return EINVAL;
  CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}

void rouse_adopt_orphans(void) { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void rouse_keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

void rouse_give_back_freed_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
