/* A thread that blocks all signals records, while its ring file, which no trace is beside, is cut short: it goes on,
 * the loss is told, and its signal mask is as before. Argument: a folder. */
#include <pthread.h>
#include <rouse.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"

static sigset_t mask(void) {
  sigset_t set;
  pthread_sigmask(SIG_BLOCK, NULL, &set);
  return set;
}

static void expect_blocked(int line) {
  sigset_t set = mask();
  for (int number = 1; number < 32; number++) {
    if (number == SIGKILL || number == SIGSTOP || sigismember(&set, number)) continue;
    failures++, fprintf(stderr, "line %d: signal %d is not blocked\n", line, number);
  }
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  rouse_recorder_t recorder;
  rouse_options_t options = {.size = sizeof options, .ring_folder = arguments[1]};
  rouse_type_t type;
  rouse_source_t source;
  rouse_producer_t producer, other;
  EXPECT(rouse_open(&options, &recorder), ROUSE_OK);
  EXPECT(rouse_type(recorder, "type", &type), ROUSE_OK);
  EXPECT(rouse_source(recorder, "source", &source), ROUSE_OK);
  expect_blocked(__LINE__);
  EXPECT(rouse_producer_open(recorder, &producer), ROUSE_OK);
  EXPECT(rouse_producer_open(recorder, &other), ROUSE_OK);
  EXPECT(rouse_save(producer, 1, type, source), ROUSE_OK);
  EXPECT(rouse_flush(recorder), ROUSE_OK);
  char line[4096];
  snprintf(line, sizeof line, "truncate -s 0 '%s'/*.ring", arguments[1]);
  if (system(line)) return 65;
  EXPECT(rouse_save(producer, 2, type, source), ROUSE_CLOSED);
  EXPECT(rouse_producer_close(other), ROUSE_OK);
  EXPECT(rouse_producer_close(producer), ROUSE_OK);
  expect_blocked(__LINE__);
  EXPECT(rouse_flush(recorder), ROUSE_NOT_A_TRACE);
  EXPECT(rouse_close(recorder), ROUSE_NOT_A_TRACE);
  expect_blocked(__LINE__);
  return failures != 0;
}
