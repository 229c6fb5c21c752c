// Bounds of rows. Each path compiles the function for its own instructions: a loop for each column, which the compiler
// vectorizes.
#ifndef ROW_BOUNDS_H
#define ROW_BOUNDS_H

#define DEFINE_BOUND_ROWS(name)                                                                    \
  static struct kernels_row_bounds name(const int64_t *times, const uint8_t *kinds,                \
                                        const uint32_t *types, size_t count) {                     \
    /* Negative if a time is before its predecessor. */                                            \
    int64_t steps = 0;                                                                             \
    for (size_t row = 1; row < count; row++)                                                       \
      steps |= times[row] - times[row - 1];                                                        \
    uint8_t all_kinds = 0;                                                                         \
    for (size_t row = 0; row < count; row++)                                                       \
      all_kinds |= kinds[row];                                                                     \
    uint32_t all_types = 0;                                                                        \
    for (size_t row = 0; row < count; row++)                                                       \
      all_types |= types[row];                                                                     \
    return (struct kernels_row_bounds){steps >= 0, all_kinds, all_types};                          \
  }

#endif
