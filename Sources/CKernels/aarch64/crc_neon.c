// CRC-32 by the instructions of ARMv8.1, which most processors of ARMv8.0 have too: one takes eight bytes.
//
//     register = before
//     for each eight bytes but the last sixteen: register = crc32x(register, bytes)
//     residue = last sixteen bytes; the first four ^= register
//
// A register before bytes is the same as that register added to the first four of them, after a register of 0.
#include <string.h>

#include "../paths.h"

#ifdef KERNELS_AARCH64

#include <arm_acle.h>

#include "neon.h"

#define RESIDUE 16

#if defined(__ARM_FEATURE_CRC32) || defined(KERNELS_STAND_IN)
static bool has_crc(void) { return true; }
#elif defined(__linux__)
#include <sys/auxv.h>
static bool has_crc(void) { return getauxval(AT_HWCAP) & HWCAP_CRC32; }
#else
static bool has_crc(void) { return false; }
#endif

__attribute__((target("crc"))) static size_t fold_crc_arm(uint32_t before, const uint8_t *bytes,
                                                          size_t length, struct kernels_residue *residue) {
  const size_t folded = length / RESIDUE * RESIDUE;
  const uint8_t *last = bytes + folded - RESIDUE;
  uint32_t crc = before;
  for (const uint8_t *next = bytes; next < last; next += RESIDUE) {
    uint64_t one, other;
    memcpy(&one, next, sizeof one);
    memcpy(&other, next + sizeof one, sizeof other);
    crc = __crc32d(__crc32d(crc, one), other);
  }
  residue->length = RESIDUE;
  memcpy(residue->bytes, last, RESIDUE);
  uint32_t first;
  memcpy(&first, residue->bytes, sizeof first);
  first ^= crc;
  memcpy(residue->bytes, &first, sizeof first);
  return folded;
}

size_t kernels_fold_crc_neon(uint32_t before, const uint8_t *bytes, size_t length, struct kernels_residue *residue) {
  return has_crc() ? fold_crc_arm(before, bytes, length, residue)
                   : kernels_fold_crc_portable(before, bytes, length, residue);
}

#endif
