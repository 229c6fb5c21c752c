// The functions of the path avx2, which the path avx512 uses too where it has none of its own.
#ifndef AVX2_H
#define AVX2_H

#include <immintrin.h>

#include "../paths.h"

KERNELS_INTERNAL bool kernels_expand_times_avx2(const struct kernels_column *column, size_t count,
                                                int64_t unit, int64_t time, int64_t *times);
KERNELS_INTERNAL bool kernels_expand_keys_avx2(const struct kernels_column *column, size_t count,
                                               struct kernels_event_keys keys, struct kernels_rows rows);
KERNELS_INTERNAL void kernels_expand_words_avx2(const uint8_t *words, size_t count,
                                                const struct kernels_words *meanings, int64_t time,
                                                int64_t *times, uint32_t *types);
KERNELS_INTERNAL size_t kernels_count_types_avx2(const uint32_t *types, size_t count, size_t type_count,
                                                 struct kernels_type_count *counts);
KERNELS_INTERNAL uint64_t kernels_find_rows_avx2(const uint32_t *types, size_t count, const uint32_t *set);
KERNELS_INTERNAL uint64_t kernels_sum_wake_hashes_avx2(const uint64_t *wakes, size_t count);
KERNELS_INTERNAL uint64_t kernels_sum_cohort_hashes_avx2(const struct kernels_cohort_wakes *cohorts, size_t count);

// The instructions of the path avx2, as `path_avx2.c` asks for them.
#define AVX2 __attribute__((target("avx2")))
// In the stand-in, functions are not inlined and loops not unrolled: with sanitizers it would compile for ten minutes.
#ifdef KERNELS_STAND_IN
#define AVX2_INLINE static inline
#else
#define AVX2_INLINE __attribute__((always_inline)) static inline
#endif

// Before a loop over registers, which must not lie in memory.
#ifdef KERNELS_STAND_IN
#define UNROLL
#else
#define UNROLL _Pragma("clang loop unroll(full)")
#endif

// Hides from the compiler how a register was computed. It would make other instructions of what follows, which are
// slower: of two products with one factor the product of a sum, of 64 bits, which AVX2 does not multiply.
#ifdef KERNELS_STAND_IN
#define OPAQUE(value) ((void)(value))
#else
#define OPAQUE(value) __asm__("" : "+x"(value))
#endif

#endif
