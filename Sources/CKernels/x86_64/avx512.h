// What the AVX-512 paths share: their functions, and prefix sums of sixteen 64-bit integers in two registers.
#ifndef AVX512_H
#define AVX512_H

#include <immintrin.h>

#include "../paths.h"

// The suffix avx512 means either path. What needs VBMI is in the table of that path alone.
KERNELS_INTERNAL size_t kernels_fold_crc_avx512(uint32_t before, const uint8_t *bytes, size_t length,
                                                struct kernels_residue *residue);
KERNELS_INTERNAL bool kernels_expand_times_avx512(const struct kernels_column *column, size_t count,
                                                int64_t unit, int64_t time, int64_t *times);
KERNELS_INTERNAL bool kernels_expand_keys_avx512(const struct kernels_column *column, size_t count,
                                               struct kernels_event_keys keys, struct kernels_rows rows);
KERNELS_INTERNAL void kernels_expand_words_avx512(const uint8_t *words, size_t count,
                                                  const struct kernels_words *meanings, int64_t time,
                                                  int64_t *times, uint32_t *types);
KERNELS_INTERNAL uint64_t kernels_sum_wake_hashes_avx512(const uint64_t *wakes, size_t count);
KERNELS_INTERNAL uint64_t kernels_sum_cohort_hashes_avx512(const struct kernels_cohort_wakes *cohorts,
                                                           size_t count);

// The instructions of the paths avx512 and avx512vbmi, as `path_avx512.c` asks for them.
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))
#define AVX512_VBMI                                                                                \
  __attribute__((                                                                                  \
      target("avx512f,avx512bw,avx512dq,avx512vl,popcnt,avx512vbmi,avx512vbmi2,avx512vnni")))
#define INLINE __attribute__((always_inline)) static inline

/// Sixteen integers in order.
struct sixteen {
  __m512i low, high;
};

/// The prefix sums of 16 integers that come after `before`, which becomes the last sum; modulo 2^64.
///
///     for i in 0..<16: before += integers[i]; sums[i] = before
///
/// `even` holds integers 0, 2, 4, … and `odd` integers 1, 3, 5, …. The sums of the eight pairs are added up in
/// log2(8) steps (Hillis and Steele, 1986); the sum before an odd integer is the pair's sum less that integer.
AVX512 INLINE struct sixteen prefix_sums(__m512i even, __m512i odd, __m512i *before) {
  const __m512i zero = _mm512_setzero_si512();
  __m512i sums = _mm512_add_epi64(even, odd);
  sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 7));
  sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 6));
  sums = _mm512_add_epi64(sums, _mm512_alignr_epi64(sums, zero, 4));
  const __m512i odd_sums = _mm512_add_epi64(*before, sums);
  const __m512i even_sums = _mm512_sub_epi64(odd_sums, odd);
  *before = _mm512_permutexvar_epi64(_mm512_set1_epi64(7), odd_sums);
  const __m512i low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
  const __m512i high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
  return (struct sixteen){.low = _mm512_permutex2var_epi64(even_sums, low, odd_sums),
                          .high = _mm512_permutex2var_epi64(even_sums, high, odd_sums)};
}

/// A mask of the first `count` lanes, which are at most 16.
static inline __mmask16 first(size_t count) { return (__mmask16)((1u << count) - 1); }

AVX512 INLINE void store(int64_t *integers, struct sixteen sixteen) {
  _mm512_storeu_si512(integers, sixteen.low);
  _mm512_storeu_si512(integers + 8, sixteen.high);
}

AVX512 INLINE void store_first(size_t count, int64_t *integers, struct sixteen sixteen) {
  _mm512_mask_storeu_epi64(integers, (__mmask8)first(count), sixteen.low);
  _mm512_mask_storeu_epi64(integers + 8, (__mmask8)(first(count) >> 8), sixteen.high);
}

#endif
