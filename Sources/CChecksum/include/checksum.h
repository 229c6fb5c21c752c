// The part of CRC-32 that Swift cannot say: instructions that only some processors have.
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Bytes that a fold takes at least.
#define CHECKSUM_LEAST 64
/// Bytes that a fold leaves, and of whose multiples it takes any number.
#define CHECKSUM_RESIDUE 16

/// Bytes that this processor folds at a time at most: 64, 16, or 0 if it cannot fold.
size_t checksum_widest_fold(void);

/// Folds bytes to few that have the same CRC-32 register, as gzip defines it, once the register was 0.
///
/// `length` is a multiple of CHECKSUM_RESIDUE, and CHECKSUM_LEAST at least. `register_before` is the
/// register (not inverted) before the bytes. `width` is 16 or 64, and at most `checksum_widest_fold()`.
void checksum_fold(uint32_t register_before, const uint8_t *bytes, size_t length, size_t width,
                   uint8_t residue[CHECKSUM_RESIDUE]);

#endif
