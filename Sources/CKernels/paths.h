// The functions of each path; `cpu.c` chooses among them. The suffix names the path, or the lowest one if
// several share the function. Parameters are those of `kernels.h`.
#ifndef PATHS_H
#define PATHS_H

#include "kernels.h"

// The test target KernelStandIn compiles the x86-64 files against intrinsics in plain C, on any processor.
#if defined(__x86_64__) || defined(KERNELS_STAND_IN)
#define KERNELS_X86_64
#endif

void kernels_expand_words_portable(const uint8_t *words, size_t count, const int64_t *steps,
                                   const uint32_t *types_of_words, int64_t time, int64_t *times,
                                   uint32_t *types);
uint64_t kernels_sum_wake_hashes_portable(const uint64_t *wakes, size_t count);
uint64_t kernels_sum_cohort_hashes_portable(const uint64_t *wake, const uint64_t *apps);

#ifdef KERNELS_X86_64

// At least 64 bytes.
size_t kernels_fold_crc_pclmul(uint32_t before, const uint8_t *bytes, size_t length, uint8_t *residue);
size_t kernels_fold_crc_avx512(uint32_t before, const uint8_t *bytes, size_t length, uint8_t *residue);

bool kernels_expand_times_avx512(struct kernels_column *column, size_t row, size_t count,
                                 int64_t unit, int64_t time, int64_t *times);
bool kernels_expand_keys_avx512(struct kernels_column *column, size_t row, size_t count,
                                struct kernels_event_keys keys, uint32_t home,
                                struct kernels_rows rows);

void kernels_expand_words_avx512(const uint8_t *words, size_t count, size_t word_count,
                                 const int64_t *steps, const uint32_t *types_of_words, int64_t time,
                                 int64_t *times, uint32_t *types);

uint64_t kernels_sum_wake_hashes_avx512(const uint64_t *wakes, size_t count);
uint64_t kernels_sum_cohort_hashes_avx512(const uint64_t *wake, const uint64_t *apps);

#endif
#endif
