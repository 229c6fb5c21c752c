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

size_t checksum_widest_fold(void) {
  if (!__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("sse4.1")) return 0;
  return __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f") ? 64 : 16;
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

/// Folds bytes, a multiple of 64, to four parts, as a product takes several cycles.
CAN_FOLD static inline void fold_by_part(__m128i parts[4], const uint8_t *bytes,
                                         const uint8_t *end, __m128i by_four) {
  for (; bytes < end; bytes += 64) {
    for (int part = 0; part < 4; part++)
      parts[part] = fold(parts[part], load(bytes + 16 * part), by_four);
  }
}

/// The same, with all four in one register.
__attribute__((target("avx512f,vpclmulqdq"))) static void
fold_by_register(__m128i parts[4], const uint8_t *bytes, const uint8_t *end, __m128i by_four) {
  const __m512i factors = _mm512_broadcast_i32x4(by_four);
  __m512i four = _mm512_loadu_si512(parts);
  for (; bytes < end; bytes += 64) {
    const __m512i low = _mm512_clmulepi64_epi128(four, factors, 0x00);
    const __m512i high = _mm512_clmulepi64_epi128(four, factors, 0x11);
    const __m512i behind = _mm512_loadu_si512(bytes);
    four = _mm512_xor_si512(_mm512_xor_si512(low, high), behind);
  }
  _mm512_storeu_si512(parts, four);
}

CAN_FOLD void checksum_fold(uint32_t register_before, const uint8_t *bytes, size_t length,
                            size_t width, uint8_t residue[CHECKSUM_RESIDUE]) {
  const __m128i by_four = _mm_set_epi64x(0x1C6E41596, 0x154442BD4);
  const __m128i by_one = _mm_set_epi64x(0x0CCAA009E, 0x1751997D0);
  const uint8_t *end = bytes + length;
  const uint8_t *rest = bytes + length / 64 * 64;

  __m128i parts[4] = {
      _mm_xor_si128(load(bytes), _mm_cvtsi32_si128((int)register_before)),
      load(bytes + 16),
      load(bytes + 32),
      load(bytes + 48),
  };
  if (width == 64)
    fold_by_register(parts, bytes + 64, rest, by_four);
  else
    fold_by_part(parts, bytes + 64, rest, by_four);
  for (int part = 1; part < 4; part++) parts[part] = fold(parts[part - 1], parts[part], by_one);
  for (; rest < end; rest += 16) parts[3] = fold(parts[3], load(rest), by_one);
  _mm_storeu_si128((__m128i *)residue, parts[3]);
}

#else

size_t checksum_widest_fold(void) { return 0; }

void checksum_fold(uint32_t register_before, const uint8_t *bytes, size_t length, size_t width,
                   uint8_t residue[CHECKSUM_RESIDUE]) {
  __builtin_trap();
}

#endif
