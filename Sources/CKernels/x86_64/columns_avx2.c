// A column's integers decoded sixteen rows at a time, in two registers of eight (`columns_avx512.c` has the plain
// algorithm and the other form of it).
//
// 1. Sixteen symbols become a byte each. One byte shuffle looks up their widths, and three shifted additions make prefix
//    sums of each eight; no byte overflows, as 8 * KERNELS_MANTISSA_BITS < 256. The second eight begin where the first
//    eight end.
// 2. The mantissas of eight rows lie in 32 bytes. Two permutations of words fetch the words that a mantissa begins and
//    ends in, shifts by lane drop the bits before it, and a mask as wide as the mantissa those behind it.
#include <string.h>

#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx2.h"

/// Rows that are decoded at once.
#define ROWS_AT_ONCE 16

/// A position in a column, and its tables in registers.
struct position {
  /// Of symbols 0 to 7, and of 8 to 15.
  __m256i lower_bases, upper_bases;
  /// By symbol.
  __m128i widths;
  /// The bits of a byte of `symbols` that belong to the row before: 4 from an odd row on.
  __m128i skipped;
  const uint8_t *symbols, *mantissas;
  size_t bit, end;
};

AVX2 AVX2_INLINE struct position position_at(const struct kernels_column *column, size_t row) {
  return (struct position){
      .lower_bases = _mm256_loadu_si256((const __m256i *)column->bases),
      .upper_bases = _mm256_loadu_si256((const __m256i *)(column->bases + 8)),
      .widths = _mm_loadu_si128((const __m128i *)column->bits),
      .skipped = _mm_set_epi64x(0, row % 2 * 4),
      .symbols = column->symbols + row / 2,
      .mantissas = column->mantissas,
      .bit = column->bit,
      .end = column->end,
  };
}

/// Whether mantissas have run out.
static inline bool has_run_out(const struct position *position) { return position->bit > position->end; }

/// The symbols of the next 16 rows, a byte each.
AVX2 AVX2_INLINE __m128i next_symbols(struct position *position) {
  const __m128i low_halves = _mm_set1_epi8(0x0F);
  // Each eight in a 64-bit lane: from an odd row on they end in a fifth byte, where the second eight begin.
  const __m128i bytes = _mm_loadu_si128((const __m128i *)position->symbols);
  const __m128i eights = _mm_srl_epi64(_mm_shuffle_epi32(bytes, _MM_SHUFFLE(2, 1, 1, 0)), position->skipped);
  const __m128i pairs = _mm_shuffle_epi32(eights, _MM_SHUFFLE(3, 3, 2, 0));
  position->symbols += ROWS_AT_ONCE / 2;
  return _mm_unpacklo_epi8(_mm_and_si128(pairs, low_halves),
                           _mm_and_si128(_mm_srli_epi16(pairs, 4), low_halves));
}

/// The integers of eight rows whose mantissas begin at `bit`. Symbols, widths, and the widths before each row are the
/// lower eight bytes.
AVX2 AVX2_INLINE __m256i integers_of_eight(const struct position *position, size_t bit, __m128i symbols,
                                           __m128i widths, __m128i widths_before) {
  const __m256i starts =
      _mm256_add_epi32(_mm256_cvtepu8_epi32(widths_before), _mm256_set1_epi32((int)(bit % 8)));
  const __m256i words = _mm256_srli_epi32(starts, 5);
  const __m256i shifts = _mm256_and_si256(starts, _mm256_set1_epi32(31));
  const uint8_t *mantissas = position->mantissas + bit / 8;
  const __m256i begins =
      _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)mantissas), words);
  const __m256i ends =
      _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(mantissas + 4)), words);
  // A shift by 32 gives 0.
  const __m256i bits =
      _mm256_or_si256(_mm256_srlv_epi32(begins, shifts),
                      _mm256_sllv_epi32(ends, _mm256_sub_epi32(_mm256_set1_epi32(32), shifts)));
  const __m256i beyond = _mm256_sllv_epi32(_mm256_set1_epi32(-1), _mm256_cvtepu8_epi32(widths));
  __m256i entries = _mm256_cvtepu8_epi32(symbols);
  OPAQUE(entries);
  const __m256i bases = _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(position->lower_bases, entries),
                                           _mm256_permutevar8x32_epi32(position->upper_bases, entries),
                                           _mm256_cmpgt_epi32(entries, _mm256_set1_epi32(7)));
  return _mm256_add_epi32(bases, _mm256_andnot_si256(beyond, bits));
}

/// The integers of sixteen rows.
struct two_eights {
  __m256i low, high;
};

/// The integers of the next 16 rows. Only the first `count` are valid, and only they move the position's `bit`.
AVX2 AVX2_INLINE struct two_eights next_two_eights(struct position *position, size_t count) {
  _Static_assert(8 * KERNELS_MANTISSA_BITS < 256, "a byte has the sum of eight");
  _Static_assert(7 * KERNELS_MANTISSA_BITS + 7 < 224, "the mantissas of eight begin before the last word");
  _Static_assert(KERNELS_PADDING >= KERNELS_MANTISSA_BITS + 1 + 4 + sizeof(__m256i),
                 "mantissas of the second eight are loaded");
  static const uint8_t rows[2 * ROWS_AT_ONCE] = {
      255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  const __m128i symbols = next_symbols(position);
  __m128i widths = _mm_shuffle_epi8(position->widths, symbols);
  if (count < ROWS_AT_ONCE)
    widths = _mm_and_si128(widths, _mm_loadu_si128((const __m128i *)(rows + ROWS_AT_ONCE - count)));
  __m128i sums = _mm_add_epi8(widths, _mm_slli_epi64(widths, 8));
  sums = _mm_add_epi8(sums, _mm_slli_epi64(sums, 16));
  sums = _mm_add_epi8(sums, _mm_slli_epi64(sums, 32));
  const __m128i before = _mm_slli_epi64(sums, 8);
  const size_t first = position->bit;
  const size_t second = first + (size_t)_mm_extract_epi8(sums, 7);
  position->bit = second + (size_t)_mm_extract_epi8(sums, 15);
  return (struct two_eights){
      .low = integers_of_eight(position, first, symbols, widths, before),
      .high = integers_of_eight(position, second, _mm_srli_si128(symbols, 8), _mm_srli_si128(widths, 8),
                                _mm_srli_si128(before, 8)),
  };
}

/// A unit of time in two factors of 32 bits, the lower one signed: low + 2^32 * high, modulo 2^64.
struct unit {
  __m256i low, high;
};

AVX2 AVX2_INLINE struct unit split(int64_t unit) {
  const int32_t low = (int32_t)(uint32_t)(uint64_t)unit;
  const uint64_t rest = (uint64_t)unit - (uint64_t)(int64_t)low;
  return (struct unit){.low = _mm256_set1_epi32(low), .high = _mm256_set1_epi32((int32_t)(uint32_t)(rest >> 32))};
}

/// The even ones of eight steps, times the unit; modulo 2^64.
AVX2 AVX2_INLINE __m256i even_products(__m256i steps, struct unit unit, bool is_wide) {
  const __m256i low = _mm256_mul_epi32(steps, unit.low);
  return is_wide ? _mm256_add_epi64(low, _mm256_slli_epi64(_mm256_mul_epi32(steps, unit.high), 32)) : low;
}

/// Writes the times of eight rows. `time`, in all lanes, is the time before them, and becomes that of the last.
///
/// Even steps and odd ones are multiplied where they are. The sums of the four pairs are added up; the sum before an
/// odd step is its pair's less that step.
AVX2 AVX2_INLINE void write_times(__m256i steps, struct unit unit, bool is_wide, __m256i *time, int64_t *times) {
  const __m256i even = even_products(steps, unit, is_wide);
  __m256i odd = even_products(_mm256_srli_epi64(steps, 32), unit, is_wide);
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

/// `kernels_expand_times`; `is_wide`, a constant, says whether the unit has a higher factor.
AVX2 AVX2_INLINE bool expand_times_of(struct kernels_column *column, size_t row, size_t count, struct unit unit,
                                      bool is_wide, int64_t time, int64_t *times) {
  struct position position = position_at(column, row);
  __m256i before = _mm256_set1_epi64x(time);
  for (; count >= ROWS_AT_ONCE; count -= ROWS_AT_ONCE, times += ROWS_AT_ONCE) {
    if (has_run_out(&position)) return false;
    const struct two_eights steps = next_two_eights(&position, ROWS_AT_ONCE);
    write_times(steps.low, unit, is_wide, &before, times);
    write_times(steps.high, unit, is_wide, &before, times + 8);
  }
  if (count > 0) {
    if (has_run_out(&position)) return false;
    int64_t last[ROWS_AT_ONCE];
    const struct two_eights steps = next_two_eights(&position, count);
    write_times(steps.low, unit, is_wide, &before, last);
    write_times(steps.high, unit, is_wide, &before, last + 8);
    memcpy(times, last, count * sizeof *times);
  }
  column->bit = position.bit;
  return !has_run_out(&position);
}

AVX2 bool kernels_expand_times_avx2(struct kernels_column *column, size_t row, size_t count, int64_t unit,
                                    int64_t time, int64_t *times) {
  const struct unit units = split(unit);
  return INT32_MIN <= unit && unit <= INT32_MAX
             ? expand_times_of(column, row, count, units, false, time, times)
             : expand_times_of(column, row, count, units, true, time, times);
}

/// Rows whose integers are decoded before any of them is looked up, so that the loads of the look-up do not wait
/// for the decoding. A multiple of 16.
#define KEYS_AT_ONCE 256

/// Decodes rows into `keys`, which has room for a multiple of 16. False if mantissas run out, or if a key is not
/// below `end`.
AVX2 AVX2_INLINE bool find_keys(struct position *position, size_t count, size_t end,
                                uint32_t keys[KEYS_AT_ONCE]) {
  __m256i highest = _mm256_setzero_si256();
  for (; count >= ROWS_AT_ONCE; count -= ROWS_AT_ONCE, keys += ROWS_AT_ONCE) {
    if (has_run_out(position)) return false;
    const struct two_eights found = next_two_eights(position, ROWS_AT_ONCE);
    highest = _mm256_max_epu32(highest, _mm256_max_epu32(found.low, found.high));
    _mm256_storeu_si256((__m256i *)keys, found.low);
    _mm256_storeu_si256((__m256i *)(keys + 8), found.high);
  }
  if (count > 0) {
    if (has_run_out(position)) return false;
    static const uint32_t rows[2 * ROWS_AT_ONCE] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                                    ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    const uint32_t *wanted = rows + ROWS_AT_ONCE - count;
    const struct two_eights found = next_two_eights(position, count);
    const __m256i low = _mm256_and_si256(found.low, _mm256_loadu_si256((const __m256i *)wanted));
    const __m256i high = _mm256_and_si256(found.high, _mm256_loadu_si256((const __m256i *)(wanted + 8)));
    highest = _mm256_max_epu32(highest, _mm256_max_epu32(low, high));
    _mm256_storeu_si256((__m256i *)keys, low);
    _mm256_storeu_si256((__m256i *)(keys + 8), high);
  }
  uint32_t highest_keys[8];
  _mm256_storeu_si256((__m256i *)highest_keys, highest);
  for (int lane = 0; lane < 8; lane++)
    if (highest_keys[lane] >= end) return false;
  return true;
}

/// Four subjects: their types, then the words with their kinds.
AVX2 AVX2_INLINE __m256i look_up_four(const struct kernels_subject *subjects, const uint32_t *keys) {
  _Static_assert(sizeof *subjects == 8, "a subject is 64 bits");
  _Static_assert(offsetof(struct kernels_subject, kind) == 4, "the lower half is its type");
  const __m128d one = _mm_load_sd((const double *)(subjects + keys[0]));
  const __m128d other = _mm_load_sd((const double *)(subjects + keys[2]));
  const __m128i low = _mm_castpd_si128(_mm_loadh_pd(one, (const double *)(subjects + keys[1])));
  const __m128i high = _mm_castpd_si128(_mm_loadh_pd(other, (const double *)(subjects + keys[3])));
  const __m256i four = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
  return _mm256_permutevar8x32_epi32(four, _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0));
}

AVX2 AVX2_INLINE void write_types_and_kinds(const uint32_t *keys, size_t count,
                                            const struct kernels_subject *subjects, uint32_t *types,
                                            uint8_t *kinds) {
  // The lowest byte of each word, in the first word of either half.
  const __m256i lowest = _mm256_set1_epi32(0x0C080400);
  size_t row = 0;
  for (; row + 8 <= count; row += 8) {
    const __m256i one = look_up_four(subjects, keys + row);
    const __m256i other = look_up_four(subjects, keys + row + 4);
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_permute2x128_si256(one, other, 0x31), lowest);
    _mm256_storeu_si256((__m256i *)(types + row), _mm256_permute2x128_si256(one, other, 0x20));
    _mm_storel_epi64((__m128i *)(kinds + row), _mm_unpacklo_epi32(_mm256_castsi256_si128(bytes),
                                                                  _mm256_extracti128_si256(bytes, 1)));
  }
  for (; row < count; row++) {
    types[row] = subjects[keys[row]].type;
    kinds[row] = subjects[keys[row]].kind;
  }
}

AVX2 bool kernels_expand_keys_avx2(struct kernels_column *column, size_t row, size_t count,
                                   struct kernels_event_keys keys, uint32_t home, struct kernels_rows rows) {
  struct position position = position_at(column, row);
  const size_t end = row + count;
  while (row < end) {
    uint32_t found[KEYS_AT_ONCE];
    const size_t rows_found = end - row < KEYS_AT_ONCE ? end - row : KEYS_AT_ONCE;
    if (!find_keys(&position, rows_found, keys.count, found)) return false;
    write_types_and_kinds(found, rows_found, keys.subjects, rows.types + row, rows.kinds + row);
    if (rows.sources) kernels_write_sources(found, rows_found, keys.sources, home, rows.sources + row);
    row += rows_found;
  }
  column->bit = position.bit;
  return !has_run_out(&position);
}

#endif
