// The times of a block: prefix sums of a column's integers (`integers_avx2.h`), 32 rows at a time.
//
// The rows of both halves of a register are added up side by side, sixteen of each. What the first sixteen come to is added
// to the others at the end.
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

/// The time before each half's sixteen rows, by the sums of these. `time`, in all lanes, is that before the first half, and
/// becomes that of the last row.
AVX2 AVX2_INLINE __m256i before_halves(__m256i sums, __m256i *time) {
  const __m256i before = _mm256_add_epi64(*time, _mm256_permute2x128_si256(sums, sums, 0x08));
  const __m256i last = _mm256_add_epi64(before, sums);
  *time = _mm256_permute2x128_si256(last, last, 0x11);
  return before;
}

/// Writes the times of four rows of each half: the first two, and the last two.
AVX2 AVX2_INLINE void write_fours(__m256i first, __m256i last, int64_t *times) {
  _mm256_storeu_si256((__m256i *)times, _mm256_permute2x128_si256(first, last, 0x20));
  _mm256_storeu_si256((__m256i *)(times + ROWS_AT_ONCE / 2), _mm256_permute2x128_si256(first, last, 0x31));
}

/// Writes the times of 32 rows where the sums of sixteen steps and the unit are of 32 bits. `time` as in `before_halves`.
AVX2 AVX2_INLINE void write_small_times(const struct integers *steps, __m256i unit, __m256i *time, int64_t *times) {
  // Takes a four's third 32 bits, which are the sum of the first two rows, to the last two.
  const __m256i first_two = in_both_halves((const uint8_t[16]){128, 128, 128, 128, 8, 9, 10, 11,
                                                               128, 128, 128, 128, 8, 9, 10, 11});
  __m256i sums[4];
  UNROLL for (int four = 0; four < 4; four++) {
    const __m256i pairs = _mm256_add_epi32(steps->fours[four], _mm256_slli_si256(steps->fours[four], 8));
    sums[four] = _mm256_add_epi32(pairs, _mm256_shuffle_epi8(pairs, first_two));
    if (four > 0) sums[four] = _mm256_add_epi32(sums[four], _mm256_shuffle_epi32(sums[four - 1], 0xFF));
  }
  const __m256i before = before_halves(_mm256_mul_epi32(_mm256_shuffle_epi32(sums[3], 0xFF), unit), time);
  UNROLL for (int four = 0; four < 4; four++) {
    const __m256i first = _mm256_mul_epi32(sums[four], unit);
    const __m256i last = _mm256_mul_epi32(_mm256_shuffle_epi32(sums[four], 0xF5), unit);
    write_fours(_mm256_add_epi64(before, first), _mm256_add_epi64(before, last), times + 4 * four);
  }
}

/// `write_small_times` for steps and units of any size.
AVX2 AVX2_INLINE void write_large_times(const struct integers *steps, struct unit unit, __m256i *time, int64_t *times) {
  __m256i first[4], last[4];
  UNROLL for (int four = 0; four < 4; four++) {
    first[four] = even_products(steps->fours[four], unit);
    last[four] = even_products(_mm256_srli_epi64(steps->fours[four], 32), unit);
    // It would multiply sums, of 64 bits.
    OPAQUE(first[four]);
    OPAQUE(last[four]);
    first[four] = _mm256_add_epi64(first[four], _mm256_slli_si256(first[four], 8));
    last[four] = _mm256_add_epi64(last[four], _mm256_slli_si256(last[four], 8));
    if (four > 0) first[four] = _mm256_add_epi64(first[four], _mm256_unpackhi_epi64(last[four - 1], last[four - 1]));
    last[four] = _mm256_add_epi64(last[four], _mm256_unpackhi_epi64(first[four], first[four]));
  }
  const __m256i before = before_halves(_mm256_unpackhi_epi64(last[3], last[3]), time);
  UNROLL for (int four = 0; four < 4; four++)
    write_fours(_mm256_add_epi64(before, first[four]), _mm256_add_epi64(before, last[four]), times + 4 * four);
}

/// Writes the times of 32 rows. `are_small`, a constant, says that the sums of sixteen steps and the unit are of 32 bits.
AVX2 AVX2_INLINE void write_rows_of_times(const struct position *position, const struct thirty_two_rows *rows,
                                          struct unit unit, bool are_small, __m256i *time, int64_t *times) {
  const struct integers steps = integers_of(position, rows);
  if (are_small)
    write_small_times(&steps, unit.low, time, times);
  else
    write_large_times(&steps, unit, time, times);
}

/// `kernels_expand_times` for one row and more; `are_small` as in `write_rows_of_times`.
AVX2 AVX2_INLINE bool expand_times_of(const struct kernels_column *column, size_t count, struct unit unit, bool are_small,
                                      int64_t time, int64_t *times) {
  struct position position = first_position(column);
  __m256i before = _mm256_set1_epi64x(time);
  struct thirty_two_rows rows = next_rows(&position);
  for (; count > ROWS_AT_ONCE; count -= ROWS_AT_ONCE, times += ROWS_AT_ONCE) {
    if (have_run_out(&position, &rows)) return false;
    const struct thirty_two_rows next = next_rows(&position);
    write_rows_of_times(&position, &rows, unit, are_small, &before, times);
    rows = next;
  }
  if (have_run_out(&position, &rows)) return false;
  int64_t last[ROWS_AT_ONCE];
  write_rows_of_times(&position, &rows, unit, are_small, &before, last);
  memcpy(times, last, count * sizeof *times);
  return kernels_ends_at(column, bit_behind(&rows, count));
}

AVX2 bool kernels_expand_times_avx2(const struct kernels_column *column, size_t count, int64_t unit, int64_t time,
                                    int64_t *times) {
  if (count == 0) return kernels_ends_at(column, 0);
  const int32_t most = INT32_MAX / 16;
  const bool are_small = -most <= column->lowest && column->highest <= most;
  return are_small && INT32_MIN <= unit && unit <= INT32_MAX
             ? expand_times_of(column, count, split(unit), true, time, times)
             : expand_times_of(column, count, split(unit), false, time, times);
}

#endif
