// The functions of the path neon.
#ifndef NEON_H
#define NEON_H

#include <arm_neon.h>

#include "../paths.h"

KERNELS_INTERNAL bool kernels_expand_times_neon(const struct kernels_column *column, size_t count,
                                                int64_t unit, int64_t time, int64_t *times);
KERNELS_INTERNAL bool kernels_expand_keys_neon(const struct kernels_column *column, size_t count,
                                               struct kernels_event_keys keys, struct kernels_rows rows);
KERNELS_INTERNAL size_t kernels_fold_crc_neon(uint32_t before, const uint8_t *bytes, size_t length,
                                              struct kernels_residue *residue);
KERNELS_INTERNAL size_t kernels_count_types_neon(const uint32_t *types, size_t count, size_t type_count,
                                                 struct kernels_type_count *counts);
KERNELS_INTERNAL uint64_t kernels_find_rows_neon(const uint32_t *types, size_t count, const uint32_t *set);

#define NEON_INLINE __attribute__((always_inline)) static inline

#endif
