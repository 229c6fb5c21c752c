// Eight wakes in a register: eight chains for the instructions of one.
#include "scheduling.h"

#ifdef __x86_64__

#include <immintrin.h>

_Static_assert(HASHING_LANES * sizeof(uint64_t) == sizeof(__m512i), "a register is full of wakes");

#define WITH_AVX512 __attribute__((target("avx512f,avx512dq")))
#define INLINE_WITH_AVX512 WITH_AVX512 __attribute__((always_inline)) static inline

bool scheduling_is_supported(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("popcnt");
}

/// Takes the next field of eight wakes in (SPEC 7).
INLINE_WITH_AVX512 __m512i combine(__m512i hashes, __m512i fields) {
  const __m512i first = _mm512_set1_epi64((long long)0xBF58476D1CE4E5B9);
  const __m512i second = _mm512_set1_epi64((long long)0x94D049BB133111EB);
  hashes = _mm512_xor_si512(hashes, fields);
  hashes = _mm512_xor_si512(hashes, _mm512_srli_epi64(hashes, 30));
  hashes = _mm512_mullo_epi64(hashes, first);
  hashes = _mm512_xor_si512(hashes, _mm512_srli_epi64(hashes, 27));
  hashes = _mm512_mullo_epi64(hashes, second);
  return _mm512_xor_si512(hashes, _mm512_srli_epi64(hashes, 31));
}

WITH_AVX512 uint64_t hashing_sum(uint64_t start, const uint64_t fields[HASHING_FIELDS * HASHING_ROOM],
                               size_t count) {
  const uint64_t *others = fields + HASHING_FIELDS * HASHING_LANES;
  __m512i first = _mm512_set1_epi64((long long)start);
  __m512i second = first;
  for (size_t field = 0; field < HASHING_FIELDS; field++) {
    first = combine(first, _mm512_loadu_si512(fields + field * HASHING_LANES));
    second = combine(second, _mm512_loadu_si512(others + field * HASHING_LANES));
  }
  const uint32_t wanted = (1u << count) - 1;
  first = _mm512_maskz_mov_epi64((__mmask8)wanted, first);
  second = _mm512_maskz_mov_epi64((__mmask8)(wanted >> HASHING_LANES), second);
  return (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(first, second));
}

WITH_AVX512 uint64_t hashing_sum_of_cohort(uint64_t start, const uint64_t wake[HASHING_FIELDS],
                                         const uint64_t apps[HASHING_LANES]) {
  __m512i hashes = _mm512_set1_epi64((long long)start);
  for (size_t field = 0; field < HASHING_FIELDS; field++) {
    __m512i fields = _mm512_set1_epi64((long long)wake[field]);
    if (field == HASHING_NUMBER)
      fields = _mm512_add_epi64(fields, _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    else if (field == HASHING_APP)
      fields = _mm512_loadu_si512(apps);
    hashes = combine(hashes, fields);
  }
  return (uint64_t)_mm512_reduce_add_epi64(hashes);
}

#else

bool scheduling_is_supported(void) { return false; }

uint64_t hashing_sum(uint64_t start, const uint64_t fields[HASHING_FIELDS * HASHING_ROOM],
                     size_t count) {
  __builtin_trap();
}

uint64_t hashing_sum_of_cohort(uint64_t start, const uint64_t wake[HASHING_FIELDS],
                               const uint64_t apps[HASHING_LANES]) {
  __builtin_trap();
}

#endif
