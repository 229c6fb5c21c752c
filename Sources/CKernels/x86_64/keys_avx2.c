// The types, kinds and sources of a block, by keys that are a column's integers (`integers_avx2.h`).
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "integers_avx2.h"

/// Rows whose integers are decoded before any of them is looked up, so that the loads of the look-up do not wait
/// for the decoding. A multiple of 16.
#define KEYS_AT_ONCE 256

/// The keys of the next sixteen rows; only the first `count` move the position's `bit`. `are_short`, a constant, says
/// that all are of 16 bits.
AVX2 AVX2_INLINE struct two_eights next_sixteen_keys(struct position *position, size_t count, bool are_short) {
  const struct sixteen_rows rows = next_sixteen_rows(position, count);
  return are_short ? short_integers_of_sixteen(position, &rows) : integers_of_sixteen(position, &rows);
}

/// Decodes rows into `keys`, which has room for a multiple of 16. False if mantissas run out, or if a key is not
/// below `end`. `are_short` as in `next_sixteen_keys`.
AVX2 AVX2_INLINE bool find_keys(struct position *position, size_t count, size_t end, bool are_short,
                                uint32_t keys[KEYS_AT_ONCE]) {
  __m256i highest = _mm256_setzero_si256();
  for (; count >= ROWS_AT_ONCE; count -= ROWS_AT_ONCE, keys += ROWS_AT_ONCE) {
    if (has_run_out(position)) return false;
    const struct two_eights found = next_sixteen_keys(position, ROWS_AT_ONCE, are_short);
    highest = _mm256_max_epu32(highest, _mm256_max_epu32(found.low, found.high));
    _mm256_storeu_si256((__m256i *)keys, found.low);
    _mm256_storeu_si256((__m256i *)(keys + 8), found.high);
  }
  if (count > 0) {
    if (has_run_out(position)) return false;
    static const uint32_t rows[2 * ROWS_AT_ONCE] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                                    ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    const uint32_t *wanted = rows + ROWS_AT_ONCE - count;
    const struct two_eights found = next_sixteen_keys(position, count, are_short);
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

/// Two subjects: the type of each, and the word with its kind.
AVX2 AVX2_INLINE __m128 two_subjects(const struct kernels_subject *subjects, const uint32_t *keys) {
  _Static_assert(sizeof *subjects == 8, "a subject is 64 bits");
  _Static_assert(offsetof(struct kernels_subject, kind) == 4, "the lower half is its type");
  const __m128d one = _mm_load_sd((const double *)(subjects + keys[0]));
  return _mm_castpd_ps(_mm_loadh_pd(one, (const double *)(subjects + keys[1])));
}

/// Writes the types of four rows; returns their kinds.
AVX2 AVX2_INLINE __m128i write_four_types(const struct kernels_subject *subjects, const uint32_t *keys,
                                          uint32_t *types) {
  const __m128 one = two_subjects(subjects, keys), other = two_subjects(subjects, keys + 2);
  const __m128 words = _mm_shuffle_ps(one, other, _MM_SHUFFLE(3, 1, 3, 1));
  _mm_storeu_si128((__m128i *)types, _mm_castps_si128(_mm_shuffle_ps(one, other, _MM_SHUFFLE(2, 0, 2, 0))));
  return _mm_and_si128(_mm_castps_si128(words), _mm_set1_epi32(0xFF));
}

AVX2 AVX2_INLINE void write_types_and_kinds(const uint32_t *keys, size_t count,
                                            const struct kernels_subject *subjects, uint32_t *types,
                                            uint8_t *kinds) {
  size_t row = 0;
  for (; row + 16 <= count; row += 16) {
    __m128i fours[4];
    for (size_t four = 0; four < 4; four++)
      fours[four] = write_four_types(subjects, keys + row + 4 * four, types + row + 4 * four);
    _mm_storeu_si128((__m128i *)(kinds + row), _mm_packus_epi16(_mm_packus_epi32(fours[0], fours[1]),
                                                                _mm_packus_epi32(fours[2], fours[3])));
  }
  for (; row < count; row++) {
    types[row] = subjects[keys[row]].type;
    kinds[row] = subjects[keys[row]].kind;
  }
}

/// Writes what `count` rows, at most KEYS_AT_ONCE, have by their keys.
AVX2 AVX2_INLINE void write_rows(const uint32_t *keys, size_t row, size_t count, struct kernels_event_keys table,
                                 uint32_t home, struct kernels_rows rows) {
  write_types_and_kinds(keys, count, table.subjects, rows.types + row, rows.kinds + row);
  if (rows.sources) kernels_write_sources(keys, count, table.sources, home, rows.sources + row);
}

/// `kernels_expand_keys` from an even row on.
AVX2 AVX2_INLINE bool expand_keys_of(struct kernels_column *column, size_t row, size_t end, bool are_short,
                                     struct kernels_event_keys keys, uint32_t home, struct kernels_rows rows) {
  struct position position = position_at(column, row);
  while (row < end) {
    uint32_t found[KEYS_AT_ONCE];
    const size_t count = end - row < KEYS_AT_ONCE ? end - row : KEYS_AT_ONCE;
    if (!find_keys(&position, count, keys.count, are_short, found)) return false;
    write_rows(found, row, count, keys, home, rows);
    row += count;
  }
  column->bit = position.bit;
  return !has_run_out(&position);
}

AVX2 bool kernels_expand_keys_avx2(struct kernels_column *column, size_t row, size_t count,
                                   struct kernels_event_keys keys, uint32_t home, struct kernels_rows rows) {
  const size_t end = row + count;
  if (row % 2 > 0 && count > 0) {
    if (column->bit > column->end) return false;
    const uint32_t key = (uint32_t)integer_of_odd_row(column, row);
    if (key >= keys.count) return false;
    write_rows(&key, row, 1, keys, home, rows);
    row++;
  }
  return column->lowest >= 0 && column->highest <= UINT16_MAX
             ? expand_keys_of(column, row, end, true, keys, home, rows)
             : expand_keys_of(column, row, end, false, keys, home, rows);
}

#endif
