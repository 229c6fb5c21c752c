// Words looked up row by row.
#include "../paths.h"

void kernels_expand_words_portable(const uint8_t *words, size_t count, size_t word_count,
                                   const int64_t *steps, const uint32_t *types_of_words,
                                   int64_t time, int64_t *times, uint32_t *types) {
  (void)word_count;
  // Unsigned, as C leaves signed overflow undefined.
  uint64_t sum = (uint64_t)time;
  for (size_t row = 0; row < count; row++) {
    sum += (uint64_t)steps[words[row]];
    times[row] = (int64_t)sum;
    types[row] = types_of_words[words[row]];
  }
}
