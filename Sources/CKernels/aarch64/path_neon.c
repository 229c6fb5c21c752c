// The path of arm64: NEON, which every such processor has, and the instructions for CRC-32 where they are.
#include "../paths.h"

#ifdef KERNELS_AARCH64

#include "neon.h"
#include "../row_bounds.h"

static bool has_neon(void) { return true; }

DEFINE_BOUND_ROWS(bound_rows_neon)

const struct kernels_table KERNELS_TABLE(neon) = {
    .name = "neon",
    .is_available = has_neon,
    .fold_crc = kernels_fold_crc_neon,
    .expand_times = kernels_expand_times_neon,
    .expand_keys = kernels_expand_keys_neon,
    .expand_words = kernels_expand_words_portable,
    // NEON multiplies no 64-bit lanes.
    .sum_wake_hashes = kernels_sum_wake_hashes_portable,
    .sum_cohort_hashes = kernels_sum_cohort_hashes_portable,
    .bound_rows = bound_rows_neon,
    .count_types = kernels_count_types_neon,
    .find_rows = kernels_find_rows_neon,
};

#endif
