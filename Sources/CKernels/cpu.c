// The only look at the processor, and the choice of a function for each path.
//
// To remove the AVX-512 path, delete the files x86_64/*avx512*, and every statement below and in
// Tests/KernelStandIn/stand_in.c that names one of them or a path KERNELS_AVX512…: one for each function.
#include "paths.h"

bool kernels_is_available(enum kernels_path path) {
  if (path == KERNELS_PORTABLE) return true;
#ifdef KERNELS_X86_64
  bool has = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  if (path == KERNELS_PCLMUL) return has;
  has = has && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("popcnt");
  if (path == KERNELS_AVX512) return has;
  has = has && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
        __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("vpclmulqdq");
  if (path == KERNELS_AVX512_VBMI) return has;
#endif
  return false;
}

// Returns what `call` returns if the path includes `least`.
#ifdef KERNELS_X86_64
#define USE_FROM(least, call) \
  if (path >= least) return call
#else
#define USE_FROM(least, call) (void)path
#endif

size_t kernels_fold_crc(enum kernels_path path, uint32_t before, const uint8_t *bytes, size_t length,
                        uint8_t residue[KERNELS_CRC_RESIDUE]) {
  if (length < 64) return 0;
  USE_FROM(KERNELS_AVX512_VBMI, kernels_fold_crc_avx512(before, bytes, length, residue));
  USE_FROM(KERNELS_PCLMUL, kernels_fold_crc_pclmul(before, bytes, length, residue));
  return 0;
}

bool kernels_expands_columns(enum kernels_path path) {
  USE_FROM(KERNELS_AVX512_VBMI, true);
  return false;
}

bool kernels_expand_times(enum kernels_path path, struct kernels_column *column, size_t row,
                          size_t count, int64_t unit, int64_t time, int64_t *times) {
  USE_FROM(KERNELS_AVX512_VBMI, kernels_expand_times_avx512(column, row, count, unit, time, times));
  return false;
}

bool kernels_expand_keys(enum kernels_path path, struct kernels_column *column, size_t row,
                         size_t count, struct kernels_event_keys keys, uint32_t home,
                         struct kernels_rows rows) {
  USE_FROM(KERNELS_AVX512_VBMI, kernels_expand_keys_avx512(column, row, count, keys, home, rows));
  return false;
}

void kernels_expand_words(enum kernels_path path, const uint8_t *words, size_t count,
                          size_t word_count, const int64_t steps[KERNELS_WORDS],
                          const uint32_t types_of_words[KERNELS_WORDS], int64_t time, int64_t *times,
                          uint32_t *types) {
  USE_FROM(KERNELS_AVX512, kernels_expand_words_avx512(words, count, word_count, steps, types_of_words,
                                                       time, times, types));
  kernels_expand_words_portable(words, count, steps, types_of_words, time, times, types);
}

uint64_t kernels_sum_wake_hashes(enum kernels_path path, const void *wakes, size_t count) {
  USE_FROM(KERNELS_AVX512, kernels_sum_wake_hashes_avx512(wakes, count));
  return kernels_sum_wake_hashes_portable(wakes, count);
}

uint64_t kernels_sum_cohort_hashes(enum kernels_path path, const void *wake,
                                   const uint64_t apps[KERNELS_WAKE_LANES]) {
  USE_FROM(KERNELS_AVX512, kernels_sum_cohort_hashes_avx512(wake, apps));
  return kernels_sum_cohort_hashes_portable(wake, apps);
}
