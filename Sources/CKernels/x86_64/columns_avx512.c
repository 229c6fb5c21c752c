// A column's integers decoded sixteen rows at a time.
//
//     for row in rows:
//       symbol = 4 bits of symbols at row
//       integer = bases[symbol] + (bits[symbol] bits of mantissas at bit)
//       bit += bits[symbol]
//
// 1. Where a mantissa begins depends on the widths of all rows before. The widths of eight rows, a byte each, times
//    0x0101…01 are their prefix sums; no byte overflows, as 8 * KERNELS_MANTISSA_BITS < 256. The second eight
//    begin where the first eight end.
// 2. Each row then has a 32-bit lane. Two permutations fetch the words that its mantissa begins and ends in, a
//    funnel shift drops the bits before the mantissa, a mask those behind it.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx512.h"

static const uint64_t each_byte = 0x0101010101010101;

/// A position in a column, and its tables in registers.
struct cursor {
  /// By symbol. A mask has as many low bits as the mantissa.
  __m512i bases, masks;
  __m128i bits;
  const uint8_t *symbols, *mantissas;
  size_t bit, end;
};

/// The position at the first row.
AVX512_VBMI INLINE struct cursor first_cursor(const struct kernels_column *column) {
  const __m128i bits = _mm_loadu_si128((const __m128i *)column->bits);
  const __m512i beyond = _mm512_sllv_epi32(_mm512_set1_epi32(-1), _mm512_cvtepu8_epi32(bits));
  return (struct cursor){
      .bases = _mm512_loadu_si512(column->bases),
      .masks = _mm512_andnot_si512(beyond, _mm512_set1_epi32(-1)),
      .bits = bits,
      .symbols = column->symbols,
      .mantissas = column->mantissas,
      .bit = 0,
      .end = column->end,
  };
}

/// Whether mantissas have run out.
static inline bool is_beyond(const struct cursor *cursor) { return cursor->bit > cursor->end; }

/// For each of 16 rows, up to four bytes of `sums` that add up to the width of all rows before it: a prefix sum
/// of its own eight and, in the second eight, the total of the first. Byte 16 is 0.
static const uint32_t sums_before[16] = {
    0x10101010, 0x10101000, 0x10101001, 0x10101002, 0x10101003, 0x10101004, 0x10101005, 0x10101006,
    0x10100710, 0x10100708, 0x10100709, 0x1010070A, 0x1010070B, 0x1010070C, 0x1010070D, 0x1010070E,
};

/// The integers of the next 16 rows. Only the first `count` are valid, and only they move the cursor's `bit`.
AVX512_VBMI INLINE __m512i next_integers(struct cursor *cursor, size_t count) {
  _Static_assert(KERNELS_PADDING >= sizeof(uint32_t) + sizeof(__m512i), "mantissas are loaded");
  _Static_assert(8 * KERNELS_MANTISSA_BITS < 256, "a byte has the sum of eight");
  _Static_assert(15 * KERNELS_MANTISSA_BITS + 7 < 512, "all mantissas begin in what is loaded");
  // Both eights in 64-bit lanes: the second one's symbols begin four bytes after the first one's.
  const __m128i symbols = _mm_loadu_si128((const __m128i *)cursor->symbols);
  const __m128i eights = _mm_shuffle_epi32(symbols, _MM_SHUFFLE(2, 1, 1, 0));
  // A symbol has four bits. The upper half of each byte belongs to the next one; permutations ignore it.
  const __m128i halves = _mm_multishift_epi64_epi8(_mm_set1_epi64x(0x1C1814100C080400), eights);
  __m128i bits = _mm_permutexvar_epi8(halves, cursor->bits);
  if (count < 16) bits = _mm_maskz_mov_epi8(first(count), bits);
  const __m128i sums = _mm_mullo_epi64(bits, _mm_set1_epi64x((long long)each_byte));
  const __m512i before = _mm512_permutexvar_epi8(_mm512_loadu_si512(sums_before),
                                                 _mm512_zextsi128_si512(sums));
  const __m512i starts = _mm512_dpbusd_epi32(_mm512_set1_epi32((int)(cursor->bit % 8)), before,
                                             _mm512_set1_epi8(1));

  const uint8_t *mantissas = cursor->mantissas + cursor->bit / 8;
  const __m512i words = _mm512_srli_epi32(starts, 5);
  const __m512i low = _mm512_permutexvar_epi32(words, _mm512_loadu_si512(mantissas));
  const __m512i high = _mm512_permutexvar_epi32(words, _mm512_loadu_si512(mantissas + 4));
  cursor->symbols += 8;
  cursor->bit += (size_t)_mm_extract_epi8(sums, 7) + (size_t)_mm_extract_epi8(sums, 15);

  const __m512i entries = _mm512_cvtepu8_epi32(halves);
  const __m512i masks = _mm512_permutexvar_epi32(entries, cursor->masks);
  return _mm512_add_epi32(_mm512_permutexvar_epi32(entries, cursor->bases),
                          _mm512_and_si512(_mm512_shrdv_epi32(low, high, starts), masks));
}

/// The prefix sums of 16 steps, times `units`, after `before`. Steps are 32 bits, products are modulo 2^64.
AVX512_VBMI INLINE struct sixteen add_steps(__m512i steps, __m512i units, __m512i *before) {
  const __m512i even = _mm512_mul_epi32(steps, _mm512_set1_epi64(1));
  const __m512i odd = _mm512_srai_epi64(steps, 32);
  return prefix_sums(_mm512_mullo_epi64(even, units), _mm512_mullo_epi64(odd, units), before);
}

AVX512_VBMI bool kernels_expand_times_avx512(const struct kernels_column *column, size_t count, int64_t unit,
                                             int64_t time, int64_t *times) {
  struct cursor cursor = first_cursor(column);
  const __m512i units = _mm512_set1_epi64(unit);
  __m512i before = _mm512_set1_epi64(time);
  for (; count >= 16; count -= 16, times += 16) {
    if (is_beyond(&cursor)) return false;
    store(times, add_steps(next_integers(&cursor, 16), units, &before));
  }
  if (count > 0) {
    if (is_beyond(&cursor)) return false;
    store_first(count, times, add_steps(next_integers(&cursor, count), units, &before));
  }
  return kernels_ends_at(column, cursor.bit);
}

/// Rows whose integers are decoded before any of them is looked up, so that the loads of the look-up do not wait
/// for the decoding. A multiple of 16.
#define PLACES 256

/// Decodes rows into `places`. False if mantissas run out, or if a place is not below `end`.
AVX512_VBMI INLINE bool find_places(struct cursor *cursor, size_t count, size_t end,
                                    uint32_t places[PLACES]) {
  __m512i highest = _mm512_setzero_si512();
  for (; count >= 16; count -= 16, places += 16) {
    if (is_beyond(cursor)) return false;
    const __m512i found = next_integers(cursor, 16);
    highest = _mm512_max_epu32(highest, found);
    _mm512_storeu_si512(places, found);
  }
  if (count > 0) {
    if (is_beyond(cursor)) return false;
    const __m512i found = next_integers(cursor, count);
    highest = _mm512_mask_max_epu32(highest, first(count), highest, found);
    _mm512_mask_storeu_epi32(places, first(count), found);
  }
  return _mm512_reduce_max_epu32(highest) < end;
}

/// Two subjects, in 64 bits each.
AVX512_VBMI INLINE __m128i look_up_two(const struct kernels_subject *subjects,
                                       const uint32_t *places) {
  _Static_assert(sizeof *subjects == 8, "a subject is 64 bits");
  _Static_assert(offsetof(struct kernels_subject, kind) == 4, "the lower half is its type");
  const __m128d one = _mm_load_sd((const double *)(subjects + places[0]));
  return _mm_castpd_si128(_mm_loadh_pd(one, (const double *)(subjects + places[1])));
}

/// Eight subjects.
AVX512_VBMI INLINE __m512i look_up_eight(const struct kernels_subject *subjects,
                                         const uint32_t *places) {
  __m512i eight = _mm512_castsi128_si512(look_up_two(subjects, places));
  eight = _mm512_inserti64x2(eight, look_up_two(subjects, places + 2), 1);
  eight = _mm512_inserti64x2(eight, look_up_two(subjects, places + 4), 2);
  return _mm512_inserti64x2(eight, look_up_two(subjects, places + 6), 3);
}

AVX512_VBMI INLINE void write_subjects(const uint32_t *places, size_t count,
                                       const struct kernels_subject *subjects, uint32_t *types,
                                       uint8_t *kinds) {
  const __m512i lower =
      _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i upper = _mm512_add_epi32(lower, _mm512_set1_epi32(1));
  size_t place = 0;
  for (; place + 16 <= count; place += 16) {
    const __m512i one = look_up_eight(subjects, places + place);
    const __m512i other = look_up_eight(subjects, places + place + 8);
    const __m512i wide_kinds = _mm512_permutex2var_epi32(one, upper, other);
    _mm512_storeu_si512(types + place, _mm512_permutex2var_epi32(one, lower, other));
    _mm_storeu_si128((__m128i *)(kinds + place), _mm512_cvtepi32_epi8(wide_kinds));
  }
  for (; place < count; place++) {
    types[place] = subjects[places[place]].type;
    kinds[place] = subjects[places[place]].kind;
  }
}

AVX512_VBMI bool kernels_expand_keys_avx512(const struct kernels_column *column, size_t count,
                                            struct kernels_event_keys keys, struct kernels_rows rows) {
  struct cursor cursor = first_cursor(column);
  for (size_t row = 0; row < count;) {
    uint32_t places[PLACES];
    const size_t found = count - row < PLACES ? count - row : PLACES;
    if (!find_places(&cursor, found, keys.count, places)) return false;
    write_subjects(places, found, keys.subjects, rows.types + row, rows.kinds + row);
    for (size_t place = 0; rows.sources && place < found; place++)
      rows.sources[row + place] = keys.sources[places[place]];
    row += found;
  }
  return kernels_ends_at(column, cursor.bit);
}

#endif
