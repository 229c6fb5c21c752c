// Bounds of rows. Each path compiles the function for its own instructions: a loop for each column. The loops take turns
// on a few rows, so that the processor fetches all three columns ahead.
#ifndef ROW_BOUNDS_H
#define ROW_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

#define ROWS_IN_TURN 256
#define TIMES_IN_VECTOR 8

// The compiler makes of such a vector as many registers as the path has.
typedef int64_t times_vector __attribute__((vector_size(8 * TIMES_IN_VECTOR), may_alias));

// Each time is loaded once, by a vector at its own alignment: loads of the predecessors too would cross lines of cache,
// and take as long as all else.
#define DEFINE_BOUND_ROWS(name)                                                                    \
  static struct kernels_row_bounds name(const int64_t *times, const uint8_t *kinds,                \
                                        const uint32_t *types, size_t count) {                     \
    /* Negative if a time is before its predecessor. */                                            \
    int64_t steps = 0;                                                                             \
    times_vector lane_steps = {0};                                                                 \
    uint8_t all_kinds = 0;                                                                         \
    uint32_t all_types = 0;                                                                        \
    size_t row = 1;                                                                                \
    for (; row < count && (uintptr_t)(times + row) % sizeof(times_vector) != 0; row++)             \
      steps |= times[row] - times[row - 1];                                                        \
    times_vector before = {0};                                                                     \
    before[TIMES_IN_VECTOR - 1] = times[row - 1];                                                  \
    for (size_t start = 0; start < count; start += ROWS_IN_TURN) {                                 \
      size_t end = count - start < ROWS_IN_TURN ? count : start + ROWS_IN_TURN;                    \
      for (; row + TIMES_IN_VECTOR <= end; row += TIMES_IN_VECTOR) {                               \
        times_vector now = *(const times_vector *)(times + row);                                   \
        lane_steps |= now - __builtin_shufflevector(before, now, 7, 8, 9, 10, 11, 12, 13, 14);     \
        before = now;                                                                              \
      }                                                                                            \
      for (size_t other = start; other < end; other++)                                             \
        all_kinds |= kinds[other];                                                                 \
      for (size_t other = start; other < end; other++)                                             \
        all_types |= types[other];                                                                 \
    }                                                                                              \
    for (; row < count; row++)                                                                     \
      steps |= times[row] - times[row - 1];                                                        \
    for (int lane = 0; lane < TIMES_IN_VECTOR; lane++)                                             \
      steps |= lane_steps[lane];                                                                   \
    return (struct kernels_row_bounds){steps >= 0, all_kinds, all_types};                          \
  }

#endif
