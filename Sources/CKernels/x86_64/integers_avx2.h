// A column's integers decoded 32 rows at a time (`columns_avx512.c` has the plain algorithm and the other form of it).
//
// Each half of a register has sixteen rows, each four of them in the order 0, 2, 1, 3: multiplications of even lanes take a
// four's first two rows, and those of odd lanes its last two, so that the products of neighbours come out side by side.
//
// 1. The symbols become a byte each. One byte shuffle looks up their widths, and two additions make prefix sums of each
//    four; no byte overflows, as 4 * KERNELS_MANTISSA_BITS < 256. Each four rows begin where those before end.
// 2. The mantissas of four rows lie in 16 bytes, half a register. A byte shuffle fetches the byte in which a mantissa
//    begins and the three behind it. A shift by lane drops the bits before the mantissa, and a mask those behind it.
// 3. Bases are looked up by byte shuffles, one byte of all rows at a time, and their bytes put together.
//
// The first step of the next rows is taken before the others of these, as it consists of instructions that wait for each other.
// Most others are byte shuffles within halves, which each processor does fast: of shifts by lane, and of instructions that look
// up 32 bits anywhere in a register, AMD Zen 2 begins one in two cycles, and of byte shuffles two a cycle.
#ifndef INTEGERS_AVX2_H
#define INTEGERS_AVX2_H

#include "avx2.h"

/// Rows that are decoded at once.
#define ROWS_AT_ONCE 32
/// Groups of four of them. The mantissas of each are loaded together.
#define FOURS_AT_ONCE (ROWS_AT_ONCE / 4)

/// A position in a column, and its tables in registers. It is behind the rows that `next_rows` returned last, and so up to
/// 32 rows ahead of those whose integers are computed. Behind the column's last row its `bit` means nothing: `bit_behind`
/// has the true one.
struct position {
  /// By symbol, in both halves: the bytes of bases from the lowest on, the widths, and the two bytes of masks for
  /// mantissas, if they are not wider than that.
  __m256i bases[4], widths, low_masks, high_masks;
  const uint8_t *symbols, *mantissas;
  size_t bit, end;
};

AVX2 AVX2_INLINE __m256i in_both_halves(const void *bytes) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
}

AVX2 AVX2_INLINE __m256i load_halves(const void *lower, const void *upper) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)lower)),
                                 _mm_loadu_si128((const __m128i *)upper), 1);
}

/// The position at the first row.
AVX2 AVX2_INLINE struct position first_position(const struct kernels_column *column) {
  uint8_t bases[4][16], widths[16], low_masks[16], high_masks[16];
  for (int symbol = 0; symbol < 16; symbol++) {
    const uint32_t base = (uint32_t)column->bases[symbol];
    // Only symbols of no row say more. Such a symbol may be loaded from behind the last row: then widths must still add up
    // within a byte, and loads lie within KERNELS_PADDING.
    const uint8_t bits = column->bits[symbol];
    widths[symbol] = bits < KERNELS_MANTISSA_BITS ? bits : KERNELS_MANTISSA_BITS;
    const uint32_t mask = ((uint32_t)1 << widths[symbol]) - 1;
    for (int byte = 0; byte < 4; byte++) bases[byte][symbol] = (uint8_t)(base >> 8 * byte);
    low_masks[symbol] = (uint8_t)mask;
    high_masks[symbol] = (uint8_t)(mask >> 8);
  }
  return (struct position){
      .bases = {in_both_halves(bases[0]), in_both_halves(bases[1]), in_both_halves(bases[2]), in_both_halves(bases[3])},
      .widths = in_both_halves(widths),
      .low_masks = in_both_halves(low_masks),
      .high_masks = in_both_halves(high_masks),
      .symbols = column->symbols,
      .mantissas = column->mantissas,
      .bit = 0,
      .end = column->end,
  };
}

/// 32 rows, a byte each; each four in the order 0, 2, 1, 3.
struct thirty_two_rows {
  __m256i symbols, widths;
  /// Where mantissas begin: the byte within the 16 of their four rows, and the bit of that byte.
  __m256i bytes, shifts;
  /// The bit at which the mantissas of each four rows begin.
  size_t bits[FOURS_AT_ONCE];
};

/// Whether mantissas have run out before these rows.
static inline bool have_run_out(const struct position *position, const struct thirty_two_rows *rows) {
  return rows->bits[0] > position->end;
}

/// Four bytes, repeated for each four rows.
AVX2 AVX2_INLINE __m256i in_each_four(uint32_t bytes) {
  const uint32_t next = 0x04040404;
  return _mm256_set_epi32((int)(bytes + 3 * next), (int)(bytes + 2 * next), (int)(bytes + next), (int)bytes,
                          (int)(bytes + 3 * next), (int)(bytes + 2 * next), (int)(bytes + next), (int)bytes);
}

/// The next 32 rows. Those behind the column's last one are decoded from whatever bytes follow.
AVX2 AVX2_INLINE struct thirty_two_rows next_rows(struct position *position) {
  _Static_assert(4 * KERNELS_MANTISSA_BITS < 256, "a byte has the sum of four");
  _Static_assert(KERNELS_MANTISSA_BITS + 7 <= 32, "a mantissa lies in four bytes");
  _Static_assert((3 * KERNELS_MANTISSA_BITS + 7) / 8 + 4 <= 16, "the mantissas of four rows lie in 16 bytes");
  _Static_assert(KERNELS_PADDING >= (28 * KERNELS_MANTISSA_BITS + 7) / 8 + 16, "those of the last four are loaded");
  _Static_assert(KERNELS_PADDING >= 24, "symbols are loaded as 16 bytes from the first and from the ninth on");
  const __m256i pairs = load_halves(position->symbols, position->symbols + 8), nibble = _mm256_set1_epi8(15);
  position->symbols += ROWS_AT_ONCE / 2;
  struct thirty_two_rows rows = {
      .symbols = _mm256_unpacklo_epi16(_mm256_and_si256(pairs, nibble),
                                       _mm256_and_si256(_mm256_srli_epi16(pairs, 4), nibble))};
  rows.widths = _mm256_shuffle_epi8(position->widths, rows.symbols);
  // The first to the second, and the third to the fourth; then both of the former to each of the latter.
  __m256i sums = _mm256_add_epi8(rows.widths, _mm256_slli_epi32(rows.widths, 16));
  sums = _mm256_add_epi8(sums, _mm256_shuffle_epi8(sums, in_each_four(0x02800280)));

  // A byte each: how wide the mantissas of each four rows are.
  const __m256i lasts = _mm256_shuffle_epi8(sums, _mm256_set1_epi32(0x0F0B0703));
  const uint64_t totals = (uint64_t)_mm_cvtsi128_si64(
      _mm_unpacklo_epi32(_mm256_castsi256_si128(lasts), _mm256_extracti128_si256(lasts, 1)));
  rows.bits[0] = position->bit;
  UNROLL for (int four = 1; four < FOURS_AT_ONCE; four++)
    rows.bits[four] = rows.bits[four - 1] + (uint8_t)(totals >> 8 * (four - 1));
  position->bit = rows.bits[FOURS_AT_ONCE - 1] + (totals >> 56);

  // The same modulo 8: the bit of its byte at which each four rows begin.
  const uint64_t each = 0x0101010101010101;
  const uint64_t sums_before = (totals & 7 * each) * (each << 8);
  const uint64_t first_bits = (sums_before + rows.bits[0] % 8 * each) & 7 * each;
  const __m256i fours = _mm256_set_epi32(0x07070707, 0x06060606, 0x05050505, 0x04040404, 0x03030303, 0x02020202,
                                         0x01010101, 0);
  const __m256i starts =
      _mm256_add_epi8(_mm256_sub_epi8(sums, rows.widths),
                      _mm256_shuffle_epi8(_mm256_set1_epi64x((long long)first_bits), fours));
  rows.bytes = _mm256_and_si256(_mm256_srli_epi16(starts, 3), nibble);
  rows.shifts = _mm256_and_si256(starts, _mm256_set1_epi8(7));
  return rows;
}

/// The bit behind the mantissas of the first `count` rows, at most 32.
AVX2 AVX2_INLINE size_t bit_behind(const struct thirty_two_rows *rows, size_t count) {
  const __m256i numbers = _mm256_set_epi32(0x1F1D1E1C, 0x1B191A18, 0x17151614, 0x13111210, 0x0F0D0E0C, 0x0B090A08,
                                           0x07050604, 0x03010200);
  const __m256i widths = _mm256_and_si256(rows->widths, _mm256_cmpgt_epi8(_mm256_set1_epi8((char)count), numbers));
  const __m256i sums = _mm256_sad_epu8(widths, _mm256_setzero_si256());
  const __m128i halves = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  return rows->bits[0] + (size_t)_mm_cvtsi128_si64(_mm_add_epi64(halves, _mm_unpackhi_epi64(halves, halves)));
}

/// The bytes of four rows of each half in words of 32 bits; `four` is 0 to 3.
AVX2 AVX2_INLINE __m256i in_words(__m256i rows, int four) {
  const int first = INT32_MIN + 0x808000 + 4 * four;
  return _mm256_shuffle_epi8(
      rows, _mm256_set_epi32(first + 3, first + 2, first + 1, first, first + 3, first + 2, first + 1, first));
}

/// The mantissas of four rows of each half, each with other bits behind it; `four` is 0 to 3.
AVX2 AVX2_INLINE __m256i mantissas_of(const struct position *position, const struct thirty_two_rows *rows, int four) {
  const int each = 0x01010101, first = 4 * four * each;
  const __m256i four_times = _mm256_set_epi32(first + 3 * each, first + 2 * each, first + each, first, first + 3 * each,
                                              first + 2 * each, first + each, first);
  const __m256i bytes = _mm256_add_epi8(_mm256_shuffle_epi8(rows->bytes, four_times), _mm256_set1_epi32(0x03020100));
  const __m256i mantissas =
      load_halves(position->mantissas + rows->bits[four] / 8, position->mantissas + rows->bits[four + 4] / 8);
  return _mm256_srlv_epi32(_mm256_shuffle_epi8(mantissas, bytes), in_words(rows->shifts, four));
}

/// 32 integers of 32 bits, four rows of each half in each register.
struct integers {
  __m256i fours[4];
};

/// The integers of 32 rows.
AVX2 AVX2_INLINE struct integers integers_of(const struct position *position, const struct thirty_two_rows *rows) {
  __m256i bytes[4];
  UNROLL for (int byte = 0; byte < 4; byte++) bytes[byte] = _mm256_shuffle_epi8(position->bases[byte], rows->symbols);
  const __m256i low[2] = {_mm256_unpacklo_epi8(bytes[0], bytes[1]), _mm256_unpackhi_epi8(bytes[0], bytes[1])};
  const __m256i high[2] = {_mm256_unpacklo_epi8(bytes[2], bytes[3]), _mm256_unpackhi_epi8(bytes[2], bytes[3])};
  struct integers integers;
  UNROLL for (int four = 0; four < 4; four++) {
    const __m256i beyond = _mm256_sllv_epi32(_mm256_set1_epi32(-1), in_words(rows->widths, four));
    const __m256i bases = four % 2 == 0 ? _mm256_unpacklo_epi16(low[four / 2], high[four / 2])
                                        : _mm256_unpackhi_epi16(low[four / 2], high[four / 2]);
    integers.fours[four] = _mm256_add_epi32(bases, _mm256_andnot_si256(beyond, mantissas_of(position, rows, four)));
  }
  return integers;
}

#endif
