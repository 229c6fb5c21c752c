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
  size_t done = 0;
  for (; done + KERNELS_WAKE_LANES / 2 < count; done += KERNELS_WAKE_LANES) {
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
  // Half of them and fewer take less one by one: 19 ns each, and 78 for eight (Intel).
  for (; done < count; done++) {
    const uint64_t *wake = wakes + done * KERNELS_WAKE_FIELDS;
    uint64_t hash = wake[KERNELS_WAKE_START];
    for (int field = KERNELS_WAKE_START + 1; field < KERNELS_WAKE_FIELDS; field++)
      hash = combine(hash, wake[field]);
    sum += hash;
  }
  return sum;
}

uint64_t kernels_sum_cohort_hashes_portable(const struct kernels_cohort_wakes *cohorts, size_t count) {
  uint64_t sum = 0;
  for (const struct kernels_cohort_wakes *eight = cohorts; eight < cohorts + count; eight++) {
    const uint64_t *first = eight->first;
    uint64_t hashes[KERNELS_WAKE_LANES];
    SCALAR for (int lane = 0; lane < KERNELS_WAKE_LANES; lane++) hashes[lane] =
        combine(first[KERNELS_WAKE_START], first[KERNELS_WAKE_NUMBER] + (uint64_t)lane);
    for (int field = KERNELS_WAKE_TIME; field < KERNELS_WAKE_FIELDS; field++)
      SCALAR for (int lane = 0; lane < KERNELS_WAKE_LANES; lane++) hashes[lane] =
          combine(hashes[lane], field == KERNELS_WAKE_APP ? eight->apps[lane] : first[field]);
    SCALAR for (int lane = 0; lane < KERNELS_WAKE_LANES; lane++) sum += hashes[lane];
  }
  return sum;
}
