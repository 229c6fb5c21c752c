// Rows whose types are in a set, one after the other.
#include "../paths.h"

KERNELS_INTERNAL uint64_t kernels_find_rows_portable(const uint32_t *types, size_t count, const uint32_t *set) {
  uint64_t found = 0;
  for (size_t row = 0; row < count; row++) {
    const uint32_t word = set[types[row] / 32 % KERNELS_TYPE_SET_WORDS];
    found |= (uint64_t)(word >> types[row] % 32 & 1) << row;
  }
  return found;
}
