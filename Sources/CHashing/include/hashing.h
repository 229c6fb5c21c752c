// The part of hashing wakes that Swift cannot say: instructions that only some processors have.
#ifndef HASHING_H
#define HASHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many wakes are hashed side by side.
#define HASHING_LANES 8
/// The fields of a wake that its hash is made of, in their order.
#define HASHING_FIELDS 10
/// Of those, the two in which wakes of a cohort differ.
#define HASHING_NUMBER 0
#define HASHING_APP 2

/// Whether this processor can carry out the functions below.
bool hashing_is_supported(void);

/// The sum of the hashes of the first `count` of HASHING_LANES wakes, each of which begins with `start`.
///
/// `fields` are the first field of all wakes side by side, then the second and so on.
uint64_t hashing_sum(uint64_t start, const uint64_t fields[HASHING_FIELDS * HASHING_LANES],
                     size_t count);

/// The sum of the hashes of HASHING_LANES wakes that are the same but that their numbers follow each other
/// and their apps differ.
uint64_t hashing_sum_of_cohort(uint64_t start, const uint64_t wake[HASHING_FIELDS],
                               const uint64_t apps[HASHING_LANES]);

#endif
