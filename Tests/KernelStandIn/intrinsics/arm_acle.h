// The instruction for CRC-32 of arm64 that the kernels use, in plain C, after the Arm C Language Extensions.
#ifndef STAND_IN_ARM_ACLE_H
#define STAND_IN_ARM_ACLE_H

#include <stdint.h>

static inline __attribute__((unused)) uint32_t __crc32d(uint32_t crc, uint64_t bytes) {
  for (int place = 0; place < 8; place++) {
    crc ^= (uint8_t)(bytes >> 8 * place);
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return crc;
}

#endif
