// Rows counted by type, four rows to a register (`../type_words.h` describes the counters).
#include "../paths.h"

#ifdef KERNELS_AARCH64

#include "../type_words.h"
#include "neon.h"

#define NEON_ROWS_IN_TURN 16
#define NEON_REGISTERS (NEON_ROWS_IN_TURN / 4)
/// Turns, each of which adds at most 4 to a counter of a lane, until a counter of four bits may overflow.
#define NEON_TURNS 3
/// How often such counters can be added to bytes.
#define NEON_ROUNDS 21

/// In each lane, the bytes of `even` count types 0, 2, 4 and 6 of a word, those of `odd` types 1, 3, 5 and 7.
struct type_bytes_neon {
  uint8x16_t even, odd;
};

/// Adds the sums of four lanes to eight counts.
NEON_INLINE void add_lanes_neon(struct type_bytes_neon bytes, uint32_t *counts) {
  // Types 0 to 7 of two lanes each.
  const uint8x16_t low = vzip1q_u8(bytes.even, bytes.odd), high = vzip2q_u8(bytes.even, bytes.odd);
  const uint16x8_t sums = vaddq_u16(vaddl_u8(vget_low_u8(low), vget_high_u8(low)),
                                    vaddl_u8(vget_low_u8(high), vget_high_u8(high)));
  vst1q_u32(counts, vaddw_u16(vld1q_u32(counts), vget_low_u16(sums)));
  vst1q_u32(counts + 4, vaddw_u16(vld1q_u32(counts + 4), vget_high_u16(sums)));
}

/// Counts rows of up to NEON_TURNS turns into counters of four bits, up to a turn with a marked type; returns how many.
NEON_INLINE size_t count_turns_neon(int words, const uint32_t *types, size_t count, const uint32x4_t *marked,
                                    uint32x4_t *sums, bool *is_marked) {
  const uint32x4_t one = vdupq_n_u32(1), none = vdupq_n_u32(0), most = vdupq_n_u32(KERNELS_COUNTED_TYPES);
  const int32x4_t word_step = vdupq_n_s32(4 * TYPES_IN_WORD);
  size_t row = 0;
  for (int turn = 0; turn < NEON_TURNS && row + NEON_ROWS_IN_TURN <= count; turn++) {
    uint32x4_t added[MOST_TYPE_WORDS], found = none;
    for (int word = 0; word < words; word++) added[word] = none;
    for (int part = 0; part < NEON_REGISTERS; part++) {
      // Four times the type, at most 128. NEON shifts by the signed lowest byte: 128 is -128, a right shift that leaves 0.
      // Types before the word give a negative number, also a right shift that leaves 0.
      const uint32x4_t four = vminq_u32(vld1q_u32(types + row + 4 * part), most);
      int32x4_t by = vreinterpretq_s32_u32(vshlq_n_u32(four, 2));
      for (int word = 0; word < words; word++) {
        const uint32x4_t ones = vshlq_u32(one, by);
        added[word] = vaddq_u32(added[word], ones);
        found = vorrq_u32(found, vandq_u32(ones, marked[word]));
        by = vsubq_s32(by, word_step);
      }
    }
    *is_marked = vmaxvq_u32(found) != 0;
    if (*is_marked) break;
    for (int word = 0; word < words; word++) sums[word] = vaddq_u32(sums[word], added[word]);
    row += NEON_ROWS_IN_TURN;
  }
  return row;
}

/// For types of so many words, a constant.
NEON_INLINE size_t count_words_neon(int words, const uint32_t *types, size_t count, size_t type_count,
                                    struct kernels_type_count *counts) {
  uint32_t all_sums[KERNELS_COUNTED_TYPES] = {0};
  const uint8x16_t nibbles = vdupq_n_u8(0xF), zero = vdupq_n_u8(0);
  uint32x4_t marked[MOST_TYPE_WORDS];
  for (int word = 0; word < words; word++) marked[word] = vdupq_n_u32(marked_types(counts, type_count, word));
  size_t row = 0;
  bool is_marked = false;
  while (!is_marked && row + NEON_ROWS_IN_TURN <= count) {
    struct type_bytes_neon bytes[MOST_TYPE_WORDS];
    for (int word = 0; word < words; word++) bytes[word] = (struct type_bytes_neon){zero, zero};
    for (int round = 0; round < NEON_ROUNDS && !is_marked && row + NEON_ROWS_IN_TURN <= count; round++) {
      uint32x4_t sums[MOST_TYPE_WORDS];
      for (int word = 0; word < words; word++) sums[word] = vdupq_n_u32(0);
      row += count_turns_neon(words, types + row, count - row, marked, sums, &is_marked);
      for (int word = 0; word < words; word++) {
        const uint8x16_t both = vreinterpretq_u8_u32(sums[word]);
        bytes[word].even = vaddq_u8(bytes[word].even, vandq_u8(both, nibbles));
        bytes[word].odd = vaddq_u8(bytes[word].odd, vshrq_n_u8(both, 4));
      }
    }
    for (int word = 0; word < words; word++) add_lanes_neon(bytes[word], all_sums + TYPES_IN_WORD * word);
  }
  add_type_sums(all_sums, type_count, counts);
  return row;
}

DEFINE_COUNT_TYPES(kernels_count_types_neon, count_words_neon)

#endif
