// CRC-32 by carry-less multiplication: V. Gopal and others, "Fast CRC Computation for Generic Polynomials
// Using PCLMULQDQ Instruction", Intel, 2009.
//
//     parts = first 64 bytes, 16 each; parts[0] ^= register before
//     for each further 64 bytes: parts[i] = fold(parts[i], 512 bits further) ^ bytes[i]
//     fold parts 0 to 2 into part 3, then part 3 over what is left, 16 bytes at a time
//
// That is with four parts of 16 bytes. VPCLMULQDQ multiplies two or four parts at once, and so there are eight or sixteen.
//
// The register is the remainder of the bytes, as a polynomial over bits, divided by P. The remainder stays the
// same if a part A that stands n bits before a part B is removed and A · (x^n mod P) is added to B: that is
// `fold`. Parts are folded side by side because a product takes several cycles.
//
// The CRC of gzip is reflected: the first bit of a byte is its lowest, and so is that of a register here. The low
// half of 128 bits therefore stands 64 bits before the high half and is folded n + 64 bits further. The product
// of two reflected factors comes out one bit too low, and a 64-bit load of a 32-bit remainder stands 32 bits too
// high, so the factor for n bits is x^(n - 32) mod P, reflected, times two:
//
//     n - 32      of           x^(n - 32) mod P, 33 bits, reflected
//     2048 + 32   low half     0x11542778A          to the sixteenth part behind
//     2048 - 32   high half    0x1322D1430
//     1024 + 32   low half     0x1E88EF372          to the eighth
//     1024 - 32   high half    0x14A7FE880
//     512 + 32    low half     0x154442BD4          to the fourth
//     512 - 32    high half    0x1C6E41596
//     256 + 32    low half     0x0F1DA05AA          to the second
//     256 - 32    high half    0x15A546366
//     128 + 32    low half     0x1751997D0          to the next part
//     128 - 32    high half    0x0CCAA009E
//
// with P = x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1.
#ifndef CRC_FOLDING_H
#define CRC_FOLDING_H

#include <immintrin.h>

#include "../paths.h"

#define PCLMUL __attribute__((target("pclmul,sse4.1")))

KERNELS_INTERNAL size_t kernels_fold_crc_pclmul(uint32_t before, const uint8_t *bytes, size_t length,
                                                struct kernels_residue *residue);
/// With VPCLMULQDQ of 256 bits where the processor has it, else as the path pclmul does.
KERNELS_INTERNAL size_t kernels_fold_crc_avx2(uint32_t before, const uint8_t *bytes, size_t length,
                                              struct kernels_residue *residue);

PCLMUL static inline __m128i by_sixteen(void) { return _mm_set_epi64x(0x1322D1430, 0x11542778A); }
PCLMUL static inline __m128i by_eight(void) { return _mm_set_epi64x(0x14A7FE880, 0x1E88EF372); }
PCLMUL static inline __m128i by_two(void) { return _mm_set_epi64x(0x15A546366, 0x0F1DA05AA); }
PCLMUL static inline __m128i by_four(void) { return _mm_set_epi64x(0x1C6E41596, 0x154442BD4); }
PCLMUL static inline __m128i by_one(void) { return _mm_set_epi64x(0x0CCAA009E, 0x1751997D0); }

PCLMUL static inline __m128i load(const uint8_t *bytes) {
  return _mm_loadu_si128((const __m128i *)bytes);
}

/// Folds a part into `behind`, at the distance of the factors.
PCLMUL static inline __m128i fold(__m128i part, __m128i behind, __m128i factors) {
  const __m128i low = _mm_clmulepi64_si128(part, factors, 0x00);
  const __m128i high = _mm_clmulepi64_si128(part, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), behind);
}

/// Folds the parts, and the 16-byte pieces from `rest` to `end`, into one part. Returns the first byte not folded.
PCLMUL static inline const uint8_t *finish_fold(const __m128i *parts, size_t count, const uint8_t *rest,
                                                const uint8_t *end, struct kernels_residue *residue) {
  __m128i last = parts[0];
  for (size_t part = 1; part < count; part++) last = fold(last, parts[part], by_one());
  for (; end - rest >= 16; rest += 16) last = fold(last, load(rest), by_one());
  residue->length = sizeof last;
  _mm_storeu_si128((__m128i *)residue->bytes, last);
  return rest;
}

#endif
