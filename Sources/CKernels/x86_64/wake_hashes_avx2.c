// Hashes of cohorts, four wakes to a register (`portable/wake_hashes.c` has the plain algorithm).
//
// AVX2 multiplies no 64-bit integers: three products of 32-bit halves make one. So six registers, of three groups of
// eight wakes, are hashed side by side: 60 ns for a group, and 84 with integers (Intel). With two registers it is 99.
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx2.h"

_Static_assert(KERNELS_WAKE_LANES == 8, "two registers have eight wakes");

/// Products modulo 2^64.
AVX2 AVX2_INLINE __m256i multiply_four(__m256i integers, uint64_t factor) {
  const __m256i low = _mm256_set1_epi64x((long long)(factor & UINT32_MAX));
  const __m256i high = _mm256_set1_epi64x((long long)(factor >> 32));
  const __m256i upper = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(integers, 32), low),
                                         _mm256_mul_epu32(integers, high));
  return _mm256_add_epi64(_mm256_mul_epu32(integers, low), _mm256_slli_epi64(upper, 32));
}

/// Adds a field to four hashes (page Rules, 7).
AVX2 AVX2_INLINE __m256i combine_four(__m256i hashes, __m256i fields) {
  hashes = _mm256_xor_si256(hashes, fields);
  hashes = multiply_four(_mm256_xor_si256(hashes, _mm256_srli_epi64(hashes, 30)), 0xBF58476D1CE4E5B9);
  hashes = multiply_four(_mm256_xor_si256(hashes, _mm256_srli_epi64(hashes, 27)), 0x94D049BB133111EB);
  return _mm256_xor_si256(hashes, _mm256_srli_epi64(hashes, 31));
}

/// The fields of four wakes, of which the first is `lane` behind the first of its eight.
AVX2 AVX2_INLINE __m256i fields_of_four(const struct kernels_cohort_wakes *eight, size_t field, size_t lane) {
  if (field == KERNELS_WAKE_APP) return _mm256_loadu_si256((const __m256i *)(eight->apps + lane));
  const __m256i fields = _mm256_set1_epi64x((long long)eight->first[field]);
  if (field != KERNELS_WAKE_NUMBER) return fields;
  const long long first = (long long)lane;
  return _mm256_add_epi64(fields, _mm256_set_epi64x(first + 3, first + 2, first + 1, first));
}

/// The sums of the hashes of KERNELS_FEW_COHORTS groups, in four lanes.
AVX2 AVX2_INLINE __m256i sums_of_cohorts(const struct kernels_cohort_wakes *cohorts) {
  __m256i hashes[2 * KERNELS_FEW_COHORTS];
  for (size_t place = 0; place < 2 * KERNELS_FEW_COHORTS; place++)
    hashes[place] = fields_of_four(cohorts + place / 2, KERNELS_WAKE_START, 0);
  _Pragma("clang loop unroll(full)")
  for (size_t field = KERNELS_WAKE_START + 1; field < KERNELS_WAKE_FIELDS; field++)
    for (size_t place = 0; place < 2 * KERNELS_FEW_COHORTS; place++)
      hashes[place] = combine_four(hashes[place], fields_of_four(cohorts + place / 2, field, place % 2 * 4));
  __m256i sums = hashes[0];
  for (size_t place = 1; place < 2 * KERNELS_FEW_COHORTS; place++) sums = _mm256_add_epi64(sums, hashes[place]);
  return sums;
}

AVX2 uint64_t kernels_sum_cohort_hashes_avx2(const struct kernels_cohort_wakes *cohorts, size_t count) {
  size_t done = 0;
  __m256i sums = _mm256_setzero_si256();
  for (; done + KERNELS_FEW_COHORTS <= count; done += KERNELS_FEW_COHORTS)
    sums = _mm256_add_epi64(sums, sums_of_cohorts(cohorts + done));
  uint64_t lanes[4];
  _mm256_storeu_si256((__m256i *)lanes, sums);
  return lanes[0] + lanes[1] + lanes[2] + lanes[3] + kernels_sum_cohort_hashes_portable(cohorts + done, count - done);
}

#endif
