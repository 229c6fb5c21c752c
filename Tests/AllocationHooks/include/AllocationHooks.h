// Counts of the heap allocations of the calling thread, for tests and benchmarks.
//
// Linking this target into an executable replaces malloc and its kin in the whole process by
// functions that count and hand on to glibc's own. Only tests and benchmarks may link it.
#ifndef ROUSE_ALLOCATION_HOOKS_H
#define ROUSE_ALLOCATION_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations are counted: false under a sanitizer, which replaces malloc itself, and
/// where the C library is not glibc.
bool rouse_allocation_hooks_are_active(void);

/// Calls that asked for memory on this thread since it started; a realloc counts as one.
uint64_t rouse_allocation_count(void);

/// Bytes asked for by those calls.
uint64_t rouse_allocation_bytes(void);

#endif
