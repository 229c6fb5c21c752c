// The path of AVX2: Intel since 2013, AMD since 2015.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx2.h"
#include "crc_folding.h"
#include "../row_bounds.h"

static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }

AVX2 DEFINE_BOUND_ROWS(bound_rows_avx2)

const struct kernels_table KERNELS_TABLE(avx2) = {
    .name = "avx2",
    .is_available = has_avx2,
    .fold_crc = kernels_fold_crc_avx2,
    .expand_times = kernels_expand_times_avx2,
    .expand_keys = kernels_expand_keys_avx2,
    .expand_words = kernels_expand_words_avx2,
    .sum_wake_hashes = kernels_sum_wake_hashes_avx2,
    .sum_cohort_hashes = kernels_sum_cohort_hashes_avx2,
    .bound_rows = bound_rows_avx2,
    .count_types = kernels_count_types_avx2,
    .find_rows = kernels_find_rows_avx2,
};

#endif
