// Many rows looked at together.
#include "scheduling.h"

#ifdef __x86_64__

#include <immintrin.h>

__attribute__((target("avx512f,avx512bw,avx512dq"))) int
orderly_deletes(const int64_t *times, const uint8_t *kinds, const uint32_t *types, size_t count,
                int64_t present, size_t type_count) {
  if (times[0] < present) return -1;
  // Negative if a time lies before its predecessor: no two valid ones are too far apart for that.
  __m512i steps = _mm512_setzero_si512();
  size_t row = 1;
  for (; row + 8 <= count; row += 8)
    steps = _mm512_or_si512(steps, _mm512_sub_epi64(_mm512_loadu_si512(times + row),
                                                    _mm512_loadu_si512(times + row - 1)));
  if (row < count) {
    const __mmask8 rest = (__mmask8)((1u << (count - row)) - 1);
    steps = _mm512_or_si512(
        steps, _mm512_sub_epi64(_mm512_maskz_loadu_epi64(rest, times + row),
                                _mm512_maskz_loadu_epi64(rest, times + row - 1)));
  }

  __m512i any_type = _mm512_setzero_si512();
  for (row = 0; row + 16 <= count; row += 16)
    any_type = _mm512_or_si512(any_type, _mm512_loadu_si512(types + row));
  if (row < count) {
    const __mmask16 rest = (__mmask16)((1u << (count - row)) - 1);
    any_type = _mm512_or_si512(any_type, _mm512_maskz_loadu_epi32(rest, types + row));
  }

  __m512i any_kind = _mm512_setzero_si512(), deletes = _mm512_setzero_si512();
  for (row = 0; row < count; row += 64) {
    const __mmask64 rows = count - row < 64 ? (1ull << (count - row)) - 1 : ~0ull;
    const __m512i some = _mm512_maskz_loadu_epi8(rows, kinds + row);
    any_kind = _mm512_or_si512(any_kind, some);
    deletes = _mm512_add_epi64(deletes, _mm512_sad_epu8(some, _mm512_setzero_si512()));
  }

  // The type count is a power of two, so that types below it have no bit above it.
  const __m512i high = _mm512_set1_epi32((int)(0 - (uint32_t)type_count));
  const __mmask64 kinds_beyond = _mm512_test_epi8_mask(any_kind, _mm512_set1_epi8((char)~1));
  const __mmask16 types_beyond = _mm512_test_epi32_mask(any_type, high);
  if (_mm512_movepi64_mask(steps) | types_beyond | kinds_beyond || type_count == 0) return -1;
  return (int)_mm512_reduce_add_epi64(deletes);
}

#else

int orderly_deletes(const int64_t *times, const uint8_t *kinds, const uint32_t *types, size_t count,
                    int64_t present, size_t type_count) {
  __builtin_trap();
}

#endif
