// CRC-32 with four parts in one register (`crc_folding.h`): VPCLMULQDQ multiplies all four at once.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx512.h"
#include "crc_folding.h"

__attribute__((target("avx512f,vpclmulqdq"))) size_t
kernels_fold_crc_avx512(uint32_t before, const uint8_t *bytes, size_t length, uint8_t *residue) {
  const uint8_t *rest = bytes + length / 64 * 64;
  const __m512i factors = _mm512_broadcast_i32x4(by_four());
  __m128i parts[4];
  load_parts(before, bytes, parts);
  __m512i four = _mm512_loadu_si512(parts);
  for (const uint8_t *next = bytes + 64; next < rest; next += 64) {
    const __m512i low = _mm512_clmulepi64_epi128(four, factors, 0x00);
    const __m512i high = _mm512_clmulepi64_epi128(four, factors, 0x11);
    four = _mm512_xor_si512(_mm512_xor_si512(low, high), _mm512_loadu_si512(next));
  }
  _mm512_storeu_si512(parts, four);
  return (size_t)(finish_fold(parts, rest, bytes + length, residue) - bytes);
}

#endif
