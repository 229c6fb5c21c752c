/* What recording costs the thread that records, through the C interface.
 *
 *     recorder [SECONDS [LEVEL [RATE]]]
 *
 * Prints: nanoseconds an event with the time given and with the recorder's clock, beside the clock
 * alone, as the median and 99.9th percentile of batches of BATCH events (a reading of the clock costs
 * more than an event), and of events one by one where the processor has a counter to read; two
 * producers at once beside one; and whether events at a steady rate are all written: at RATE million a
 * second, or at 5, 10 and so on until some are lost. RATE 0 leaves that out.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <rouse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, BATCHES = 1 << 14, ROUNDS = 15, TYPES = 8, SINGLES = 1 << 20 };

static rouse_recorder_t recorder;
static rouse_type_t types[TYPES];
static rouse_source_t source;

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void expect(int32_t code, const char *what) {
  if (code == ROUSE_OK) return;
  fprintf(stderr, "%s: %s (%s)\n", what, rouse_text(code), rouse_last_error());
  exit(1);
}

static void start(int32_t mode, uint32_t slots, const char *trace, int32_t level) {
  rouse_options_t options = {
      .size = sizeof options, .trace = trace, .mode = mode, .slots_per_ring = slots, .level = level};
  expect(rouse_open(&options, &recorder), "open");
  for (int index = 0; index < TYPES; index++) {
    char name[32];
    snprintf(name, sizeof name, "type %d", index);
    expect(rouse_type(recorder, name, &types[index]), "name");
  }
  expect(rouse_source(recorder, "source", &source), "name");
}

static int compare(const void *first, const void *second) {
  double difference = *(const double *)first - *(const double *)second;
  return (difference > 0) - (difference < 0);
}

enum what { GIVEN, CLOCK, CLOCK_ALONE, NOTHING };

/* Nanoseconds an event of each batch, sorted. */
static void measure(enum what what, rouse_producer_t producer, double *cost) {
  volatile int64_t sink = 0;
  for (int batch = 0; batch < BATCHES; batch++) {
    int64_t began = now(CLOCK_MONOTONIC);
    switch (what) {
      case GIVEN:
        for (int event = 0; event < BATCH; event++)
          rouse_save(producer, began + event, types[event % TYPES], source);
        break;
      case CLOCK:
        for (int event = 0; event < BATCH; event++)
          rouse_save_now(producer, types[event % TYPES], source);
        break;
      case CLOCK_ALONE:
        for (int event = 0; event < BATCH; event++) sink += now(CLOCK_REALTIME);
        break;
      case NOTHING:
        break;
    }
    cost[batch] = (double)(now(CLOCK_MONOTONIC) - began) / BATCH;
  }
  (void)sink;
  qsort(cost, BATCHES, sizeof *cost, compare);
}

static void costs(void) {
  static const char *names[] = {"time given", "own clock", "the clock alone"};
  static double cost[BATCHES];
  double medians[3][ROUNDS], tails[3][ROUNDS];
  start(ROUSE_OVERWRITE, 1 << 16, NULL, 1);
  rouse_producer_t producer;
  expect(rouse_producer_open(recorder, &producer), "producer");
  for (int round = 0; round < ROUNDS; round++) {
    measure(NOTHING, producer, cost);
    double empty = cost[BATCHES / 2];
    for (int what = 0; what < 3; what++) {
      measure(what, producer, cost);
      medians[what][round] = cost[BATCHES / 2] - empty;
      tails[what][round] = cost[BATCHES - BATCHES / 1000] - empty;
    }
  }
  for (int what = 0; what < 3; what++) {
    qsort(medians[what], ROUNDS, sizeof(double), compare);
    qsort(tails[what], ROUNDS, sizeof(double), compare);
    printf("%-16s median %5.2f ns an event, p99.9 of batches of %d %6.2f ns\n", names[what],
           medians[what][ROUNDS / 2], BATCH, tails[what][ROUNDS / 2]);
  }
  rouse_producer_close(producer);
  rouse_close(recorder);
}

#ifdef __x86_64__
#include <x86intrin.h>

static int compare_counts(const void *first, const void *second) {
  uint64_t one = *(const uint64_t *)first, other = *(const uint64_t *)second;
  return (one > other) - (one < other);
}

/* Ticks that single events take, sorted; with `records` 0 those of nothing. */
static void count_ticks(rouse_producer_t producer, int records, uint64_t *ticks) {
  for (int event = 0; event < SINGLES; event++) {
    unsigned processor;
    uint64_t began = __rdtscp(&processor);
    if (records) rouse_save(producer, event, types[event % TYPES], source);
    ticks[event] = __rdtscp(&processor) - began;
  }
  qsort(ticks, SINGLES, sizeof *ticks, compare_counts);
}

static void singles(void) {
  static uint64_t ticks[SINGLES];
  start(ROUSE_OVERWRITE, 1 << 16, NULL, 1);
  rouse_producer_t producer;
  expect(rouse_producer_open(recorder, &producer), "producer");
  double tails[ROUNDS];
  int64_t began = now(CLOCK_MONOTONIC);
  uint64_t first = __rdtsc();
  while (now(CLOCK_MONOTONIC) - began < 100000000) {}
  double ns = 1e8 / (double)(__rdtsc() - first);
  for (int round = 0; round < ROUNDS; round++) {
    count_ticks(producer, 0, ticks);
    double empty = (double)ticks[SINGLES / 2];
    count_ticks(producer, 1, ticks);
    tails[round] = ((double)ticks[SINGLES - SINGLES / 1000] - empty) * ns;
  }
  qsort(tails, ROUNDS, sizeof(double), compare);
  printf("%-16s p99.9 of single events %6.2f ns more than two readings of the counter\n", "time given", tails[ROUNDS / 2]);
  rouse_producer_close(producer);
  rouse_close(recorder);
}
#else
static void singles(void) {}
#endif

static void *produce(void *result) {
  rouse_producer_t producer;
  expect(rouse_producer_open(recorder, &producer), "producer");
  const int64_t events = 10000000;
  int64_t began = now(CLOCK_MONOTONIC);
  for (int64_t event = 0; event < events; event++)
    rouse_save(producer, event, types[event % TYPES], source);
  *(double *)result = (double)(now(CLOCK_MONOTONIC) - began) / events;
  rouse_producer_close(producer);
  return NULL;
}

/* Work that shares nothing: what it costs at once beside alone, the machine adds. */
static void *spin(void *result) {
  volatile uint64_t words[16] = {0};
  const int64_t steps = 30000000;
  int64_t began = now(CLOCK_MONOTONIC);
  for (int64_t step = 0; step < steps; step++) words[step & 15] += (uint64_t)step;
  *(double *)result = (double)(now(CLOCK_MONOTONIC) - began) / steps;
  return NULL;
}

/* By how much two threads slow each other, in percent: the median of rounds of one alone, then two. */
static double slowdown(void *(*work)(void *)) {
  double slower[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    double alone, both[2];
    work(&alone);
    pthread_t thread;
    pthread_create(&thread, NULL, work, &both[1]);
    work(&both[0]);
    pthread_join(thread, NULL);
    slower[round] = 100 * ((both[0] > both[1] ? both[0] : both[1]) / alone - 1);
  }
  qsort(slower, ROUNDS, sizeof(double), compare);
  return slower[ROUNDS / 2];
}

static void producers(void) {
  start(ROUSE_OVERWRITE, 1 << 12, NULL, 1);
  double machine = slowdown(spin), recording = slowdown(produce);
  printf("two at once      slow each other by %.0f %%; work that shares nothing by %.0f %%\n", recording,
         machine);
  rouse_close(recorder);
}

/* Events at a rate, in bursts of a tenth of a millisecond; returns how many were lost. */
static uint64_t sustain(double rate, double seconds, int32_t level) {
  char trace[] = "/tmp/rouse-bench-XXXXXX";
  int file = mkstemp(trace);
  if (file < 0) {
    perror(trace);
    exit(1);
  }
  close(file);
  start(ROUSE_DROP, 1 << 21, trace, level);
  rouse_producer_t producer;
  expect(rouse_producer_open(recorder, &producer), "producer");
  uint64_t state = 1, recorded = 0;
  int64_t began = now(CLOCK_MONOTONIC), end = began + (int64_t)(seconds * 1e9), at = 0;
  for (int64_t time = began; time < end; time = now(CLOCK_MONOTONIC)) {
    uint64_t due = (uint64_t)((double)(time - began) / 1e9 * rate);
    for (; recorded < due; recorded++) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      at += 1000 * (1 + (state >> 60));
      rouse_save(producer, at, types[state >> 40 & (TYPES - 1)], source);
    }
  }
  rouse_producer_close(producer);
  double took = (double)(now(CLOCK_MONOTONIC) - began) / 1e9;
  rouse_statistics_t statistics;
  expect(rouse_flush(recorder), "flush");
  rouse_statistics(recorder, &statistics);
  expect(rouse_close(recorder), "close");
  printf("%5.1f million/s   for %.0f s at level %d: %.1f million recorded, %llu lost, %.2f bytes an event\n",
         recorded / took / 1e6, took, (int)level, recorded / 1e6,
         (unsigned long long)statistics.lost, (double)statistics.bytes / (double)statistics.written);
  unlink(trace);
  return statistics.lost;
}

int main(int count, char **arguments) {
  double seconds = count > 1 ? atof(arguments[1]) : 3;
  int32_t level = count > 2 ? atoi(arguments[2]) : 1;
  double rate = count > 3 ? atof(arguments[3]) * 1e6 : -1;
  costs();
  singles();
  producers();
  if (rate > 0) sustain(rate, seconds, level);
  for (double next = 5e6; rate < 0 && next <= 40e6; next += 5e6)
    if (sustain(next, seconds, level) > 0) break;
  return 0;
}
