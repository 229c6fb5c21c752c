// A column's integers decoded sixteen rows at a time, in two registers of eight (`columns_avx512.c` has the plain
// algorithm and the other form of it).
//
// 1. Sixteen symbols become a byte each, in both halves of a register. One byte shuffle looks up their widths, and two
//    shifted additions make prefix sums of each four; no byte overflows, as 4 * KERNELS_MANTISSA_BITS < 256. Each four
//    rows begin where those before end.
// 2. The mantissas of four rows lie in 16 bytes, half a register. A byte shuffle fetches the byte in which a mantissa
//    begins and the three behind it. A shift by lane drops the bits before the mantissa, and a mask those behind it.
//
// Instructions that move data between the halves of a register are few: AMD Zen 3 begins one of them a cycle, and two
// or four of most others.
#ifndef INTEGERS_AVX2_H
#define INTEGERS_AVX2_H

#include <string.h>

#include "avx2.h"

/// Rows that are decoded at once.
#define ROWS_AT_ONCE 16

/// A position in a column, and its tables in registers.
struct position {
  /// Of symbols 0 to 7, and of 8 to 15.
  __m256i lower_bases, upper_bases;
  /// By symbol, in both halves: the lowest and the second byte of bases, and the widths.
  __m256i low_bytes, high_bytes, widths;
  const uint8_t *symbols, *mantissas;
  size_t bit, end;
};

AVX2 AVX2_INLINE __m256i in_both_halves(const void *bytes) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

/// A position at an even row.
AVX2 AVX2_INLINE struct position position_at(const struct kernels_column *column, size_t row) {
  uint8_t low_bytes[16], high_bytes[16];
  for (int symbol = 0; symbol < 16; symbol++) {
    low_bytes[symbol] = (uint8_t)(uint32_t)column->bases[symbol];
    high_bytes[symbol] = (uint8_t)((uint32_t)column->bases[symbol] >> 8);
  }
  return (struct position){
      .lower_bases = _mm256_loadu_si256((const __m256i *)column->bases),
      .upper_bases = _mm256_loadu_si256((const __m256i *)(column->bases + 8)),
      .low_bytes = in_both_halves(low_bytes),
      .high_bytes = in_both_halves(high_bytes),
      .widths = in_both_halves(column->bits),
      .symbols = column->symbols + row / 2,
      .mantissas = column->mantissas,
      .bit = column->bit,
      .end = column->end,
  };
}

/// Whether mantissas have run out.
static inline bool has_run_out(const struct position *position) { return position->bit > position->end; }

/// The integer of an odd row; moves the column's `bit`.
static inline int32_t integer_of_odd_row(struct kernels_column *column, size_t row) {
  const uint8_t symbol = column->symbols[row / 2] >> 4;
  uint64_t word;
  memcpy(&word, column->mantissas + column->bit / 8, sizeof word);
  const uint64_t beyond = ~(uint64_t)0 << column->bits[symbol];
  const uint32_t mantissa = (uint32_t)(word >> column->bit % 8 & ~beyond);
  column->bit += column->bits[symbol];
  return (int32_t)((uint32_t)column->bases[symbol] + mantissa);
}

/// Sixteen rows, a byte each, in both halves.
struct sixteen_rows {
  __m256i symbols, widths;
  /// Where mantissas begin: the byte within the 16 of their four rows, and the bit of that byte.
  __m256i bytes, shifts;
  /// The bit at which the mantissas of each four rows begin.
  size_t bits[4];
};

/// The next 16 rows. Only the first `count` move the position's `bit`.
AVX2 AVX2_INLINE struct sixteen_rows next_sixteen_rows(struct position *position, size_t count) {
  _Static_assert(4 * KERNELS_MANTISSA_BITS < 256, "a byte has the sum of four");
  _Static_assert(KERNELS_MANTISSA_BITS + 7 <= 32, "a mantissa lies in four bytes");
  _Static_assert((3 * KERNELS_MANTISSA_BITS + 7) / 8 + 4 <= 16, "the mantissas of four rows lie in 16 bytes");
  _Static_assert(KERNELS_PADDING >= (12 * KERNELS_MANTISSA_BITS + 7) / 8 + 16, "those of the last four are loaded");
  static const uint8_t wanted[2 * ROWS_AT_ONCE] = {
      255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  uint64_t eight_bytes;
  memcpy(&eight_bytes, position->symbols, sizeof eight_bytes);
  position->symbols += sizeof eight_bytes;
  const __m256i pairs = _mm256_set1_epi64x((long long)eight_bytes);
  struct sixteen_rows rows = {
      .symbols = _mm256_and_si256(_mm256_unpacklo_epi8(pairs, _mm256_srli_epi16(pairs, 4)), _mm256_set1_epi8(15))};
  rows.widths = _mm256_shuffle_epi8(position->widths, rows.symbols);
  if (count < ROWS_AT_ONCE) rows.widths = _mm256_and_si256(rows.widths, in_both_halves(wanted + ROWS_AT_ONCE - count));
  __m256i sums = _mm256_add_epi8(rows.widths, _mm256_slli_epi32(rows.widths, 8));
  sums = _mm256_add_epi8(sums, _mm256_slli_epi32(sums, 16));

  // A byte each: how wide the mantissas of each four rows are.
  const __m128i lasts = _mm_cvtsi32_si128(0x0F0B0703);
  const uint32_t totals = (uint32_t)_mm_cvtsi128_si32(_mm_shuffle_epi8(_mm256_castsi256_si128(sums), lasts));
  rows.bits[0] = position->bit;
  rows.bits[1] = rows.bits[0] + (uint8_t)totals;
  rows.bits[2] = rows.bits[1] + (uint8_t)(totals >> 8);
  rows.bits[3] = rows.bits[2] + (uint8_t)(totals >> 16);
  position->bit = rows.bits[3] + (totals >> 24);

  // The same modulo 8: the bit of its byte at which each four rows begin.
  const uint32_t each = 0x01010101;
  const uint32_t sums_before = (totals & 7 * each) * (each << 8);
  const uint32_t first_bits = (sums_before + (uint32_t)rows.bits[0] % 8 * each) & 7 * each;
  const __m256i fours = _mm256_set_epi32(0x03030303, 0x02020202, 0x01010101, 0, 0x03030303, 0x02020202, 0x01010101, 0);
  const __m256i starts = _mm256_add_epi8(_mm256_sub_epi8(sums, rows.widths),
                                         _mm256_shuffle_epi8(_mm256_set1_epi32((int)first_bits), fours));
  rows.bytes = _mm256_and_si256(_mm256_srli_epi16(starts, 3), _mm256_set1_epi8(15));
  rows.shifts = _mm256_and_si256(starts, _mm256_set1_epi8(7));
  return rows;
}

/// The bytes of eight rows, from `first` on, in words of 32 bits.
AVX2 AVX2_INLINE __m256i in_words(__m256i rows, int first) {
  return _mm256_shuffle_epi8(rows, _mm256_set_epi32(first - 249, first - 250, first - 251, first - 252, first - 253,
                                                    first - 254, first - 255, first - 256));
}

/// The mantissas of eight rows, from `first` on.
AVX2 AVX2_INLINE __m256i mantissas_of_eight(const struct position *position, const struct sixteen_rows *rows,
                                            int first) {
  const int each = 0x01010101;
  const __m256i four_times =
      _mm256_set_epi32((first + 7) * each, (first + 6) * each, (first + 5) * each, (first + 4) * each,
                       (first + 3) * each, (first + 2) * each, (first + 1) * each, first * each);
  const __m256i bytes = _mm256_add_epi8(_mm256_shuffle_epi8(rows->bytes, four_times), _mm256_set1_epi32(0x03020100));
  const uint8_t *lower = position->mantissas + rows->bits[first / 4] / 8;
  const uint8_t *upper = position->mantissas + rows->bits[first / 4 + 1] / 8;
  const __m256i mantissas = _mm256_blend_epi32(in_both_halves(lower), in_both_halves(upper), 0xF0);
  const __m256i words = _mm256_srlv_epi32(_mm256_shuffle_epi8(mantissas, bytes), in_words(rows->shifts, first));
  const __m256i beyond = _mm256_sllv_epi32(_mm256_set1_epi32(-1), in_words(rows->widths, first));
  return _mm256_andnot_si256(beyond, words);
}

/// The integers of eight rows, from `first` on.
AVX2 AVX2_INLINE __m256i integers_of_eight(const struct position *position, const struct sixteen_rows *rows,
                                           int first) {
  const __m256i mantissas = mantissas_of_eight(position, rows, first);
  __m256i symbols = in_words(rows->symbols, first);
  OPAQUE(symbols);
  const __m256i bases = _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(position->lower_bases, symbols),
                                           _mm256_permutevar8x32_epi32(position->upper_bases, symbols),
                                           _mm256_cmpgt_epi32(symbols, _mm256_set1_epi32(7)));
  return _mm256_add_epi32(bases, mantissas);
}

/// The integers of sixteen rows.
struct two_eights {
  __m256i low, high;
};

AVX2 AVX2_INLINE struct two_eights integers_of_sixteen(const struct position *position,
                                                       const struct sixteen_rows *rows) {
  const __m256i low = integers_of_eight(position, rows, 0);
  return (struct two_eights){.low = low, .high = integers_of_eight(position, rows, 8)};
}

/// `integers_of_sixteen` where all bases are of 16 bits, without sign.
AVX2 AVX2_INLINE struct two_eights short_integers_of_sixteen(const struct position *position,
                                                             const struct sixteen_rows *rows) {
  const __m256i low_bytes = _mm256_shuffle_epi8(position->low_bytes, rows->symbols);
  const __m256i high_bytes = _mm256_shuffle_epi8(position->high_bytes, rows->symbols);
  // Two bytes from `byte` on, and two of 0. The lower half takes the first four rows of eight, the upper the others.
#define WORD(byte) (int)(0x80800000u | ((byte) + 1) << 8 | (byte))
  const __m256i words = _mm256_set_epi32(WORD(14), WORD(12), WORD(10), WORD(8), WORD(6), WORD(4), WORD(2), WORD(0));
  const __m256i low = mantissas_of_eight(position, rows, 0), high = mantissas_of_eight(position, rows, 8);
  return (struct two_eights){
      .low = _mm256_add_epi32(_mm256_shuffle_epi8(_mm256_unpacklo_epi8(low_bytes, high_bytes), words), low),
      .high = _mm256_add_epi32(_mm256_shuffle_epi8(_mm256_unpackhi_epi8(low_bytes, high_bytes), words), high),
  };
#undef WORD
}

#endif
