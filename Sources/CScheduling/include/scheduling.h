// The part of scheduling that Swift cannot say: instructions that only some processors have.
#ifndef SCHEDULING_H
#define SCHEDULING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many wakes a register holds side by side.
#define HASHING_LANES 8
/// How many wakes are hashed at once: three registers, as each waits for itself most of the time.
#define HASHING_ROOM 24

/// The fields of a wake that its hash is made of in their order, after the hash of its device that it begins with,
/// and how many they all are.
enum {
  HASHING_START,
  HASHING_NUMBER,
  HASHING_TIME,
  HASHING_APP,
  HASHING_TYPES,
  HASHING_SAVES,
  HASHING_OLDEST,
  HASHING_PUSH,
  HASHING_REFRESH,
  HASHING_OUTCOME,
  HASHING_END,
  HASHING_FIELDS
};

/// Whether this processor can carry out the functions below.
bool scheduling_is_supported(void);

/// The sum of the hashes of the first `count` of HASHING_ROOM wakes.
///
/// `fields` are the first field of HASHING_LANES wakes side by side, then their second and so on; then those of
/// the next as many.
uint64_t hashing_sum(const uint64_t fields[HASHING_FIELDS * HASHING_ROOM], size_t count);

/// The sum of the hashes of HASHING_LANES wakes that are the same but that their numbers follow each other
/// and their apps differ.
uint64_t hashing_sum_of_cohort(const uint64_t wake[HASHING_FIELDS],
                               const uint64_t apps[HASHING_LANES]);

/// How many of the first rows are saves and deletes of types below `type_count`, none before its predecessor
/// and the first not before `present`; `deletes` becomes the number of deletes among them.
///
/// `type_count` is a power of two, or 0.
size_t orderly_rows(const int64_t *times, const uint8_t *kinds, const uint32_t *types, size_t count,
                    int64_t present, size_t type_count, size_t *deletes);

/// How many of times are before one.
size_t rows_before(const int64_t *times, size_t count, int64_t time);

#endif
