// Words looked up in registers, sixteen rows at a time.
//
//     for row in rows: time += steps[words[row]]; times[row] = time; types[row] = types_of_words[words[row]]
//
// A table of 16 steps fills two registers, which one permutation looks up; 32 words take two permutations and
// a choice by bit 4 of the word. `prefix_sums` adds the steps up.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx512.h"

/// Sixteen words.
struct table {
  __m512i low_steps, high_steps, types;
};

AVX512 INLINE struct table load_table(const int64_t *steps, const uint32_t *types) {
  return (struct table){
      .low_steps = _mm512_loadu_si512(steps),
      .high_steps = _mm512_loadu_si512(steps + 8),
      .types = _mm512_loadu_si512(types),
  };
}

/// The steps of eight words, each the low byte of a 64-bit lane. Bits above bit 4 have no effect.
AVX512 INLINE __m512i look_up_steps(const struct table tables[2], bool are_two, __m512i words) {
  const __m512i steps =
      _mm512_permutex2var_epi64(tables[0].low_steps, words, tables[0].high_steps);
  if (!are_two) return steps;
  const __m512i more_steps =
      _mm512_permutex2var_epi64(tables[1].low_steps, words, tables[1].high_steps);
  const __mmask8 are_more = _mm512_test_epi64_mask(words, _mm512_set1_epi64(16));
  return _mm512_mask_mov_epi64(steps, are_more, more_steps);
}

AVX512 INLINE __m512i look_up_types(const struct table tables[2], bool are_two, __m128i words) {
  const __m512i places = _mm512_cvtepu8_epi32(words);
  return are_two ? _mm512_permutex2var_epi32(tables[0].types, places, tables[1].types)
                 : _mm512_permutexvar_epi32(places, tables[0].types);
}

AVX512 INLINE struct sixteen add_word_steps(const struct table tables[2], bool are_two,
                                            __m128i words, __m512i *before) {
  const __m512i even = _mm512_cvtepu16_epi64(words);
  const __m512i odd = _mm512_srli_epi64(even, 8);
  return prefix_sums(look_up_steps(tables, are_two, even), look_up_steps(tables, are_two, odd), before);
}

AVX512 INLINE void expand(const uint8_t *words, size_t count, const struct table tables[2],
                          bool are_two, int64_t time, int64_t *times, uint32_t *types) {
  __m512i before = _mm512_set1_epi64(time);
  for (; count >= 16; count -= 16, words += 16, times += 16, types += 16) {
    const __m128i sixteen = _mm_loadu_si128((const __m128i *)words);
    store(times, add_word_steps(tables, are_two, sixteen, &before));
    _mm512_storeu_si512(types, look_up_types(tables, are_two, sixteen));
  }
  if (count > 0) {
    const __m128i rest = _mm_maskz_loadu_epi8(first(count), words);
    store_first(count, times, add_word_steps(tables, are_two, rest, &before));
    _mm512_mask_storeu_epi32(types, first(count), look_up_types(tables, are_two, rest));
  }
}

AVX512 void kernels_expand_words_avx512(const uint8_t *words, size_t count, const struct kernels_words *meanings,
                                        int64_t time, int64_t *times, uint32_t *types) {
  if (meanings->count > 32) {
    kernels_expand_words_portable(words, count, meanings, time, times, types);
    return;
  }
  const struct table tables[2] = {load_table(meanings->steps, meanings->types),
                                  load_table(meanings->steps + 16, meanings->types + 16)};
  if (meanings->count <= 16)
    expand(words, count, tables, false, time, times, types);
  else
    expand(words, count, tables, true, time, times, types);
}

#endif
