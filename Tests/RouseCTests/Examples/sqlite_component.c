/* A component that keeps samples in SQLite and records what happens to them: two days of a watch that syncs
 * with a phone, with all that goes wrong there. Prints how many samples of each type and source are left.
 *
 *     cc sqlite_component.c sqlite_store.c $(pkg-config --cflags --libs rouse sqlite3) -o component
 *     ./component DATABASE TRACE
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include "sqlite_store.h"

#define SECOND 1000000000LL
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define HEART "HKQuantityTypeIdentifierHeartRate"
#define STEPS "HKQuantityTypeIdentifierStepCount"
#define ENERGY "HKQuantityTypeIdentifierActiveEnergyBurned"
#define WORKOUT "HKWorkoutTypeIdentifier"

static store_t *store;
static int64_t now;
static uint64_t state = 42;
static int samples;

/* A number below `end`, the same in every run. */
static unsigned some(unsigned end) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(state >> 33) % end;
}

/* Runs SQL, which must answer with a code. */
static void must(int wanted, const char *sql) {
  int code = store_run(store, now, sql);
  if (code == wanted) return;
  fprintf(stderr, "%s: %s, not %s\n", sql, sqlite3_errstr(code), sqlite3_errstr(wanted));
  exit(1);
}

static void insert(const char *how, int id, const char *type, const char *source, int64_t start, double value) {
  char *sql = sqlite3_mprintf(
      "INSERT %s INTO samples VALUES ('sample-%d', %Q, %Q, %lld, %lld, %g)", how, id, type, source, start,
      start + 5 * SECOND, value);
  must(SQLITE_OK, sql);
  sqlite3_free(sql);
}

static void save(const char *type, const char *source, double value) {
  insert("", samples++, type, source, now - (int64_t)some(900) * SECOND, value);
}

/* What the watch gathered in a quarter of an hour. */
static void sync_watch(void) {
  must(SQLITE_OK, "BEGIN");
  for (unsigned left = 3 + some(8); left > 0; left--) save(HEART, "Watch", 60 + some(400) / 10.0);
  if (some(3) > 0) save(STEPS, "Watch", 1 + some(500));
  if (some(2) > 0) save(ENERGY, "Watch", some(100) / 8.0);
  must(SQLITE_OK, "COMMIT");
}

/* The phone counts too, a transaction for each sample. */
static void count_steps(void) { save(STEPS, "Phone", 1 + some(300)); }

/* The connection to the watch breaks, and nothing of it counts. */
static void broken_sync(void) {
  must(SQLITE_OK, "BEGIN IMMEDIATE");
  for (int left = 5; left > 0; left--) save(HEART, "Watch", 70);
  must(SQLITE_OK, "DELETE FROM samples WHERE type = '" STEPS "'");
  must(SQLITE_OK, "ROLLBACK");
}

/* The second half of a workout is no good; the first one counts. */
static void half_workout(void) {
  must(SQLITE_OK, "BEGIN");
  save(WORKOUT, "Watch", 0);
  for (int left = 4; left > 0; left--) save(ENERGY, "Watch", 10.5);
  if (store_savepoint(store) != SQLITE_OK) exit(1);
  for (int left = 4; left > 0; left--) save(ENERGY, "Watch", 0);
  if (store_rollback_to(store) != SQLITE_OK) exit(1);
  save(HEART, "Watch", 151);
  must(SQLITE_OK, "COMMIT");
}

/* Statements that fail after some rows leave the rest of their transaction alone. */
static void clashes(void) {
  must(SQLITE_OK, "BEGIN");
  save(HEART, "Phone", 66);
  must(SQLITE_CONSTRAINT, "INSERT INTO samples SELECT id || '-copy', type, source, start, "
       "CASE WHEN value > 90 THEN start - 1 ELSE end END, value FROM samples");
  save(HEART, "Phone", 67);
  must(SQLITE_OK, "COMMIT");
  /* Without a transaction of its own, and with OR ROLLBACK, which ends it. */
  must(SQLITE_CONSTRAINT, "INSERT INTO samples SELECT id, type, source, start, end, 0 FROM samples");
  must(SQLITE_OK, "BEGIN");
  save(HEART, "Phone", 68);
  must(SQLITE_CONSTRAINT, "INSERT OR ROLLBACK INTO samples VALUES ('late', '', '', 1, 0, NULL)");
}

static void day(int number, const char *database, const char *trace) {
  now = 1767225600 * SECOND + number * 24 * HOUR;
  store = store_open(database, trace);
  if (!store) exit(1);
  if (number == 0) {
    store_record(store, (rouse_event_t){.kind = ROUSE_ENABLE, .time = now, .frequency = ROUSE_IMMEDIATE},
                 "com.example.heart", HEART);
    store_record(store, (rouse_event_t){.kind = ROUSE_ENABLE, .time = now, .frequency = ROUSE_HOURLY},
                 "com.example.steps", STEPS);
    store_record(store, (rouse_event_t){.kind = ROUSE_ENABLE, .time = now, .frequency = ROUSE_IMMEDIATE},
                 "com.example.run", WORKOUT);
  }
  for (int quarter = 0; quarter < 4 * 16; quarter++) {
    now += 15 * MINUTE;
    sync_watch();
    now += some(400) * SECOND / 1000;
    if (some(2)) count_steps();
    if (quarter % 20 == 7) broken_sync();
    if (quarter % 30 == 11) half_workout();
    if (quarter == 40) clashes();
    if (quarter % 16 == 15) {
      now += SECOND;
      /* The watch sends a sample again, with a better value. */
      insert("OR REPLACE", some((unsigned)samples), HEART, "Watch", now, 61.5);
      must(SQLITE_OK, "UPDATE samples SET value = value + 1 WHERE type = '" STEPS "' AND source = 'Phone'");
    }
    if (quarter == 30) {
      store_record(store, (rouse_event_t){.kind = ROUSE_LAUNCH, .time = now}, "com.example.heart", NULL);
      must(SQLITE_OK, "DELETE FROM samples WHERE type = '" HEART "' AND value > 95");
      now += MINUTE;
      store_record(store, (rouse_event_t){.kind = ROUSE_BACKGROUND, .time = now}, "com.example.heart", NULL);
    }
  }
  /* The user starts anew. */
  if (number == 0) must(SQLITE_OK, "DELETE FROM samples");
  if (number == 1) store_print(store);
  store_close(store);
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  for (int number = 0; number < 2; number++) day(number, arguments[1], arguments[2]);
  return 0;
}
