// Hashes of wakes, four to a register (`portable/wake_hashes.c` has the plain algorithm).
//
// AVX2 multiplies no 64-bit integers: a product of the lower halves, and two of a lower and an upper half, make one. So six
// registers are hashed side by side, of 24 wakes or of three groups of a cohort: 6.1 ns for the hash of a wake, 5.1 where it is
// of a cohort, and 10.7 with integers (AMD Zen 3).
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx2.h"

_Static_assert(KERNELS_WAKE_LANES == 8, "two registers have eight wakes");

/// Registers that are hashed side by side.
#define REGISTERS 6

/// Products modulo 2^64.
AVX2 AVX2_INLINE __m256i multiply_four(__m256i integers, uint64_t factor) {
  const __m256i low = _mm256_set1_epi64x((long long)(factor & UINT32_MAX));
  const __m256i halves_swapped = _mm256_set1_epi64x((long long)(factor >> 32 | factor << 32));
  const __m256i upper_half = _mm256_set1_epi64x((long long)~(uint64_t)UINT32_MAX);
  // Each half of a lane times the other half of the factor; the sum of both belongs in the upper half. 9 % less time than
  // with two products of 64 bits (AMD Zen 3).
  const __m256i crosswise = _mm256_mullo_epi32(integers, halves_swapped);
  const __m256i upper =
      _mm256_add_epi64(_mm256_slli_epi64(crosswise, 32), _mm256_and_si256(crosswise, upper_half));
  return _mm256_add_epi64(_mm256_mul_epu32(integers, low), upper);
}

/// Adds a field to four hashes (page Rules, 7).
AVX2 AVX2_INLINE __m256i combine_four(__m256i hashes, __m256i fields) {
  hashes = _mm256_xor_si256(hashes, fields);
  hashes = multiply_four(_mm256_xor_si256(hashes, _mm256_srli_epi64(hashes, 30)), 0xBF58476D1CE4E5B9);
  hashes = multiply_four(_mm256_xor_si256(hashes, _mm256_srli_epi64(hashes, 27)), 0x94D049BB133111EB);
  return _mm256_xor_si256(hashes, _mm256_srli_epi64(hashes, 31));
}

/// Four successive fields of four wakes, a register for each field.
AVX2 AVX2_INLINE void transpose_four(const uint64_t *words, __m256i fields[4]) {
  const __m256i a = _mm256_loadu_si256((const __m256i *)words);
  const __m256i b = _mm256_loadu_si256((const __m256i *)(words + KERNELS_WAKE_FIELDS));
  const __m256i c = _mm256_loadu_si256((const __m256i *)(words + 2 * KERNELS_WAKE_FIELDS));
  const __m256i d = _mm256_loadu_si256((const __m256i *)(words + 3 * KERNELS_WAKE_FIELDS));
  const __m256i even_ab = _mm256_unpacklo_epi64(a, b), odd_ab = _mm256_unpackhi_epi64(a, b);
  const __m256i even_cd = _mm256_unpacklo_epi64(c, d), odd_cd = _mm256_unpackhi_epi64(c, d);
  fields[0] = _mm256_permute2x128_si256(even_ab, even_cd, 0x20);
  fields[1] = _mm256_permute2x128_si256(odd_ab, odd_cd, 0x20);
  fields[2] = _mm256_permute2x128_si256(even_ab, even_cd, 0x31);
  fields[3] = _mm256_permute2x128_si256(odd_ab, odd_cd, 0x31);
}

/// The fields of as many wakes as fit the registers, a register for each field of four wakes.
AVX2 AVX2_INLINE void transpose_wakes(const uint64_t *wakes, __m256i fields[KERNELS_WAKE_FIELDS][REGISTERS]) {
  _Static_assert(KERNELS_WAKE_FIELDS > 8 && KERNELS_WAKE_FIELDS <= 12, "three transpositions have all fields");
  // The last four, of which some were there before: no word behind the wakes is read.
  static const size_t firsts[] = {0, 4, KERNELS_WAKE_FIELDS - 4};
  for (size_t place = 0; place < REGISTERS; place++)
    for (size_t part = 0; part < 3; part++) {
      __m256i four[4];
      transpose_four(wakes + place * 4 * KERNELS_WAKE_FIELDS + firsts[part], four);
      for (size_t field = 0; field < 4; field++) fields[firsts[part] + field][place] = four[field];
    }
}

AVX2 AVX2_INLINE __m256i sum_of_hashes(const __m256i hashes[REGISTERS]) {
  __m256i sums = hashes[0];
  for (size_t place = 1; place < REGISTERS; place++) sums = _mm256_add_epi64(sums, hashes[place]);
  return sums;
}

AVX2 AVX2_INLINE uint64_t sum_of_lanes(__m256i sums) {
  uint64_t lanes[4];
  _mm256_storeu_si256((__m256i *)lanes, sums);
  return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

AVX2 uint64_t kernels_sum_wake_hashes_avx2(const uint64_t *wakes, size_t count) {
  _Static_assert(KERNELS_FEW_WAKES % (4 * REGISTERS) == 0 && KERNELS_WAKES % (4 * REGISTERS) == 0,
                 "of a full batch no wake is left to the portable kernel");
  const size_t at_once = 4 * REGISTERS;
  size_t done = 0;
  __m256i sums = _mm256_setzero_si256();
  for (; done + at_once <= count; done += at_once) {
    __m256i fields[KERNELS_WAKE_FIELDS][REGISTERS];
    transpose_wakes(wakes + done * KERNELS_WAKE_FIELDS, fields);
    __m256i hashes[REGISTERS];
    for (size_t place = 0; place < REGISTERS; place++) hashes[place] = fields[KERNELS_WAKE_START][place];
    for (size_t field = KERNELS_WAKE_START + 1; field < KERNELS_WAKE_FIELDS; field++) {
      // Unrolled, so that the hashes stay in registers. With the loop over fields unrolled too there would be 6 kB of code.
      _Pragma("clang loop unroll(full)")
      for (size_t place = 0; place < REGISTERS; place++)
        hashes[place] = combine_four(hashes[place], fields[field][place]);
    }
    sums = _mm256_add_epi64(sums, sum_of_hashes(hashes));
  }
  return sum_of_lanes(sums) + kernels_sum_wake_hashes_portable(wakes + done * KERNELS_WAKE_FIELDS, count - done);
}

/// Adds a field that all wakes of a group have.
AVX2 AVX2_INLINE void combine_shared(const struct kernels_cohort_wakes *cohorts, size_t field, __m256i hashes[REGISTERS]) {
  // Loops over registers are unrolled, so that the hashes stay in them: 51 instructions a wake instead of 76.
  _Pragma("clang loop unroll(full)")
  for (size_t group = 0; group < KERNELS_FEW_COHORTS; group++) {
    const __m256i fields = _mm256_set1_epi64x((long long)cohorts[group].first[field]);
    hashes[2 * group] = combine_four(hashes[2 * group], fields);
    hashes[2 * group + 1] = combine_four(hashes[2 * group + 1], fields);
  }
}

/// The sums of the hashes of KERNELS_FEW_COHORTS groups, in four lanes.
AVX2 AVX2_INLINE __m256i sums_of_cohorts(const struct kernels_cohort_wakes *cohorts) {
  _Static_assert(REGISTERS == 2 * KERNELS_FEW_COHORTS, "two registers have a group");
  _Static_assert(KERNELS_WAKE_NUMBER == 1 && KERNELS_WAKE_TIME == 2 && KERNELS_WAKE_APP == 3, "in this order");
  __m256i hashes[REGISTERS];
  _Pragma("clang loop unroll(full)")
  for (size_t place = 0; place < REGISTERS; place++) {
    const uint64_t *first = cohorts[place / 2].first;
    const long long lane = place % 2 * 4;
    const __m256i lanes = _mm256_set_epi64x(lane + 3, lane + 2, lane + 1, lane);
    const __m256i numbers = _mm256_add_epi64(_mm256_set1_epi64x((long long)first[KERNELS_WAKE_NUMBER]), lanes);
    hashes[place] = combine_four(_mm256_set1_epi64x((long long)first[KERNELS_WAKE_START]), numbers);
  }
  combine_shared(cohorts, KERNELS_WAKE_TIME, hashes);
  _Pragma("clang loop unroll(full)")
  for (size_t place = 0; place < REGISTERS; place++) {
    const uint64_t *apps = cohorts[place / 2].apps + place % 2 * 4;
    hashes[place] = combine_four(hashes[place], _mm256_loadu_si256((const __m256i *)apps));
  }
  for (size_t field = KERNELS_WAKE_APP + 1; field < KERNELS_WAKE_FIELDS; field++)
    combine_shared(cohorts, field, hashes);
  return sum_of_hashes(hashes);
}

AVX2 uint64_t kernels_sum_cohort_hashes_avx2(const struct kernels_cohort_wakes *cohorts, size_t count) {
  size_t done = 0;
  __m256i sums = _mm256_setzero_si256();
  for (; done + KERNELS_FEW_COHORTS <= count; done += KERNELS_FEW_COHORTS)
    sums = _mm256_add_epi64(sums, sums_of_cohorts(cohorts + done));
  return sum_of_lanes(sums) + kernels_sum_cohort_hashes_portable(cohorts + done, count - done);
}

#endif
