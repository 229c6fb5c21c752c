// Survives that a mapped file is cut short by another process.
//
// An access behind the file's new end raises SIGBUS. The guard's handler, installed with the first guarded mapping,
// then maps zeros over the whole mapping, and the access goes on. It passes every other SIGBUS to the handler that was
// there before. It does not help where a program installs its own handler later without calling this one, nor while a
// thread blocks SIGBUS, as the kernel then ends the process: hence `mapping_guard_unblock`.
#ifndef ROUSE_MAPPING_GUARD_H
#define ROUSE_MAPPING_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Guards a mapping; returns its place, or -1 if 65,536 are guarded.
///
/// `word`: the 64-bit word that gets `mark` in place of zero; -1 is none.
__attribute__((visibility("hidden"))) int mapping_guard_add(
    void *start, size_t length, long word, uint64_t mark);

/// Call it before the mapping ends.
__attribute__((visibility("hidden"))) void mapping_guard_remove(int place);

/// Unblocks SIGBUS in the calling thread; true if it was blocked.
__attribute__((visibility("hidden"))) bool mapping_guard_unblock(void);

/// Blocks it again.
__attribute__((visibility("hidden"))) void mapping_guard_block(void);

/// Unblocks SIGBUS in the calling thread until `mapping_guard_leave` was called as often in it.
__attribute__((visibility("hidden"))) void mapping_guard_enter(void);

__attribute__((visibility("hidden"))) void mapping_guard_leave(void);

/// Whether zeros stand in place of the file.
__attribute__((visibility("hidden"))) bool mapping_guard_was_cut(int place);

#endif
