/* Reads every table of a trace through rouse_columns.h, every byte of it, and releases it in every order.
 *
 *     columns TRACE POLICY       prints the rows of each table, and a sum over their bytes
 */
#include <rouse.h>
#include <rouse_columns.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

static uint64_t sum;

static void add(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) sum = sum * 31 + ((const unsigned char *)bytes)[i];
}

/* Reads all that an array has, as its schema says. */
static void read_all(const struct ArrowSchema *schema, const struct ArrowArray *array) {
  size_t rows = (size_t)array->length;
  if (array->n_buffers > 0 && array->buffers[0]) add(array->buffers[0], (rows + 7) / 8);
  if (array->null_count > 0 && !array->buffers[0]) failures++;
  if (strcmp(schema->format, "+s") == 0) {
    if (array->n_buffers != 1 || array->n_children != schema->n_children) failures++;
  } else if (strcmp(schema->format, "u") == 0) {
    const int32_t *offsets = array->buffers[1];
    if (rows > 0) add(array->buffers[2], (size_t)offsets[rows]);
  } else if (strcmp(schema->format, "+l") == 0) {
    const int32_t *offsets = array->buffers[1];
    if (offsets[rows] != array->children[0]->length) failures++;
  } else if (strcmp(schema->format, "b") == 0) {
    add(array->buffers[1], (rows + 7) / 8);
  } else if (strcmp(schema->format, "i") == 0) {
    const int32_t *places = array->buffers[1];
    for (size_t i = 0; i < rows; i++)
      if (places[i] < 0 || (places[i] > 0 && places[i] >= array->dictionary->length)) failures++;
    add(places, rows * 4);
    read_all(schema->dictionary, array->dictionary);
  } else {
    add(array->buffers[1], rows * 8);
  }
  for (int64_t i = 0; i < array->n_children; i++) read_all(schema->children[i], array->children[i]);
}

static rouse_table_options_t options_of(const char *table, const char *const *traces, const char *policy) {
  rouse_table_options_t options = {.size = sizeof options, .table = table, .traces = traces, .trace_count = 1};
  options.policy = strcmp(table, "samples") == 0 ? NULL : policy;
  return options;
}

static void read_table(const char *name, const char *const *traces, const char *policy) {
  rouse_table_options_t options = options_of(name, traces, policy);
  rouse_table_t *table;
  EXPECT(rouse_table_open(&options, &table), ROUSE_OK);
  struct ArrowArrayStream first, second;
  EXPECT(rouse_table_stream(table, &first), ROUSE_OK);
  EXPECT(rouse_table_stream(table, &second), ROUSE_OK);
  rouse_table_close(table);

  struct ArrowSchema schema;
  EXPECT(first.get_schema(&first, &schema), 0);
  sum = 0;
  int64_t rows = 0;
  struct ArrowArray kept = {0}, child = {0};
  for (;;) {
    struct ArrowArray array;
    EXPECT(first.get_next(&first, &array), 0);
    if (!array.release) break;
    read_all(&schema, &array);
    rows += array.length;
    /* A column is moved out; what is left is released before it. */
    if (child.release) child.release(&child);
    child = *array.children[1];
    array.children[1]->release = NULL;
    array.release(&array);
    if (array.release) failures++;
  }
  first.release(&first);
  if (first.release) failures++;
  uint64_t firstSum = sum;

  sum = 0;
  struct ArrowArrayStream moved = second;
  for (;;) {
    struct ArrowArray array;
    EXPECT(moved.get_next(&moved, &array), 0);
    if (!array.release) break;
    read_all(&schema, &array);
    if (kept.release) kept.release(&kept);
    kept = array;
  }
  moved.release(&moved);
  if (sum != firstSum) failures++;
  if (rows > 0) {
    add(child.buffers[1], 8);
    child.release(&child);
    read_all(&schema, &kept);
    kept.release(&kept);
  }
  /* A schema whose child was moved away. */
  struct ArrowSchema column = *schema.children[0];
  schema.children[0]->release = NULL;
  schema.release(&schema);
  if (strcmp(column.name, "device") != 0) failures++;
  column.release(&column);
  printf("%s %lld %016llx\n", options.table, (long long)rows, (unsigned long long)firstSum);
}

/* In place of a capsule of Python. */
static struct {
  void *pointer;
  const char *name;
  void (*destructor)(void *);
} capsule;

static void release_nothing(struct ArrowArrayStream *stream) { (void)stream; }

static void refuse(const char *const *traces) {
  // Whatever is there before: a program may close it after a failure.
  rouse_table_t *table = (rouse_table_t *)&capsule;
  struct ArrowArrayStream stream = {.release = release_nothing};
  rouse_table_options_t options = options_of("wakes", traces, "ios");
  EXPECT(rouse_table_open(NULL, &table), ROUSE_INVALID_ARGUMENT);
  EXPECT(table != NULL, 0);
  EXPECT(rouse_table_open(&options, NULL), ROUSE_INVALID_ARGUMENT);
  EXPECT(rouse_table_stream(NULL, &stream), ROUSE_INVALID_ARGUMENT);
  EXPECT(stream.release != NULL, 0);
  options.size = 8;
  EXPECT(rouse_table_open(&options, &table), ROUSE_INVALID_ARGUMENT);
  options = options_of("rows", traces, "ios");
  EXPECT(rouse_table_open(&options, &table), ROUSE_INVALID_ARGUMENT);
  options = options_of("samples", traces, "ios");
  options.policy = "ios";
  EXPECT(rouse_table_open(&options, &table), ROUSE_INVALID_ARGUMENT);
  options = options_of("wakes", traces, "/none.json");
  EXPECT(rouse_table_open(&options, &table), ROUSE_IO);
  // No preset, and not this program's standard input.
  options.policy = "nope";
  EXPECT(rouse_table_open(&options, &table), ROUSE_IO);
  options.policy = "-";
  EXPECT(rouse_table_open(&options, &table), ROUSE_IO);
  options = options_of("wakes", traces, "ios");
  options.trace_count = 0;
  EXPECT(rouse_table_open(&options, &table), ROUSE_INVALID_ARGUMENT);
  options.trace_count = 1;
  options.device_count = 1;
  EXPECT(rouse_table_open(&options, &table), ROUSE_INVALID_ARGUMENT);
  const char *none[] = {"/none.wtrace", NULL};
  options = options_of("wakes", none, "ios");
  EXPECT(rouse_table_open(&options, &table), ROUSE_IO);
  none[0] = "-";
  EXPECT(rouse_table_open(&options, &table), ROUSE_IO);
  none[0] = "/etc/passwd";
  options.keep_going = 1;
  EXPECT(rouse_table_open(&options, &table), ROUSE_NOT_A_TRACE);
  options.table = "samples";
  options.policy = NULL;
  EXPECT(rouse_table_open(&options, &table), ROUSE_NOT_A_TRACE);
  options.trace_count = 2;
  EXPECT(rouse_table_open(&options, &table), ROUSE_INVALID_ARGUMENT);
  EXPECT(rouse_table_of_json("[{\"a\": {}}]", &table), ROUSE_INVALID_TEXT);
  EXPECT(rouse_table_of_json("[", &table), ROUSE_INVALID_TEXT);
  EXPECT(rouse_table_of_json(NULL, &table), ROUSE_INVALID_ARGUMENT);
  rouse_table_close(NULL);
}

static void *make_capsule(void *pointer, const char *name, void (*destructor)(void *)) {
  capsule.pointer = pointer;
  capsule.name = name;
  capsule.destructor = destructor;
  return &capsule;
}

static void *make_none(void *pointer, const char *name, void (*destructor)(void *)) {
  (void)pointer, (void)name, (void)destructor;
  return NULL;
}

static void *pointer_of_capsule(void *given, const char *name) {
  return given == &capsule && strcmp(name, capsule.name) == 0 ? capsule.pointer : NULL;
}

/* A capsule that is taken, and one that nobody takes. */
static void read_capsules(const char *const *traces) {
  rouse_table_options_t options = options_of("samples", traces, NULL);
  rouse_table_t *table;
  EXPECT(rouse_table_open(&options, &table), ROUSE_OK);
  if (rouse_table_capsule(NULL, make_capsule, pointer_of_capsule)) failures++;
  if (rouse_table_capsule(table, NULL, pointer_of_capsule)) failures++;
  if (rouse_table_capsule(table, make_none, pointer_of_capsule)) failures++;
  for (int taken = 0; taken < 2; taken++) {
    if (rouse_table_capsule(table, make_capsule, pointer_of_capsule) != &capsule) failures++;
    struct ArrowArrayStream stream = *(struct ArrowArrayStream *)capsule.pointer, *left = capsule.pointer;
    if (taken) left->release = NULL;
    capsule.destructor(&capsule);
    if (!taken) continue;
    struct ArrowArray array;
    EXPECT(stream.get_next(&stream, &array), 0);
    array.release(&array);
    stream.release(&stream);
  }
  rouse_table_close(table);
}

static void read_json(void) {
  rouse_table_t *table;
  EXPECT(rouse_table_of_json("[{}, [{\"a\": 1}]]", &table), ROUSE_INVALID_TEXT);
  /* Columns without a row. */
  EXPECT(rouse_table_of_json("[[{\"a\": 1, \"b\": \"\"}]]", &table), ROUSE_OK);
  struct ArrowArrayStream empty;
  EXPECT(rouse_table_stream(table, &empty), ROUSE_OK);
  struct ArrowSchema columns;
  EXPECT(empty.get_schema(&empty, &columns), 0);
  EXPECT((int32_t)columns.n_children, 2);
  EXPECT(strcmp(columns.children[0]->format, "l"), 0);
  EXPECT(strcmp(columns.children[1]->name, "b"), 0);
  columns.release(&columns);
  empty.release(&empty);
  rouse_table_close(table);
  EXPECT(rouse_table_of_json("[{\"a\": 1, \"b\": [\"x\"], \"c\": true}, {\"a\": null, \"d\": \"\"}]", &table), ROUSE_OK);
  struct ArrowArrayStream stream;
  EXPECT(rouse_table_stream(table, &stream), ROUSE_OK);
  struct ArrowSchema schema;
  struct ArrowArray array;
  EXPECT(stream.get_schema(&stream, &schema), 0);
  EXPECT(stream.get_next(&stream, &array), 0);
  EXPECT((int32_t)array.length, 2);
  read_all(&schema, &array);
  array.release(&array);
  schema.release(&schema);
  /* A stream that is released before its end. */
  stream.release(&stream);
  rouse_table_close(table);
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  const char *traces[] = {arguments[1]};
  const char *names[] = {"wakes", "items", "waits", "samples"};
  for (int i = 0; i < 4; i++) read_table(names[i], traces, arguments[2]);
  refuse(traces);
  read_capsules(traces);
  read_json();
  return failures > 0;
}
