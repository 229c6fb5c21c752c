// What a path consists of. `cpu.c` lists the paths and calls their functions.
#ifndef PATHS_H
#define PATHS_H

#include "kernels.h"

// The test target KernelStandIn compiles the files of all processors against intrinsics in plain C, on any processor. It
// prefixes the tables of paths and makes the other functions static, so that they do not clash with the product's.
#ifdef KERNELS_STAND_IN
#define KERNELS_X86_64
#define KERNELS_AARCH64
#define KERNELS_TABLE(path) stand_in_path_##path
#define KERNELS_INTERNAL static
#else
#ifdef __x86_64__
#define KERNELS_X86_64
#endif
#ifdef __AARCH64EL__
#define KERNELS_AARCH64
#endif
#define KERNELS_TABLE(path) kernels_path_##path
#define KERNELS_INTERNAL
#endif

/// Bytes that have the CRC-32 of others before them: the register after them, started at 0, is that after the others.
struct kernels_residue {
  size_t length;
  uint8_t bytes[KERNELS_CRC_PLAIN / 2];
};

/// The name of a path, its condition, and its functions, which `kernels.h` describes. Null where the path has no
/// kernel: then the caller has a plain loop.
struct kernels_table {
  const char *name;
  bool (*is_available)(void);
  /// Folds at least 64 bytes, before which the register, not inverted, is `before`. Returns how many of the first are folded.
  size_t (*fold_crc)(uint32_t before, const uint8_t *bytes, size_t length, struct kernels_residue *residue);
  bool (*expand_times)(const struct kernels_column *column, size_t count, int64_t unit,
                       int64_t time, int64_t *times);
  bool (*expand_keys)(const struct kernels_column *column, size_t count,
                      struct kernels_event_keys keys, struct kernels_rows rows);
  void (*expand_words)(const uint8_t *words, size_t count, const struct kernels_words *meanings, int64_t time,
                       int64_t *times, uint32_t *types);
  uint64_t (*sum_wake_hashes)(const uint64_t *wakes, size_t count);
  uint64_t (*sum_cohort_hashes)(const struct kernels_cohort_wakes *cohorts, size_t count);
  struct kernels_row_bounds (*bound_rows)(const int64_t *times, const uint8_t *kinds,
                                          const uint32_t *types, size_t count);
  size_t (*count_types)(const uint32_t *types, size_t count, size_t type_count,
                        struct kernels_type_count *counts);
  uint64_t (*find_rows)(const uint32_t *types, size_t count, const uint32_t *set);
};

// Functions of the portable path, which others use where they have none of their own.
KERNELS_INTERNAL size_t kernels_fold_crc_portable(uint32_t before, const uint8_t *bytes, size_t length,
                                                  struct kernels_residue *residue);
KERNELS_INTERNAL void kernels_expand_words_portable(const uint8_t *words, size_t count,
                                                    const struct kernels_words *meanings, int64_t time,
                                                    int64_t *times, uint32_t *types);
KERNELS_INTERNAL uint64_t kernels_find_rows_portable(const uint32_t *types, size_t count, const uint32_t *set);
KERNELS_INTERNAL uint64_t kernels_sum_wake_hashes_portable(const uint64_t *wakes, size_t count);
KERNELS_INTERNAL uint64_t kernels_sum_cohort_hashes_portable(const struct kernels_cohort_wakes *cohorts,
                                                             size_t count);

/// Whether rows whose mantissas end before the bit `bit` take no more than there are, and leave less than a byte.
static inline bool kernels_ends_at(const struct kernels_column *column, size_t bit) {
  return bit <= column->end && column->end - bit < 8;
}

#endif
