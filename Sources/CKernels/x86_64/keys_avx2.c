// The types, kinds and sources of a block, by keys that are a column's integers (`integers_avx2.h`).
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "integers_avx2.h"

/// Rows whose keys are decoded before any of them is looked up, so that the loads of the look-up do not wait for the
/// decoding. A multiple of 32.
#define KEYS_AT_ONCE 256

/// The keys of as many rows. `are_short`, a constant, says whether they are of 16 bits.
union keys {
  uint16_t of_16_bits[KEYS_AT_ONCE];
  uint32_t of_32_bits[KEYS_AT_ONCE];
};

AVX2_INLINE uint32_t key_at(const union keys *keys, size_t place, bool are_short) {
  return are_short ? keys->of_16_bits[place] : keys->of_32_bits[place];
}

/// The mantissas of eight rows of each half, in 16 bits each; `four` is 0 or 2.
AVX2 AVX2_INLINE __m256i short_mantissas_of(const struct position *position, const struct thirty_two_rows *rows, int four) {
  // What is beyond 16 bits would not fit.
  const __m256i zero = _mm256_setzero_si256();
  return _mm256_packus_epi32(_mm256_blend_epi16(mantissas_of(position, rows, four), zero, 0xAA),
                             _mm256_blend_epi16(mantissas_of(position, rows, four + 1), zero, 0xAA));
}

/// Decodes 32 rows where all keys are of 16 bits; those from the row `count` on become 0. Returns the highest of each lane.
AVX2 AVX2_INLINE __m256i find_short_keys(const struct position *position, const struct thirty_two_rows *rows, size_t count,
                                         uint16_t *keys) {
  const __m256i low_bytes = _mm256_shuffle_epi8(position->bases[0], rows->symbols);
  const __m256i high_bytes = _mm256_shuffle_epi8(position->bases[1], rows->symbols);
  const __m256i low_masks = _mm256_shuffle_epi8(position->low_masks, rows->symbols);
  const __m256i high_masks = _mm256_shuffle_epi8(position->high_masks, rows->symbols);
  // Eight rows of each half.
  const __m256i first = _mm256_add_epi16(
      _mm256_unpacklo_epi8(low_bytes, high_bytes),
      _mm256_and_si256(short_mantissas_of(position, rows, 0), _mm256_unpacklo_epi8(low_masks, high_masks)));
  const __m256i last = _mm256_add_epi16(
      _mm256_unpackhi_epi8(low_bytes, high_bytes),
      _mm256_and_si256(short_mantissas_of(position, rows, 2), _mm256_unpackhi_epi8(low_masks, high_masks)));
  const __m256i order = in_both_halves((const uint8_t[16]){0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
  __m256i lower = _mm256_shuffle_epi8(_mm256_permute2x128_si256(first, last, 0x20), order);
  __m256i upper = _mm256_shuffle_epi8(_mm256_permute2x128_si256(first, last, 0x31), order);
  if (count < ROWS_AT_ONCE) {
    const __m256i numbers = _mm256_set_epi16(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    lower = _mm256_and_si256(lower, _mm256_cmpgt_epi16(_mm256_set1_epi16((short)count), numbers));
    upper = _mm256_and_si256(upper, _mm256_cmpgt_epi16(_mm256_set1_epi16((short)((int)count - 16)), numbers));
  }
  _mm256_storeu_si256((__m256i *)keys, lower);
  _mm256_storeu_si256((__m256i *)(keys + 16), upper);
  return _mm256_max_epu16(lower, upper);
}

/// `find_short_keys` for any keys.
AVX2 AVX2_INLINE __m256i find_long_keys(const struct position *position, const struct thirty_two_rows *rows, size_t count,
                                        uint32_t *keys) {
  const struct integers found = integers_of(position, rows);
  const __m256i end = _mm256_set1_epi32((int)(count < ROWS_AT_ONCE ? count : ROWS_AT_ONCE));
  __m256i highest = _mm256_setzero_si256();
  UNROLL for (int four = 0; four < 4; four++) {
    const __m256i numbers = _mm256_add_epi32(_mm256_set_epi32(19, 17, 18, 16, 3, 1, 2, 0), _mm256_set1_epi32(4 * four));
    const __m256i wanted = _mm256_and_si256(found.fours[four], _mm256_cmpgt_epi32(end, numbers));
    const __m256i ordered = _mm256_shuffle_epi32(wanted, _MM_SHUFFLE(3, 1, 2, 0));
    _mm_storeu_si128((__m128i *)(keys + 4 * four), _mm256_castsi256_si128(ordered));
    _mm_storeu_si128((__m128i *)(keys + ROWS_AT_ONCE / 2 + 4 * four), _mm256_extracti128_si256(ordered, 1));
    highest = _mm256_max_epu32(highest, wanted);
  }
  return highest;
}

AVX2 AVX2_INLINE bool are_below(__m256i keys, size_t end, bool are_short) {
  union keys all;
  _mm256_storeu_si256((__m256i *)&all, keys);
  for (size_t lane = 0; lane < (are_short ? 16 : 8); lane++)
    if (key_at(&all, lane, are_short) >= end) return false;
  return true;
}

/// Decodes 32 rows into `keys`, from `place` on. Returns the higher one of `highest` and of the keys, in each lane.
AVX2 AVX2_INLINE __m256i find_keys_of(const struct position *position, const struct thirty_two_rows *rows, size_t count,
                                      bool are_short, union keys *keys, size_t place, __m256i highest) {
  return are_short
             ? _mm256_max_epu16(highest, find_short_keys(position, rows, count, keys->of_16_bits + place))
             : _mm256_max_epu32(highest, find_long_keys(position, rows, count, keys->of_32_bits + place));
}

/// Decodes `count` rows, from 1 to KEYS_AT_ONCE, into `keys`, and moves the position's `bit` behind them. False if mantissas
/// run out before the last 32, or if a key is not below `end`.
AVX2 AVX2_INLINE bool find_keys(struct position *position, size_t count, size_t end, bool are_short, union keys *keys) {
  __m256i highest = _mm256_setzero_si256();
  struct thirty_two_rows rows = next_rows(position);
  size_t place = 0;
  for (; count - place > ROWS_AT_ONCE; place += ROWS_AT_ONCE) {
    if (have_run_out(position, &rows)) return false;
    const struct thirty_two_rows next = next_rows(position);
    highest = find_keys_of(position, &rows, ROWS_AT_ONCE, are_short, keys, place, highest);
    rows = next;
  }
  if (have_run_out(position, &rows)) return false;
  highest = find_keys_of(position, &rows, count - place, are_short, keys, place, highest);
  position->bit = bit_behind(&rows, count - place);
  return are_below(highest, end, are_short);
}

/// Two subjects: the type of each, and the word with its kind.
AVX2 AVX2_INLINE __m128 two_subjects(const struct kernels_subject *subjects, uint32_t one, uint32_t other) {
  _Static_assert(sizeof *subjects == 8, "a subject is 64 bits");
  _Static_assert(offsetof(struct kernels_subject, kind) == 4, "the lower half is its type");
  return _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd((const double *)(subjects + one)), (const double *)(subjects + other)));
}

/// Writes the types of four rows from `place` on; returns their kinds.
AVX2 AVX2_INLINE __m128i write_four_types(const struct kernels_subject *subjects, const union keys *keys, size_t place,
                                          bool are_short, uint32_t *types) {
  const __m128 one = two_subjects(subjects, key_at(keys, place, are_short), key_at(keys, place + 1, are_short));
  const __m128 other = two_subjects(subjects, key_at(keys, place + 2, are_short), key_at(keys, place + 3, are_short));
  const __m128 words = _mm_shuffle_ps(one, other, _MM_SHUFFLE(3, 1, 3, 1));
  _mm_storeu_si128((__m128i *)(types + place), _mm_castps_si128(_mm_shuffle_ps(one, other, _MM_SHUFFLE(2, 0, 2, 0))));
  return _mm_and_si128(_mm_castps_si128(words), _mm_set1_epi32(0xFF));
}

AVX2 AVX2_INLINE void write_types_and_kinds(const union keys *keys, size_t count, bool are_short,
                                            const struct kernels_subject *subjects, uint32_t *types, uint8_t *kinds) {
  size_t place = 0;
  for (; place + 16 <= count; place += 16) {
    __m128i fours[4];
    UNROLL for (size_t four = 0; four < 4; four++)
      fours[four] = write_four_types(subjects, keys, place + 4 * four, are_short, types);
    _mm_storeu_si128((__m128i *)(kinds + place), _mm_packus_epi16(_mm_packus_epi32(fours[0], fours[1]),
                                                                  _mm_packus_epi32(fours[2], fours[3])));
  }
  for (; place < count; place++) {
    const struct kernels_subject subject = subjects[key_at(keys, place, are_short)];
    types[place] = subject.type;
    kinds[place] = subject.kind;
  }
}

/// Writes what `count` rows, at most KEYS_AT_ONCE, have by their keys.
AVX2 AVX2_INLINE void write_rows(const union keys *keys, size_t row, size_t count, bool are_short,
                                 struct kernels_event_keys table, struct kernels_rows rows) {
  write_types_and_kinds(keys, count, are_short, table.subjects, rows.types + row, rows.kinds + row);
  if (!rows.sources) return;
  for (size_t place = 0; place < count; place++)
    rows.sources[row + place] = table.sources[key_at(keys, place, are_short)];
}

AVX2 AVX2_INLINE bool expand_keys_of(const struct kernels_column *column, size_t count, bool are_short,
                                     struct kernels_event_keys keys, struct kernels_rows rows) {
  struct position position = first_position(column);
  for (size_t row = 0; row < count;) {
    union keys found;
    const size_t found_count = count - row < KEYS_AT_ONCE ? count - row : KEYS_AT_ONCE;
    if (!find_keys(&position, found_count, keys.count, are_short, &found)) return false;
    write_rows(&found, row, found_count, are_short, keys, rows);
    row += found_count;
  }
  return kernels_ends_at(column, position.bit);
}

AVX2 bool kernels_expand_keys_avx2(const struct kernels_column *column, size_t count, struct kernels_event_keys keys,
                                   struct kernels_rows rows) {
  return column->lowest >= 0 && column->highest <= UINT16_MAX ? expand_keys_of(column, count, true, keys, rows)
                                                              : expand_keys_of(column, count, false, keys, rows);
}

#endif
