/* Records every sample that SQLite inserts and deletes.
 *
 * sqlite3_update_hook tells of rows by their number, when a deleted one is gone and may not be looked for;
 * it is not called for tables WITHOUT ROWID, for DELETE without WHERE (SQLite drops all pages at once), nor
 * for rows that INSERT OR REPLACE replaces. sqlite3_preupdate_hook, which Debian's SQLite has, is called for
 * all of these and hands the row out. It must be there before statements are prepared.
 *
 * Rows count once they are committed: the hook puts them into a list, which is recorded when the commit has
 * come through (SQLite's commit hook comes before, and the disk may still be full), shortened when a
 * statement fails or a savepoint is gone back to, and emptied when the transaction is rolled back.
 */
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include "sqlite_store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct store {
  sqlite3 *database;
  rouse_recorder_t recorder;
  rouse_producer_t producer;
  /* What the transaction did so far, and how much of it at the savepoint. */
  rouse_event_t *changes;
  size_t count, room, savepoint;
  /* Whether SQLite was about to commit in the statement that runs. */
  int commits;
};

enum { TYPE = 1, SOURCE, START, END, VALUE };

static void expect(int32_t code) {
  if (code <= ROUSE_NOT_WRITTEN) return;
  fprintf(stderr, "store: %s (%s)\n", rouse_text(code), rouse_last_error());
  exit(1);
}

static uint32_t number(store_t *store, int32_t sort, const char *name) {
  uint32_t number = 0;
  expect(rouse_name(store->recorder, sort, name, &number));
  return number;
}

typedef int (*row_t)(sqlite3 *, int, sqlite3_value **);

/* Notes a row, before or after the change, as saved or deleted. */
static void note(store_t *store, int32_t kind, row_t row) {
  sqlite3_value *values[6];
  for (int column = TYPE; column <= VALUE; column++)
    if (row(store->database, column, &values[column]) != SQLITE_OK) abort();
  rouse_event_t event = {
      .size = sizeof event, .kind = kind,
      .type = {number(store, ROUSE_TYPE, (const char *)sqlite3_value_text(values[TYPE]))},
      .source = {number(store, ROUSE_SOURCE, (const char *)sqlite3_value_text(values[SOURCE]))}};
  if (kind == ROUSE_SAVE) {
    event.has = ROUSE_HAS_START | ROUSE_HAS_END;
    event.start = sqlite3_value_int64(values[START]);
    event.end = sqlite3_value_int64(values[END]);
    if (sqlite3_value_type(values[VALUE]) != SQLITE_NULL) {
      event.has |= ROUSE_HAS_VALUE;
      event.value = sqlite3_value_double(values[VALUE]);
    }
  }
  if (store->count == store->room) {
    store->room = store->room ? 2 * store->room : 64;
    store->changes = realloc(store->changes, store->room * sizeof event);
    if (!store->changes) abort();
  }
  store->changes[store->count++] = event;
}

static void changes(
    void *context, sqlite3 *database, int operation, const char *schema, const char *table,
    sqlite3_int64 old_row, sqlite3_int64 new_row) {
  (void)database, (void)schema, (void)old_row, (void)new_row;
  if (strcmp(table, "samples") != 0) return;
  /* A changed sample is another one. */
  if (operation != SQLITE_INSERT) note(context, ROUSE_DELETE, sqlite3_preupdate_old);
  if (operation != SQLITE_DELETE) note(context, ROUSE_SAVE, sqlite3_preupdate_new);
}

static int commits(void *context) {
  ((store_t *)context)->commits = 1;
  return 0;
}

static void rolls_back(void *context) {
  store_t *store = context;
  store->count = store->savepoint = 0;
  store->commits = 0;
}

int store_run(store_t *store, int64_t time, const char *sql) {
  size_t before = store->count;
  store->commits = 0;
  int code = sqlite3_exec(store->database, sql, NULL, NULL, NULL);
  /* A statement that fails is undone alone; the hook above told if the transaction was too. */
  if (code != SQLITE_OK && before < store->count) store->count = before;
  if (!store->commits || !sqlite3_get_autocommit(store->database)) return code;
  for (size_t index = 0; index < store->count; index++) {
    store->changes[index].time = time;
    expect(rouse_record(store->producer, &store->changes[index]));
  }
  store->count = store->savepoint = 0;
  return code;
}

int store_savepoint(store_t *store) {
  store->savepoint = store->count;
  return sqlite3_exec(store->database, "SAVEPOINT here", NULL, NULL, NULL);
}

int store_rollback_to(store_t *store) {
  int code = sqlite3_exec(store->database, "ROLLBACK TO here", NULL, NULL, NULL);
  if (code == SQLITE_OK) store->count = store->savepoint;
  return code;
}

store_t *store_open(const char *database, const char *trace) {
  store_t *store = calloc(1, sizeof *store);
  if (!store) abort();
  /* The times are given: blocks are written when it is closed, or when they are full. */
  rouse_options_t options = {.size = sizeof options, .trace = trace, .flush_seconds = 1e9};
  expect(rouse_open(&options, &store->recorder));
  expect(rouse_producer_open(store->recorder, &store->producer));
  if (sqlite3_open(database, &store->database) != SQLITE_OK) {
    fprintf(stderr, "store: %s\n", sqlite3_errmsg(store->database));
    store_close(store);
    return NULL;
  }
  sqlite3_preupdate_hook(store->database, changes, store);
  sqlite3_commit_hook(store->database, commits, store);
  sqlite3_rollback_hook(store->database, rolls_back, store);
  int code = store_run(
      store, 0,
      "CREATE TABLE IF NOT EXISTS samples (id TEXT PRIMARY KEY, type TEXT NOT NULL, source TEXT NOT NULL, "
      "start INTEGER NOT NULL, end INTEGER NOT NULL, value REAL, CHECK (start <= end)) WITHOUT ROWID");
  if (code == SQLITE_OK) return store;
  fprintf(stderr, "store: %s\n", sqlite3_errmsg(store->database));
  store_close(store);
  return NULL;
}

void store_record(store_t *store, rouse_event_t event, const char *app, const char *type) {
  event.size = sizeof event;
  event.app = number(store, ROUSE_APP, app);
  if (type) event.type.number = number(store, ROUSE_TYPE, type);
  expect(rouse_record(store->producer, &event));
}

static int print_row(void *context, int count, char **values, char **names) {
  (void)context, (void)count, (void)names;
  printf("%s %s %s\n", values[0], values[1], values[2]);
  return 0;
}

void store_print(store_t *store) {
  sqlite3_exec(
      store->database, "SELECT type, source, count(*) FROM samples GROUP BY 1, 2 ORDER BY 1, 2", print_row,
      NULL, NULL);
}

void store_close(store_t *store) {
  sqlite3_close(store->database);
  expect(rouse_producer_close(store->producer));
  expect(rouse_close(store->recorder));
  free(store->changes);
  free(store);
}
