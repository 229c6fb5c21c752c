/* What the C interface answers to calls that make no sense, and after fork. Arguments: a folder. */
#include <rouse.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

/* An event that would be right but for the parts given. */
#define EVENT(...) \
  (&(rouse_event_t){.size = sizeof(rouse_event_t), .time = 3, .type = type, .source = source, __VA_ARGS__})
#define REFUSED(code, ...) EXPECT(rouse_record(producer, EVENT(__VA_ARGS__)), code)
#define ACCEPTED(...) REFUSED(ROUSE_OK, __VA_ARGS__)
#pragma clang diagnostic ignored "-Winitializer-overrides"

/* What programs that were compiled before rely on. */
_Static_assert(offsetof(rouse_options_t, bytes_per_file) == 64, "ABI");
_Static_assert(offsetof(rouse_options_t, durable) == 72 && sizeof(rouse_options_t) == 80, "ABI");
_Static_assert(offsetof(rouse_event_t, types) == 152 && sizeof(rouse_event_t) == 168, "ABI");
_Static_assert(offsetof(rouse_event_t, device) == 24 && offsetof(rouse_event_t, start) == 72, "ABI");
_Static_assert(sizeof(rouse_statistics_t) == 32, "ABI");
_Static_assert(sizeof(rouse_type_t) == 4 && sizeof(rouse_source_t) == 4, "ABI");
_Static_assert(offsetof(rouse_event_t, type) == 32 && offsetof(rouse_event_t, query) == 40, "ABI");

/* The last call's answer, and a part of what it told. */
#define TOLD(call, code, part)                                                                      \
  do {                                                                                              \
    EXPECT(call, code);                                                                             \
    if (!strstr(rouse_last_error(), part))                                                          \
      failures++, fprintf(stderr, "line %d tells: %s\n", __LINE__, rouse_last_error());             \
  } while (0)

static rouse_producer_t interrupted;
static rouse_type_t type;
static rouse_source_t source;

static void on_signal(int number) {
  (void)number;
  rouse_save(interrupted, 7, type, source);
}

/* Parts of ring files that this process has in its memory. */
static int mapped_rings(void) {
  int rings = 0;
  char line[8192];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) rings += strstr(line, ".ring") != NULL;
  fclose(maps);
  return rings;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  char path[4096], missing[4096];
  snprintf(path, sizeof path, "%s/a.wtrace", arguments[1]);
  snprintf(missing, sizeof missing, "%s/missing/a.wtrace", arguments[1]);
  rouse_recorder_t recorder = 0, other = 0;
  rouse_producer_t producer = 0;
  uint32_t query, number;

  /* Opening. */
  rouse_options_t options = {.size = sizeof options, .trace = path, .ring_folder = arguments[1]};
  TOLD(rouse_open(NULL, &recorder), ROUSE_INVALID_ARGUMENT, "options or recorder is null");
  EXPECT(rouse_open(&options, NULL), ROUSE_INVALID_ARGUMENT);
  rouse_options_t wrong = options;
  wrong.size = 0;
  TOLD(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT, "options.size is 0");
  /* All that the first version had is asked for, and no more. */
  wrong.size = offsetof(rouse_options_t, durable) - 1;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.durable = 2;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.reserved = 1;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.mode = 9;
  TOLD(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT, "unknown mode 9");
  wrong = options, wrong.mode = ROUSE_OVERWRITE;
  TOLD(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT, "overwrites");
  wrong = options, wrong.flush_seconds = 0.0 / 0.0;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.level = 77;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.slots_per_ring = 1;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.trace = "";
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.ring_folder = "";
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.bytes_per_file = 1;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.seconds_per_file = 1;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong.trace = NULL;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_ARGUMENT);
  wrong = options, wrong.trace = missing;
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_IO);
  if (!strstr(rouse_last_error(), "No such file")) failures++, fprintf(stderr, "no reason told\n");
  wrong = options, wrong.trace = "\xFF.wtrace";
  EXPECT(rouse_open(&wrong, &recorder), ROUSE_INVALID_TEXT);
  EXPECT(rouse_open(&options, &recorder), ROUSE_OK);
  EXPECT(rouse_open(&options, &other), ROUSE_IN_USE);

  /* Names. */
  char *name = malloc(65537);
  memset(name, 'n', 65536), name[65536] = 0;
  EXPECT(rouse_name(recorder, ROUSE_TYPE, name, &number), ROUSE_NO_ROOM);
  name[65535] = 0;
  EXPECT(rouse_name(recorder, ROUSE_QUERY, name, &query), ROUSE_OK);
  free(name);
  EXPECT(rouse_name(recorder, ROUSE_TYPE, "\xC3\x28", &number), ROUSE_INVALID_TEXT);
  EXPECT(rouse_name(recorder, ROUSE_TYPE, NULL, &number), ROUSE_INVALID_ARGUMENT);
  EXPECT(rouse_name(recorder, ROUSE_TYPE, "type", NULL), ROUSE_INVALID_ARGUMENT);
  TOLD(rouse_name(recorder, 5, "type", &number), ROUSE_INVALID_ARGUMENT, "unknown sort 5");
  EXPECT(rouse_type(recorder, "type", NULL), ROUSE_INVALID_ARGUMENT);
  EXPECT(rouse_source(0, "source", &source), ROUSE_CLOSED);
  if (rouse_version() != ROUSE_VERSION) failures++, fprintf(stderr, "version %d\n", rouse_version());
  EXPECT(rouse_name(0, ROUSE_TYPE, "type", &number), ROUSE_CLOSED);
  EXPECT(rouse_type(recorder, "type", &type), ROUSE_OK);
  EXPECT(rouse_source(recorder, "source", &source), ROUSE_OK);
  EXPECT(rouse_name(recorder, ROUSE_APP, "app", &number), ROUSE_OK);

  /* Events. */
  EXPECT(rouse_producer_open(recorder, NULL), ROUSE_INVALID_ARGUMENT);
  EXPECT(rouse_producer_open(0, &producer), ROUSE_CLOSED);
  EXPECT(rouse_producer_open_device(recorder, 9, &producer), ROUSE_UNKNOWN_NAME);
  EXPECT(rouse_producer_open(recorder, &producer), ROUSE_OK);
  EXPECT(rouse_save(producer, 1, type, source), ROUSE_OK);
  EXPECT(rouse_save_value(producer, 1, type, source, 1.5), ROUSE_OK);
  EXPECT(rouse_delete(producer, 3, type, source), ROUSE_OK);
  EXPECT(rouse_save_now(producer, type, source), ROUSE_OK);
  EXPECT(rouse_delete_now(producer, type, source), ROUSE_OK);
  EXPECT(rouse_save(0, 1, type, source), ROUSE_CLOSED);
  EXPECT(rouse_save(recorder, 1, type, source), ROUSE_CLOSED);
  EXPECT(rouse_save(~(uint64_t)0, 1, type, source), ROUSE_CLOSED);
  for (int bit = 0; bit < 64; bit++) {
    EXPECT(rouse_save((uint64_t)1 << bit, 1, type, source), ROUSE_CLOSED);
    EXPECT(rouse_save(producer ^ (uint64_t)1 << bit, 1, type, source), ROUSE_CLOSED);
  }
  EXPECT(rouse_save(producer, 1, (rouse_type_t){99}, source), ROUSE_UNKNOWN_NAME);
  EXPECT(rouse_save(producer, INT64_MAX, type, source), ROUSE_INVALID_TIME);
  EXPECT(rouse_save_value(producer, 1, type, source, 1.0 / 0.0), ROUSE_INVALID_NUMBER);

  /* Any event: each of these is refused for one reason. */
  EXPECT(rouse_record(producer, NULL), ROUSE_INVALID_ARGUMENT);
  REFUSED(ROUSE_INVALID_ARGUMENT, .size = 0);
  REFUSED(ROUSE_INVALID_ARGUMENT, .size = offsetof(rouse_event_t, types) - 1);
  /* That of a program from before there were observed wakes. */
  ACCEPTED(.size = offsetof(rouse_event_t, types));
  REFUSED(ROUSE_INVALID_ARGUMENT, .size = (size_t)-1);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = -1);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = 23);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = 256);
  REFUSED(ROUSE_INVALID_ARGUMENT, .has = 1u << 31);
  REFUSED(ROUSE_INVALID_ARGUMENT, .has = ROUSE_HAS_MIN);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_LOCK, .has = ROUSE_HAS_VALUE);
  TOLD(rouse_record(producer, EVENT(.time = INT64_MIN)), ROUSE_INVALID_TIME, "time -9223372036854775808");
  REFUSED(ROUSE_INVALID_TIME, .has = ROUSE_HAS_START, .start = INT64_MAX);
  REFUSED(ROUSE_INVALID_NUMBER, .has = ROUSE_HAS_VALUE, .value = 0.0 / 0.0);
  TOLD(rouse_record(producer, EVENT(.type = {99})), ROUSE_UNKNOWN_NAME, "type 99");
  REFUSED(ROUSE_UNKNOWN_NAME, .has = ROUSE_HAS_DEVICE, .device = 99);
  REFUSED(ROUSE_UNKNOWN_NAME, .kind = ROUSE_LAUNCH, .app = 99);
  REFUSED(ROUSE_UNKNOWN_NAME, .kind = ROUSE_LAUNCH, .app = ROUSE_EVERY_APP);
  REFUSED(ROUSE_UNKNOWN_NAME, .kind = ROUSE_STOP, .query = 99);
  REFUSED(ROUSE_UNKNOWN_NAME, .kind = ROUSE_EXECUTE, .has = ROUSE_HAS_SOURCE, .source = {99});
  REFUSED(ROUSE_UNKNOWN_NAME, .kind = ROUSE_COMPLETE, .item = ROUSE_ITEM_TYPE, .type = {99});
  REFUSED(ROUSE_INVALID_NUMBER, .kind = ROUSE_EXECUTE, .has = ROUSE_HAS_MAX, .max = 1.0 / 0.0);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_ENABLE, .frequency = 4);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_COMPLETE, .item = 4);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_COMPLETE, .result = 4);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_COMPLETE, .result = INT32_MIN);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_REFRESH_STATUS, .status = 3);
  REFUSED(ROUSE_INVALID_NUMBER, .kind = ROUSE_REFRESH_INTERVAL, .interval = -3);
  REFUSED(ROUSE_INVALID_NUMBER, .kind = ROUSE_REFRESH_INTERVAL, .interval = 0.0 / 0.0);
  REFUSED(ROUSE_INVALID_NUMBER, .kind = ROUSE_REFRESH_INTERVAL, .interval = 1e10);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_PUSH);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_OBSERVED, .type_count = 1);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_OBSERVED, .outcome = 5);
  REFUSED(ROUSE_INVALID_ARGUMENT, .kind = ROUSE_OBSERVED, .has = ROUSE_HAS_START);
  REFUSED(ROUSE_INVALID_TIME, .kind = ROUSE_OBSERVED, .has = ROUSE_HAS_END, .end = INT64_MAX);
  REFUSED(ROUSE_UNKNOWN_NAME, .kind = ROUSE_OBSERVED, .types = &(rouse_type_t){99}, .type_count = 1);
  REFUSED(ROUSE_INVALID_TEXT, .kind = ROUSE_PUSH, .id = "\xFF");
  REFUSED(ROUSE_INVALID_TEXT, .kind = ROUSE_PUSH, .id = "a", .push_type = "\xC3");
  REFUSED(ROUSE_INVALID_TEXT, .kind = ROUSE_PUSH, .id = "a", .aps = "{\"badge\": 1");
  REFUSED(ROUSE_INVALID_TEXT, .kind = ROUSE_PUSH, .id = "a", .aps = "[]");
  REFUSED(ROUSE_INVALID_TEXT, .kind = ROUSE_PUSH, .id = "a", .aps = "{\"content-available\": \"\"}");
  if (!strstr(rouse_last_error(), "content-available"))
    failures++, fprintf(stderr, "no reason told: %s\n", rouse_last_error());
  REFUSED(ROUSE_INVALID_NUMBER, .kind = ROUSE_PUSH, .id = "a", .has = ROUSE_HAS_PRIORITY,
          .priority = 1.0 / 0.0);
  char *text = malloc((9 << 20) + 1);
  memset(text, 'x', 9 << 20), text[9 << 20] = 0;
  REFUSED(ROUSE_TOO_LARGE, .kind = ROUSE_PUSH, .id = text);  /* for a trace */
  text[2 << 20] = 0;
  REFUSED(ROUSE_TOO_LARGE, .kind = ROUSE_PUSH, .id = text);  /* for the ring */
  text[70000] = 0;
  ACCEPTED(.kind = ROUSE_PUSH, .id = text);
  free(text);
  struct {
    rouse_event_t known;
    char more[64];
  } newer = {.known = {.size = sizeof newer, .kind = ROUSE_UNLOCK, .time = 3}};
  EXPECT(rouse_record(producer, &newer.known), ROUSE_OK);
  newer.more[63] = 1;
  EXPECT(rouse_record(producer, &newer.known), ROUSE_INVALID_ARGUMENT);
  EXPECT(rouse_record(0, &(rouse_event_t){.size = sizeof(rouse_event_t), .kind = ROUSE_LOCK}),
         ROUSE_CLOSED);
  EXPECT(rouse_snapshot(recorder, path), ROUSE_INVALID_ARGUMENT);

  /* A signal handler with a producer of its own. */
  EXPECT(rouse_producer_open(recorder, &interrupted), ROUSE_OK);
  signal(SIGALRM, on_signal);
  sigset_t none;  /* who started this program may have blocked signals */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int round = 0; round < 100; round++) raise(SIGALRM);

  /* A child records nothing into its parent's rings, and may record on its own. */
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    EXPECT(rouse_save(producer, 4, type, source), ROUSE_FORKED);
    for (int bit = 0; bit < 64; bit++)
      if (rouse_save(producer ^ (uint64_t)1 << bit, 4, type, source) < ROUSE_CLOSED) failures++;
    REFUSED(ROUSE_FORKED, .kind = ROUSE_LOCK);
    rouse_statistics_t none;
    EXPECT(rouse_flush(recorder), ROUSE_FORKED);
    EXPECT(rouse_snapshot(recorder, path), ROUSE_FORKED);
    EXPECT(rouse_statistics(recorder, &none), ROUSE_FORKED);
    EXPECT(rouse_name(recorder, ROUSE_TYPE, "type", &number), ROUSE_FORKED);
    EXPECT(rouse_producer_open(recorder, &other), ROUSE_FORKED);
    EXPECT(rouse_open(&options, &other), ROUSE_IN_USE);
    snprintf(path, sizeof path, "%s/child.wtrace", arguments[1]);
    EXPECT(rouse_open(&options, &other), ROUSE_OK);
    EXPECT(rouse_type(other, "type", &type), ROUSE_OK);
    EXPECT(rouse_source(other, "source", &source), ROUSE_OK);
    EXPECT(rouse_producer_open(other, &interrupted), ROUSE_OK);
    EXPECT(rouse_save(interrupted, 4, type, source), ROUSE_OK);
    EXPECT(rouse_close(other), ROUSE_OK);
    if (!mapped_rings()) failures++, fputs("no ring is mapped\n", stderr);
    EXPECT(rouse_producer_close(producer), ROUSE_OK);
    EXPECT(rouse_close(recorder), ROUSE_OK);
    if (mapped_rings()) failures++, fprintf(stderr, "%d rings stay mapped\n", mapped_rings());
    EXPECT(rouse_flush(recorder), ROUSE_CLOSED);
    EXPECT(rouse_save(producer, 4, type, source), ROUSE_FORKED);
    _exit(failures != 0);
  }
  int status;
  waitpid(child, &status, 0);
  if (status != 0) failures++, fprintf(stderr, "the child failed: %d\n", status);

  /* The end. */
  rouse_statistics_t statistics;
  EXPECT(rouse_flush(recorder), ROUSE_OK);
  EXPECT(rouse_statistics(recorder, NULL), ROUSE_INVALID_ARGUMENT);
  EXPECT(rouse_statistics(recorder, &statistics), ROUSE_OK);
  if (statistics.written != 108 || statistics.lost != 0)
    failures++, fprintf(stderr, "%d events, not 108\n", (int)statistics.written);
  EXPECT(rouse_close(recorder), ROUSE_OK);
  EXPECT(rouse_save(producer, 5, type, source), ROUSE_CLOSED);
  EXPECT(rouse_close(recorder), ROUSE_CLOSED);
  EXPECT(rouse_flush(recorder), ROUSE_CLOSED);
  /* Its producers went with it. */
  EXPECT(rouse_producer_close(producer), ROUSE_CLOSED);
  EXPECT(rouse_producer_close(interrupted), ROUSE_CLOSED);
  EXPECT(rouse_open(&options, &recorder), ROUSE_OK);
  EXPECT(rouse_producer_open(recorder, &producer), ROUSE_OK);
  EXPECT(rouse_producer_close(producer), ROUSE_OK);
  EXPECT(rouse_producer_close(producer), ROUSE_CLOSED);
  EXPECT(rouse_save(producer, 5, type, source), ROUSE_CLOSED);
  for (int bit = 0; bit < 64; bit++)
    EXPECT(rouse_save((uint64_t)1 << bit, 5, type, source), ROUSE_CLOSED);
  EXPECT(rouse_close(recorder), ROUSE_OK);
  EXPECT(rouse_save(producer, 5, type, source), ROUSE_CLOSED);
  EXPECT(rouse_producer_close(0), ROUSE_CLOSED);
  if (!rouse_text(12345) || !rouse_last_error()) failures++;
  return failures != 0;
}
