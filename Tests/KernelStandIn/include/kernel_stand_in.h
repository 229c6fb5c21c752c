// The functions of `kernels.h`, with the prefix stand_in_ and every path of x86-64 and arm64 on any processor.
#ifndef KERNEL_STAND_IN_H
#define KERNEL_STAND_IN_H

#include "kernels.h"

unsigned stand_in_path_count(void);
const char *stand_in_path_name(unsigned path);
bool stand_in_is_available(unsigned path);
uint32_t stand_in_crc(unsigned path, uint32_t previous, const uint8_t *bytes, size_t length, kernels_plain_crc plain);
bool stand_in_expands_columns(unsigned path);
bool stand_in_expand_times(unsigned path, const struct kernels_column *column, size_t count,
                           int64_t unit, int64_t time, int64_t *times);
bool stand_in_expand_keys(unsigned path, const struct kernels_column *column, size_t count,
                          struct kernels_event_keys keys, struct kernels_rows rows);
void stand_in_expand_words(unsigned path, const uint8_t *words, size_t count, const struct kernels_words *meanings,
                           int64_t time, int64_t *times, uint32_t *types);
uint64_t stand_in_sum_wake_hashes(unsigned path, const void *wakes, size_t count);
uint64_t stand_in_sum_cohort_hashes(unsigned path, const void *cohorts, size_t count);
struct kernels_row_bounds stand_in_bound_rows(unsigned path, const int64_t *times,
                                              const uint8_t *kinds, const uint32_t *types,
                                              size_t count);
bool stand_in_counts_types(unsigned path);
size_t stand_in_count_types(unsigned path, const uint32_t *types, size_t count, size_t type_count,
                            struct kernels_type_count *counts);
uint64_t stand_in_find_rows(unsigned path, const uint32_t *types, size_t count,
                            const uint32_t set[KERNELS_TYPE_SET_WORDS]);

#endif
