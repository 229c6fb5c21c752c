// Eight rows at a time, with what AVX-512 and its byte permutations have.
//
// Where the mantissa of a row begins depends on the bits of all rows before. The bits of eight rows, a
// byte each, times 0x0101…01 are their sums from the first on; none carries into the next, as eight
// times EXPANSION_MOST_BITS and the seven bits of a byte that went before are below 256. From there on
// each row has 64 bits of a register for itself: a permutation of bytes brings the eight that its mantissa
// begins in, a shift drops the bits before it, a mask those behind it.
#include "expansion.h"

#ifdef __x86_64__

#include <string.h>

#include "eights.h"

bool expansion_is_supported(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}

static const uint64_t each_byte = 0x0101010101010101;

/// What rows are looked up in.
struct tables {
  __m512i low_bases, high_bases;
  __m128i bits;
};

INLINE_BY_EIGHTS struct tables load_tables(const struct expansion_column *column) {
  return (struct tables){
      .low_bases = _mm512_loadu_si512(column->bases),
      .high_bases = _mm512_loadu_si512(column->bases + 8),
      .bits = _mm_loadu_si128((const __m128i *)column->bits),
  };
}

/// The integers of eight rows, or of the first few: what comes for the others is any.
INLINE_BY_EIGHTS __m512i integers(const struct tables tables,
                                  const struct expansion_column *column, size_t *bit, size_t row,
                                  size_t count) {
  uint64_t symbols;
  memcpy(&symbols, column->symbols + row / 2, sizeof symbols);
  symbols = _pdep_u64(symbols >> (row % 2 * 4), 0x0F * each_byte);
  const __m128i halves = _mm_cvtsi64_si128((long long)symbols);
  const __m128i bits = _mm_shuffle_epi8(tables.bits, halves);
  uint64_t sums = (uint64_t)_mm_cvtsi128_si64(bits);
  if (count < 8) sums = _bzhi_u64(sums, (unsigned)(8 * count));
  sums *= each_byte;

  const __m128i starts = _mm_cvtsi64_si128((long long)((sums << 8) + *bit % 8 * each_byte));
  const __m256i bytes = _mm256_loadu_si256((const __m256i *)(column->mantissas + *bit / 8));
  *bit += sums >> 56;

  const __m512i eightfold = _mm512_set_epi64(
      7 * each_byte, 6 * each_byte, 5 * each_byte, 4 * each_byte, 3 * each_byte, 2 * each_byte,
      each_byte, 0);
  const __m128i first_bytes = _mm_and_si128(_mm_srli_epi16(starts, 3), _mm_set1_epi8(0x1F));
  const __m512i places =
      _mm512_add_epi8(_mm512_permutexvar_epi8(eightfold, _mm512_castsi128_si512(first_bytes)),
                      _mm512_set1_epi64(0x0706050403020100));
  const __m512i words = _mm512_permutexvar_epi8(places, _mm512_zextsi256_si512(bytes));
  const __m512i shifts = _mm512_cvtepu8_epi64(_mm_and_si128(starts, _mm_set1_epi8(7)));
  const __m512i beyond = _mm512_sllv_epi64(_mm512_set1_epi64(-1), _mm512_cvtepu8_epi64(bits));
  const __m512i mantissas = _mm512_andnot_si512(beyond, _mm512_srlv_epi64(words, shifts));
  const __m512i bases = _mm512_permutex2var_epi64(tables.low_bases, _mm512_cvtepu8_epi64(halves),
                                                  tables.high_bases);
  return _mm512_add_epi64(bases, mantissas);
}

BY_EIGHTS bool expansion_write_times(struct expansion_column *column, size_t row, size_t count,
                                     int64_t unit, int64_t time, int64_t *times) {
  const struct tables tables = load_tables(column);
  const __m512i units = _mm512_set1_epi64(unit);
  __m512i before = _mm512_set1_epi64(time);
  size_t next = column->bit;
  for (; count >= 8; count -= 8, row += 8, times += 8) {
    if (next > column->end) return false;
    const __m512i steps = _mm512_mullo_epi64(integers(tables, column, &next, row, 8), units);
    const __m512i sums = _mm512_add_epi64(before, add_up(steps));
    _mm512_storeu_si512(times, sums);
    before = last(sums);
  }
  if (count > 0) {
    if (next > column->end) return false;
    const __m512i steps = _mm512_mullo_epi64(integers(tables, column, &next, row, count), units);
    _mm512_mask_storeu_epi64(times, first(count), _mm512_add_epi64(before, add_up(steps)));
  }
  column->bit = next;
  return next <= column->end;
}

/// Rows whose places are found before any is looked up, so that looking up never waits for finding.
#define PLACES 256

/// Writes the places of rows; false if mantissas run out, or if one is not below `end`.
INLINE_BY_EIGHTS bool find_places(const struct tables tables,
                                  const struct expansion_column *column, size_t *bit, size_t row,
                                  size_t count, size_t end, uint32_t places[PLACES]) {
  __m512i highest = _mm512_setzero_si512();
  for (; count >= 8; count -= 8, row += 8, places += 8) {
    if (*bit > column->end) return false;
    const __m512i found = integers(tables, column, bit, row, 8);
    highest = _mm512_max_epu64(highest, found);
    _mm256_storeu_si256((__m256i *)places, _mm512_cvtepi64_epi32(found));
  }
  if (count > 0) {
    if (*bit > column->end) return false;
    const __m512i found = integers(tables, column, bit, row, count);
    highest = _mm512_mask_max_epu64(highest, first(count), highest, found);
    _mm256_mask_storeu_epi32(places, first(count), _mm512_cvtepi64_epi32(found));
  }
  return _mm512_reduce_max_epu64(highest) < end;
}

/// Two subjects.
INLINE_BY_EIGHTS __m128 look_up(const struct expansion_subject *subjects, const uint32_t *places) {
  _Static_assert(sizeof *subjects == 8, "a subject is 64 bits");
  _Static_assert(offsetof(struct expansion_subject, kind) == 4, "the lower half is its type");
  const __m128d one = _mm_load_sd((const double *)(subjects + places[0]));
  return _mm_castpd_ps(_mm_loadh_pd(one, (const double *)(subjects + places[1])));
}

INLINE_BY_EIGHTS void write_subjects(const uint32_t *places, size_t count,
                                     const struct expansion_subject *subjects, uint32_t *types,
                                     uint8_t *kinds) {
  size_t place = 0;
  for (; place + 4 <= count; place += 4) {
    const __m128 low = look_up(subjects, places + place);
    const __m128 high = look_up(subjects, places + place + 2);
    _mm_storeu_ps((float *)(types + place), _mm_shuffle_ps(low, high, 0x88));
    const __m128i four = _mm_castps_si128(_mm_shuffle_ps(low, high, 0xDD));
    const int packed = _mm_cvtsi128_si32(_mm_shuffle_epi8(four, _mm_set1_epi32(0x0C080400)));
    memcpy(kinds + place, &packed, sizeof packed);
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
                                     const struct expansion_marks *marks, uint32_t home,
                                     const struct expansion_rows *rows) {
  const struct tables tables = load_tables(column);
  const size_t end = row + count;
  size_t next = column->bit;
  while (row < end) {
    uint32_t places[PLACES];
    const size_t found = end - row < PLACES ? end - row : PLACES;
    if (!find_places(tables, column, &next, row, found, marks->count, places)) return false;
    write_subjects(places, found, marks->subjects, rows->types + row, rows->kinds + row);
    if (rows->sources)
      write_sources(places, found, marks->sources, home, rows->sources + row);
    row += found;
  }
  column->bit = next;
  return next <= column->end;
}

#else

bool expansion_is_supported(void) { return false; }

bool expansion_write_times(struct expansion_column *column, size_t row, size_t count, int64_t unit,
                           int64_t time, int64_t *times) {
  __builtin_trap();
}

bool expansion_write_marks(struct expansion_column *column, size_t row, size_t count,
                           const struct expansion_marks *marks, uint32_t home,
                           const struct expansion_rows *rows) {
  __builtin_trap();
}

#endif
