// CRC-32 with eight parts in four registers (`crc_folding.h`): VPCLMULQDQ of 256 bits, of processors since Zen 3 and
// Alder Lake, multiplies two at once.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "crc_folding.h"

#define VPCLMUL __attribute__((target("avx2,pclmul,vpclmulqdq")))
#define REGISTERS_OF_TWO 4

VPCLMUL static inline __m256i load_two(const uint8_t *bytes) {
  return _mm256_loadu_si256((const __m256i *)bytes);
}

/// Folds two parts into two behind, at the distance of the factors.
VPCLMUL static inline __m256i fold_two(__m256i parts, __m256i behind, __m256i factors) {
  const __m256i low = _mm256_clmulepi64_epi128(parts, factors, 0x00);
  const __m256i high = _mm256_clmulepi64_epi128(parts, factors, 0x11);
  return _mm256_xor_si256(_mm256_xor_si256(low, high), behind);
}

VPCLMUL static size_t fold_eight(uint32_t before, const uint8_t *bytes, size_t length, struct kernels_residue *residue) {
  const size_t step = REGISTERS_OF_TWO * sizeof(__m256i);
  const __m256i far = _mm256_broadcastsi128_si256(by_eight()), near = _mm256_broadcastsi128_si256(by_two());
  const uint8_t *const end = bytes + length, *rest = bytes + length / step * step;
  __m256i twos[REGISTERS_OF_TWO];
  for (int two = 0; two < REGISTERS_OF_TWO; two++) twos[two] = load_two(bytes + 32 * two);
  twos[0] = _mm256_xor_si256(twos[0], _mm256_zextsi128_si256(_mm_cvtsi32_si128((int)before)));
  for (const uint8_t *next = bytes + step; next < rest; next += step)
    for (int two = 0; two < REGISTERS_OF_TWO; two++) twos[two] = fold_two(twos[two], load_two(next + 32 * two), far);
  __m256i last = twos[0];
  for (int two = 1; two < REGISTERS_OF_TWO; two++) last = fold_two(last, twos[two], near);
  for (; end - rest >= 32; rest += 32) last = fold_two(last, load_two(rest), near);
  __m128i parts[2];
  _mm256_storeu_si256((__m256i *)parts, last);
  return (size_t)(finish_fold(parts, 2, rest, end, residue) - bytes);
}

size_t kernels_fold_crc_avx2(uint32_t before, const uint8_t *bytes, size_t length, struct kernels_residue *residue) {
  if (length < REGISTERS_OF_TWO * sizeof(__m256i) || !__builtin_cpu_supports("vpclmulqdq"))
    return kernels_fold_crc_pclmul(before, bytes, length, residue);
  return fold_eight(before, bytes, length, residue);
}

#endif
