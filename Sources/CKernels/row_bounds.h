// Bounds of rows. Each path compiles the function for its own instructions: a loop for each column, which the compiler
// vectorizes. The loops take turns on a few rows, so that the processor fetches all three columns ahead.
#ifndef ROW_BOUNDS_H
#define ROW_BOUNDS_H

#define ROWS_IN_TURN 256

#define DEFINE_BOUND_ROWS(name)                                                                    \
  static struct kernels_row_bounds name(const int64_t *times, const uint8_t *kinds,                \
                                        const uint32_t *types, size_t count) {                     \
    /* Negative if a time is before its predecessor. */                                            \
    int64_t steps = 0;                                                                             \
    uint8_t all_kinds = 0;                                                                         \
    uint32_t all_types = 0;                                                                        \
    for (size_t start = 0; start < count; start += ROWS_IN_TURN) {                                 \
      size_t end = count - start < ROWS_IN_TURN ? count : start + ROWS_IN_TURN;                    \
      for (size_t row = start > 0 ? start : 1; row < end; row++)                                   \
        steps |= times[row] - times[row - 1];                                                      \
      for (size_t row = start; row < end; row++)                                                   \
        all_kinds |= kinds[row];                                                                   \
      for (size_t row = start; row < end; row++)                                                   \
        all_types |= types[row];                                                                   \
    }                                                                                              \
    return (struct kernels_row_bounds){steps >= 0, all_kinds, all_types};                          \
  }

#endif
