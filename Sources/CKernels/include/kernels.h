// Vector kernels: the loops that run for every event or wake, written for the instructions of one processor.
//
// Each function takes the path, the set of instructions that it may use, so that a test or a bisection can
// compare paths within one process. All paths return the same results.
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A path is a number from 0 on, of the list in `cpu.c`; 0 is portable C. A path includes the instructions of those
// before it. Only `kernels_is_available` takes numbers that are no path.

/// How many paths this architecture has.
unsigned kernels_path_count(void);

/// A path's name in ROUSE_CPU.
const char *kernels_path_name(unsigned path);

/// Whether this processor has the instructions of a path; false for numbers that are no path.
bool kernels_is_available(unsigned path);

// MARK: CRC-32

/// The CRC-32 of gzip (RFC 1952) of bytes behind others, whose CRC-32 is `previous`, as zlib's `crc32` computes it.
typedef unsigned long (*kernels_plain_crc)(unsigned long previous, const unsigned char *bytes, unsigned length);

/// The same, with most bytes folded to a few that have the same CRC-32, which `plain` computes.
///
/// `length` is below 2^32. `plain` gets fewer than 64 bytes at once if the processor has carry-less multiplication or
/// instructions for CRC-32 that the path uses, else fewer than `KERNELS_CRC_PLAIN`.
uint32_t kernels_crc(unsigned path, uint32_t previous, const uint8_t *bytes, size_t length, kernels_plain_crc plain);
/// So many bytes and more are folded on every path: twice the longest step of `portable/crc.c`.
#define KERNELS_CRC_PLAIN 8036

// MARK: Expansion of a block's columns (page "The trace format", "Integer columns")

/// Bytes after the symbols, and after the mantissas, that may be loaded; their values have no effect.
#define KERNELS_PADDING 104
/// The widest mantissa.
#define KERNELS_MANTISSA_BITS 25

/// A column of integers. Each has a 4-bit symbol, two symbols to a byte, the first in the low half, and a
/// mantissa of as many bits as its symbol says. The integer is the symbol's base plus the mantissa.
struct kernels_column {
  /// Of each of the 16 symbols. Each base plus each of its mantissas fits 32 bits, signed, if a row has the symbol.
  const int32_t *bases;
  /// Of each of the 16 symbols: bits of its mantissas, at most KERNELS_MANTISSA_BITS; less than 64 if no row has the symbol.
  const uint8_t *bits;
  const uint8_t *symbols;
  const uint8_t *mantissas;
  /// Bits of the mantissas, of which those of the last byte may be of no row.
  size_t end;
  /// Bounds of the integers that symbols of the column stand for. Kernels rely on them.
  int32_t lowest, highest;
};

/// What an event key (page "The trace format", "Event keys") has besides its source.
struct kernels_subject {
  uint32_t type;
  uint8_t kind;
};

/// The event keys of a block.
struct kernels_event_keys {
  const struct kernels_subject *subjects;
  const uint32_t *sources;
  size_t count;
};

/// The columns of a batch, from its first row on.
struct kernels_rows {
  uint32_t *types;
  uint8_t *kinds;
  /// Null if not wanted.
  uint32_t *sources;
};

/// Whether a path has `kernels_expand_times` and `kernels_expand_keys`.
bool kernels_expands_columns(unsigned path);

/// Writes prefix sums: `time` plus the integers, times `unit`, of a column's `count` rows; modulo 2^64.
///
/// False if mantissas run out, if a byte of them or more remains, or if the path has no kernel.
bool kernels_expand_times(unsigned path, const struct kernels_column *column, size_t count,
                          int64_t unit, int64_t time, int64_t *times);

/// Looks up the integers of a column's `count` rows in `keys`, and writes types, kinds and sources.
///
/// False if mantissas run out, if a byte of them or more remains, if an integer is not below `keys.count`, or if the path
/// has no kernel.
bool kernels_expand_keys(unsigned path, const struct kernels_column *column, size_t count,
                         struct kernels_event_keys keys, struct kernels_rows rows);

/// The length of the tables of words.
#define KERNELS_WORDS 256

/// What words stand for. Tables have KERNELS_WORDS elements, of which those from `count` on may hold anything.
struct kernels_words {
  /// All words are below it.
  size_t count;
  /// The step of each word in nanoseconds, modulo 2^64.
  const int64_t *steps;
  const uint32_t *types;
  /// The step of each word in units, if `highest_multiple` is less than UINT16_MAX.
  const uint16_t *multiples;
  /// The highest multiple of the first `count`; UINT16_MAX if it is that or more, or if a step is negative.
  uint16_t highest_multiple;
  /// In nanoseconds.
  int64_t unit;
};

/// Looks up `count` words: writes the prefix sums of their steps, from `time` on and modulo 2^64, and their types.
void kernels_expand_words(unsigned path, const uint8_t *words, size_t count, const struct kernels_words *meanings,
                          int64_t time, int64_t *times, uint32_t *types);

// MARK: Hashes of wakes (page Rules, 7)

/// Wakes that are hashed side by side.
#define KERNELS_WAKE_LANES 8
/// Wakes that are hashed in one call, at most.
#define KERNELS_WAKES 48
/// Wakes that are hashed in one call where their memory counts: half as many, each of which takes longer.
#define KERNELS_FEW_WAKES 24
/// Groups of eight wakes of a cohort that are hashed in one call, at most.
#define KERNELS_COHORTS 6
/// Groups of eight wakes of a cohort that are hashed in one call where their memory counts.
#define KERNELS_FEW_COHORTS 3

/// The fields of a wake's hash, in their order. The first is the hash so far, of the device.
enum {
  KERNELS_WAKE_START,
  KERNELS_WAKE_NUMBER,
  KERNELS_WAKE_TIME,
  KERNELS_WAKE_APP,
  KERNELS_WAKE_TYPES,
  KERNELS_WAKE_SAVES,
  KERNELS_WAKE_OLDEST,
  KERNELS_WAKE_PUSH,
  KERNELS_WAKE_REFRESH,
  KERNELS_WAKE_OUTCOME,
  KERNELS_WAKE_END,
  KERNELS_WAKE_FIELDS
};

/// The sum, modulo 2^64, of the hashes of the first `count` wakes.
///
/// `wakes` holds KERNELS_WAKES wakes of KERNELS_WAKE_FIELDS words of 64 bits each, or KERNELS_FEW_WAKES if `count` is not
/// more. Wakes from `count` on are read and have no effect.
uint64_t kernels_sum_wake_hashes(unsigned path, const void *wakes, size_t count);

/// A group of eight wakes of a cohort, which differ only in number and app: their numbers are consecutive.
struct kernels_cohort_wakes {
  /// The first wake.
  uint64_t first[KERNELS_WAKE_FIELDS];
  /// The apps of all.
  uint64_t apps[KERNELS_WAKE_LANES];
};

/// The sum, modulo 2^64, of the hashes of the wakes of `count` groups, at most KERNELS_COHORTS.
///
/// `cohorts` holds `count` of `struct kernels_cohort_wakes`.
uint64_t kernels_sum_cohort_hashes(unsigned path, const void *cohorts, size_t count);

// MARK: Order of rows (page Rules, 4.1)

/// What rows have in common.
struct kernels_row_bounds {
  /// Whether no time is before its predecessor.
  bool is_ordered;
  /// The bits of all kinds, and of all types.
  uint8_t kinds;
  uint32_t types;
};

/// Looks at `count` rows, at least one. The differences of successive times fit 64 bits.
struct kernels_row_bounds kernels_bound_rows(unsigned path, const int64_t *times,
                                             const uint8_t *kinds, const uint32_t *types,
                                             size_t count);

// MARK: Counts of rows by type (page Rules, 5.1)

/// The rows of a type that were counted, and whether rows of it are marked: more than a count.
struct kernels_type_count {
  /// The count is the sum of both. The kernel adds to the first.
  uint32_t counted[2];
  /// Not 0 if rows of the type are marked.
  uint32_t attention;
  /// The caller's; no kernel looks at it.
  uint32_t observed;
};

/// The most types that can be counted.
#define KERNELS_COUNTED_TYPES 32

/// Whether a path has `kernels_count_types`.
bool kernels_counts_types(unsigned path);

/// Counts rows by type, up to the first whose type is marked; adds them to `counts`, modulo 2^32.
///
/// `counts` has `type_count` types, at most KERNELS_COUNTED_TYPES. Rows of others are neither marked nor counted; all types are
/// below 2^30. Returns how many of the first rows are taken: all before the first marked one, or before the end, except for 15
/// at most. 0 if the path has no kernel.
size_t kernels_count_types(unsigned path, const uint32_t *types, size_t count, size_t type_count,
                           struct kernels_type_count *counts);

// MARK: Rows of types with subscriptions (page Rules, 5.1)

/// The words of 32 bits of a set of types. A type has the bit of its number modulo 256: two types may have the same bit.
#define KERNELS_TYPE_SET_WORDS 8
/// The most rows of one call.
#define KERNELS_FOUND_ROWS 64

/// Finds the rows whose types have a bit in `set`: bit i of the result is that of row i.
///
/// `count` is at most KERNELS_FOUND_ROWS.
uint64_t kernels_find_rows(unsigned path, const uint32_t *types, size_t count,
                           const uint32_t set[KERNELS_TYPE_SET_WORDS]);

// MARK: Memory

/// Asks the processor to fetch memory that will be used soon. Reads nothing: the address may be any.
static inline void kernels_prefetch(const void *start, size_t bytes) {
  // Two at a time; one too many does no harm.
  for (size_t offset = 0; offset < bytes; offset += 128) {
    __builtin_prefetch((const char *)start + offset, 1);
    __builtin_prefetch((const char *)start + offset + 64, 1);
  }
}

/// Asks the processor to own a cache line that will be written soon, and that another processor may have in its cache. Reads
/// nothing: the address may be any.
static inline void kernels_prefetch_to_write(const void *line) {
#if defined(__x86_64__)
  // In assembly, as compilers emit it only for processors that are known to have it. The others take it as no operation.
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
  __builtin_prefetch(line, 1);
#endif
}

#endif
