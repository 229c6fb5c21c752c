// The times of a block: prefix sums of a column's integers (`integers_avx2.h`), sixteen rows at a time.
#include <string.h>

#include "../paths.h"

#ifdef KERNELS_X86_64

#include "integers_avx2.h"

/// A unit of time in two factors of 32 bits, the lower one signed: low + 2^32 * high, modulo 2^64.
struct unit {
  __m256i low, high;
};

AVX2 AVX2_INLINE struct unit split(int64_t unit) {
  const int32_t low = (int32_t)(uint32_t)(uint64_t)unit;
  const uint64_t rest = (uint64_t)unit - (uint64_t)(int64_t)low;
  return (struct unit){.low = _mm256_set1_epi32(low), .high = _mm256_set1_epi32((int32_t)(uint32_t)(rest >> 32))};
}

/// The even ones of eight integers, times the unit; modulo 2^64.
AVX2 AVX2_INLINE __m256i even_products(__m256i integers, struct unit unit) {
  return _mm256_add_epi64(_mm256_mul_epi32(integers, unit.low),
                          _mm256_slli_epi64(_mm256_mul_epi32(integers, unit.high), 32));
}

/// Writes the times of eight rows. `time`, in all lanes, is the time before them, and becomes that of the last.
///
/// Even steps and odd ones are multiplied where they are. The sums of the four pairs are added up; the sum before an
/// odd step is its pair's less that step.
AVX2 AVX2_INLINE void write_eight_times(__m256i steps, struct unit unit, __m256i *time, int64_t *times) {
  const __m256i even = even_products(steps, unit);
  __m256i odd = even_products(_mm256_srli_epi64(steps, 32), unit);
  OPAQUE(odd);
  const __m256i pairs = _mm256_add_epi64(even, odd);
  const __m256i halves = _mm256_add_epi64(pairs, _mm256_slli_si256(pairs, 8));
  // The sum of the lower half comes before the upper one.
  const __m256i lower = _mm256_permute4x64_epi64(halves, _MM_SHUFFLE(1, 1, 0, 0));
  const __m256i sums = _mm256_add_epi64(halves, _mm256_blend_epi32(_mm256_setzero_si256(), lower, 0xF0));
  const __m256i odd_times = _mm256_add_epi64(*time, sums);
  const __m256i even_times = _mm256_sub_epi64(odd_times, odd);
  *time = _mm256_add_epi64(*time, _mm256_permute4x64_epi64(sums, _MM_SHUFFLE(3, 3, 3, 3)));
  // Rows 0, 1, 4, 5 and rows 2, 3, 6, 7.
  const __m256i outer = _mm256_unpacklo_epi64(even_times, odd_times);
  const __m256i inner = _mm256_unpackhi_epi64(even_times, odd_times);
  _mm_storeu_si128((__m128i *)times, _mm256_castsi256_si128(outer));
  _mm_storeu_si128((__m128i *)(times + 2), _mm256_castsi256_si128(inner));
  _mm_storeu_si128((__m128i *)(times + 4), _mm256_extracti128_si256(outer, 1));
  _mm_storeu_si128((__m128i *)(times + 6), _mm256_extracti128_si256(inner, 1));
}

/// `write_eight_times` where the sums of eight steps and the unit are of 32 bits.
AVX2 AVX2_INLINE void write_eight_small_times(__m256i steps, __m256i unit, __m256i *time, int64_t *times) {
  __m256i sums = _mm256_add_epi32(steps, _mm256_slli_si256(steps, 4));
  sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 8));
  const __m256i low = _mm256_mul_epi32(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums)), unit);
  const __m256i high = _mm256_mul_epi32(_mm256_cvtepi32_epi64(_mm256_extracti128_si256(sums, 1)), unit);
  const __m256i middle = _mm256_add_epi64(*time, _mm256_permute4x64_epi64(low, _MM_SHUFFLE(3, 3, 3, 3)));
  _mm256_storeu_si256((__m256i *)times, _mm256_add_epi64(*time, low));
  _mm256_storeu_si256((__m256i *)(times + 4), _mm256_add_epi64(middle, high));
  *time = _mm256_add_epi64(middle, _mm256_permute4x64_epi64(high, _MM_SHUFFLE(3, 3, 3, 3)));
}

/// Writes the times of the next sixteen rows; only the first `count` move the position's `bit`. `are_small`, a constant,
/// says that the sums of eight steps and the unit are of 32 bits.
AVX2 AVX2_INLINE void write_sixteen_times(struct position *position, size_t count, struct unit unit, bool are_small,
                                          __m256i *time, int64_t *times) {
  const struct sixteen_rows rows = next_sixteen_rows(position, count);
  const struct two_eights steps = integers_of_sixteen(position, &rows);
  if (are_small) {
    write_eight_small_times(steps.low, unit.low, time, times);
    write_eight_small_times(steps.high, unit.low, time, times + 8);
  } else {
    write_eight_times(steps.low, unit, time, times);
    write_eight_times(steps.high, unit, time, times + 8);
  }
}

/// `kernels_expand_times` from an even row on; `are_small` as in `write_sixteen_times`.
AVX2 AVX2_INLINE bool expand_times_of(struct kernels_column *column, size_t row, size_t count, struct unit unit,
                                      bool are_small, int64_t time, int64_t *times) {
  struct position position = position_at(column, row);
  __m256i before = _mm256_set1_epi64x(time);
  for (; count >= ROWS_AT_ONCE; count -= ROWS_AT_ONCE, times += ROWS_AT_ONCE) {
    if (has_run_out(&position)) return false;
    write_sixteen_times(&position, ROWS_AT_ONCE, unit, are_small, &before, times);
  }
  if (count > 0) {
    if (has_run_out(&position)) return false;
    int64_t last[ROWS_AT_ONCE];
    write_sixteen_times(&position, count, unit, are_small, &before, last);
    memcpy(times, last, count * sizeof *times);
  }
  column->bit = position.bit;
  return !has_run_out(&position);
}

AVX2 bool kernels_expand_times_avx2(struct kernels_column *column, size_t row, size_t count, int64_t unit,
                                    int64_t time, int64_t *times) {
  if (row % 2 > 0 && count > 0) {
    if (column->bit > column->end) return false;
    time = (int64_t)((uint64_t)time + (uint64_t)unit * (uint64_t)integer_of_odd_row(column, row));
    *times = time;
    row++, count--, times++;
  }
  const int32_t most = INT32_MAX / 8;
  const bool are_small = -most <= column->lowest && column->highest <= most;
  return are_small && INT32_MIN <= unit && unit <= INT32_MAX
             ? expand_times_of(column, row, count, split(unit), true, time, times)
             : expand_times_of(column, row, count, split(unit), false, time, times);
}

#endif
