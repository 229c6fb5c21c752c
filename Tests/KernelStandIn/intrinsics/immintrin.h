// The intrinsics that the kernels use, in plain C, after Intel's Intrinsics Guide. Whatever the guide leaves
// undefined is 0xA5 here, so that a kernel that relies on it fails.
#ifndef STAND_IN_IMMINTRIN_H
#define STAND_IN_IMMINTRIN_H

#include <stdint.h>
#include <string.h>

typedef union {
  uint8_t u8[16];
  uint16_t u16[8];
  uint32_t u32[4];
  int32_t i32[4];
  uint64_t u64[2];
} __m128i;
typedef __m128i __m128d;
typedef __m128i __m128;
typedef union {
  uint8_t u8[32];
  uint16_t u16[16];
  uint32_t u32[8];
  int32_t i32[8];
  uint64_t u64[4];
  int64_t i64[4];
  __m128i part[2];
} __m256i;
typedef struct { __m256i bits; } __m256;
typedef union {
  uint8_t u8[64];
  int8_t i8[64];
  uint32_t u32[16];
  int32_t i32[16];
  uint64_t u64[8];
  int64_t i64[8];
  __m128i part[4];
} __m512i;
typedef uint8_t __mmask8;
typedef uint16_t __mmask16;

#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))
#define STATIC static inline __attribute__((unused))
/// A function of `count` lanes, each of which is `value`.
#define LANES(type, name, lane, count, value, ...)            \
  STATIC type name(__VA_ARGS__) {                             \
    type r;                                                   \
    for (int i = 0; i < count; i++) r.lane[i] = value;        \
    return r;                                                 \
  }
/// A function of a mask, a bit for each lane.
#define MASK(type, name, count, condition, ...)                                      \
  STATIC type name(__VA_ARGS__) {                                                    \
    type r = 0;                                                                      \
    for (int i = 0; i < count; i++) r = (type)(r | (type)((condition) ? 1u << i : 0)); \
    return r;                                                                        \
  }

// Loads and stores, which need no alignment. Lanes that the mask leaves out are not touched in memory.
STATIC __m128i _mm_loadu_si128(const void *p) { __m128i r; memcpy(&r, p, 16); return r; }
STATIC __m512i _mm512_loadu_si512(const void *p) { __m512i r; memcpy(&r, p, 64); return r; }
STATIC void _mm_storeu_si128(void *p, __m128i a) { memcpy(p, &a, 16); }
STATIC void _mm512_storeu_si512(void *p, __m512i a) { memcpy(p, &a, 64); }
STATIC __m128d _mm_load_sd(const void *p) { __m128d r = {{0}}; memcpy(&r, p, 8); return r; }
STATIC __m128d _mm_loadh_pd(__m128d a, const void *p) { memcpy(&a.u64[1], p, 8); return a; }
STATIC __m128i _mm_castpd_si128(__m128d a) { return a; }
STATIC __m128 _mm_castpd_ps(__m128d a) { return a; }
STATIC __m128i _mm_castps_si128(__m128 a) { return a; }
LANES(__m128i, _mm_maskz_loadu_epi8, u8, 16, m >> i & 1 ? ((const uint8_t *)p)[i] : 0, __mmask16 m, const void *p)
STATIC void _mm512_mask_storeu_epi32(void *p, __mmask16 m, __m512i a) {
  for (int i = 0; i < 16; i++) if (m >> i & 1) memcpy((uint32_t *)p + i, &a.u32[i], 4);
}
STATIC void _mm512_mask_storeu_epi64(void *p, __mmask8 m, __m512i a) {
  for (int i = 0; i < 8; i++) if (m >> i & 1) memcpy((uint64_t *)p + i, &a.u64[i], 8);
}

// Constants.
LANES(__m128i, _mm_set1_epi32, i32, 4, a, int a)
LANES(__m128i, _mm_set1_epi8, u8, 16, (uint8_t)a, char a)
LANES(__m128i, _mm_set1_epi16, u16, 8, (uint16_t)a, short a)
LANES(__m128i, _mm_setzero_si128, u64, 2, 0, void)
#define _mm_setr_epi8(...) ((__m128i){.u8 = {__VA_ARGS__}})
LANES(__m128i, _mm_set1_epi64x, u64, 2, (uint64_t)a, long long a)
LANES(__m512i, _mm512_set1_epi8, i8, 64, (int8_t)a, char a)
LANES(__m512i, _mm512_set1_epi32, i32, 16, a, int a)
LANES(__m512i, _mm512_set1_epi64, i64, 8, a, long long a)
LANES(__m512i, _mm512_setzero_si512, u64, 8, 0, void)
STATIC __m128i _mm_set_epi64x(long long b, long long a) { return (__m128i){.u64 = {(uint64_t)a, (uint64_t)b}}; }
STATIC __m128i _mm_cvtsi32_si128(int a) { return (__m128i){.u32 = {(uint32_t)a}}; }
#define _mm512_set_epi64(h, g, f, e, d, c, b, a) ((__m512i){.i64 = {a, b, c, d, e, f, g, h}})
#define _mm512_set_epi32(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a) \
  ((__m512i){.i32 = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p}})

// Widths.
STATIC __m512i _mm512_zextsi128_si512(__m128i a) { return (__m512i){.part = {a}}; }
STATIC __m512i _mm512_castsi128_si512(__m128i a) {
  __m512i r; memset(&r, 0xA5, 64); r.part[0] = a; return r;
}
STATIC __m512i _mm512_inserti64x2(__m512i a, __m128i b, int place) { a.part[place] = b; return a; }
STATIC __m512i _mm512_castsi256_si512(__m256i a) {
  __m512i r; memset(&r, 0xA5, 64); r.part[0] = a.part[0]; r.part[1] = a.part[1]; return r;
}
STATIC __m512i _mm512_inserti64x4(__m512i a, __m256i b, int place) {
  a.part[2 * place] = b.part[0]; a.part[2 * place + 1] = b.part[1]; return a;
}
LANES(__m512i, _mm512_broadcast_i32x4, part, 4, a, __m128i a)
LANES(__m512i, _mm512_cvtepu8_epi32, u32, 16, a.u8[i], __m128i a)
LANES(__m512i, _mm512_cvtepu16_epi64, u64, 8, a.u8[2 * i] | (uint64_t)a.u8[2 * i + 1] << 8, __m128i a)
LANES(__m128i, _mm512_cvtepi32_epi8, u8, 16, (uint8_t)a.u32[i], __m512i a)
STATIC int _mm_extract_epi8(__m128i a, int place) { return a.u8[place]; }

// Arithmetic.
LANES(__m128i, _mm_xor_si128, u64, 2, a.u64[i] ^ b.u64[i], __m128i a, __m128i b)
LANES(__m128i, _mm_mullo_epi64, u64, 2, a.u64[i] * b.u64[i], __m128i a, __m128i b)
LANES(__m128i, _mm_maskz_mov_epi8, u8, 16, m >> i & 1 ? a.u8[i] : 0, __mmask16 m, __m128i a)
LANES(__m512i, _mm512_and_si512, u64, 8, a.u64[i] & b.u64[i], __m512i a, __m512i b)
LANES(__m512i, _mm512_andnot_si512, u64, 8, ~a.u64[i] & b.u64[i], __m512i a, __m512i b)
LANES(__m512i, _mm512_xor_si512, u64, 8, a.u64[i] ^ b.u64[i], __m512i a, __m512i b)
LANES(__m512i, _mm512_add_epi32, u32, 16, a.u32[i] + b.u32[i], __m512i a, __m512i b)
LANES(__m512i, _mm512_add_epi64, u64, 8, a.u64[i] + b.u64[i], __m512i a, __m512i b)
LANES(__m512i, _mm512_sub_epi64, u64, 8, a.u64[i] - b.u64[i], __m512i a, __m512i b)
LANES(__m512i, _mm512_mullo_epi64, u64, 8, a.u64[i] * b.u64[i], __m512i a, __m512i b)
LANES(__m512i, _mm512_mul_epi32, i64, 8, (int64_t)a.i32[2 * i] * b.i32[2 * i], __m512i a, __m512i b)
LANES(__m512i, _mm512_max_epu32, u32, 16, a.u32[i] > b.u32[i] ? a.u32[i] : b.u32[i], __m512i a, __m512i b)
LANES(__m512i, _mm512_mask_max_epu32, u32, 16, m >> i & 1 ? (a.u32[i] > b.u32[i] ? a.u32[i] : b.u32[i]) : s.u32[i], __m512i s, __mmask16 m, __m512i a, __m512i b)
LANES(__m512i, _mm512_mask_add_epi64, u64, 8, m >> i & 1 ? a.u64[i] + b.u64[i] : s.u64[i], __m512i s, __mmask8 m, __m512i a, __m512i b)
LANES(__m512i, _mm512_mask_mov_epi64, u64, 8, m >> i & 1 ? a.u64[i] : s.u64[i], __m512i s, __mmask8 m, __m512i a)
STATIC long long _mm512_reduce_add_epi64(__m512i a) {
  uint64_t sum = 0; for (int i = 0; i < 8; i++) sum += a.u64[i]; return (long long)sum;
}
STATIC unsigned _mm512_reduce_max_epu32(__m512i a) {
  uint32_t max = 0; for (int i = 0; i < 16; i++) max = a.u32[i] > max ? a.u32[i] : max; return max;
}
STATIC __m512i _mm512_dpbusd_epi32(__m512i s, __m512i a, __m512i b) {
  for (int i = 0; i < 64; i++) s.u32[i / 4] += (uint32_t)(a.u8[i] * b.i8[i]);
  return s;
}
STATIC __m128i _mm_clmulepi64_si128(__m128i a, __m128i b, int halves) {
  const uint64_t x = a.u64[halves & 1], y = b.u64[halves >> 4 & 1];
  __m128i r = {{0}};
  for (int i = 0; i < 64; i++) if (y >> i & 1) { r.u64[0] ^= x << i; r.u64[1] ^= i ? x >> (64 - i) : 0; }
  return r;
}
LANES(__m512i, _mm512_clmulepi64_epi128, part, 4, _mm_clmulepi64_si128(a.part[i], b.part[i], halves), __m512i a, __m512i b, int halves)

// Shifts.
LANES(__m512i, _mm512_srli_epi32, u32, 16, n < 32 ? a.u32[i] >> n : 0, __m512i a, unsigned n)
LANES(__m512i, _mm512_srli_epi64, u64, 8, n < 64 ? a.u64[i] >> n : 0, __m512i a, unsigned n)
LANES(__m512i, _mm512_srai_epi64, i64, 8, a.i64[i] >> (n < 64 ? n : 63), __m512i a, unsigned n)
LANES(__m512i, _mm512_sllv_epi32, u32, 16, n.u32[i] < 32 ? a.u32[i] << n.u32[i] : 0, __m512i a, __m512i n)
LANES(__m512i, _mm512_shrdv_epi32, u32, 16, (uint32_t)(((uint64_t)b.u32[i] << 32 | a.u32[i]) >> (n.u32[i] & 31)), __m512i a, __m512i b, __m512i n)
STATIC __m128i _mm_multishift_epi64_epi8(__m128i n, __m128i a) {
  __m128i r;
  for (int i = 0; i < 16; i++) {
    const uint64_t word = a.u64[i / 8]; const unsigned by = n.u8[i] & 63;
    r.u8[i] = (uint8_t)(word >> by | (by ? word << (64 - by) : 0));
  }
  return r;
}

// AVX2, and what of SSE only its path uses.
STATIC __m256i _mm256_loadu_si256(const void *p) { __m256i r; memcpy(&r, p, 32); return r; }
STATIC void _mm256_storeu_si256(void *p, __m256i a) { memcpy(p, &a, 32); }
LANES(__m256i, _mm256_broadcastsi128_si256, part, 2, a, __m128i a)
LANES(__m256i, _mm256_set1_epi32, i32, 8, a, int a)
LANES(__m256i, _mm256_set1_epi64x, i64, 4, a, long long a)
LANES(__m256i, _mm256_set1_epi8, u8, 32, (uint8_t)a, char a)
LANES(__m256i, _mm256_set1_epi16, u16, 16, (uint16_t)a, short a)
LANES(__m256i, _mm256_setzero_si256, u64, 4, 0, void)
#define _mm256_set_epi64x(d, c, b, a) ((__m256i){.i64 = {a, b, c, d}})
#define _mm256_set_epi16(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a) \
  ((__m256i){.u16 = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p}})
#define _mm256_set_epi32(h, g, f, e, d, c, b, a) ((__m256i){.i32 = {a, b, c, d, e, f, g, h}})
STATIC __m256i _mm256_zextsi128_si256(__m128i a) { return (__m256i){.part = {a}}; }
STATIC __m256i _mm256_castsi128_si256(__m128i a) {
  __m256i r; memset(&r, 0xA5, 32); r.part[0] = a; return r;
}
STATIC __m256i _mm256_inserti128_si256(__m256i a, __m128i b, int place) { a.part[place] = b; return a; }
STATIC __m256 _mm256_castsi256_ps(__m256i a) { return (__m256){a}; }
STATIC int _mm256_movemask_ps(__m256 a) {
  int r = 0; for (int i = 0; i < 8; i++) r |= (int)(a.bits.u32[i] >> 31) << i; return r;
}
STATIC __m128i _mm256_castsi256_si128(__m256i a) { return a.part[0]; }
STATIC __m128i _mm256_extracti128_si256(__m256i a, int place) { return a.part[place]; }
STATIC long long _mm_cvtsi128_si64(__m128i a) { return (long long)a.u64[0]; }
LANES(__m256i, _mm256_cvtepu16_epi32, u32, 8, a.u16[i], __m128i a)
LANES(__m128i, _mm_and_si128, u64, 2, a.u64[i] & b.u64[i], __m128i a, __m128i b)
LANES(__m256i, _mm256_and_si256, u64, 4, a.u64[i] & b.u64[i], __m256i a, __m256i b)
LANES(__m256i, _mm256_andnot_si256, u64, 4, ~a.u64[i] & b.u64[i], __m256i a, __m256i b)
LANES(__m256i, _mm256_xor_si256, u64, 4, a.u64[i] ^ b.u64[i], __m256i a, __m256i b)
LANES(__m256i, _mm256_clmulepi64_epi128, part, 2, _mm_clmulepi64_si128(a.part[i], b.part[i], halves), __m256i a, __m256i b, int halves)
LANES(__m256i, _mm256_or_si256, u64, 4, a.u64[i] | b.u64[i], __m256i a, __m256i b)
LANES(__m128i, _mm_add_epi16, u16, 8, (uint16_t)(a.u16[i] + b.u16[i]), __m128i a, __m128i b)
LANES(__m128i, _mm_add_epi64, u64, 2, a.u64[i] + b.u64[i], __m128i a, __m128i b)
LANES(__m128i, _mm_or_si128, u64, 2, a.u64[i] | b.u64[i], __m128i a, __m128i b)
LANES(__m128i, _mm_add_epi8, u8, 16, (uint8_t)(a.u8[i] + b.u8[i]), __m128i a, __m128i b)
LANES(__m128i, _mm_adds_epu8, u8, 16, (uint8_t)(a.u8[i] + b.u8[i] > 255 ? 255 : a.u8[i] + b.u8[i]), __m128i a, __m128i b)
LANES(__m128i, _mm_sub_epi8, u8, 16, (uint8_t)(a.u8[i] - b.u8[i]), __m128i a, __m128i b)
LANES(__m128i, _mm_sll_epi16, u16, 8, (uint16_t)(n.u64[0] < 16 ? a.u16[i] << n.u64[0] : 0), __m128i a, __m128i n)
LANES(__m128i, _mm_srli_epi16, u16, 8, (uint16_t)(n < 16 ? a.u16[i] >> n : 0), __m128i a, int n)
LANES(__m128i, _mm_slli_si128, u8, 16, i < n ? 0 : a.u8[i - n], __m128i a, int n)
LANES(__m128i, _mm_unpacklo_epi8, u8, 16, (i % 2 ? b : a).u8[i / 2], __m128i a, __m128i b)
LANES(__m128i, _mm_unpackhi_epi8, u8, 16, (i % 2 ? b : a).u8[i / 2 + 8], __m128i a, __m128i b)
LANES(__m128i, _mm_unpacklo_epi32, u32, 4, (i % 2 ? b : a).u32[i / 2], __m128i a, __m128i b)
LANES(__m128i, _mm_unpackhi_epi64, u64, 2, (i % 2 ? b : a).u64[1], __m128i a, __m128i b)
LANES(__m256i, _mm256_add_epi8, u8, 32, (uint8_t)(a.u8[i] + b.u8[i]), __m256i a, __m256i b)
LANES(__m256i, _mm256_add_epi16, u16, 16, (uint16_t)(a.u16[i] + b.u16[i]), __m256i a, __m256i b)
LANES(__m256i, _mm256_add_epi32, u32, 8, a.u32[i] + b.u32[i], __m256i a, __m256i b)
LANES(__m256i, _mm256_sub_epi32, u32, 8, a.u32[i] - b.u32[i], __m256i a, __m256i b)
LANES(__m256i, _mm256_add_epi64, u64, 4, a.u64[i] + b.u64[i], __m256i a, __m256i b)
LANES(__m256i, _mm256_mul_epi32, i64, 4, (int64_t)a.i32[2 * i] * b.i32[2 * i], __m256i a, __m256i b)
LANES(__m256i, _mm256_mul_epu32, u64, 4, (uint64_t)a.u32[2 * i] * b.u32[2 * i], __m256i a, __m256i b)
LANES(__m256i, _mm256_mullo_epi32, u32, 8, a.u32[i] * b.u32[i], __m256i a, __m256i b)
LANES(__m256i, _mm256_max_epu32, u32, 8, a.u32[i] > b.u32[i] ? a.u32[i] : b.u32[i], __m256i a, __m256i b)
LANES(__m256i, _mm256_max_epu16, u16, 16, a.u16[i] > b.u16[i] ? a.u16[i] : b.u16[i], __m256i a, __m256i b)
LANES(__m256i, _mm256_cmpgt_epi8, u8, 32, (int8_t)a.u8[i] > (int8_t)b.u8[i] ? 0xFF : 0, __m256i a, __m256i b)
LANES(__m256i, _mm256_cmpgt_epi16, u16, 16, (int16_t)a.u16[i] > (int16_t)b.u16[i] ? 0xFFFF : 0, __m256i a, __m256i b)
LANES(__m256i, _mm256_cmpgt_epi32, i32, 8, a.i32[i] > b.i32[i] ? -1 : 0, __m256i a, __m256i b)
LANES(__m256i, _mm256_srli_epi64, u64, 4, n < 64 ? a.u64[i] >> n : 0, __m256i a, int n)
LANES(__m256i, _mm256_sub_epi8, u8, 32, (uint8_t)(a.u8[i] - b.u8[i]), __m256i a, __m256i b)
LANES(__m256i, _mm256_srli_epi32, u32, 8, n < 32 ? a.u32[i] >> n : 0, __m256i a, int n)
LANES(__m256i, _mm256_srli_epi16, u16, 16, (uint16_t)(n < 16 ? a.u16[i] >> n : 0), __m256i a, int n)
LANES(__m256i, _mm256_slli_epi32, u32, 8, n < 32 ? a.u32[i] << n : 0, __m256i a, int n)
LANES(__m256i, _mm256_slli_epi64, u64, 4, n < 64 ? a.u64[i] << n : 0, __m256i a, int n)
LANES(__m256i, _mm256_srlv_epi32, u32, 8, n.u32[i] < 32 ? a.u32[i] >> n.u32[i] : 0, __m256i a, __m256i n)
LANES(__m256i, _mm256_sllv_epi32, u32, 8, n.u32[i] < 32 ? a.u32[i] << n.u32[i] : 0, __m256i a, __m256i n)
// Bytes move within each half.
LANES(__m256i, _mm256_slli_si256, u8, 32, i % 16 < n ? 0 : a.u8[i - n], __m256i a, int n)
// Lanes come from the lower or the upper half of each half.
LANES(__m256i, _mm256_unpacklo_epi8, u8, 32, (i % 2 ? b : a).u8[i / 16 * 16 + i % 16 / 2], __m256i a, __m256i b)
LANES(__m256i, _mm256_unpackhi_epi8, u8, 32, (i % 2 ? b : a).u8[i / 16 * 16 + i % 16 / 2 + 8], __m256i a, __m256i b)
LANES(__m256i, _mm256_unpacklo_epi16, u16, 16, (i % 2 ? b : a).u16[i / 8 * 8 + i % 8 / 2], __m256i a, __m256i b)
LANES(__m256i, _mm256_unpackhi_epi16, u16, 16, (i % 2 ? b : a).u16[i / 8 * 8 + i % 8 / 2 + 4], __m256i a, __m256i b)
LANES(__m256i, _mm256_unpacklo_epi32, u32, 8, (i % 2 ? b : a).u32[i / 4 * 4 + i % 4 / 2], __m256i a, __m256i b)
LANES(__m256i, _mm256_unpackhi_epi32, u32, 8, (i % 2 ? b : a).u32[i / 4 * 4 + i % 4 / 2 + 2], __m256i a, __m256i b)
LANES(__m256i, _mm256_unpacklo_epi64, u64, 4, (i % 2 ? b : a).u64[i / 2 * 2], __m256i a, __m256i b)
LANES(__m256i, _mm256_unpackhi_epi64, u64, 4, (i % 2 ? b : a).u64[i / 2 * 2 + 1], __m256i a, __m256i b)
LANES(__m128i, _mm_shuffle_epi8, u8, 16, places.u8[i] & 128 ? 0 : a.u8[places.u8[i] & 15], __m128i a, __m128i places)
LANES(__m256i, _mm256_shuffle_epi8, u8, 32, places.u8[i] & 128 ? 0 : a.u8[(places.u8[i] & 15) + i / 16 * 16], __m256i a, __m256i places)
LANES(__m256i, _mm256_permutevar8x32_epi32, u32, 8, a.u32[places.u32[i] & 7], __m256i a, __m256i places)
// The same lanes of both halves.
LANES(__m256i, _mm256_blend_epi16, u16, 16, places >> i % 8 & 1 ? b.u16[i] : a.u16[i], __m256i a, __m256i b, int places)
// Two words of each.
LANES(__m128, _mm_shuffle_ps, u32, 4, (i < 2 ? a : b).u32[places >> (2 * i) & 3], __m128 a, __m128 b, int places)
STATIC uint8_t saturated_byte(uint16_t a) { return a > 0x7FFF ? 0 : a > 255 ? 255 : (uint8_t)a; }
STATIC uint16_t saturated_half(int32_t a) { return a < 0 ? 0 : a > 0xFFFF ? 0xFFFF : (uint16_t)a; }
LANES(__m128i, _mm_packus_epi16, u8, 16, saturated_byte((i < 8 ? a : b).u16[i % 8]), __m128i a, __m128i b)
LANES(__m128i, _mm_packus_epi32, u16, 8, saturated_half((i < 4 ? a : b).i32[i % 4]), __m128i a, __m128i b)
LANES(__m256i, _mm256_packus_epi32, u16, 16, saturated_half((i % 8 < 4 ? a : b).i32[i / 8 * 4 + i % 4]), __m256i a, __m256i b)
// Bits 0 and 1 choose the lower half, 4 and 5 the upper one; bits 3 and 7 set them to zero.
LANES(__m256i, _mm256_permute2x128_si256, u64, 4, halves >> (i / 2 * 4) & 8 ? 0 : (halves >> (i / 2 * 4) & 2 ? b : a).part[halves >> (i / 2 * 4) & 1].u64[i % 2], __m256i a, __m256i b, int halves)

// The sum of the differences of eight bytes.
STATIC __m256i _mm256_sad_epu8(__m256i a, __m256i b) {
  __m256i r; memset(&r, 0, 32);
  for (int i = 0; i < 32; i++) r.u64[i / 8] += (uint64_t)(a.u8[i] > b.u8[i] ? a.u8[i] - b.u8[i] : b.u8[i] - a.u8[i]);
  return r;
}

STATIC int _mm256_testz_si256(__m256i a, __m256i b) {
  uint64_t both = 0; for (int i = 0; i < 4; i++) both |= a.u64[i] & b.u64[i]; return both == 0;
}

// Permutations.
LANES(__m256i, _mm256_shuffle_epi32, u32, 8, a.u32[(places >> (i % 4 * 2) & 3) + i / 4 * 4], __m256i a, int places)
LANES(__m128i, _mm_shuffle_epi32, u32, 4, a.u32[places >> (2 * i) & 3], __m128i a, int places)
LANES(__m128i, _mm_permutexvar_epi8, u8, 16, a.u8[places.u8[i] & 15], __m128i places, __m128i a)
LANES(__m512i, _mm512_permutexvar_epi8, u8, 64, a.u8[places.u8[i] & 63], __m512i places, __m512i a)
LANES(__m512i, _mm512_unpacklo_epi64, u64, 8, (i % 2 ? b : a).u64[i / 2 * 2], __m512i a, __m512i b)
LANES(__m512i, _mm512_unpackhi_epi64, u64, 8, (i % 2 ? b : a).u64[i / 2 * 2 + 1], __m512i a, __m512i b)
LANES(__m512i, _mm512_permutexvar_epi32, u32, 16, a.u32[places.u32[i] & 15], __m512i places, __m512i a)
LANES(__m512i, _mm512_permutexvar_epi64, u64, 8, a.u64[places.u64[i] & 7], __m512i places, __m512i a)
LANES(__m512i, _mm512_permutex2var_epi32, u32, 16, (places.u32[i] & 16 ? b : a).u32[places.u32[i] & 15], __m512i a, __m512i places, __m512i b)
LANES(__m512i, _mm512_permutex2var_epi64, u64, 8, (places.u64[i] & 8 ? b : a).u64[places.u64[i] & 7], __m512i a, __m512i places, __m512i b)
LANES(__m512i, _mm512_alignr_epi64, u64, 8, i + n < 8 ? b.u64[i + n] : a.u64[i + n - 8], __m512i a, __m512i b, int n)

// Comparisons.
MASK(__mmask8, _mm512_test_epi64_mask, 8, a.u64[i] & b.u64[i], __m512i a, __m512i b)

#endif
