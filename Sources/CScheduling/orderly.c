// Many rows looked at together.
#include "scheduling.h"

#ifdef __x86_64__

#include <immintrin.h>

#define BY_EIGHTS __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))

BY_EIGHTS size_t orderly_rows(const int64_t *times, const uint8_t *kinds, const uint32_t *types,
                              size_t count, int64_t present, size_t type_count, size_t *deletes) {
  // The type count is a power of two, so that types below it have no bit above it.
  const __m512i type_beyond = _mm512_set1_epi32((int)(0 - (uint32_t)type_count));
  const __m128i kind_beyond = _mm_set1_epi8((char)~1);
  __m512i before = _mm512_set1_epi64(present);
  *deletes = 0;
  if (type_count == 0) return 0;
  for (size_t row = 0; row < count; row += 16) {
    const unsigned rows = count - row < 16 ? (1u << (count - row)) - 1 : 0xFFFF;
    const __mmask8 low_rows = (__mmask8)rows, high_rows = (__mmask8)(rows >> 8);
    const __m512i low = _mm512_maskz_loadu_epi64(low_rows, times + row);
    const __m512i high = _mm512_maskz_loadu_epi64(high_rows, times + row + 8);
    const unsigned low_late =
        _mm512_mask_cmplt_epi64_mask(low_rows, low, _mm512_alignr_epi64(low, before, 7));
    const unsigned high_late =
        _mm512_mask_cmplt_epi64_mask(high_rows, high, _mm512_alignr_epi64(high, low, 7));
    before = high;
    const __m512i some_types = _mm512_maskz_loadu_epi32((__mmask16)rows, types + row);
    const __m128i some_kinds = _mm_maskz_loadu_epi8((__mmask16)rows, kinds + row);
    const unsigned care = low_late | high_late << 8 |
                          _mm512_test_epi32_mask(some_types, type_beyond) |
                          _mm_test_epi8_mask(some_kinds, kind_beyond);
    const unsigned some_deletes = _mm_test_epi8_mask(some_kinds, _mm_set1_epi8(1));
    if (care) {
      const int first = __builtin_ctz(care);
      *deletes += (size_t)__builtin_popcount(some_deletes & ((1u << first) - 1));
      return row + (size_t)first;
    }
    *deletes += (size_t)__builtin_popcount(some_deletes);
  }
  return count;
}

BY_EIGHTS size_t rows_before(const int64_t *times, size_t count, int64_t time) {
  const __m512i bound = _mm512_set1_epi64(time);
  size_t before = 0;
  for (size_t row = 0; row < count; row += 8) {
    const __mmask8 rows = (__mmask8)(count - row < 8 ? (1u << (count - row)) - 1 : 0xFF);
    const __m512i some = _mm512_maskz_loadu_epi64(rows, times + row);
    before += (size_t)__builtin_popcount(_mm512_mask_cmplt_epi64_mask(rows, some, bound));
  }
  return before;
}

#else

size_t rows_before(const int64_t *times, size_t count, int64_t time) { __builtin_trap(); }

size_t orderly_rows(const int64_t *times, const uint8_t *kinds, const uint32_t *types, size_t count,
                    int64_t present, size_t type_count, size_t *deletes) {
  __builtin_trap();
}

#endif
