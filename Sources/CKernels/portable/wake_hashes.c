// Hashes of wakes, eight at a time.
//
//     for wake in wakes:
//       hash = wake[START]
//       for field in NUMBER...END: hash = combine(hash, wake[field])
//       sum += hash
//
// One hash is a chain of twenty dependent multiplications. The loop over fields is therefore outside, and
// the processor overlaps the chains of eight wakes. Addition commutes, so the sum is the same.
#include "../paths.h"

/// The finaliser of SplitMix64 over hash xor field (page Rules, 7).
static inline uint64_t combine(uint64_t hash, uint64_t field) {
  hash ^= field;
  hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
  return hash ^ hash >> 31;
}

// SSE2 multiplies no 64-bit lanes: vectors of two are slower than scalars.
#define SCALAR _Pragma("clang loop vectorize(disable) unroll(full)")

uint64_t kernels_sum_wake_hashes_portable(const uint64_t *wakes, size_t count) {
  uint64_t sum = 0;
  for (size_t done = 0; done < count; done += KERNELS_WAKE_LANES) {
    const uint64_t *eight = wakes + done * KERNELS_WAKE_FIELDS;
    uint64_t hashes[KERNELS_WAKE_LANES];
    SCALAR for (int lane = 0; lane < KERNELS_WAKE_LANES; lane++) hashes[lane] =
        eight[lane * KERNELS_WAKE_FIELDS];
    for (int field = KERNELS_WAKE_START + 1; field < KERNELS_WAKE_FIELDS; field++)
      SCALAR for (int lane = 0; lane < KERNELS_WAKE_LANES; lane++) hashes[lane] =
          combine(hashes[lane], eight[lane * KERNELS_WAKE_FIELDS + field]);
    SCALAR for (size_t lane = 0; lane < KERNELS_WAKE_LANES; lane++) sum +=
        done + lane < count ? hashes[lane] : 0;
  }
  return sum;
}

uint64_t kernels_sum_cohort_hashes_portable(const uint64_t *wake, const uint64_t *apps) {
  uint64_t hashes[KERNELS_WAKE_LANES];
  SCALAR for (int lane = 0; lane < KERNELS_WAKE_LANES; lane++) hashes[lane] =
      combine(wake[KERNELS_WAKE_START], wake[KERNELS_WAKE_NUMBER] + (uint64_t)lane);
  for (int field = KERNELS_WAKE_TIME; field < KERNELS_WAKE_FIELDS; field++)
    SCALAR for (int lane = 0; lane < KERNELS_WAKE_LANES; lane++) hashes[lane] =
        combine(hashes[lane], field == KERNELS_WAKE_APP ? apps[lane] : wake[field]);
  uint64_t sum = 0;
  SCALAR for (int lane = 0; lane < KERNELS_WAKE_LANES; lane++) sum += hashes[lane];
  return sum;
}
