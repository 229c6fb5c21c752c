// A column's integers decoded sixteen rows at a time, in two halves of eight (`columns_avx512.c` has the plain
// algorithm, `integers_avx2.h` the form for registers of 256 bits).
//
// 1. Sixteen symbols become a byte each. One byte permutation looks up their widths, and three shifted additions make
//    prefix sums of each eight; no byte overflows, as 8 * KERNELS_MANTISSA_BITS + 7 < 256.
// 2. The mantissas of eight rows lie in 32 bytes. A byte permutation fetches the eight bytes from that on in which a
//    mantissa begins, of two rows; a shift by lane drops the bits before the mantissa, and a mask those behind it.
#include <string.h>

#include "../paths.h"

#ifdef KERNELS_AARCH64

#include "neon.h"

/// Rows that are decoded at once.
#define ROWS_OF_NEON 16

/// A position in a column, and its tables in registers.
struct neon_position {
  /// Of all symbols.
  uint8x16x4_t bases;
  /// By symbol.
  uint8x16_t widths;
  const uint8_t *symbols, *mantissas;
  size_t bit, end;
};

/// The position at the first row.
NEON_INLINE struct neon_position neon_first_position(const struct kernels_column *column) {
  const uint8_t *bases = (const uint8_t *)column->bases;
  return (struct neon_position){
      .bases = {{vld1q_u8(bases), vld1q_u8(bases + 16), vld1q_u8(bases + 32), vld1q_u8(bases + 48)}},
      .widths = vld1q_u8(column->bits),
      .symbols = column->symbols,
      .mantissas = column->mantissas,
      .bit = 0,
      .end = column->end,
  };
}

/// Whether mantissas have run out.
NEON_INLINE bool neon_has_run_out(const struct neon_position *position) { return position->bit > position->end; }

/// The symbols of the next 16 rows, a byte each.
NEON_INLINE uint8x16_t neon_next_symbols(struct neon_position *position) {
  const uint8x8_t pairs = vld1_u8(position->symbols);
  position->symbols += ROWS_OF_NEON / 2;
  const uint8x16_t bytes = vcombine_u8(pairs, pairs);
  return vzip1q_u8(vandq_u8(bytes, vdupq_n_u8(15)), vshrq_n_u8(bytes, 4));
}

/// The places of rows by byte: two rows of eight bytes each, and four rows of four.
static const uint8_t two_rows[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
static const uint8_t four_rows[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
/// The places of bytes within rows of eight bytes, and of four.
static const uint8_t each_of_eight[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
static const uint8_t each_of_four[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};

/// What is known of sixteen rows, a byte each.
struct neon_rows {
  uint8x16_t symbols, widths;
  /// Where mantissas begin: the byte within 32 that hold the row's eight, and less than eight bits to drop, negative.
  uint8x16_t bytes, shifts;
};

/// The mantissas of rows `first` and `first` + 1, and whatever follows them, in 64 bits each.
NEON_INLINE uint32x4_t neon_two_words(const struct neon_rows *rows, uint8x16x2_t mantissas, uint8_t first) {
  const uint8x16_t places = vaddq_u8(vld1q_u8(two_rows), vdupq_n_u8(first));
  // Bytes behind the 32 become 0. No mantissa has bits there.
  const uint8x16_t bytes = vaddq_u8(vqtbl1q_u8(rows->bytes, places), vld1q_u8(each_of_eight));
  // The lowest byte of a lane counts, and shifts to the right if it is negative.
  const int64x2_t shifts = vreinterpretq_s64_u8(vqtbl1q_u8(rows->shifts, places));
  return vreinterpretq_u32_u64(
      vshlq_u64(vreinterpretq_u64_u8(vqtbl2q_u8(mantissas, bytes)), shifts));
}

/// The integers of rows `first` to `first` + 3.
NEON_INLINE uint32x4_t neon_integers_of_four(const struct neon_position *position,
                                             const struct neon_rows *rows, uint8x16x2_t mantissas,
                                             uint8_t first) {
  const uint8x16_t places = vaddq_u8(vld1q_u8(four_rows), vdupq_n_u8(first));
  const uint32x4_t bits = vuzp1q_u32(neon_two_words(rows, mantissas, first),
                                     neon_two_words(rows, mantissas, (uint8_t)(first + 2)));
  const int32x4_t widths = vreinterpretq_s32_u8(vqtbl1q_u8(rows->widths, places));
  const uint32x4_t beyond = vshlq_u32(vdupq_n_u32(UINT32_MAX), widths);
  const uint8x16_t bases =
      vaddq_u8(vqtbl1q_u8(vshlq_n_u8(rows->symbols, 2), places), vld1q_u8(each_of_four));
  return vaddq_u32(vreinterpretq_u32_u8(vqtbl4q_u8(position->bases, bases)), vbicq_u32(bits, beyond));
}

/// The integers of the next 16 rows, four in each register. Only the first `count` are valid, and only they move the
/// position's `bit`.
NEON_INLINE uint32x4x4_t neon_next_integers(struct neon_position *position, size_t count) {
  _Static_assert(8 * KERNELS_MANTISSA_BITS + 7 < 256, "a byte has the sum of eight, and 32 bytes their mantissas");
  _Static_assert(KERNELS_MANTISSA_BITS + 7 <= 64, "a mantissa lies in eight bytes");
  _Static_assert(KERNELS_PADDING >= KERNELS_MANTISSA_BITS + 1 + 32, "mantissas of the second eight are loaded");
  static const uint8_t wanted[2 * ROWS_OF_NEON] = {255, 255, 255, 255, 255, 255, 255, 255,
                                                   255, 255, 255, 255, 255, 255, 255, 255};
  struct neon_rows rows = {.symbols = neon_next_symbols(position)};
  rows.widths = vqtbl1q_u8(position->widths, rows.symbols);
  if (count < ROWS_OF_NEON) rows.widths = vandq_u8(rows.widths, vld1q_u8(wanted + ROWS_OF_NEON - count));
  uint64x2_t sums = vreinterpretq_u64_u8(rows.widths);
  sums = vaddq_u64(sums, vshlq_n_u64(sums, 8));
  sums = vaddq_u64(sums, vshlq_n_u64(sums, 16));
  sums = vaddq_u64(sums, vshlq_n_u64(sums, 32));
  const size_t first = position->bit;
  const size_t second = first + vgetq_lane_u8(vreinterpretq_u8_u64(sums), 7);
  position->bit = second + vgetq_lane_u8(vreinterpretq_u8_u64(sums), 15);
  const uint8x16_t starts =
      vaddq_u8(vreinterpretq_u8_u64(vshlq_n_u64(sums, 8)),
               vcombine_u8(vdup_n_u8((uint8_t)(first % 8)), vdup_n_u8((uint8_t)(second % 8))));
  rows.bytes = vshrq_n_u8(starts, 3);
  rows.shifts = vsubq_u8(vdupq_n_u8(0), vandq_u8(starts, vdupq_n_u8(7)));
  const uint8_t *one = position->mantissas + first / 8, *other = position->mantissas + second / 8;
  const uint8x16x2_t low = {{vld1q_u8(one), vld1q_u8(one + 16)}};
  const uint8x16x2_t high = {{vld1q_u8(other), vld1q_u8(other + 16)}};
  return (uint32x4x4_t){{neon_integers_of_four(position, &rows, low, 0),
                         neon_integers_of_four(position, &rows, low, 4),
                         neon_integers_of_four(position, &rows, high, 8),
                         neon_integers_of_four(position, &rows, high, 12)}};
}

/// A unit of time in two factors of 32 bits, the lower one signed: low + 2^32 * high, modulo 2^64.
struct neon_unit {
  int32x2_t low;
  uint32x2_t high;
};

NEON_INLINE struct neon_unit neon_split(int64_t unit) {
  const int32_t low = (int32_t)(uint32_t)(uint64_t)unit;
  const uint64_t rest = (uint64_t)unit - (uint64_t)(int64_t)low;
  return (struct neon_unit){.low = vdup_n_s32(low), .high = vdup_n_u32((uint32_t)(rest >> 32))};
}

/// The prefix sums of two steps, times the unit; modulo 2^64.
NEON_INLINE uint64x2_t neon_sums_of_two(uint32x2_t steps, struct neon_unit unit) {
  const uint64x2_t high = vshlq_n_u64(vmovl_u32(vmul_u32(steps, unit.high)), 32);
  const uint64x2_t products = vaddq_u64(
      high, vreinterpretq_u64_s64(vmull_s32(vreinterpret_s32_u32(steps), unit.low)));
  return vaddq_u64(products, vextq_u64(vdupq_n_u64(0), products, 1));
}

/// Writes the times of 16 rows and adds their steps to `time`, which both lanes hold.
NEON_INLINE void neon_write_times(uint32x4x4_t steps, struct neon_unit unit, uint64x2_t *time, int64_t *times) {
  for (int four = 0; four < 4; four++) {
    const uint64x2_t low = neon_sums_of_two(vget_low_u32(steps.val[four]), unit);
    const uint64x2_t high = vaddq_u64(neon_sums_of_two(vget_high_u32(steps.val[four]), unit), vdupq_laneq_u64(low, 1));
    vst1q_s64(times + 4 * four, vreinterpretq_s64_u64(vaddq_u64(*time, low)));
    vst1q_s64(times + 4 * four + 2, vreinterpretq_s64_u64(vaddq_u64(*time, high)));
    *time = vaddq_u64(*time, vdupq_laneq_u64(high, 1));
  }
}

bool kernels_expand_times_neon(const struct kernels_column *column, size_t count, int64_t unit, int64_t time,
                               int64_t *times) {
  struct neon_position position = neon_first_position(column);
  const struct neon_unit units = neon_split(unit);
  uint64x2_t before = vdupq_n_u64((uint64_t)time);
  for (; count >= ROWS_OF_NEON; count -= ROWS_OF_NEON, times += ROWS_OF_NEON) {
    if (neon_has_run_out(&position)) return false;
    neon_write_times(neon_next_integers(&position, ROWS_OF_NEON), units, &before, times);
  }
  if (count > 0) {
    if (neon_has_run_out(&position)) return false;
    int64_t last[ROWS_OF_NEON];
    neon_write_times(neon_next_integers(&position, count), units, &before, last);
    memcpy(times, last, count * sizeof *times);
  }
  return kernels_ends_at(column, position.bit);
}

/// Rows whose integers are decoded before any of them is looked up, so that the loads of the look-up do not wait
/// for the decoding. A multiple of 16.
#define KEYS_OF_NEON 256

/// Decodes rows into `keys`, which has room for a multiple of 16. False if mantissas run out, or if a key is not
/// below `end`.
NEON_INLINE bool neon_find_keys(struct neon_position *position, size_t count, size_t end,
                                uint32_t keys[KEYS_OF_NEON]) {
  uint32x4_t highest = vdupq_n_u32(0);
  for (; count >= ROWS_OF_NEON; count -= ROWS_OF_NEON, keys += ROWS_OF_NEON) {
    if (neon_has_run_out(position)) return false;
    const uint32x4x4_t found = neon_next_integers(position, ROWS_OF_NEON);
    for (int four = 0; four < 4; four++) {
      highest = vmaxq_u32(highest, found.val[four]);
      vst1q_u32(keys + 4 * four, found.val[four]);
    }
  }
  if (count > 0) {
    if (neon_has_run_out(position)) return false;
    static const uint32_t rows[2 * ROWS_OF_NEON] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                                    ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
    const uint32_t *wanted = rows + ROWS_OF_NEON - count;
    const uint32x4x4_t found = neon_next_integers(position, count);
    for (int four = 0; four < 4; four++) {
      const uint32x4_t valid = vandq_u32(found.val[four], vld1q_u32(wanted + 4 * four));
      highest = vmaxq_u32(highest, valid);
      vst1q_u32(keys + 4 * four, valid);
    }
  }
  return vmaxvq_u32(highest) < end;
}

/// Two subjects: a word with the type, then one with the kind, each.
NEON_INLINE uint32x4_t neon_look_up_two(const struct kernels_subject *subjects, const uint32_t *keys) {
  _Static_assert(sizeof *subjects == 8, "a subject is 64 bits");
  _Static_assert(offsetof(struct kernels_subject, kind) == 4, "the lower half is its type");
  return vreinterpretq_u32_u8(vcombine_u8(vld1_u8((const uint8_t *)(subjects + keys[0])),
                                          vld1_u8((const uint8_t *)(subjects + keys[1]))));
}

NEON_INLINE void neon_write_types_and_kinds(const uint32_t *keys, size_t count,
                                            const struct kernels_subject *subjects, uint32_t *types,
                                            uint8_t *kinds) {
  size_t row = 0;
  for (; row + 8 <= count; row += 8) {
    const uint32x4_t a = neon_look_up_two(subjects, keys + row), b = neon_look_up_two(subjects, keys + row + 2);
    const uint32x4_t c = neon_look_up_two(subjects, keys + row + 4), d = neon_look_up_two(subjects, keys + row + 6);
    vst1q_u32(types + row, vuzp1q_u32(a, b));
    vst1q_u32(types + row + 4, vuzp1q_u32(c, d));
    // The lowest byte of each word.
    const uint16x8_t halves = vuzp1q_u16(vreinterpretq_u16_u32(vuzp2q_u32(a, b)),
                                         vreinterpretq_u16_u32(vuzp2q_u32(c, d)));
    vst1_u8(kinds + row, vmovn_u16(halves));
  }
  for (; row < count; row++) {
    types[row] = subjects[keys[row]].type;
    kinds[row] = subjects[keys[row]].kind;
  }
}

bool kernels_expand_keys_neon(const struct kernels_column *column, size_t count, struct kernels_event_keys keys,
                              struct kernels_rows rows) {
  struct neon_position position = neon_first_position(column);
  for (size_t row = 0; row < count;) {
    uint32_t found[KEYS_OF_NEON];
    const size_t rows_found = count - row < KEYS_OF_NEON ? count - row : KEYS_OF_NEON;
    if (!neon_find_keys(&position, rows_found, keys.count, found)) return false;
    neon_write_types_and_kinds(found, rows_found, keys.subjects, rows.types + row, rows.kinds + row);
    for (size_t place = 0; rows.sources && place < rows_found; place++)
      rows.sources[row + place] = keys.sources[found[place]];
    row += rows_found;
  }
  return kernels_ends_at(column, position.bit);
}

#endif
