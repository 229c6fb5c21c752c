// Words looked up in registers, eight rows at a time (`words_avx512.c` has the plain algorithm and the other form).
//
// A register holds eight words' halves of steps, or their types, which one permutation looks up; sixteen words take two
// permutations and a choice. With more words, permutations take as long as loads.
//
// On AMD Zen 4 a row takes 0.30 ns for up to eight words, 0.38 for up to sixteen, and 0.44 with loads.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx2.h"

#define MOST_WORDS 16
/// Below so many rows, filling the tables takes longer than they save.
#define FEWEST_ROWS 64

/// What words stand for, eight to a register.
struct words_table {
  uint32_t low_steps[MOST_WORDS], high_steps[MOST_WORDS], types[MOST_WORDS];
};

/// What a table has for eight words. `are_few` says that all are below eight; then one permutation does.
AVX2 AVX2_INLINE __m256i look_up_eight_words(const uint32_t *table, bool are_few, __m256i words) {
  const __m256i low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)table), words);
  if (are_few) return low;
  const __m256i high = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(table + 8)), words);
  return _mm256_blendv_epi8(low, high, _mm256_cmpgt_epi32(words, _mm256_set1_epi32(7)));
}

/// Expands a multiple of eight rows; returns the time of the last one.
AVX2 AVX2_INLINE int64_t expand_eights(const uint8_t *words, size_t count, const struct words_table *table,
                                       bool are_few, int64_t time, int64_t *times, uint32_t *types) {
  __m256i before = _mm256_set1_epi64x(time);
  for (size_t row = 0; row < count; row += 8) {
    __m256i eight = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(words + row)));
    OPAQUE(eight);
    const __m256i low_steps = look_up_eight_words(table->low_steps, are_few, eight);
    const __m256i high_steps = look_up_eight_words(table->high_steps, are_few, eight);
    _mm256_storeu_si256((__m256i *)(types + row), look_up_eight_words(table->types, are_few, eight));
    // Rows 0, 1, 4, 5 and rows 2, 3, 6, 7; then the sums of two; then those of each half.
    __m256i outer = _mm256_unpacklo_epi32(low_steps, high_steps);
    __m256i inner = _mm256_unpackhi_epi32(low_steps, high_steps);
    outer = _mm256_add_epi64(outer, _mm256_slli_si256(outer, 8));
    inner = _mm256_add_epi64(inner, _mm256_slli_si256(inner, 8));
    inner = _mm256_add_epi64(inner, _mm256_unpackhi_epi64(outer, outer));
    // The sum of the lower half comes before the upper one.
    const __m256i lower = _mm256_permute4x64_epi64(inner, _MM_SHUFFLE(1, 1, 1, 1));
    const __m256i upper = _mm256_add_epi64(before, _mm256_blend_epi32(_mm256_setzero_si256(), lower, 0xF0));
    outer = _mm256_add_epi64(outer, upper);
    inner = _mm256_add_epi64(inner, upper);
    before = _mm256_permute4x64_epi64(inner, _MM_SHUFFLE(3, 3, 3, 3));
    _mm_storeu_si128((__m128i *)(times + row), _mm256_castsi256_si128(outer));
    _mm_storeu_si128((__m128i *)(times + row + 2), _mm256_castsi256_si128(inner));
    _mm_storeu_si128((__m128i *)(times + row + 4), _mm256_extracti128_si256(outer, 1));
    _mm_storeu_si128((__m128i *)(times + row + 6), _mm256_extracti128_si256(inner, 1));
  }
  int64_t last[4];
  _mm256_storeu_si256((__m256i *)last, before);
  return last[0];
}

AVX2 void kernels_expand_words_avx2(const uint8_t *words, size_t count, size_t word_count, const int64_t *steps,
                                    const uint32_t *types_of_words, int64_t time, int64_t *times,
                                    uint32_t *types) {
  size_t done = 0;
  if (word_count <= MOST_WORDS && count >= FEWEST_ROWS) {
    struct words_table table;
    for (int word = 0; word < MOST_WORDS; word++) {
      table.low_steps[word] = (uint32_t)(uint64_t)steps[word];
      table.high_steps[word] = (uint32_t)((uint64_t)steps[word] >> 32);
      table.types[word] = types_of_words[word];
    }
    done = count / 8 * 8;
    time = word_count <= MOST_WORDS / 2 ? expand_eights(words, done, &table, true, time, times, types)
                                        : expand_eights(words, done, &table, false, time, times, types);
  }
  kernels_expand_words_portable(words + done, count - done, word_count, steps, types_of_words, time,
                                times + done, types + done);
}

#endif
