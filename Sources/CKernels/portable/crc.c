// CRC-32 by moving bytes forward: S. Russell, "Chorba: A novel CRC32 implementation", 2024, with steps of our own.
//
//     for each byte but the last FAR: bytes[at + NEAR], bytes[at + MIDDLE], bytes[at + FAR] ^= bytes[at]; bytes[at] = 0
//
// The register is the remainder of the bytes, as a polynomial over bits, divided by P (`x86_64/crc_folding.h`). With N, M and
// F for the constants,
//
//     x^8F = x^8(F - N) + x^8(F - M) + 1 mod P
//
// and so a byte may be removed if it is added to those N, M and F behind it. The search for multiples of P with four terms
// whose exponents are whole bytes finds two with F below 4,900; that with F = 3,006 has N = 140, and loads that close behind
// their stores wait for them. Sixteen bytes are moved at a time, which four loads and a store limit: 15 GB a second, where
// zlib takes 3.7 by its tables (AMD Zen 3, 188 kB).
#include <string.h>

#include "../paths.h"

#define NEAR 1927
#define MIDDLE 2181
#define FAR 4018
/// Bytes moved before the last FAR of them are copied to the front again.
#define CHUNK 8192

_Static_assert(sizeof((struct kernels_residue){0}.bytes) == FAR, "the last bytes are left over");
_Static_assert(KERNELS_CRC_PLAIN == 2 * FAR, "fewer are not folded");

typedef uint64_t sixteen_bytes __attribute__((vector_size(16), may_alias, aligned(1)));

static inline sixteen_bytes load_sixteen(const uint8_t *bytes) { return *(const sixteen_bytes *)bytes; }

/// What bytes become by those before them: `moved` begins FAR before the byte that the first of `bytes` becomes.
static void move_bytes(const uint8_t *bytes, size_t count, uint8_t *moved) {
  const uint8_t *far = moved, *middle = moved + FAR - MIDDLE, *near = moved + FAR - NEAR;
  uint8_t *next = moved + FAR;
  size_t at = 0;
  for (; at + 64 <= count; at += 64) {
    sixteen_bytes four[4];
    for (size_t part = 0; part < 4; part++) {
      const size_t place = at + 16 * part;
      four[part] = load_sixteen(bytes + place) ^ load_sixteen(far + place) ^ load_sixteen(middle + place) ^
                   load_sixteen(near + place);
    }
    for (size_t part = 0; part < 4; part++) *(sixteen_bytes *)(next + at + 16 * part) = four[part];
  }
  for (; at < count; at++) next[at] = bytes[at] ^ far[at] ^ middle[at] ^ near[at];
}

/// Adds the last `step` of FAR bytes to those that stand `step` behind.
static void add_last(const uint8_t *moved, size_t step, uint8_t *residue) {
  for (size_t at = 0; at < step; at++) residue[at] ^= moved[FAR - step + at];
}

size_t kernels_fold_crc_portable(uint32_t before, const uint8_t *bytes, size_t length, struct kernels_residue *residue) {
  if (length < KERNELS_CRC_PLAIN) return 0;
  // The last FAR bytes before a chunk, then the chunk, which begins a line of the cache.
  _Alignas(64) uint8_t room[63 - (FAR + 63) % 64 + FAR + CHUNK];
  uint8_t *const moved = room + 63 - (FAR + 63) % 64;
  memset(moved, 0, FAR);
  // FAR before the first four bytes, to which it is thus added, and to no others.
  for (int byte = 0; byte < 4; byte++) moved[byte] = (uint8_t)(before >> 8 * byte);
  const size_t end = length - FAR;
  for (size_t done = 0; done < end;) {
    const size_t count = end - done < CHUNK ? end - done : CHUNK;
    move_bytes(bytes + done, count, moved);
    memmove(moved, moved + count, FAR);
    done += count;
  }
  residue->length = FAR;
  memcpy(residue->bytes, bytes + end, FAR);
  add_last(moved, NEAR, residue->bytes);
  add_last(moved, MIDDLE, residue->bytes);
  add_last(moved, FAR, residue->bytes);
  return length;
}
