// Sixteen rows at a time, with what AVX-512 and its byte permutations have.
//
// Where the mantissa of a row begins depends on the bits of all rows before. The bits of eight rows, a
// byte each, times 0x0101…01 are their sums from the first on; none carries into the next, as eight
// times EXPANSION_MOST_BITS are below 256. The second eight begin where the first end. From there on
// each row has 32 bits of a register for itself: two permutations bring the words that its mantissa
// begins and ends in, a shift of both drops the bits before it, a mask those behind it.
#include "expansion.h"

#ifdef __x86_64__

#include "eights.h"

bool expansion_is_supported(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
         __builtin_cpu_supports("avx512vnni");
}

static const uint64_t each_byte = 0x0101010101010101;

/// Goes through a column.
struct cursor {
  /// By symbol; a mask has as many bits as the mantissa.
  __m512i bases, masks;
  __m128i bits;
  /// Where, in the bytes of each eight, their symbols begin.
  __m128i symbol_bits;
  const uint8_t *symbols, *mantissas;
  size_t bit, end;
};

INLINE_BY_EIGHTS struct cursor cursor_at(const struct expansion_column *column, size_t row) {
  const __m128i bits = _mm_loadu_si128((const __m128i *)column->bits);
  const __m512i beyond = _mm512_sllv_epi32(_mm512_set1_epi32(-1), _mm512_cvtepu8_epi32(bits));
  return (struct cursor){
      .bases = _mm512_loadu_si512(column->bases),
      .masks = _mm512_andnot_si512(beyond, _mm512_set1_epi32(-1)),
      .bits = bits,
      .symbol_bits = _mm_set1_epi64x((long long)(0x1C1814100C080400 + row % 2 * 4 * each_byte)),
      .symbols = column->symbols + row / 2,
      .mantissas = column->mantissas,
      .bit = column->bit,
      .end = column->end,
  };
}

/// Whether mantissas have run out.
static inline bool is_beyond(const struct cursor *cursor) { return cursor->bit > cursor->end; }

/// For each of 16 rows, which two of the sums of bits, eight and eight, are before its mantissa; 16 is none.
static const uint32_t sums_before[16] = {
    0x10101010, 0x10101000, 0x10101001, 0x10101002, 0x10101003, 0x10101004, 0x10101005, 0x10101006,
    0x10100710, 0x10100708, 0x10100709, 0x1010070A, 0x1010070B, 0x1010070C, 0x1010070D, 0x1010070E,
};

/// The integers of the next 16 rows, or of the first few: what comes for the others is any.
INLINE_BY_EIGHTS __m512i next_integers(struct cursor *cursor, size_t count) {
  _Static_assert(EXPANSION_PADDING >= sizeof(uint32_t) + sizeof(__m512i), "mantissas are loaded");
  _Static_assert(8 * EXPANSION_MOST_BITS < 256, "a byte has the sum of eight");
  _Static_assert(15 * EXPANSION_MOST_BITS + 7 < 512, "all mantissas begin in what is loaded");
  // The second eight begin four bytes behind the first.
  const __m128i symbols = _mm_loadu_si128((const __m128i *)cursor->symbols);
  const __m128i eights = _mm_shuffle_epi32(symbols, _MM_SHUFFLE(2, 1, 1, 0));
  // What lies above these halves no permutation looks at.
  const __m128i halves = _mm_multishift_epi64_epi8(cursor->symbol_bits, eights);
  __m128i bits = _mm_permutexvar_epi8(halves, cursor->bits);
  if (count < 16) bits = _mm_maskz_mov_epi8(first(count), bits);
  const __m128i sums = _mm_mullo_epi64(bits, _mm_set1_epi64x((long long)each_byte));
  const __m512i before = _mm512_permutexvar_epi8(_mm512_loadu_si512(sums_before),
                                                 _mm512_zextsi128_si512(sums));
  const __m512i starts = _mm512_dpbusd_epi32(_mm512_set1_epi32((int)(cursor->bit % 8)), before,
                                             _mm512_set1_epi8(1));

  const uint8_t *mantissas = cursor->mantissas + cursor->bit / 8;
  const __m512i words = _mm512_srli_epi32(starts, 5);
  const __m512i low = _mm512_permutexvar_epi32(words, _mm512_loadu_si512(mantissas));
  const __m512i high = _mm512_permutexvar_epi32(words, _mm512_loadu_si512(mantissas + 4));
  cursor->symbols += 8;
  cursor->bit += (size_t)_mm_extract_epi8(sums, 7) + (size_t)_mm_extract_epi8(sums, 15);

  const __m512i entries = _mm512_cvtepu8_epi32(halves);
  const __m512i masks = _mm512_permutexvar_epi32(entries, cursor->masks);
  return _mm512_add_epi32(_mm512_permutexvar_epi32(entries, cursor->bases),
                          _mm512_and_si512(_mm512_shrdv_epi32(low, high, starts), masks));
}

/// Adds 16 steps, in units, to `before`.
INLINE_BY_EIGHTS struct sixteen add_steps(__m512i steps, __m512i units, __m512i *before) {
  const __m512i even = _mm512_mul_epi32(steps, _mm512_set1_epi64(1));
  const __m512i odd = _mm512_srai_epi64(steps, 32);
  return add_up(_mm512_mullo_epi64(even, units), _mm512_mullo_epi64(odd, units), before);
}

BY_EIGHTS bool expansion_write_times(struct expansion_column *column, size_t row, size_t count,
                                     int64_t unit, int64_t time, int64_t *times) {
  struct cursor cursor = cursor_at(column, row);
  const __m512i units = _mm512_set1_epi64(unit);
  __m512i before = _mm512_set1_epi64(time);
  for (; count >= 16; count -= 16, times += 16) {
    if (is_beyond(&cursor)) return false;
    store(times, add_steps(next_integers(&cursor, 16), units, &before));
  }
  if (count > 0) {
    if (is_beyond(&cursor)) return false;
    store_first(count, times, add_steps(next_integers(&cursor, count), units, &before));
  }
  column->bit = cursor.bit;
  return !is_beyond(&cursor);
}

/// Rows, in sixteens, whose places are found before any is looked up, so that looking up never waits for
/// finding.
#define PLACES 256

/// Writes the places of rows; false if mantissas run out, or if one is not below `end`.
INLINE_BY_EIGHTS bool find_places(struct cursor *cursor, size_t count, size_t end,
                                  uint32_t places[PLACES]) {
  __m512i highest = _mm512_setzero_si512();
  for (; count >= 16; count -= 16, places += 16) {
    if (is_beyond(cursor)) return false;
    const __m512i found = next_integers(cursor, 16);
    highest = _mm512_max_epu32(highest, found);
    _mm512_storeu_si512(places, found);
  }
  if (count > 0) {
    if (is_beyond(cursor)) return false;
    const __m512i found = next_integers(cursor, count);
    highest = _mm512_mask_max_epu32(highest, first(count), highest, found);
    _mm512_mask_storeu_epi32(places, first(count), found);
  }
  return _mm512_reduce_max_epu32(highest) < end;
}

/// Two subjects.
INLINE_BY_EIGHTS __m128i look_up_two(const struct expansion_subject *subjects,
                                     const uint32_t *places) {
  _Static_assert(sizeof *subjects == 8, "a subject is 64 bits");
  _Static_assert(offsetof(struct expansion_subject, kind) == 4, "the lower half is its type");
  const __m128d one = _mm_load_sd((const double *)(subjects + places[0]));
  return _mm_castpd_si128(_mm_loadh_pd(one, (const double *)(subjects + places[1])));
}

/// Eight subjects.
INLINE_BY_EIGHTS __m512i look_up_eight(const struct expansion_subject *subjects,
                                       const uint32_t *places) {
  __m512i eight = _mm512_castsi128_si512(look_up_two(subjects, places));
  eight = _mm512_inserti64x2(eight, look_up_two(subjects, places + 2), 1);
  eight = _mm512_inserti64x2(eight, look_up_two(subjects, places + 4), 2);
  return _mm512_inserti64x2(eight, look_up_two(subjects, places + 6), 3);
}

INLINE_BY_EIGHTS void write_subjects(const uint32_t *places, size_t count,
                                     const struct expansion_subject *subjects, uint32_t *types,
                                     uint8_t *kinds) {
  const __m512i lower =
      _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i upper = _mm512_add_epi32(lower, _mm512_set1_epi32(1));
  size_t place = 0;
  for (; place + 16 <= count; place += 16) {
    const __m512i one = look_up_eight(subjects, places + place);
    const __m512i other = look_up_eight(subjects, places + place + 8);
    const __m512i wide_kinds = _mm512_permutex2var_epi32(one, upper, other);
    _mm512_storeu_si512(types + place, _mm512_permutex2var_epi32(one, lower, other));
    _mm_storeu_si128((__m128i *)(kinds + place), _mm512_cvtepi32_epi8(wide_kinds));
  }
  for (; place < count; place++) {
    types[place] = subjects[places[place]].type;
    kinds[place] = subjects[places[place]].kind;
  }
}

static inline void write_sources(const uint32_t *places, size_t count,
                                 const uint32_t *sources_of_marks, uint32_t home,
                                 uint32_t *sources) {
  for (size_t place = 0; place < count; place++) {
    const uint32_t source = sources_of_marks[places[place]];
    sources[place] = source == EXPANSION_HOME ? home : source;
  }
}

BY_EIGHTS bool expansion_write_marks(struct expansion_column *column, size_t row, size_t count,
                                     struct expansion_marks marks, uint32_t home,
                                     struct expansion_rows rows) {
  struct cursor cursor = cursor_at(column, row);
  const size_t end = row + count;
  while (row < end) {
    uint32_t places[PLACES];
    const size_t found = end - row < PLACES ? end - row : PLACES;
    if (!find_places(&cursor, found, marks.count, places)) return false;
    write_subjects(places, found, marks.subjects, rows.types + row, rows.kinds + row);
    if (rows.sources) write_sources(places, found, marks.sources, home, rows.sources + row);
    row += found;
  }
  column->bit = cursor.bit;
  return !is_beyond(&cursor);
}

#else

bool expansion_is_supported(void) { return false; }

bool expansion_write_times(struct expansion_column *column, size_t row, size_t count, int64_t unit,
                           int64_t time, int64_t *times) {
  __builtin_trap();
}

bool expansion_write_marks(struct expansion_column *column, size_t row, size_t count,
                           struct expansion_marks marks, uint32_t home, struct expansion_rows rows) {
  __builtin_trap();
}

#endif
