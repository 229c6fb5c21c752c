// The list of paths, and the calls of their functions.
//
// To remove the AVX-512 paths, delete the files x86_64/*avx512*, the line below that names them, and the lines of
// Tests/KernelStandIn/stand_in.c that include the files. `.ci/check-tree` does this on a copy and compiles it.
#include "paths.h"

// In order: each path of a processor includes the instructions of those before it. The blank line lets any line be
// deleted.
#ifdef KERNELS_X86_64
#define X86_64_PATHS(path) \
  path(pclmul) \
  path(avx2) \
  path(avx512) path(avx512vbmi) \

#else
#define X86_64_PATHS(path)
#endif
#ifdef KERNELS_AARCH64
#define AARCH64_PATHS(path) path(neon)
#else
#define AARCH64_PATHS(path)
#endif
#define PATHS(path) path(portable) X86_64_PATHS(path) AARCH64_PATHS(path)

#define DECLARE(path) extern const struct kernels_table KERNELS_TABLE(path);
#define ADDRESS(path) &KERNELS_TABLE(path),
PATHS(DECLARE)
static const struct kernels_table *const tables[] = {PATHS(ADDRESS)};

unsigned kernels_path_count(void) { return sizeof tables / sizeof *tables; }

const char *kernels_path_name(unsigned path) { return tables[path]->name; }

bool kernels_is_available(unsigned path) {
  // A path needs the instructions of those before it.
  for (unsigned lower = 0; lower <= path; lower++)
    if (lower >= kernels_path_count() || !tables[lower]->is_available()) return false;
  return true;
}

uint32_t kernels_crc(unsigned path, uint32_t previous, const uint8_t *bytes, size_t length, kernels_plain_crc plain) {
  size_t folded = 0;
  if (length >= 64) {
    struct kernels_residue residue;
    folded = tables[path]->fold_crc(~previous, bytes, length, &residue);
    // The complement of a register of 0.
    if (folded > 0) previous = (uint32_t)plain(UINT32_MAX, residue.bytes, (unsigned)residue.length);
  }
  return folded < length ? (uint32_t)plain(previous, bytes + folded, (unsigned)(length - folded)) : previous;
}

bool kernels_expands_columns(unsigned path) { return tables[path]->expand_times; }

bool kernels_expand_times(unsigned path, const struct kernels_column *column, size_t count,
                          int64_t unit, int64_t time, int64_t *times) {
  if (!tables[path]->expand_times) return false;
  return tables[path]->expand_times(column, count, unit, time, times);
}

bool kernels_expand_keys(unsigned path, const struct kernels_column *column, size_t count,
                         struct kernels_event_keys keys, struct kernels_rows rows) {
  if (!tables[path]->expand_keys) return false;
  return tables[path]->expand_keys(column, count, keys, rows);
}

void kernels_expand_words(unsigned path, const uint8_t *words, size_t count, const struct kernels_words *meanings,
                          int64_t time, int64_t *times, uint32_t *types) {
  tables[path]->expand_words(words, count, meanings, time, times, types);
}

uint64_t kernels_sum_wake_hashes(unsigned path, const void *wakes, size_t count) {
  return tables[path]->sum_wake_hashes(wakes, count);
}

uint64_t kernels_sum_cohort_hashes(unsigned path, const void *cohorts, size_t count) {
  return tables[path]->sum_cohort_hashes(cohorts, count);
}

struct kernels_row_bounds kernels_bound_rows(unsigned path, const int64_t *times,
                                             const uint8_t *kinds, const uint32_t *types,
                                             size_t count) {
  return tables[path]->bound_rows(times, kinds, types, count);
}

bool kernels_counts_types(unsigned path) { return tables[path]->count_types; }

size_t kernels_count_types(unsigned path, const uint32_t *types, size_t count, size_t type_count,
                           struct kernels_type_count *counts) {
  if (!tables[path]->count_types) return 0;
  return tables[path]->count_types(types, count, type_count, counts);
}

uint64_t kernels_find_rows(unsigned path, const uint32_t *types, size_t count,
                           const uint32_t set[KERNELS_TYPE_SET_WORDS]) {
  return tables[path]->find_rows(types, count, set);
}
