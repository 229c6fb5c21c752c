// The path of PCLMULQDQ and SSE4.1: x86-64 since 2010.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "crc_folding.h"
#include "../row_bounds.h"

static bool has_pclmul(void) {
  return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}

DEFINE_BOUND_ROWS(bound_rows_pclmul)

const struct kernels_table KERNELS_TABLE(pclmul) = {
    .name = "pclmul",
    .is_available = has_pclmul,
    .fold_crc = kernels_fold_crc_pclmul,
    .expand_words = kernels_expand_words_portable,
    .sum_wake_hashes = kernels_sum_wake_hashes_portable,
    .sum_cohort_hashes = kernels_sum_cohort_hashes_portable,
    .bound_rows = bound_rows_pclmul,
    .find_rows = kernels_find_rows_portable,
};

#endif
