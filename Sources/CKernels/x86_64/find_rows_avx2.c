// Rows whose types are in a set, eight rows to a register.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx2.h"

AVX2 KERNELS_INTERNAL uint64_t kernels_find_rows_avx2(const uint32_t *types, size_t count, const uint32_t *set) {
  const __m256i words = _mm256_loadu_si256((const __m256i *)set), highest = _mm256_set1_epi32(31);
  uint64_t found = 0;
  size_t row = 0;
  for (; row + 8 <= count; row += 8) {
    const __m256i eight = _mm256_loadu_si256((const __m256i *)(types + row));
    // Of the place of a word, only the lowest three bits count.
    const __m256i word = _mm256_permutevar8x32_epi32(words, _mm256_srli_epi32(eight, 5));
    // The type's bit becomes the highest of its word.
    const __m256i shifted = _mm256_sllv_epi32(word, _mm256_andnot_si256(eight, highest));
    found |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(shifted)) << row;
  }
  // A shift by 64 is not defined.
  if (row < count) found |= kernels_find_rows_portable(types + row, count - row, set) << row;
  return found;
}

#endif
