// Hashes of wakes, eight to a register (`portable/wake_hashes.c` has the plain algorithm).
//
// Up to six registers are hashed side by side, as each waits for its own multiplications most of the time: 5.2 ns for the
// hash of a wake, and 7.5 with three registers (Intel, with VBMI).
#include "../paths.h"

#ifdef KERNELS_X86_64

#include "avx512.h"

_Static_assert(KERNELS_WAKE_LANES * sizeof(uint64_t) == sizeof(__m512i), "eight wakes fill a register");

/// Adds a field to eight hashes (page Rules, 7).
AVX512 INLINE __m512i combine_eight(__m512i hashes, __m512i fields) {
  const __m512i first = _mm512_set1_epi64((long long)0xBF58476D1CE4E5B9);
  const __m512i second = _mm512_set1_epi64((long long)0x94D049BB133111EB);
  hashes = _mm512_xor_si512(hashes, fields);
  hashes = _mm512_xor_si512(hashes, _mm512_srli_epi64(hashes, 30));
  hashes = _mm512_mullo_epi64(hashes, first);
  hashes = _mm512_xor_si512(hashes, _mm512_srli_epi64(hashes, 27));
  hashes = _mm512_mullo_epi64(hashes, second);
  return _mm512_xor_si512(hashes, _mm512_srli_epi64(hashes, 31));
}

/// Four words of each of two wakes, the second of which is four behind the first.
AVX512 INLINE __m512i words_of_two(const uint64_t *words) {
  const __m256i first = _mm256_loadu_si256((const void *)words);
  const __m256i fifth = _mm256_loadu_si256((const void *)(words + 4 * KERNELS_WAKE_FIELDS));
  return _mm512_inserti64x4(_mm512_castsi256_si512(first), fifth, 1);
}

/// Four successive fields of eight wakes, a register for each field: 2.4 ns for the hash of a wake, and 3.3 with a gather of
/// each field (AMD, with VBMI).
AVX512 INLINE void transpose(const uint64_t *words, __m512i fields[4]) {
  const __m512i a = words_of_two(words);
  const __m512i b = words_of_two(words + KERNELS_WAKE_FIELDS);
  const __m512i c = words_of_two(words + 2 * KERNELS_WAKE_FIELDS);
  const __m512i d = words_of_two(words + 3 * KERNELS_WAKE_FIELDS);
  const __m512i even_ab = _mm512_unpacklo_epi64(a, b), odd_ab = _mm512_unpackhi_epi64(a, b);
  const __m512i even_cd = _mm512_unpacklo_epi64(c, d), odd_cd = _mm512_unpackhi_epi64(c, d);
  const __m512i lower = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
  const __m512i upper = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
  fields[0] = _mm512_permutex2var_epi64(even_ab, lower, even_cd);
  fields[1] = _mm512_permutex2var_epi64(odd_ab, lower, odd_cd);
  fields[2] = _mm512_permutex2var_epi64(even_ab, upper, even_cd);
  fields[3] = _mm512_permutex2var_epi64(odd_ab, upper, odd_cd);
}

_Static_assert(KERNELS_WAKE_FIELDS > 8 && KERNELS_WAKE_FIELDS <= 12, "three transpositions have all fields");

/// `kernels_sum_wake_hashes` of wakes in `registers` registers, a constant, so that the loops unroll.
AVX512 INLINE uint64_t sum_of_registers(const uint64_t *wakes, size_t count, size_t registers) {
  __m512i fields[KERNELS_WAKES / KERNELS_WAKE_LANES][KERNELS_WAKE_FIELDS];
  __m512i hashes[KERNELS_WAKES / KERNELS_WAKE_LANES];
  for (size_t place = 0; place < registers; place++) {
    const uint64_t *eight = wakes + place * KERNELS_WAKE_FIELDS * KERNELS_WAKE_LANES;
    transpose(eight, fields[place]);
    transpose(eight + 4, fields[place] + 4);
    // The last four, of which some were there before: no word behind the wakes is read.
    transpose(eight + KERNELS_WAKE_FIELDS - 4, fields[place] + KERNELS_WAKE_FIELDS - 4);
    hashes[place] = fields[place][KERNELS_WAKE_START];
  }
  for (size_t field = KERNELS_WAKE_START + 1; field < KERNELS_WAKE_FIELDS; field++)
    for (size_t place = 0; place < registers; place++)
      hashes[place] = combine_eight(hashes[place], fields[place][field]);
  _Static_assert(KERNELS_WAKES < 64, "a word has a bit for each wake");
  const uint64_t wanted = (UINT64_C(1) << count) - 1;
  __m512i sum = _mm512_setzero_si512();
  for (size_t place = 0; place < registers; place++)
    sum = _mm512_mask_add_epi64(sum, (__mmask8)(wanted >> (place * KERNELS_WAKE_LANES)), sum,
                                hashes[place]);
  return (uint64_t)_mm512_reduce_add_epi64(sum);
}

AVX512 uint64_t kernels_sum_wake_hashes_avx512(const uint64_t *wakes, size_t count) {
  // Two registers take longer: 190 ns.
  if (count <= KERNELS_WAKE_LANES) return kernels_sum_wake_hashes_portable(wakes, count);
  // The other registers would be hashed for nothing; and their wakes may not be there (`kernels.h`).
  if (count <= 2 * KERNELS_WAKE_LANES)
    return sum_of_registers(wakes, count, 2);
  if (count <= KERNELS_FEW_WAKES)
    return sum_of_registers(wakes, count, KERNELS_FEW_WAKES / KERNELS_WAKE_LANES);
  return sum_of_registers(wakes, count, KERNELS_WAKES / KERNELS_WAKE_LANES);
}

/// `kernels_sum_cohort_hashes` of as many groups as `registers`, a constant, so that the loops unroll. A group takes 38 ns with
/// six registers, 65 with three, 185 with one, and 78 with integers (Intel, with VBMI).
AVX512 INLINE uint64_t sum_of_cohorts(const struct kernels_cohort_wakes *cohorts, size_t registers) {
  __m512i hashes[KERNELS_COHORTS];
  for (size_t place = 0; place < registers; place++)
    hashes[place] = _mm512_set1_epi64((long long)cohorts[place].first[KERNELS_WAKE_START]);
  for (size_t field = KERNELS_WAKE_START + 1; field < KERNELS_WAKE_FIELDS; field++)
    for (size_t place = 0; place < registers; place++) {
      __m512i fields = _mm512_set1_epi64((long long)cohorts[place].first[field]);
      if (field == KERNELS_WAKE_NUMBER)
        fields = _mm512_add_epi64(fields, _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
      else if (field == KERNELS_WAKE_APP)
        fields = _mm512_loadu_si512(cohorts[place].apps);
      hashes[place] = combine_eight(hashes[place], fields);
    }
  __m512i sum = hashes[0];
  for (size_t place = 1; place < registers; place++) sum = _mm512_add_epi64(sum, hashes[place]);
  return (uint64_t)_mm512_reduce_add_epi64(sum);
}

AVX512 uint64_t kernels_sum_cohort_hashes_avx512(const struct kernels_cohort_wakes *cohorts, size_t count) {
  if (count == KERNELS_COHORTS) return sum_of_cohorts(cohorts, KERNELS_COHORTS);
  if (count == KERNELS_FEW_COHORTS) return sum_of_cohorts(cohorts, KERNELS_FEW_COHORTS);
  return kernels_sum_cohort_hashes_portable(cohorts, count);
}

#endif
