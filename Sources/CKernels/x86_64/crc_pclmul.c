// CRC-32 with four parts in four registers (`crc_folding.h`).
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "crc_folding.h"

PCLMUL size_t kernels_fold_crc_pclmul(uint32_t before, const uint8_t *bytes, size_t length,
                                      struct kernels_residue *residue) {
  const uint8_t *rest = bytes + length / 64 * 64;
  const __m128i factors = by_four();
  __m128i parts[4];
  for (int part = 0; part < 4; part++) parts[part] = load(bytes + 16 * part);
  parts[0] = _mm_xor_si128(parts[0], _mm_cvtsi32_si128((int)before));
  for (const uint8_t *next = bytes + 64; next < rest; next += 64)
    for (int part = 0; part < 4; part++)
      parts[part] = fold(parts[part], load(next + 16 * part), factors);
  return (size_t)(finish_fold(parts, 4, rest, bytes + length, residue) - bytes);
}

#endif
