#include "PlainLoop.h"

static uint64_t mix(uint64_t hash, uint64_t field) {
  uint64_t z = hash ^ field;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

static void hash_wake(struct plain_app *app, uint64_t outcome, int64_t end) {
  uint64_t hash = mix(0x9E3779B97F4A7C15, app->device_hash);
  hash = mix(hash, app->wakes);
  hash = mix(hash, app->wake_time);
  hash = mix(hash, app->app_hash);
  hash = mix(hash, app->wake_types);
  hash = mix(hash, app->wake_saves);
  hash = mix(hash, app->wake_oldest);
  hash = mix(hash, 0); /* push */
  hash = mix(hash, 0); /* refresh */
  hash = mix(hash, outcome);
  app->digest += mix(hash, end);
}

/* When a type may wake the app, if something is pending on it. */
static int64_t pending_from(const struct plain_app *app, const struct plain_type *type) {
  return type->last_wake == INT64_MIN ? INT64_MIN : type->last_wake + app->period;
}

/* Wakes the app with what is pending: at its first wake all of it, then what is due. */
static void wake(struct plain_app *app, int64_t now) {
  app->wakes++;
  app->wake_time = now;
  app->wake_types = 0;
  app->wake_saves = 0;
  app->wake_oldest = INT64_MAX;
  app->earliest = INT64_MAX;
  for (struct plain_type *type = app->types; type < app->types + app->type_count; type++) {
    if (type->count == type->carried) continue;
    int64_t from = pending_from(app, type);
    if (from <= now || !app->was_woken) {
      app->wake_types += type->hash;
      app->wake_saves += type->count - type->carried;
      if (type->oldest < app->wake_oldest) app->wake_oldest = type->oldest;
      type->carried = type->count;
      type->last_wake = now;
    } else if (from < app->earliest) {
      app->earliest = from;
    }
  }
  app->due = now + app->completes_after + (app->was_woken ? 0 : app->cold_start);
  app->is_awake = 1;
  app->was_woken = 1;
}

/* What is due happens: the answer of a wake, or a wake. */
static void happen(struct plain_app *app) {
  int64_t now = app->due;
  if (app->is_awake) {
    hash_wake(app, 1, now);
    app->is_awake = 0;
    app->due = app->earliest;
    if (app->earliest > now) return;
  }
  wake(app, now);
}

/* The first of a type to wait: it may wake the app. */
static void begin_waiting(struct plain_app *app, struct plain_type *type, int64_t now) {
  type->oldest = now;
  int64_t from = pending_from(app, type);
  if (from >= app->earliest) return;
  app->earliest = from;
  if (app->is_awake) return;
  if (from <= now) {
    wake(app, now);
  } else {
    app->due = from;
  }
}

void plain_begin(struct plain_app *app) {
  app->present = INT64_MIN;
  app->due = app->earliest = INT64_MAX;
  app->is_awake = app->was_woken = 0;
  app->wakes = 0;
  app->digest = 0;
  for (size_t type = 0; type < app->type_count; type++) {
    app->types[type].count = app->types[type].carried = 0;
    app->types[type].last_wake = INT64_MIN;
  }
}

void plain_feed(struct plain_app *app, const int64_t *times, const uint32_t *types, size_t count) {
  int64_t present = app->present;
  for (size_t row = 0; row < count; row++) {
    if (times[row] > present) present = times[row];
    while (app->due <= present) happen(app);
    struct plain_type *type = &app->types[types[row]];
    if (type->count++ == type->carried) begin_waiting(app, type, present);
  }
  app->present = present;
}

uint64_t plain_end(struct plain_app *app) {
  if (app->is_awake) hash_wake(app, 4, 0);
  return app->digest;
}
