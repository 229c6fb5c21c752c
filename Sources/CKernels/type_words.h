// What the kernels that count rows by type share: words of eight types, and the counters of a word.
//
// Each 32-bit lane of a vector holds eight 4-bit counters, one for each type of a word. A row adds
// `1 << 4 * (type - the word's first type)`; a shift of another type gives 0, so that types of other words add nothing.
// Counters are emptied before they overflow, first into bytes, then into 32 bits.
#ifndef TYPE_WORDS_H
#define TYPE_WORDS_H

#include "kernels.h"

#define TYPES_IN_WORD 8
#define MOST_TYPE_WORDS (KERNELS_COUNTED_TYPES / TYPES_IN_WORD)

/// The bits that rows of a word's marked types would set in a lane.
static inline uint32_t marked_types(const struct kernels_type_count *counts, size_t type_count, int word) {
  const size_t start = (size_t)word * TYPES_IN_WORD;
  uint32_t marked = 0;
  for (size_t type = 0; type < TYPES_IN_WORD && start + type < type_count; type++)
    marked |= (uint32_t)(counts[start + type].attention != 0) << 4 * type;
  return marked;
}

static inline void add_type_sums(const uint32_t *sums, size_t type_count, struct kernels_type_count *counts) {
  for (size_t type = 0; type < type_count; type++) counts[type].counted[0] += sums[type];
}

/// Defines a kernel that calls `count_words` with a constant number of words, so that the compiler unrolls its loops over them.
#define DEFINE_COUNT_TYPES(name, count_words)                                                      \
  size_t name(const uint32_t *types, size_t count, size_t type_count, struct kernels_type_count *counts) { \
    switch ((type_count + TYPES_IN_WORD - 1) / TYPES_IN_WORD) {                                    \
    case 0:                                                                                        \
    case 1: return count_words(1, types, count, type_count, counts);                               \
    case 2: return count_words(2, types, count, type_count, counts);                               \
    case 3: return count_words(3, types, count, type_count, counts);                               \
    default: return count_words(MOST_TYPE_WORDS, types, count, type_count, counts);                \
    }                                                                                              \
  }

#endif
