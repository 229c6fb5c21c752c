// CRC-32 by carry-less multiplication, after V. Gopal and others, "Fast CRC Computation for Generic
// Polynomials Using PCLMULQDQ Instruction" (Intel, 2009).
//
// A CRC register is the remainder of the bytes, taken as a polynomial over bits, divided by P. It
// stays the same if a part A that stands n bits before a part B is taken away and
// A · (x^n mod P) is added to B. So 16 bytes after 16 bytes are folded into what comes behind them
// until only 16 are left; what is left any CRC-32 can take.
//
// gzip's CRC is reflected: the first bit of a byte is its lowest, and so is that of a register here.
// The low half of 128 bits thus stands 64 bits before the high half, and is taken n + 64 bits
// further. A product of two reflected factors comes out one bit too low, and a 64-bit load of a
// 32-bit remainder stands 32 bits too high, so that the factor for n bits is x^(n - 32) mod P,
// reflected, times two:
//
//     n - 32      of           x^(n - 32) mod P, 33 bits, reflected
//     512 + 32    low half     0x154442BD4          from a part to the fourth behind it
//     512 - 32    high half    0x1C6E41596
//     128 + 32    low half     0x1751997D0          from a part to the next
//     128 - 32    high half    0x0CCAA009E
//
// with P = x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2
//        + x + 1.
#include "checksum.h"

#ifdef __x86_64__

#include <immintrin.h>

#define CAN_FOLD __attribute__((target("pclmul,sse4.1")))

bool checksum_can_fold(void) {
  return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}

CAN_FOLD static inline __m128i load(const uint8_t *bytes) {
  return _mm_loadu_si128((const __m128i *)bytes);
}

/// Folds a part into one behind it, as far as the factors say.
CAN_FOLD static inline __m128i fold(__m128i part, __m128i behind, __m128i factors) {
  __m128i low = _mm_clmulepi64_si128(part, factors, 0x00);
  __m128i high = _mm_clmulepi64_si128(part, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), behind);
}

CAN_FOLD void checksum_fold(uint32_t register_before, const uint8_t *bytes, size_t length,
                            uint8_t residue[CHECKSUM_RESIDUE]) {
  const __m128i by_four = _mm_set_epi64x(0x1C6E41596, 0x154442BD4);
  const __m128i by_one = _mm_set_epi64x(0x0CCAA009E, 0x1751997D0);
  const uint8_t *end = bytes + length;

  // Four at a time, as a product takes several cycles.
  __m128i first = _mm_xor_si128(load(bytes), _mm_cvtsi32_si128((int)register_before));
  __m128i second = load(bytes + 16);
  __m128i third = load(bytes + 32);
  __m128i fourth = load(bytes + 48);
  for (bytes += 64; end - bytes >= 64; bytes += 64) {
    first = fold(first, load(bytes), by_four);
    second = fold(second, load(bytes + 16), by_four);
    third = fold(third, load(bytes + 32), by_four);
    fourth = fold(fourth, load(bytes + 48), by_four);
  }
  second = fold(first, second, by_one);
  third = fold(second, third, by_one);
  fourth = fold(third, fourth, by_one);
  for (; bytes < end; bytes += 16) fourth = fold(fourth, load(bytes), by_one);
  _mm_storeu_si128((__m128i *)residue, fourth);
}

#else

bool checksum_can_fold(void) { return false; }

void checksum_fold(uint32_t register_before, const uint8_t *bytes, size_t length,
                   uint8_t residue[CHECKSUM_RESIDUE]) {
  __builtin_trap();
}

#endif
