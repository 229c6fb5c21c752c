// The part of reading rows that Swift cannot say: instructions that only some processors have.
#ifndef EXPANSION_H
#define EXPANSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes behind symbols, and behind mantissas, that may be loaded though they are never used.
#define EXPANSION_PADDING 68
/// The most bits of a mantissa.
#define EXPANSION_MOST_BITS 28
/// The most words that are told apart.
#define EXPANSION_MOST_WORDS 32

/// Integers whose symbols share a byte, the first in the low half.
struct expansion_column {
  /// What each of 16 symbols stands for: a base, and the bits of the mantissa that is added; no sum is
  /// beyond 32 bits.
  const int32_t *bases;
  const uint8_t *bits;
  const uint8_t *symbols;
  const uint8_t *mantissas;
  /// Bits before the mantissa of the next row, and of all.
  size_t bit, end;
};

/// What a mark says but its source.
struct expansion_subject {
  uint32_t type;
  uint8_t kind;
};

/// Stands for the home source of a run.
#define EXPANSION_HOME UINT32_MAX

/// What marks stand for.
struct expansion_marks {
  const struct expansion_subject *subjects;
  const uint32_t *sources;
  size_t count;
};

/// The columns of a batch, from its first row on.
struct expansion_rows {
  uint32_t *types;
  uint8_t *kinds;
  /// Null where nobody asks for them.
  uint32_t *sources;
};

/// Whether this processor can carry out the functions below.
bool expansion_is_supported(void);

/// Adds the integers of `count` rows, from `row` on and times `unit`, to `time`, one by one, and writes each
/// sum; all modulo 2^64.
///
/// The rows follow those before. False if mantissas run out.
bool expansion_write_times(struct expansion_column *column, size_t row, size_t count, int64_t unit,
                           int64_t time, int64_t *times);

/// Looks up the integers of `count` rows, from `row` on, and writes what these marks stand for.
///
/// `home` is the home source. The rows follow those before. False if mantissas run out, or if an integer is
/// no place of `marks`.
bool expansion_write_marks(struct expansion_column *column, size_t row, size_t count,
                           struct expansion_marks marks, uint32_t home, struct expansion_rows rows);

/// Looks up `count` words: adds their steps to `time`, one by one, and writes each sum, modulo 2^64, and each
/// word's type.
///
/// Words are below `word_count`, which is at most EXPANSION_MOST_WORDS. So many `steps` and
/// `types_of_words` there are in any case.
void expansion_write_words(const uint8_t *words, size_t count, size_t word_count, const int64_t *steps,
                           const uint32_t *types_of_words, int64_t time, int64_t *times,
                           uint32_t *types);

#endif
