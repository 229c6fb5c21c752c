// Runs the inputs of `kernels.c` where there is no libFuzzer: COUNT random ones, the same each time, and files.
//
//     kernels COUNT [FILE…]
//
// Random inputs take turns at kernels and paths. Prints what it ran; a finding aborts.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static uint64_t state;

/// SplitMix64.
static uint64_t next(void) {
  uint64_t mixed = state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
  return mixed ^ mixed >> 31;
}

#define MOST_BYTES 8192
static uint8_t bytes[MOST_BYTES];

int main(int count, char **arguments) {
  const unsigned long inputs = count > 1 ? strtoul(arguments[1], NULL, 10) : 0;
  for (unsigned long input = 0; input < inputs; input++) {
    // Bits in common: random, few or nearly all set, so that extreme values come too.
    const uint64_t kind = next() % 4;
    size_t length = next() % (MOST_BYTES + 1);
    for (size_t place = 0; place < length; place++) {
      const uint64_t bits = next();
      const uint64_t few = bits & bits >> 8 & bits >> 16, most = bits | bits >> 8 | bits >> 16;
      bytes[place] = (uint8_t)(kind == 1 ? few : kind == 2 ? most : bits);
    }
    bytes[0] = (uint8_t)input, bytes[1] = (uint8_t)(input / 8);
    LLVMFuzzerTestOneInput(bytes, length < 2 ? 2 : length);
  }
  for (int place = 2; place < count; place++) {
    FILE *file = fopen(arguments[place], "rb");
    if (!file) {
      perror(arguments[place]);
      return 1;
    }
    LLVMFuzzerTestOneInput(bytes, fread(bytes, 1, MOST_BYTES, file));
    fclose(file);
  }
  printf("%lu random inputs and %d files; paths of this processor:", inputs, count > 2 ? count - 2 : 0);
  for (unsigned path = 0; kernels_is_available(path); path++) printf(" %s", kernels_path_name(path));
  puts("");
  return 0;
}
