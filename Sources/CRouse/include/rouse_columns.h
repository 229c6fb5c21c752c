/* rouse_columns.h: read a trace, or what a replay of it gives, as columns: Apache Arrow's C data interface.
 *
 *     const char *traces[] = {"day.wtrace"};
 *     rouse_table_options_t options = {
 *         .size = sizeof options, .table = "wakes", .traces = traces, .trace_count = 1, .policy = "watchos"};
 *     rouse_table_t *table;
 *     if (rouse_table_open(&options, &table) != ROUSE_OK) {
 *       puts(rouse_last_error());
 *       exit(1);
 *     }
 *     struct ArrowArrayStream stream;
 *     rouse_table_stream(table, &stream);         // as often as needed; each stream gives all rows
 *     ... stream.get_schema, stream.get_next, stream.release ...
 *     rouse_table_close(table);
 *
 * The functions are in librouse, beside those of rouse.h, whose codes and rouse_last_error they share.
 *
 * Memory: a stream, a schema and an array are released by their own callbacks, once, in any order and on any thread, before
 * or after rouse_table_close. Streams of one table share its columns and copy nothing. A stream may be moved, as
 * the interface says, and is used by one thread at a time.
 *
 * The tables are those of `rouse export csv` (page Tables of WakeReplay) with these types: times are nanoseconds since 1970
 * in UTC ("tsn:UTC"), whole numbers "l", the value of a sample "g", booleans "b". Names of which few differ (device, app,
 * kind, type, source, item, outcome, ending) are dictionaries with places "i" of texts "u"; a later array may have more names.
 * The id of a push and the name of an item are texts "u". In place of the number of types, wakes list the types,
 * and waits list their reasons ("+l" of dictionaries). What is not there is null.
 */
#ifndef ROUSE_COLUMNS_H
#define ROUSE_COLUMNS_H

#include "rouse.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As Arrow defines them; a program may include Arrow's own header too. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

/* A table that is open. */
typedef struct rouse_table rouse_table_t;

/* Which table. A field that is 0 or null has its default. Texts are zero-terminated UTF-8. */
typedef struct {
  size_t size; /* sizeof(rouse_table_options_t) */
  /* "wakes", "items", "waits" or "samples". */
  const char *table;
  /* The paths of at least one trace. */
  const char *const *traces;
  size_t trace_count;
  /* A preset or the path of a policy, by default "ios"; refused with samples, as `without` is. */
  const char *policy;
  /* Reasons that never hold, separated by commas, as of `rouse replay --without`. */
  const char *without;
  /* Only these devices, and only saves and deletes of these types; by default all. */
  const char *const *devices;
  size_t device_count;
  const char *const *types;
  size_t type_count;
  /* Only inputs at or after `from` and before `to`: 2026-01-01T08:00:00Z, or nanoseconds since 1970. */
  const char *from;
  const char *to;
  /* Threads that replay, by default 1. */
  int32_t threads;
  /* 1: damaged blocks, and files that are no traces, are left out, unless nothing is left; `rouse verify` names them.
   * 0: they are an error. */
  int32_t keep_going;
} rouse_table_options_t;

/* Opens a table. Those of a replay are in memory when it returns; samples are read as each stream goes on, in memory that
 * does not grow with them. */
int32_t rouse_table_open(const rouse_table_options_t *options, rouse_table_t **table);

/* Makes a table of a JSON array of objects, whose members are the columns, in the order of their first appearance: whole
 * numbers, numbers, booleans, texts, or arrays of texts; null where a member is absent or null. The first element may be an
 * array with one object: it gives columns and their kinds, and is no row. */
int32_t rouse_table_of_json(const char *json, rouse_table_t **table);

/* Starts a stream of all rows. */
int32_t rouse_table_stream(const rouse_table_t *table, struct ArrowArrayStream *stream);

/* For Python, whose bindings then need no other code in C: a capsule "arrow_array_stream" with such a stream, which its
 * destructor releases unless it was taken. The functions are PyCapsule_New and PyCapsule_GetPointer, always the same
 * ones; the caller holds the lock of the interpreter. Null if a pointer is null. */
void *rouse_table_capsule(
    const rouse_table_t *table, void *(*make)(void *pointer, const char *name, void (*destructor)(void *)),
    void *(*pointer_of)(void *capsule, const char *name));

/* Closes a table, once; null does nothing. */
void rouse_table_close(rouse_table_t *table);

#ifdef __cplusplus
}
#endif

#endif
