#include "row_bounds.h"

struct kernels_row_bounds kernels_bound_rows_portable(const int64_t *times, const uint8_t *kinds,
                                                      const uint32_t *types, size_t count) {
  return bound_rows(times, kinds, types, count);
}
