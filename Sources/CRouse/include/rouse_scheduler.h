/* rouse_scheduler.h: put a wake scheduler of your own on Rouse's bench.
 *
 * A scheduler is a shared library that exports one function, rouse_scheduler. It returns a table of functions that
 * Rouse calls. Nothing of Rouse is linked into the library:
 *
 *     #include "rouse_scheduler.h"
 *     ...
 *     static const rouse_scheduler_t table = {
 *         .size = sizeof table, .name = "mine", .create = create, .destroy = destroy, .begin = begin, .take = take,
 *         .input = input, .next_due = next_due, .advance = advance, .finish = finish};
 *     const rouse_scheduler_t *rouse_scheduler(void) { return &table; }
 *
 *     cc -O2 -shared -fPIC mine.c -o mine.so
 *     rouse replay day.wtrace --policy watchos --scheduler ./mine.so
 *     rouse check ./mine.so                      # does it keep the rules?
 *
 * Rules: numbers such as 4.2 are those of the page Rules (module WakeScheduling), which defines what a scheduler does.
 * `rouse check` holds a scheduler against them; a replay does not, and takes any wakes that are possible.
 *
 * Order of calls: create, then for each device begin; take, input, next_due and advance in any order; finish; at last
 * destroy. An instance has one device at a time, and begin sets it back to its first state. Rouse makes as many
 * instances as it has devices in progress.
 *
 * Threads: one thread at a time uses an instance. Different instances are used by different threads only with
 * ROUSE_SCHEDULER_THREADS. The calls of rouse_host_t may be made only by the thread that Rouse has called, and before
 * that call returns. A process that is made by fork(2) must not return from the call, and ends with the thread.
 *
 * Time: nanoseconds since 1970. An input before the present is late and happens at the present (4.1). Before an input
 * at time t, everything due at or before t happens, each at its own due time (4.2): take sees to that itself. Nothing
 * happens after a device's last input (4.3), so a wake in flight at finish is open.
 *
 * Answers: Rouse gives the answers of modelled apps (6.4) as inputs ROUSE_COMPLETE, in the order of 4.2, unless
 * ROUSE_SCHEDULER_ANSWERS is set. It can only do so if the scheduler stops in time: see began.
 *
 * Names are numbers, alike in all instances: types, sources, apps and queries are each numbered from 0.
 *
 * Memory: what Rouse passes is valid during the call, but for rouse_host_t and rouse_policy_t, which are valid until
 * destroy returns. What a scheduler passes need be valid during its call only.
 *
 * ABI: every structure begins with its size and grows only at its end, where 0 is the default. A scheduler sets the
 * size of what it makes; Rouse takes shorter structures of older headers. Of a structure that Rouse makes, look only at
 * fields within its size if the header may be newer than Rouse.
 */
#ifndef ROUSE_SCHEDULER_H
#define ROUSE_SCHEDULER_H

/* The structure of an input, rouse_event_t, and its kinds. None of the functions there is called or linked. */
#include "rouse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a wake ended (rules, 7) is ROUSE_COMPLETED, ROUSE_EXPIRED or ROUSE_ABORTED. One that has not ended at finish is
 * open. No scheduler is given an event of the kind ROUSE_OBSERVED (rules, 11). */

/* An app is given time to run (6.2): one wake, or several that differ in nothing but the app. */
typedef struct {
  size_t size; /* sizeof(rouse_wake_t) */
  /* When: not before the wakes told of earlier, and not after the time of the input or of advance. */
  int64_t time;
  /* The apps, each once. Each must have been in an input or in the policy's subscriptions, and not be awake. */
  const uint32_t *apps;
  size_t app_count;
  /* The types carried, each once, in any order. */
  const uint32_t *types;
  size_t type_count;
  /* The number of the push carried (query of its input), and 0 without one; with a push there is one app. */
  uint32_t push;
  /* 1 if it carries a refresh. */
  int32_t refresh;
  /* 1 if the next two are known: how many saves and deletes it carries, and the time of the first, if any. */
  int32_t has_saves;
  /* 1 if the apps will answer at the time `answer`, unless something ends their wakes before; only with
   * ROUSE_SCHEDULER_ANSWERS. Rouse then takes a wake for completed at that time, without a call of ended, unless ended
   * tells of another end before that time, or the last input comes before it. So two calls become one; ended may tell
   * of the answer all the same. */
  int32_t is_answered;
  uint64_t saves;
  int64_t oldest;
  int64_t answer;
} rouse_wake_t;

/* What a scheduler counts of a device beside its wakes (rules, 7, "Summary"). */
typedef struct {
  size_t size; /* sizeof(rouse_counts_t) */
  uint64_t live_deliveries, ignored_completions, rejected_registrations, rejected_pushes, pushes_superseded,
      pushes_discarded, pushes_delivered_live;
} rouse_counts_t;

/* The state of an app after a device's last input. */
typedef struct {
  size_t size; /* sizeof(rouse_app_state_t) */
  uint32_t app;
  int32_t is_stopped, holds_push; /* 0 or 1 */
  int32_t reserved;               /* 0 */
  /* Saves and deletes pending on its subscriptions, without those in an open wake. */
  uint64_t pending;
} rouse_app_state_t;

/* The calls back into Rouse. Each takes the host as its first argument. */
typedef struct rouse_host rouse_host_t;
struct rouse_host {
  size_t size; /* sizeof(rouse_host_t) */
  void *rouse; /* Rouse's own */

  /* The name of a number, as UTF-8 with a zero behind it, and its length if `length` is not null; null if there is no
   * such number. `sort` is ROUSE_TYPE, ROUSE_SOURCE, ROUSE_APP, ROUSE_QUERY or ROUSE_DEVICE. Valid until destroy
   * returns. It takes a lock: ask once for each number. */
  const char *(*name)(const rouse_host_t *host, int32_t sort, uint32_t number, size_t *length);
  /* How many numbers of a sort there are so far. */
  uint32_t (*name_count)(const rouse_host_t *host, int32_t sort);

  /* Wakes begin. If it returns 1, Rouse may have an answer to give before anything else happens: end what is at hand
   * (the row, or the timer of this one app), and let take return the rows taken, or advance return. */
  int32_t (*began)(const rouse_host_t *host, const rouse_wake_t *wake);
  /* The wakes of apps end at a time, all alike. */
  void (*ended)(
      const rouse_host_t *host, const uint32_t *apps, size_t app_count, int64_t time, int32_t outcome);

  /* In finish: what was counted, and the state of each app; both may be left out. */
  void (*counted)(const rouse_host_t *host, const rouse_counts_t *counts);
  void (*app_state)(const rouse_host_t *host, const rouse_app_state_t *state);

  /* Ends the run with a message: the scheduler cannot go on. It returns all the same. */
  void (*fail)(const rouse_host_t *host, const char *message);
};

/* The fastest frequency of a type (rules, 3, `caps`). */
typedef struct {
  uint32_t type;
  int32_t frequency; /* ROUSE_IMMEDIATE and so on */
} rouse_cap_t;

/* A subscription that each device starts with (rules, 3, `subscriptions`). */
typedef struct {
  uint32_t app, type;
  int32_t frequency;
} rouse_subscription_t;

/* Which pending types a wake carries (6.2). */
enum { ROUSE_CARRY_LAUNCH = 0, ROUSE_CARRY_DUE = 1, ROUSE_CARRY_ALWAYS = 2 };

/* The parameters of the rules (3); durations are nanoseconds. */
typedef struct {
  size_t size; /* sizeof(rouse_policy_t) */
  /* The policy as a JSON object with all keys. */
  const char *json;
  size_t json_length;

  const rouse_cap_t *caps;
  size_t cap_count;
  const rouse_subscription_t *subscriptions; /* in their order */
  size_t subscription_count;
  int32_t default_cap;
  int32_t carry; /* ROUSE_CARRY_LAUNCH and so on */
  int32_t force_quit_blocks_health, lock_blocks_health;
  /* The budget, if there is one. */
  int32_t has_budget, limit, limit_without_complication;
  int32_t max_strikes, push_limit;
  /* How modelled apps answer; Rouse does that by default. */
  int32_t has_completes_after, ignores_every;
  int32_t reserved; /* 0 */
  int64_t window, completion_timeout, backoff_base, backoff_max, push_window, minimum_refresh_interval;
  double backoff_factor;
  int64_t completes_after, cold_start;
} rouse_policy_t;

/* The fields that a row's save has. */
enum { ROUSE_ROW_HAS_START = 1, ROUSE_ROW_HAS_END = 2, ROUSE_ROW_HAS_VALUE = 4 };

/* What is known of rows without a look at them. Without a flag it may be so or not. */
enum {
  /* The times ascend, and none is before the present. */
  ROUSE_ROWS_ORDERED = 1,
  /* All are saves. */
  ROUSE_ROWS_SAVES = 2
};

/* Saves and deletes of a device, in their order: columns of `count` rows, in Rouse's own memory. Mostly thousands of
 * rows come at once. A scheduler takes them as it likes, all in one loop or one after the other, as long as everything
 * happens as if they came one by one. */
typedef struct {
  size_t size; /* sizeof(rouse_rows_t) */
  size_t count;
  const int64_t *times;   /* as written: one may be before the present */
  const uint8_t *kinds;   /* ROUSE_SAVE or ROUSE_DELETE */
  const uint32_t *types;
  /* Without ROUSE_SCHEDULER_VALUES these are 0 and null, unless an observer query of the traces has a predicate. */
  const uint32_t *sources;
  /* ROUSE_ROW_HAS_START and so on; null, as the next three are, if no row has any. */
  const uint8_t *has;
  const int64_t *starts, *ends;
  const double *values;
  uint32_t flags; /* ROUSE_ROWS_ORDERED and so on */
  /* All types are less: a scheduler that has looked at so many needs to look for new ones only if this has grown. */
  uint32_t type_end;
} rouse_rows_t;

/* Of an input ROUSE_PUSH, in `has`: it is a background notification (5.8). */
#define ROUSE_IS_BACKGROUND 0x10000u

/* What a scheduler can do, and wants. */
enum {
  /* Different threads may use different instances at once. */
  ROUSE_SCHEDULER_THREADS = 1,
  /* It answers for modelled apps itself. */
  ROUSE_SCHEDULER_ANSWERS = 2,
  /* It wants sources and the fields of saves of every row. */
  ROUSE_SCHEDULER_VALUES = 4
};

/* A scheduler. All functions but `next_due` are required; `instance` is what create has made. */
typedef struct {
  size_t size;      /* sizeof(rouse_scheduler_t) */
  const char *name; /* for people */
  uint32_t flags;   /* ROUSE_SCHEDULER_THREADS and so on */
  int32_t reserved; /* 0 */

  /* Makes an instance; null if it cannot, after host->fail. */
  void *(*create)(const rouse_host_t *host, const rouse_policy_t *policy);
  void (*destroy)(void *instance);

  /* A device begins, in its first state, with the policy's subscriptions. */
  void (*begin)(void *instance, uint32_t device);
  /* Takes rows in their order; returns how many it took: all, or fewer if began has returned 1. */
  size_t (*take)(void *instance, const rouse_rows_t *rows);
  /* Takes any other input; Rouse has called advance with its time before. Fields are those of rouse.h, without device.
   * Of a push, `query` is its number among the device's pushes, from 1, and ROUSE_IS_BACKGROUND says what 5.8 asks of
   * aps, push_type and priority. */
  void (*input)(void *instance, const rouse_event_t *event);
  /* When something is due next if no input comes; INT64_MAX if nothing is. It may be null; then nothing happens between
   * inputs of a paced replay. A time before the present, or many at which nothing happens, are a fault. */
  int64_t (*next_due)(void *instance);
  /* Lets everything due at or before the time happen, or returns sooner if began has returned 1. Nothing is due at
   * or before it that has not happened when it returns without a wake having begun. */
  void (*advance)(void *instance, int64_t time);
  /* The device's last input has been taken. */
  void (*finish)(void *instance);
} rouse_scheduler_t;

/* The only symbol that a scheduler exports. */
#if defined(__GNUC__) && !defined(ROUSE_SCHEDULER_HOST)
__attribute__((visibility("default")))
#endif
const rouse_scheduler_t *rouse_scheduler(void);

#ifdef __cplusplus
}
#endif

#endif
