// Rows counted by type, eight rows to a register (`../type_words.h` describes the counters).
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "../type_words.h"
#include "avx2.h"

#define AVX2_ROWS_IN_TURN 16
/// Turns, each of which adds at most 2 to a counter of a lane, until a counter of four bits may overflow.
#define AVX2_TURNS 7
/// How often such counters can be added to bytes.
#define AVX2_ROUNDS 18

/// In each lane, the bytes of `even` count types 0, 2, 4 and 6 of a word, those of `odd` types 1, 3, 5 and 7.
struct type_bytes_avx2 {
  __m256i even, odd;
};

/// Adds the sums of eight lanes to eight counts.
AVX2 AVX2_INLINE void add_lanes_avx2(struct type_bytes_avx2 bytes, uint32_t *counts) {
  const __m256i low = _mm256_set1_epi16(0xFF);
  // Types 0 and 4 of a lane, 2 and 6, 1 and 5, 3 and 7.
  const __m256i from0 = _mm256_and_si256(bytes.even, low), from2 = _mm256_srli_epi16(bytes.even, 8);
  const __m256i from1 = _mm256_and_si256(bytes.odd, low), from3 = _mm256_srli_epi16(bytes.odd, 8);
  const __m256i even = _mm256_add_epi16(_mm256_unpacklo_epi32(from0, from2), _mm256_unpackhi_epi32(from0, from2));
  const __m256i odd = _mm256_add_epi16(_mm256_unpacklo_epi32(from1, from3), _mm256_unpackhi_epi32(from1, from3));
  const __m256i both = _mm256_add_epi16(_mm256_unpacklo_epi64(even, odd), _mm256_unpackhi_epi64(even, odd));
  // 0, 4, 2, 6, 1, 5, 3, 7.
  const __m128i sums = _mm_add_epi16(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
  const __m128i order = _mm_setr_epi8(0, 1, 8, 9, 4, 5, 12, 13, 2, 3, 10, 11, 6, 7, 14, 15);
  __m256i *const eight = (__m256i *)counts;
  const __m256i added = _mm256_cvtepu16_epi32(_mm_shuffle_epi8(sums, order));
  _mm256_storeu_si256(eight, _mm256_add_epi32(_mm256_loadu_si256(eight), added));
}

/// Counts rows of up to AVX2_TURNS turns into counters of four bits, up to a turn with a marked type; returns how many.
AVX2 AVX2_INLINE size_t count_turns_avx2(int words, const uint32_t *types, size_t count, const __m256i *marked,
                                         __m256i *sums, bool *is_marked) {
  const __m256i one = _mm256_set1_epi32(1), word_step = _mm256_set1_epi32(4 * TYPES_IN_WORD);
  size_t row = 0;
  for (int turn = 0; turn < AVX2_TURNS && row + AVX2_ROWS_IN_TURN <= count; turn++) {
    // Four times the type. For a type before the word, the difference wraps to a large number, and the shift gives 0.
    __m256i first = _mm256_slli_epi32(_mm256_loadu_si256((const __m256i *)(types + row)), 2);
    __m256i second = _mm256_slli_epi32(_mm256_loadu_si256((const __m256i *)(types + row + 8)), 2);
    __m256i added[MOST_TYPE_WORDS], found = _mm256_setzero_si256();
    for (int word = 0; word < words; word++) {
      const __m256i of_first = _mm256_sllv_epi32(one, first), of_second = _mm256_sllv_epi32(one, second);
      added[word] = _mm256_add_epi32(of_first, of_second);
      found = _mm256_or_si256(found, _mm256_and_si256(_mm256_or_si256(of_first, of_second), marked[word]));
      first = _mm256_sub_epi32(first, word_step);
      second = _mm256_sub_epi32(second, word_step);
    }
    *is_marked = !_mm256_testz_si256(found, found);
    if (*is_marked) break;
    for (int word = 0; word < words; word++) sums[word] = _mm256_add_epi32(sums[word], added[word]);
    row += AVX2_ROWS_IN_TURN;
  }
  return row;
}

/// For types of so many words, a constant.
AVX2 AVX2_INLINE size_t count_words_avx2(int words, const uint32_t *types, size_t count, size_t type_count,
                                         struct kernels_type_count *counts) {
  uint32_t all_sums[KERNELS_COUNTED_TYPES] = {0};
  const __m256i nibbles = _mm256_set1_epi8(0xF), zero = _mm256_setzero_si256();
  __m256i marked[MOST_TYPE_WORDS];
  for (int word = 0; word < words; word++) marked[word] = _mm256_set1_epi32((int)marked_types(counts, type_count, word));
  size_t row = 0;
  bool is_marked = false;
  while (!is_marked && row + AVX2_ROWS_IN_TURN <= count) {
    struct type_bytes_avx2 bytes[MOST_TYPE_WORDS];
    for (int word = 0; word < words; word++) bytes[word] = (struct type_bytes_avx2){zero, zero};
    for (int round = 0; round < AVX2_ROUNDS && !is_marked && row + AVX2_ROWS_IN_TURN <= count; round++) {
      __m256i sums[MOST_TYPE_WORDS];
      for (int word = 0; word < words; word++) sums[word] = zero;
      row += count_turns_avx2(words, types + row, count - row, marked, sums, &is_marked);
      for (int word = 0; word < words; word++) {
        bytes[word].even = _mm256_add_epi8(bytes[word].even, _mm256_and_si256(sums[word], nibbles));
        bytes[word].odd =
            _mm256_add_epi8(bytes[word].odd, _mm256_and_si256(_mm256_srli_epi32(sums[word], 4), nibbles));
      }
    }
    for (int word = 0; word < words; word++) add_lanes_avx2(bytes[word], all_sums + TYPES_IN_WORD * word);
  }
  add_type_sums(all_sums, type_count, counts);
  return row;
}

AVX2 DEFINE_COUNT_TYPES(kernels_count_types_avx2, count_words_avx2)

#endif
