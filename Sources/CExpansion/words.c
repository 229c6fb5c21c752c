// Words looked up in registers: a permutation finds eight in 16 entries.
#include "expansion.h"

#ifdef __x86_64__

#include "eights.h"

/// Sixteen entries.
struct table {
  __m512i low_steps, high_steps, types;
};

INLINE_BY_EIGHTS struct table load_table(const int64_t *steps, const uint32_t *types) {
  return (struct table){
      .low_steps = _mm512_loadu_si512(steps),
      .high_steps = _mm512_loadu_si512(steps + 8),
      .types = _mm512_loadu_si512(types),
  };
}

/// What eight words stand for, or the first few; what comes for the others is any.
struct meaning {
  __m512i sums;
  __m256i types;
};

/// Looks up words in one table or in two.
INLINE_BY_EIGHTS struct meaning look_up(const struct table tables[2], bool are_two,
                                        __m128i words) {
  const __m512i places = _mm512_cvtepu8_epi64(words);
  const __m512i narrow_places = _mm512_castsi256_si512(_mm256_cvtepu8_epi32(words));
  __m512i steps = _mm512_permutex2var_epi64(tables[0].low_steps, places, tables[0].high_steps);
  __m512i types;
  if (are_two) {
    const __m512i more_steps =
        _mm512_permutex2var_epi64(tables[1].low_steps, places, tables[1].high_steps);
    const __mmask8 are_more = _mm512_test_epi64_mask(places, _mm512_set1_epi64(16));
    steps = _mm512_mask_mov_epi64(steps, are_more, more_steps);
    types = _mm512_permutex2var_epi32(tables[0].types, narrow_places, tables[1].types);
  } else {
    types = _mm512_permutexvar_epi32(narrow_places, tables[0].types);
  }
  return (struct meaning){.sums = add_up(steps), .types = _mm512_castsi512_si256(types)};
}

INLINE_BY_EIGHTS void expand(const uint8_t *words, size_t count, const struct table tables[2],
                             bool are_two, int64_t time, int64_t *times, uint32_t *types) {
  __m512i before = _mm512_set1_epi64(time);
  for (; count >= 8; count -= 8, words += 8, times += 8, types += 8) {
    const __m128i eight = _mm_loadl_epi64((const __m128i *)words);
    const struct meaning meaning = look_up(tables, are_two, eight);
    const __m512i sums = _mm512_add_epi64(before, meaning.sums);
    _mm512_storeu_si512(times, sums);
    _mm256_storeu_si256((__m256i *)types, meaning.types);
    before = last(sums);
  }
  if (count > 0) {
    const __mmask8 rest = first(count);
    const struct meaning meaning =
        look_up(tables, are_two, _mm_maskz_loadu_epi8(rest, words));
    _mm512_mask_storeu_epi64(times, rest, _mm512_add_epi64(before, meaning.sums));
    _mm256_mask_storeu_epi32(types, rest, meaning.types);
  }
}

BY_EIGHTS void expansion_write_words(const uint8_t *words, size_t count, size_t word_count,
                                     const int64_t *steps, const uint32_t *types_of_words,
                                     int64_t time, int64_t *times, uint32_t *types) {
  const struct table tables[2] = {load_table(steps, types_of_words),
                                  load_table(steps + 16, types_of_words + 16)};
  if (word_count <= 16)
    expand(words, count, tables, false, time, times, types);
  else
    expand(words, count, tables, true, time, times, types);
}

#else

void expansion_write_words(const uint8_t *words, size_t count, size_t word_count, const int64_t *steps,
                           const uint32_t *types_of_words, int64_t time, int64_t *times,
                           uint32_t *types) {
  __builtin_trap();
}

#endif
