/* A signal handler records to the producer of the thread that it interrupts: what was answered with
 * ROUSE_OK is recorded, each once, and nothing else. Argument: the trace of a snapshot. Prints how many events
 * were recorded. */
#include <rouse.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static rouse_producer_t producer;
static rouse_type_t type;
static rouse_source_t sources[2];
static volatile long handled, answered[8];

static void on_signal(int number) {
  (void)number;
  handled++;
  int32_t code = rouse_save(producer, 1, type, sources[1]);
  answered[code & 7]++;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  rouse_recorder_t recorder;
  rouse_options_t options = {.size = sizeof options, .mode = ROUSE_OVERWRITE, .slots_per_ring = 1 << 12};
  if (rouse_open(&options, &recorder) || rouse_type(recorder, "type", &type) ||
      rouse_source(recorder, "thread", &sources[0]) ||
      rouse_source(recorder, "handler", &sources[1]) || rouse_producer_open(recorder, &producer))
    return fprintf(stderr, "%s\n", rouse_last_error()), 1;
  signal(SIGALRM, on_signal);
  sigset_t none; /* who started this program may have blocked signals */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  struct itimerval often = {{0, 20}, {0, 20}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  long recorded = 0, refused = 0;
  while (handled < 5000) {
    int32_t code = rouse_save(producer, 0, type, sources[0]);
    if (code == ROUSE_OK) recorded++;
    else refused++;
  }
  setitimer(ITIMER_REAL, &never, NULL);
  /* The thread's own calls interrupt nothing; the handler's do. */
  if (refused || answered[ROUSE_OK] + answered[ROUSE_BUSY] != handled)
    return fprintf(stderr, "%ld refused, %ld + %ld of %ld\n", refused, answered[0], answered[5], handled), 1;
  if (rouse_snapshot(recorder, arguments[1]) || rouse_close(recorder))
    return fprintf(stderr, "%s\n", rouse_last_error()), 1;
  fprintf(stderr, "%ld of %ld handlers were busy\n", answered[ROUSE_BUSY], handled);
  printf("%ld", recorded + answered[ROUSE_OK]);
  return 0;
}
