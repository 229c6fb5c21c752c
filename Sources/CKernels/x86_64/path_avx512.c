// Two paths of AVX-512. Their instructions are those of the attributes AVX512 and AVX512_VBMI.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx2.h"
#include "avx512.h"
#include "crc_folding.h"
#include "../row_bounds.h"

static bool has_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("popcnt");
}

static bool has_avx512vbmi(void) {
  return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("vpclmulqdq");
}

AVX512 DEFINE_BOUND_ROWS(bound_rows_avx512)

/// F, BW, DQ, VL: since Skylake-X and Zen 4.
const struct kernels_table KERNELS_TABLE(avx512) = {
    .name = "avx512",
    .is_available = has_avx512,
    .fold_crc = kernels_fold_crc_avx2,
    .expand_times = kernels_expand_times_avx2,
    .expand_keys = kernels_expand_keys_avx2,
    .expand_words = kernels_expand_words_avx512,
    .sum_wake_hashes = kernels_sum_wake_hashes_avx512,
    .sum_cohort_hashes = kernels_sum_cohort_hashes_avx512,
    .bound_rows = bound_rows_avx512,
    .count_types = kernels_count_types_avx2,
    .find_rows = kernels_find_rows_avx2,
};

/// VBMI, VBMI2, VNNI and VPCLMULQDQ besides: since Ice Lake and Zen 4.
const struct kernels_table KERNELS_TABLE(avx512vbmi) = {
    .name = "avx512vbmi",
    .is_available = has_avx512vbmi,
    .fold_crc = kernels_fold_crc_avx512,
    .expand_times = kernels_expand_times_avx512,
    .expand_keys = kernels_expand_keys_avx512,
    .expand_words = kernels_expand_words_avx512,
    .sum_wake_hashes = kernels_sum_wake_hashes_avx512,
    .sum_cohort_hashes = kernels_sum_cohort_hashes_avx512,
    .bound_rows = bound_rows_avx512,
    .count_types = kernels_count_types_avx2,
    .find_rows = kernels_find_rows_avx2,
};

#endif
