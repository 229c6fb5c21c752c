#include "../paths.h"

#ifdef KERNELS_X86_64

#include "../portable/row_bounds.h"
#include "avx512.h"

AVX512 struct kernels_row_bounds kernels_bound_rows_avx512(const int64_t *times, const uint8_t *kinds,
                                                           const uint32_t *types, size_t count) {
  return bound_rows(times, kinds, types, count);
}

#endif
