// Sixteen integers of 64 bits in two registers of eight.
#ifndef EIGHTS_H
#define EIGHTS_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define BY_EIGHTS                                                                              \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni")))
#define INLINE_BY_EIGHTS BY_EIGHTS __attribute__((always_inline)) static inline

/// Sixteen in their order.
struct sixteen {
  __m512i low, high;
};

/// Adds 16 integers to `before`, one by one, and leaves the last sum there; modulo 2^64.
///
/// `even` are the first, the third and so on, `odd` those between. So eight sums are made, of pairs, and
/// what an odd one added is taken away again for the sum before it.
INLINE_BY_EIGHTS struct sixteen add_up(__m512i even, __m512i odd, __m512i *before) {
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

/// The first few of sixteen.
static inline __mmask16 first(size_t count) { return (__mmask16)((1u << count) - 1); }

INLINE_BY_EIGHTS void store(int64_t *integers, struct sixteen sixteen) {
  _mm512_storeu_si512(integers, sixteen.low);
  _mm512_storeu_si512(integers + 8, sixteen.high);
}

INLINE_BY_EIGHTS void store_first(size_t count, int64_t *integers, struct sixteen sixteen) {
  _mm512_mask_storeu_epi64(integers, (__mmask8)first(count), sixteen.low);
  _mm512_mask_storeu_epi64(integers + 8, (__mmask8)(first(count) >> 8), sixteen.high);
}

#endif
