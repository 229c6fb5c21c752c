// Rows whose types are in a set, sixteen rows to a register.
#include "../paths.h"

#ifdef KERNELS_AARCH64

#include "neon.h"

/// The lowest bytes of eight words.
NEON_INLINE uint8x8_t low_bytes_neon(const uint32_t *words) {
  return vmovn_u16(vcombine_u16(vmovn_u32(vld1q_u32(words)), vmovn_u32(vld1q_u32(words + 4))));
}

KERNELS_INTERNAL uint64_t kernels_find_rows_neon(const uint32_t *types, size_t count, const uint32_t *set) {
  // In memory, the bit of a type is in the byte of an eighth of its number, as words are little-endian.
  const uint8x16x2_t bytes = {{vld1q_u8((const uint8_t *)set), vld1q_u8((const uint8_t *)set + 16)}};
  static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const uint8x16_t place = vld1q_u8(places);
  uint64_t found = 0;
  size_t row = 0;
  for (; row + 16 <= count; row += 16) {
    const uint8x16_t sixteen = vcombine_u8(low_bytes_neon(types + row), low_bytes_neon(types + row + 8));
    const uint8x16_t byte = vqtbl2q_u8(bytes, vshrq_n_u8(sixteen, 3));
    const uint8x16_t bit = vqtbl1q_u8(place, vandq_u8(sixteen, vdupq_n_u8(7)));
    const uint8x16_t marks = vandq_u8(vtstq_u8(byte, bit), place);
    const uint64_t low = vaddv_u8(vget_low_u8(marks)), high = vaddv_u8(vget_high_u8(marks));
    found |= (low | high << 8) << row;
  }
  // A shift by 64 is not defined.
  if (row < count) found |= kernels_find_rows_portable(types + row, count - row, set) << row;
  return found;
}

#endif
