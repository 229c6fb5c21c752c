/* A store of samples in SQLite that records what is saved and deleted. */
#ifndef SQLITE_STORE_H
#define SQLITE_STORE_H

#include <rouse.h>
#include <stdint.h>

typedef struct store store_t;

/* Opens the store and starts to record to a trace, which is gone on with; null if it cannot. */
store_t *store_open(const char *database, const char *trace);
/* Runs one statement; returns SQLite's code. What it saves and deletes is recorded at `time` once it is
 * committed, and never if it is not. No hook tells of ROLLBACK TO: use store_rollback_to; nor of what a
 * statement with OR FAIL leaves: there is none here. */
int store_run(store_t *store, int64_t time, const char *sql);
/* Where the transaction stands, and going back there. */
int store_savepoint(store_t *store);
int store_rollback_to(store_t *store);
/* Records an event of another sort, with names in place of its numbers. */
void store_record(store_t *store, rouse_event_t event, const char *app, const char *type);
/* Prints how many samples of each type and source there are. */
void store_print(store_t *store);
void store_close(store_t *store);

#endif
