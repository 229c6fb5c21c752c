// Fuzzes the vector kernels: every path of x86-64 and arm64 in plain C (Tests/KernelStandIn) and every path that this
// processor has, against loops that take a bit or a row at a time. Buffers are on the heap and have no byte more than
// `kernels.h` asks for, so AddressSanitizer sees each access beyond them.
//
//     kernel (1)  path (1)  arguments  bytes of columns; zeros behind the end
#include <stdlib.h>
#include <string.h>

#include "kernel_stand_in.h"

static const uint8_t *input;
static size_t left;

static uint8_t byte(void) {
  if (!left) return 0;
  left--;
  return *input++;
}

static uint64_t number(unsigned bytes) {
  uint64_t number = 0;
  for (unsigned place = 0; place < bytes; place++) number |= (uint64_t)byte() << 8 * place;
  return number;
}

// A buffer of input, of exactly this length.
static void *buffer(size_t length) {
  uint8_t *bytes = malloc(length ? length : 1);
  if (!bytes) abort();
  for (size_t place = 0; place < length; place++) bytes[place] = byte();
  return bytes;
}

// A buffer to be written.
static void *room(size_t length) {
  void *bytes = malloc(length ? length : 1);
  if (!bytes) abort();
  return memset(bytes, 42, length ? length : 1);
}

static void expect(bool holds) {
  if (!holds) abort();
}

// A path by its number: first those in plain C, then those of this processor.
#define CALL(function, path, ...) \
  ((path) < stand_in_path_count() ? stand_in_##function((path), ##__VA_ARGS__) \
                                  : kernels_##function((path)-stand_in_path_count(), ##__VA_ARGS__))

static uint32_t crc(uint32_t state, const uint8_t *bytes, size_t length) {
  for (size_t place = 0; place < length; place++) {
    state ^= bytes[place];
    for (int bit = 0; bit < 8; bit++) state = state >> 1 ^ (state & 1 ? 0xEDB88320 : 0);
  }
  return state;
}

static unsigned long plain_crc(unsigned long previous, const unsigned char *bytes, unsigned length) {
  expect(length < KERNELS_CRC_PLAIN);
  return ~crc(~(uint32_t)previous, bytes, length);
}

static void checksum(unsigned path) {
  uint32_t previous = (uint32_t)number(4);
  bool is_long = byte() % 8 == 0;
  size_t length = number(2) % (is_long ? 20000 : 1200);
  uint8_t *bytes = buffer(length);
  expect(CALL(crc, path, previous, bytes, length, plain_crc) == ~crc(~previous, bytes, length));
  free(bytes);
}

// A column whose integers are known.
struct checked_column {
  struct kernels_column column;
  int32_t *bases;
  uint8_t *bits, *symbols, *mantissas;
  int64_t *integers;
  // Whether mantissas neither run out nor have a byte too many.
  bool has_all;
};

// With `most`, integers are mostly below it.
static struct checked_column column(size_t rows, uint32_t most) {
  struct checked_column made = {.bases = room(16 * sizeof(int32_t)), .bits = room(16)};
  // Kernels may add up eight or sixteen integers in 32 bits if these are small.
  int32_t divisor = most ? 1 : 1 << byte() % 7;
  // Some columns have a single integer, at the bound of that. Half of the columns of keys have no large integers.
  bool are_at_bound = !most && byte() % 8 == 0, are_short = most && byte() & 1;
  int32_t bound = INT32_MAX / (are_at_bound && byte() & 1 ? 8 : 16) + (are_at_bound && byte() & 1);
  int64_t lowest = INT32_MAX, highest_integer = INT32_MIN;
  for (int symbol = 0; symbol < 16; symbol++) {
    unsigned bits = byte() % (are_short ? 17 : most ? 3 : KERNELS_MANTISSA_BITS + 1);
    while (are_short && bits > 0 && 1u << bits > most) bits--;
    int32_t base = (int32_t)number(4), highest = INT32_MAX - (int32_t)((1u << bits) - 1);
    // Of most, some are just not below it.
    if (are_short || (most && bits < 2)) base = (int32_t)((uint32_t)base % (most + 2 - (1u << bits)));
    base /= divisor;
    if (are_at_bound) bits = 0, base = bound;
    made.bits[symbol] = (uint8_t)bits;
    made.bases[symbol] = base < highest ? base : highest;
    int64_t last = made.bases[symbol] + (int64_t)((1u << bits) - 1);
    lowest = made.bases[symbol] < lowest ? made.bases[symbol] : lowest;
    highest_integer = last > highest_integer ? last : highest_integer;
  }
  made.symbols = buffer((rows + 1) / 2 + KERNELS_PADDING);
  made.integers = room(rows * sizeof(int64_t));
  size_t *ends = room((rows + 1) * sizeof(size_t)), bit = 0;
  unsigned used = 0;
  ends[0] = 0;
  for (size_t row = 0; row < rows; row++) {
    int symbol = made.symbols[row / 2] >> row % 2 * 4 & 15;
    used |= 1u << symbol;
    bit += made.bits[symbol];
    ends[row + 1] = bit;
  }
  // What comes of symbols that no row has is never used.
  for (int symbol = 0; symbol < 16; symbol++)
    if (!(used >> symbol & 1)) made.bits[symbol] = byte() % 64;
  size_t bytes = (bit + 7) / 8, missing = byte();
  if (missing < 8 && missing <= bytes) bytes -= missing;
  if (missing == 8) bytes = 0;
  if (missing == 9) bytes++;
  made.has_all = bytes == (bit + 7) / 8;
  made.mantissas = buffer(bytes + KERNELS_PADDING);
  for (size_t row = 0; row < rows; row++) {
    int symbol = made.symbols[row / 2] >> row % 2 * 4 & 15;
    int64_t mantissa = 0;
    for (size_t place = ends[row]; place < ends[row + 1] && place < bytes * 8; place++)
      mantissa |= (int64_t)(made.mantissas[place / 8] >> place % 8 & 1) << (place - ends[row]);
    made.integers[row] = made.bases[symbol] + mantissa;
  }
  free(ends);
  made.column = (struct kernels_column){.bases = made.bases, .bits = made.bits, .symbols = made.symbols,
                                        .mantissas = made.mantissas, .end = bytes * 8,
                                        .lowest = (int32_t)lowest, .highest = (int32_t)highest_integer};
  return made;
}

static void free_column(struct checked_column *made) {
  free(made->bases), free(made->bits), free(made->symbols), free(made->mantissas);
  free(made->integers);
}

static void expand_times(unsigned path) {
  size_t rows = number(2) % 600;
  uint64_t unit = number(8), time = number(8);
  // Units within 32 bits, signed, are multiplied otherwise.
  static const int64_t border[] = {INT32_MAX, INT32_MAX + 1LL, INT32_MIN, INT32_MIN - 1LL, UINT32_MAX};
  unsigned choice = byte();
  if (choice & 1) unit = (uint64_t)(int64_t)(int32_t)(uint32_t)unit;
  else if (choice & 2) unit = (uint64_t)border[choice / 4 % 5];
  struct checked_column made = column(rows, 0);
  int64_t *times = room(rows * sizeof(int64_t));
  bool is_whole = CALL(expand_times, path, &made.column, rows, (int64_t)unit, (int64_t)time, times);
  expect(is_whole == (made.has_all && CALL(expands_columns, path)));
  for (size_t row = 0; is_whole && row < rows; row++) {
    time += (uint64_t)made.integers[row] * unit;
    expect(times[row] == (int64_t)time);
  }
  free(times), free_column(&made);
}

static void expand_keys(unsigned path) {
  size_t rows = number(2) % 600, key_count = 1 + number(2);
  // Mostly few, or so many that mantissas have more than a byte.
  unsigned choice = byte();
  if (choice % 16) key_count %= choice & 16 ? 300 : 5000, key_count++;
  bool wants_sources = byte() & 1;
  struct checked_column made = column(rows, (uint32_t)key_count);
  if (choice == 255) key_count = 0;
  struct kernels_subject *subjects = room(key_count * sizeof *subjects);
  for (size_t key = 0; key < key_count; key++)
    subjects[key] = (struct kernels_subject){.type = (uint32_t)number(4), .kind = byte()};
  uint32_t *sources = buffer(key_count * sizeof *sources);
  struct kernels_rows out = {.types = room(rows * 4), .kinds = room(rows),
                             .sources = wants_sources ? room(rows * 4) : NULL};
  struct kernels_event_keys keys = {.subjects = subjects, .sources = sources, .count = key_count};
  bool is_whole = CALL(expand_keys, path, &made.column, rows, keys, out), fits = made.has_all;
  for (size_t row = 0; row < rows; row++)
    fits = fits && 0 <= made.integers[row] && made.integers[row] < (int64_t)key_count;
  expect(is_whole == (fits && CALL(expands_columns, path)));
  for (size_t row = 0; is_whole && row < rows; row++) {
    size_t key = (size_t)made.integers[row];
    expect(out.types[row] == subjects[key].type && out.kinds[row] == subjects[key].kind);
    if (wants_sources) expect(out.sources[row] == sources[key]);
  }
  free(out.types), free(out.kinds), free(out.sources), free(subjects), free(sources), free_column(&made);
}

static void expand_words(unsigned path) {
  size_t count = number(2) % 600, word_count = 1 + byte();
  // What paths look up in registers has short steps and types, no negative step, and a unit of which some bits are 0.
  const unsigned step_bits = byte() % 64, type_bits = byte() % 32, negative_word = number(2);
  const int64_t unit = (int64_t)(number(8) >> byte() % 64 << byte() % 12 >> 1);
  uint64_t time = number(8);
  int64_t *steps = room(KERNELS_WORDS * sizeof *steps), *times = room(count * sizeof *times);
  uint32_t *types_of_words = room(KERNELS_WORDS * sizeof *types_of_words), *types = room(count * sizeof *types);
  uint16_t *multiples = room(KERNELS_WORDS * sizeof *multiples), highest = 0;
  for (size_t word = 0; word < word_count; word++) {
    uint64_t step = number((step_bits + 7) / 8) & ~(~(uint64_t)0 << step_bits);
    if (word == negative_word) step = -step | (uint64_t)1 << 63;
    steps[word] = (int64_t)(step * (uint64_t)unit);
    types_of_words[word] = (uint32_t)number((type_bits + 7) / 8) & ~(~(uint32_t)0 << type_bits);
    multiples[word] = (uint16_t)(step < UINT16_MAX ? step : UINT16_MAX);
    if (multiples[word] > highest) highest = multiples[word];
  }
  uint8_t *words = buffer(count);
  for (size_t row = 0; row < count; row++) words[row] %= word_count;
  const struct kernels_words meanings = {
      .count = word_count,
      .steps = steps,
      .types = types_of_words,
      .multiples = multiples,
      .highest_multiple = highest,
      .unit = unit,
  };
  CALL(expand_words, path, words, count, &meanings, (int64_t)time, times, types);
  for (size_t row = 0; row < count; row++) {
    time += (uint64_t)steps[words[row]];
    expect(times[row] == (int64_t)time && types[row] == types_of_words[words[row]]);
  }
  free(words), free(steps), free(multiples), free(times), free(types_of_words), free(types);
}

static void sum_wake_hashes(unsigned path) {
  size_t count = byte() % (KERNELS_WAKES + 1);
  void *wakes =
      buffer((count <= KERNELS_FEW_WAKES ? KERNELS_FEW_WAKES : KERNELS_WAKES) * KERNELS_WAKE_FIELDS * 8);
  expect(CALL(sum_wake_hashes, path, wakes, count) == stand_in_sum_wake_hashes(0, wakes, count));
  free(wakes);
}

static void sum_cohort_hashes(unsigned path) {
  size_t count = byte() % (KERNELS_COHORTS + 1);
  void *cohorts = buffer(count * sizeof(struct kernels_cohort_wakes));
  expect(CALL(sum_cohort_hashes, path, cohorts, count) == stand_in_sum_cohort_hashes(0, cohorts, count));
  free(cohorts);
}

static void bound_rows(unsigned path) {
  size_t count = 1 + number(2) % 600;
  int64_t *times = buffer(count * sizeof *times);
  uint8_t *kinds = buffer(count);
  uint32_t *types = buffer(count * sizeof *types);
  struct kernels_row_bounds plain = {.is_ordered = true};
  for (size_t row = 0; row < count; row++) {
    // The difference of any two fits.
    times[row] /= 2;
    if (row && times[row] < times[row - 1]) {
      if (byte() % 8) times[row] = times[row - 1];
      else plain.is_ordered = false;
    }
    plain.kinds |= kinds[row], plain.types |= types[row];
  }
  struct kernels_row_bounds found = CALL(bound_rows, path, times, kinds, types, count);
  expect(found.is_ordered == plain.is_ordered && found.kinds == plain.kinds && found.types == plain.types);
  free(times), free(kinds), free(types);
}

static void count_types(unsigned path) {
  size_t count = number(2) % 5000, type_count = byte() % (KERNELS_COUNTED_TYPES + 1);
  // Often one type, or few.
  uint32_t end = byte() % 2 ? 1 + byte() : 1 << 30;
  uint32_t *types = buffer(count * sizeof *types);
  struct kernels_type_count *counts = buffer(type_count * sizeof *counts), plain[KERNELS_COUNTED_TYPES];
  uint64_t marked = byte() % 2 ? number(4) : 0;
  for (size_t type = 0; type < type_count; type++) {
    if (!(marked >> type & 1)) counts[type].attention = 0;
    else if (!counts[type].attention) counts[type].attention = 1u << type;
    plain[type] = counts[type];
  }
  size_t all = count;
  for (size_t row = 0; row < count; row++) {
    types[row] %= end;
    if (all == count && types[row] < type_count && marked >> types[row] & 1) all = row;
  }
  size_t counted = CALL(count_types, path, types, count, type_count, counts);
  expect(CALL(counts_types, path) ? counted <= all && all - counted < 16 : !counted);
  for (size_t row = 0; row < counted; row++)
    if (types[row] < type_count) plain[types[row]].counted[0]++;
  expect(!memcmp(counts, plain, type_count * sizeof *counts));
  free(types), free(counts);
}

static void find_rows(unsigned path) {
  size_t count = byte() % (KERNELS_FOUND_ROWS + 1);
  uint32_t end = byte() % 2 ? 1 + byte() : UINT32_MAX;
  uint32_t *types = buffer(count * sizeof *types), *set = buffer(KERNELS_TYPE_SET_WORDS * sizeof *set);
  uint64_t plain = 0;
  for (size_t row = 0; row < count; row++) {
    types[row] %= end;
    plain |= (uint64_t)(set[types[row] % 256 / 32] >> types[row] % 32 & 1) << row;
  }
  expect(CALL(find_rows, path, types, count, set) == plain);
  free(types), free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
  static void (*const kernels[])(unsigned) = {checksum, expand_times, expand_keys, expand_words,
                                              sum_wake_hashes, sum_cohort_hashes, bound_rows, count_types,
                                              find_rows};
  input = bytes, left = length;
  unsigned kernel = byte() % (sizeof kernels / sizeof *kernels);
  unsigned available = 0;
  while (kernels_is_available(available)) available++;
  kernels[kernel](byte() % (stand_in_path_count() + available));
  return 0;
}
