/* A component in C that records: two threads save samples, and an app answers.
 *
 *     cc component.c $(pkg-config --cflags --libs rouse) -lpthread \
 *       -Wl,-rpath,$(pkg-config --variable=prefix rouse)/lib -o component && ./component TRACE
 */
#include <pthread.h>
#include <rouse.h>
#include <stdio.h>
#include <stdlib.h>

static rouse_recorder_t recorder;
static rouse_type_t type;

static void expect(int32_t code, const char *what) {
  if (code == ROUSE_OK) return;
  fprintf(stderr, "component: %s: %s (%s)\n", what, rouse_text(code), rouse_last_error());
  exit(1);
}

/* Calls for events set no last error. With ROUSE_NOT_WRITTEN the event is recorded, and rouse_close says why not written. */
static void expect_recorded(int32_t code, const char *what) {
  if (code == ROUSE_OK || code == ROUSE_NOT_WRITTEN) return;
  fprintf(stderr, "component: %s: %s\n", what, rouse_text(code));
  exit(1);
}

static void *work(void *name) {
  rouse_producer_t producer;
  rouse_source_t source;
  expect(rouse_source(recorder, name, &source), "name");
  expect(rouse_producer_open(recorder, &producer), "producer");
  for (int64_t number = 0; number < 1000; number++)
    expect_recorded(rouse_save_value(producer, number * 1000000000, type, source, 60.5), "save");
  expect(rouse_producer_close(producer), "close");
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  rouse_options_t options = {.size = sizeof options, .trace = arguments[1]};
  expect(rouse_open(&options, &recorder), "open");
  expect(rouse_type(recorder, "HKQuantityTypeIdentifierHeartRate", &type), "name");

  rouse_producer_t producer;
  uint32_t app;
  expect(rouse_producer_open(recorder, &producer), "producer");
  expect(rouse_name(recorder, ROUSE_APP, "com.example.run", &app), "name");
  rouse_event_t enable = {
      .size = sizeof enable, .kind = ROUSE_ENABLE, .app = app, .type = type, .frequency = ROUSE_HOURLY};
  expect(rouse_record(producer, &enable), "enable");

  pthread_t threads[2];
  pthread_create(&threads[0], NULL, work, "Watch");
  pthread_create(&threads[1], NULL, work, "Phone");
  for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);

  rouse_event_t complete = {
      .size = sizeof complete, .kind = ROUSE_COMPLETE, .time = 1000000000000, .app = app,
      .item = ROUSE_ITEM_TYPE, .type = type, .result = ROUSE_NEW_DATA};
  expect(rouse_record(producer, &complete), "complete");
  expect(rouse_close(recorder), "close");
  return 0;
}
