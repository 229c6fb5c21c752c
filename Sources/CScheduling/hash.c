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

/// ``hashing_sum`` of wakes that fill so many registers, a number that the compiler knows.
INLINE_WITH_AVX512 uint64_t sum_of_registers(const uint64_t *fields, size_t count,
                                             size_t registers) {
  __m512i hashes[HASHING_ROOM / HASHING_LANES];
  for (size_t place = 0; place < registers; place++)
    hashes[place] = _mm512_loadu_si512(fields + place * HASHING_FIELDS * HASHING_LANES);
  for (size_t field = HASHING_START + 1; field < HASHING_FIELDS; field++)
    for (size_t place = 0; place < registers; place++)
      hashes[place] = combine(
          hashes[place],
          _mm512_loadu_si512(fields + (place * HASHING_FIELDS + field) * HASHING_LANES));
  const uint64_t wanted = (UINT64_C(1) << count) - 1;
  __m512i sum = _mm512_setzero_si512();
  for (size_t place = 0; place < registers; place++)
    sum = _mm512_mask_add_epi64(sum, (__mmask8)(wanted >> (place * HASHING_LANES)), sum,
                                hashes[place]);
  return (uint64_t)_mm512_reduce_add_epi64(sum);
}

WITH_AVX512 uint64_t hashing_sum(const uint64_t fields[HASHING_FIELDS * HASHING_ROOM], size_t count) {
  // Where few wait, the last register would be hashed for nothing.
  if (count <= 2 * HASHING_LANES)
    return sum_of_registers(fields, count, 2);
  return sum_of_registers(fields, count, HASHING_ROOM / HASHING_LANES);
}

WITH_AVX512 uint64_t hashing_sum_of_cohort(const uint64_t wake[HASHING_FIELDS],
                                         const uint64_t apps[HASHING_LANES]) {
  __m512i hashes = _mm512_set1_epi64((long long)wake[HASHING_START]);
  for (size_t field = HASHING_START + 1; field < HASHING_FIELDS; field++) {
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

uint64_t hashing_sum(const uint64_t fields[HASHING_FIELDS * HASHING_ROOM], size_t count) {
  __builtin_trap();
}

uint64_t hashing_sum_of_cohort(const uint64_t wake[HASHING_FIELDS],
                               const uint64_t apps[HASHING_LANES]) {
  __builtin_trap();
}

#endif
