// The intrinsics of NEON that the kernels use, in plain C, after Arm's Neon Intrinsics Reference.
#ifndef STAND_IN_ARM_NEON_H
#define STAND_IN_ARM_NEON_H

#include <stdint.h>
#include <string.h>

#define NEON_TYPE(type, lane, count) typedef struct { lane lanes[count]; } type;
NEON_TYPE(uint8x8_t, uint8_t, 8)
NEON_TYPE(uint8x16_t, uint8_t, 16)
NEON_TYPE(uint16x4_t, uint16_t, 4)
NEON_TYPE(uint16x8_t, uint16_t, 8)
NEON_TYPE(uint32x2_t, uint32_t, 2)
NEON_TYPE(uint32x4_t, uint32_t, 4)
NEON_TYPE(uint64x2_t, uint64_t, 2)
NEON_TYPE(int32x2_t, int32_t, 2)
NEON_TYPE(int32x4_t, int32_t, 4)
NEON_TYPE(int64x2_t, int64_t, 2)
typedef struct { uint8x16_t val[2]; } uint8x16x2_t;
typedef struct { uint8x16_t val[4]; } uint8x16x4_t;
typedef struct { uint32x4_t val[4]; } uint32x4x4_t;

#define NEON_STATIC static inline __attribute__((unused))
/// A function each of whose lanes is `value`.
#define NEON(type, name, value, ...)                                                     \
  NEON_STATIC type name(__VA_ARGS__) {                                                   \
    type r;                                                                              \
    const int count = sizeof r.lanes / sizeof r.lanes[0];                                \
    for (int i = 0; i < count; i++) r.lanes[i] = value;                                  \
    return r;                                                                            \
  }
#define NEON_BITS(to, from, name) \
  NEON_STATIC to name(from a) { to r; _Static_assert(sizeof r == sizeof a, ""); memcpy(&r, &a, sizeof r); return r; }

// Loads and stores.
NEON(uint8x8_t, vld1_u8, p[i], const uint8_t *p)
NEON(uint8x16_t, vld1q_u8, p[i], const uint8_t *p)
NEON(uint32x4_t, vld1q_u32, p[i], const uint32_t *p)
NEON_STATIC void vst1_u8(uint8_t *p, uint8x8_t a) { memcpy(p, &a, sizeof a); }
NEON_STATIC void vst1q_u32(uint32_t *p, uint32x4_t a) { memcpy(p, &a, sizeof a); }
NEON_STATIC void vst1q_s64(int64_t *p, int64x2_t a) { memcpy(p, &a, sizeof a); }

// Constants, lanes and other types for the same bits.
NEON(uint8x8_t, vdup_n_u8, a, uint8_t a)
NEON(uint8x16_t, vdupq_n_u8, a, uint8_t a)
NEON(int32x2_t, vdup_n_s32, a, int32_t a)
NEON(uint32x2_t, vdup_n_u32, a, uint32_t a)
NEON(uint32x4_t, vdupq_n_u32, a, uint32_t a)
NEON(uint64x2_t, vdupq_n_u64, a, uint64_t a)
NEON(int64x2_t, vdupq_n_s64, a, int64_t a)
NEON(uint64x2_t, vdupq_laneq_u64, a.lanes[lane], uint64x2_t a, int lane)
NEON_STATIC uint8_t vgetq_lane_u8(uint8x16_t a, int lane) { return a.lanes[lane]; }
NEON(uint8x8_t, vget_low_u8, a.lanes[i], uint8x16_t a)
NEON(uint8x8_t, vget_high_u8, a.lanes[i + 8], uint8x16_t a)
NEON(uint32x2_t, vget_low_u32, a.lanes[i], uint32x4_t a)
NEON(uint32x2_t, vget_high_u32, a.lanes[i + 2], uint32x4_t a)
NEON(uint8x16_t, vcombine_u8, i < 8 ? a.lanes[i] : b.lanes[i - 8], uint8x8_t a, uint8x8_t b)
NEON(uint16x8_t, vcombine_u16, i < 4 ? a.lanes[i] : b.lanes[i - 4], uint16x4_t a, uint16x4_t b)
NEON(uint16x4_t, vget_low_u16, a.lanes[i], uint16x8_t a)
NEON(uint16x4_t, vget_high_u16, a.lanes[i + 4], uint16x8_t a)
NEON_BITS(uint8x16_t, uint32x4_t, vreinterpretq_u8_u32)
NEON_BITS(uint8x16_t, uint64x2_t, vreinterpretq_u8_u64)
NEON_BITS(uint16x8_t, uint32x4_t, vreinterpretq_u16_u32)
NEON_BITS(uint32x4_t, uint8x16_t, vreinterpretq_u32_u8)
NEON_BITS(uint32x4_t, uint64x2_t, vreinterpretq_u32_u64)
NEON_BITS(uint64x2_t, uint8x16_t, vreinterpretq_u64_u8)
NEON_BITS(uint64x2_t, int64x2_t, vreinterpretq_u64_s64)
NEON_BITS(int32x2_t, uint32x2_t, vreinterpret_s32_u32)
NEON_BITS(int32x4_t, uint8x16_t, vreinterpretq_s32_u8)
NEON_BITS(int32x4_t, uint32x4_t, vreinterpretq_s32_u32)
NEON_BITS(int64x2_t, uint8x16_t, vreinterpretq_s64_u8)
NEON_BITS(int64x2_t, uint64x2_t, vreinterpretq_s64_u64)

// Arithmetic.
NEON(uint8x16_t, vaddq_u8, (uint8_t)(a.lanes[i] + b.lanes[i]), uint8x16_t a, uint8x16_t b)
NEON(uint8x16_t, vsubq_u8, (uint8_t)(a.lanes[i] - b.lanes[i]), uint8x16_t a, uint8x16_t b)
NEON(uint16x8_t, vaddq_u16, (uint16_t)(a.lanes[i] + b.lanes[i]), uint16x8_t a, uint16x8_t b)
NEON(uint16x8_t, vaddl_u8, (uint16_t)(a.lanes[i] + b.lanes[i]), uint8x8_t a, uint8x8_t b)
NEON(uint32x4_t, vaddw_u16, a.lanes[i] + b.lanes[i], uint32x4_t a, uint16x4_t b)
NEON(int32x4_t, vdupq_n_s32, a, int32_t a)
NEON(int32x4_t, vsubq_s32, a.lanes[i] - b.lanes[i], int32x4_t a, int32x4_t b)
NEON(uint32x4_t, vaddq_u32, a.lanes[i] + b.lanes[i], uint32x4_t a, uint32x4_t b)
NEON(uint64x2_t, vaddq_u64, a.lanes[i] + b.lanes[i], uint64x2_t a, uint64x2_t b)
NEON(uint8x16_t, vandq_u8, a.lanes[i] & b.lanes[i], uint8x16_t a, uint8x16_t b)
NEON(uint32x4_t, vandq_u32, a.lanes[i] & b.lanes[i], uint32x4_t a, uint32x4_t b)
NEON(uint32x4_t, vbicq_u32, a.lanes[i] & ~b.lanes[i], uint32x4_t a, uint32x4_t b)
NEON(uint32x4_t, vorrq_u32, a.lanes[i] | b.lanes[i], uint32x4_t a, uint32x4_t b)
NEON(uint32x4_t, vminq_u32, a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i], uint32x4_t a, uint32x4_t b)
NEON(uint32x4_t, vmaxq_u32, a.lanes[i] > b.lanes[i] ? a.lanes[i] : b.lanes[i], uint32x4_t a, uint32x4_t b)
NEON_STATIC uint32_t vmaxvq_u32(uint32x4_t a) {
  uint32_t max = 0; for (int i = 0; i < 4; i++) max = a.lanes[i] > max ? a.lanes[i] : max; return max;
}
NEON(uint32x2_t, vmul_u32, a.lanes[i] * b.lanes[i], uint32x2_t a, uint32x2_t b)
NEON(int64x2_t, vmull_s32, (int64_t)a.lanes[i] * b.lanes[i], int32x2_t a, int32x2_t b)
NEON(uint64x2_t, vmovl_u32, a.lanes[i], uint32x2_t a)
NEON(uint8x8_t, vmovn_u16, (uint8_t)a.lanes[i], uint16x8_t a)
NEON(uint16x4_t, vmovn_u32, (uint16_t)a.lanes[i], uint32x4_t a)
NEON(uint8x16_t, vtstq_u8, a.lanes[i] & b.lanes[i] ? 0xFF : 0, uint8x16_t a, uint8x16_t b)
NEON_STATIC uint8_t vaddv_u8(uint8x8_t a) {
  uint8_t sum = 0; for (int i = 0; i < 8; i++) sum = (uint8_t)(sum + a.lanes[i]); return sum;
}

// Shifts. Of a variable shift the lowest byte counts: to the left if it is positive, else to the right.
NEON(uint8x16_t, vshlq_n_u8, (uint8_t)(a.lanes[i] << n), uint8x16_t a, int n)
NEON(uint8x16_t, vshrq_n_u8, (uint8_t)(a.lanes[i] >> n), uint8x16_t a, int n)
NEON(uint32x4_t, vshlq_n_u32, a.lanes[i] << n, uint32x4_t a, int n)
NEON(uint64x2_t, vshlq_n_u64, a.lanes[i] << n, uint64x2_t a, int n)
NEON_STATIC uint64_t neon_shifted(uint64_t a, int8_t by, int bits) {
  return by >= bits || by <= -bits ? 0 : by >= 0 ? a << by : a >> -by;
}
NEON(uint32x4_t, vshlq_u32, (uint32_t)neon_shifted(a.lanes[i], (int8_t)n.lanes[i], 32), uint32x4_t a, int32x4_t n)
NEON(uint64x2_t, vshlq_u64, neon_shifted(a.lanes[i], (int8_t)n.lanes[i], 64), uint64x2_t a, int64x2_t n)

// Permutations. A place beyond the table gives 0.
NEON(uint8x16_t, vqtbl1q_u8, b.lanes[i] < 16 ? a.lanes[b.lanes[i]] : 0, uint8x16_t a, uint8x16_t b)
NEON(uint8x16_t, vqtbl2q_u8, b.lanes[i] < 32 ? a.val[b.lanes[i] / 16].lanes[b.lanes[i] % 16] : 0, uint8x16x2_t a, uint8x16_t b)
NEON(uint8x16_t, vqtbl4q_u8, b.lanes[i] < 64 ? a.val[b.lanes[i] / 16].lanes[b.lanes[i] % 16] : 0, uint8x16x4_t a, uint8x16_t b)
NEON(uint8x16_t, vzip1q_u8, i % 2 ? b.lanes[i / 2] : a.lanes[i / 2], uint8x16_t a, uint8x16_t b)
NEON(uint8x16_t, vzip2q_u8, i % 2 ? b.lanes[8 + i / 2] : a.lanes[8 + i / 2], uint8x16_t a, uint8x16_t b)
NEON(uint16x8_t, vuzp1q_u16, i < 4 ? a.lanes[2 * i] : b.lanes[2 * (i - 4)], uint16x8_t a, uint16x8_t b)
NEON(uint32x4_t, vuzp1q_u32, i < 2 ? a.lanes[2 * i] : b.lanes[2 * (i - 2)], uint32x4_t a, uint32x4_t b)
NEON(uint32x4_t, vuzp2q_u32, i < 2 ? a.lanes[2 * i + 1] : b.lanes[2 * (i - 2) + 1], uint32x4_t a, uint32x4_t b)
NEON(uint64x2_t, vextq_u64, i + n < 2 ? a.lanes[i + n] : b.lanes[i + n - 2], uint64x2_t a, uint64x2_t b, int n)

#endif
