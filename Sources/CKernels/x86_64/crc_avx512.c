// CRC-32 with sixteen parts in four registers (`crc_folding.h`): VPCLMULQDQ of 512 bits multiplies four at once.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx512.h"
#include "crc_folding.h"

#define VPCLMUL_512 __attribute__((target("avx512f,pclmul,vpclmulqdq")))
#define REGISTERS_OF_FOUR 4

/// Folds four parts into four behind, at the distance of the factors.
VPCLMUL_512 static inline __m512i fold_four(__m512i parts, __m512i behind, __m512i factors) {
  const __m512i low = _mm512_clmulepi64_epi128(parts, factors, 0x00);
  const __m512i high = _mm512_clmulepi64_epi128(parts, factors, 0x11);
  return _mm512_xor_si512(_mm512_xor_si512(low, high), behind);
}

VPCLMUL_512 size_t kernels_fold_crc_avx512(uint32_t before, const uint8_t *bytes, size_t length,
                                           struct kernels_residue *residue) {
  const size_t step = REGISTERS_OF_FOUR * sizeof(__m512i);
  if (length < step) return kernels_fold_crc_avx2(before, bytes, length, residue);
  const __m512i far = _mm512_broadcast_i32x4(by_sixteen()), near = _mm512_broadcast_i32x4(by_four());
  const uint8_t *const end = bytes + length, *rest = bytes + length / step * step;
  __m512i fours[REGISTERS_OF_FOUR];
  for (int four = 0; four < REGISTERS_OF_FOUR; four++) fours[four] = _mm512_loadu_si512(bytes + 64 * four);
  fours[0] = _mm512_xor_si512(fours[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)before)));
  for (const uint8_t *next = bytes + step; next < rest; next += step)
    for (int four = 0; four < REGISTERS_OF_FOUR; four++)
      fours[four] = fold_four(fours[four], _mm512_loadu_si512(next + 64 * four), far);
  __m512i last = fours[0];
  for (int four = 1; four < REGISTERS_OF_FOUR; four++) last = fold_four(last, fours[four], near);
  for (; end - rest >= 64; rest += 64) last = fold_four(last, _mm512_loadu_si512(rest), near);
  __m128i parts[4];
  _mm512_storeu_si512(parts, last);
  return (size_t)(finish_fold(parts, 4, rest, end, residue) - bytes);
}

#endif
