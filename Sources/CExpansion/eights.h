// Eight integers of 64 bits in a register.
#ifndef EIGHTS_H
#define EIGHTS_H

#include <immintrin.h>
#include <stddef.h>

#define BY_EIGHTS \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi,bmi2")))
#define INLINE_BY_EIGHTS BY_EIGHTS __attribute__((always_inline)) static inline

/// The sums of eight integers from the first on.
INLINE_BY_EIGHTS __m512i add_up(__m512i integers) {
  const __m512i zero = _mm512_setzero_si512();
  integers = _mm512_add_epi64(integers, _mm512_alignr_epi64(integers, zero, 7));
  integers = _mm512_add_epi64(integers, _mm512_alignr_epi64(integers, zero, 6));
  return _mm512_add_epi64(integers, _mm512_alignr_epi64(integers, zero, 4));
}

/// Eight times the last.
INLINE_BY_EIGHTS __m512i last(__m512i integers) {
  return _mm512_permutexvar_epi64(_mm512_set1_epi64(7), integers);
}

/// The first few of eight.
static inline __mmask8 first(size_t count) { return (__mmask8)((1u << count) - 1); }

#endif
