/* What an event costs the thread that records it: Rouse through its C interface, and LTTng-UST with a
 * tracepoint of the same fields, in turns. `run` calls it with a session of LTTng's that records.
 *
 *     lttng
 *
 * Prints the medians, the ratios beside what they should be at least, and how many events LTTng was given,
 * for `run` to count them in its trace. As in recorder.c, batches are timed.
 */
#define _GNU_SOURCE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_tracepoints.h"

#include <rouse.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 16, BATCHES = 1 << 11, WARMING = 16, ROUNDS = 31, TYPES = 8 };
enum what { NOTHING, GIVEN, CLOCK, LTTNG, WHATS };

static const char *names[] = {"", "time given", "own clock", "LTTng-UST"};
static rouse_producer_t producer;
static rouse_type_t types[TYPES];
static rouse_source_t source;
static double cost[BATCHES], medians[WHATS][ROUNDS], tails[WHATS][ROUNDS];

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void expect(int32_t code) {
  if (code == ROUSE_OK) return;
  fprintf(stderr, "%s (%s)\n", rouse_text(code), rouse_last_error());
  exit(1);
}

static int compare(const void *first, const void *second) {
  double difference = *(const double *)first - *(const double *)second;
  return (difference > 0) - (difference < 0);
}

static void batch(enum what what, int64_t time) {
  switch (what) {
    case GIVEN:
      for (int event = 0; event < BATCH; event++)
        rouse_save(producer, time + event, types[event % TYPES], source);
      break;
    case CLOCK:
      for (int event = 0; event < BATCH; event++) rouse_save_now(producer, types[event % TYPES], source);
      break;
    case LTTNG:
      for (int event = 0; event < BATCH; event++)
        lttng_ust_tracepoint(rouse, save, time + event, types[event % TYPES].number, source.number, ROUSE_SAVE);
      break;
    default:
      break;
  }
}

static void measure(enum what what, int round) {
  for (int index = 0; index < BATCHES; index++) {
    int64_t began = now();
    batch(what, began);
    cost[index] = (double)(now() - began) / BATCH;
  }
  qsort(cost, BATCHES, sizeof *cost, compare);
  medians[what][round] = cost[BATCHES / 2];
  tails[what][round] = cost[BATCHES - BATCHES / 1000 - 1];
}

int main(void) {
  /* LTTng has buffers for each core. */
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(sched_getcpu(), &cores);
  sched_setaffinity(0, sizeof cores, &cores);
  if (!lttng_ust_tracepoint_enabled(rouse, save)) {
    fprintf(stderr, "LTTng does not record the tracepoint\n");
    return 1;
  }
  rouse_recorder_t recorder;
  rouse_options_t options = {.size = sizeof options, .mode = ROUSE_OVERWRITE, .slots_per_ring = 1 << 16};
  expect(rouse_open(&options, &recorder));
  for (int index = 0; index < TYPES; index++) {
    char name[32];
    snprintf(name, sizeof name, "type %d", index);
    expect(rouse_type(recorder, name, &types[index]));
  }
  expect(rouse_source(recorder, "source", &source));
  expect(rouse_producer_open(recorder, &producer));

  /* Pages that are touched first are no part of what an event costs, neither in Rouse's ring nor in LTTng's
   * buffers, which the first rounds go through several times. */
  for (int round = -WARMING; round < ROUNDS; round++) {
    for (int what = 0; what < WHATS; what++) measure(what, round < 0 ? 0 : round);
    usleep(30000); /* LTTng writes its buffers out */
  }
  double median[WHATS];
  for (int what = 0; what < WHATS; what++) {
    qsort(medians[what], ROUNDS, sizeof(double), compare);
    qsort(tails[what], ROUNDS, sizeof(double), compare);
    median[what] = medians[what][ROUNDS / 2] - (what ? median[NOTHING] : 0);
    if (what)
      printf("%-16s median %5.2f ns an event, p99.9 of batches of %d %6.2f ns\n", names[what], median[what],
             BATCH, tails[what][ROUNDS / 2] - median[NOTHING]);
  }
  printf("LTTng costs      %.1f times as much with the time given (at least 15), %.1f with the clock (2.5)\n",
         median[LTTNG] / median[GIVEN], median[LTTNG] / median[CLOCK]);
  printf("LTTng was given  %ld events\n", (long)BATCH * (WARMING + ROUNDS) * BATCHES);
  expect(rouse_producer_close(producer));
  expect(rouse_close(recorder));
  return 0;
}
