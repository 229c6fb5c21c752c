// The portable path: C without intrinsics.
#include "../paths.h"
#include "../row_bounds.h"

static bool is_available(void) { return true; }

DEFINE_BOUND_ROWS(bound_rows_portable)

const struct kernels_table KERNELS_TABLE(portable) = {
    .name = "portable",
    .is_available = is_available,
    .fold_crc = kernels_fold_crc_portable,
    .expand_words = kernels_expand_words_portable,
    .sum_wake_hashes = kernels_sum_wake_hashes_portable,
    .sum_cohort_hashes = kernels_sum_cohort_hashes_portable,
    .bound_rows = bound_rows_portable,
    .find_rows = kernels_find_rows_portable,
};
