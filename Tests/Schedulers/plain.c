/* The rules of the page Rules as a plain scheduler in C: one file, no cleverness, every function named after its rule.
 *
 *     cc -O2 -shared -fPIC -I Sources/CRouse/include Tests/Schedulers/plain.c -lm -o plain.so
 *     rouse check ./plain.so
 *
 * Start from it to write a scheduler of your own. It looks at every subscription and app each time, so it is slow where
 * there are many; what it does is what matters here.
 */
#include "rouse_scheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEVER INT64_MAX
static const int64_t SECOND = 1000000000;

/* A growing array. */
#define ARRAY(T) struct { T *items; size_t count, room; }
#define PUSH(array) \
  (((array).count == (array).room ? (void)((array).room = (array).room * 2 + 4, \
      (array).items = realloc((array).items, (array).room * sizeof *(array).items)) : (void)0), \
   &(array).items[(array).count++])
#define REMOVE(array, place) \
  memmove(&(array).items[place], &(array).items[(place) + 1], \
          (--(array).count - (place)) * sizeof *(array).items)
#define EACH(T, item, array) (T *item = (array).items; item < (array).items + (array).count; item++)

/* An (app, sample type) with background delivery (rules, 1). */
typedef struct {
  uint32_t type;
  int64_t period;
  uint64_t pending; /* saves and deletes that wait */
  int64_t oldest;   /* the time of the first of them */
  int woken;        /* whether a wake has carried it, at `last` */
  int64_t last;
  int carried;      /* outstanding in the wake in flight: so many saves, the first at `carried_oldest` */
  uint64_t carried_saves;
  int64_t carried_oldest;
} subscription;

/* A running observer query (rules, 1). */
typedef struct {
  uint32_t query, type;
  int has_predicate;
  rouse_event_t predicate;
} query;

typedef enum { TERMINATED, SUSPENDED, AWAKE, FOREGROUND } activity;

typedef struct {
  uint32_t name;
  activity state;
  int force_quit, lacks_entitlement, has_complication;
  ARRAY(subscription) subscriptions;
  ARRAY(query) queries;
  /* The wake in flight. */
  int64_t deadline;
  int push_outstanding, refresh_outstanding, had_types;
  /* 6.5 */
  int strikes, stopped;
  int64_t backoff, delay; /* `backoff` is the time until which it lasts; `delay` is 0 if there is none */
  /* 5.8: the push held, 0 for none. */
  uint32_t held;
  /* 5.9 */
  int64_t interval; /* -1: never */
  int64_t last_refresh;
  int32_t refresh_status;
  /* The times of wakes that were charged, and of those with a push. */
  ARRAY(int64_t) charged, pushed;
} app;

typedef struct {
  const rouse_host_t *host;
  const rouse_policy_t *policy;
  int64_t present;
  int network_bad, power_bad, locked;
  ARRAY(app) apps; /* by their numbers: in order of appearance */
  rouse_counts_t counts;
  /* Set when Rouse may have an answer to give before anything else happens. */
  int stop;
} device;

/* --- 6. The wake --- */

static int64_t later(int64_t time, int64_t span) {
  return span > 0 && time > NEVER - span ? NEVER : time + span;
}

/* How many of the times lie in (t - window, t]. */
static int recent(const int64_t *times, size_t count, int64_t t, int64_t window) {
  int found = 0;
  for (size_t i = 0; i < count; i++) found += times[i] > t - window && times[i] <= t;
  return found;
}

/* Adds a time, and drops those that no window has any more. */
#define ADD_TIME(times, t, window) \
  do { \
    while ((times).count && (times).items[0] <= (t) - (window)) REMOVE(times, 0); \
    *PUSH(times) = (t); \
  } while (0)

static int limit_of(const device *d, const app *a) {
  return a->has_complication ? d->policy->limit : d->policy->limit_without_complication;
}

static int budget_open(const device *d, const app *a, int64_t t) {
  return !d->policy->has_budget ||
         recent(a->charged.items, a->charged.count, t, d->policy->window) < limit_of(d, a);
}

static int health_blocked(const device *d, const app *a) {
  return a->stopped || (a->force_quit && d->policy->force_quit_blocks_health) ||
         (d->locked && d->policy->lock_blocks_health);
}

static int type_due(const app *a, const subscription *s, int64_t t) {
  return s->pending > 0 && (!s->woken || t >= later(s->last, s->period)) &&
         (a->delay == 0 || t >= a->backoff);
}

static int health_due(const device *d, const app *a, int64_t t) {
  if (!budget_open(d, a, t) || health_blocked(d, a)) return 0;
  for EACH(subscription, s, a->subscriptions) if (type_due(a, s, t)) return 1;
  return 0;
}

static int refresh_due(const device *d, const app *a, int64_t t) {
  return budget_open(d, a, t) && a->interval >= 0 && a->refresh_status == ROUSE_AVAILABLE && !d->network_bad &&
         !d->power_bad && !a->force_quit && t >= later(a->last_refresh, a->interval);
}

static int push_due(const device *d, const app *a, int64_t t) {
  return a->held && !a->force_quit &&
         recent(a->pushed.items, a->pushed.count, t, d->policy->push_window) < d->policy->push_limit;
}

/* 6.2: wakes the app, once, if anything is due. */
static void evaluate(device *d, app *a, int64_t t) {
  if (a->state == AWAKE || a->state == FOREGROUND) return;
  int health = health_due(d, a, t), refresh = refresh_due(d, a, t), push = push_due(d, a, t);
  if (!health && !refresh && !push) return;
  uint32_t *types = malloc((a->subscriptions.count + 1) * sizeof *types);
  rouse_wake_t wake = {.size = sizeof wake, .time = t, .apps = &a->name, .app_count = 1, .types = types,
                       .push = push ? a->held : 0, .refresh = refresh, .has_saves = 1, .oldest = NEVER};
  int all = d->policy->carry == ROUSE_CARRY_ALWAYS ||
            (d->policy->carry == ROUSE_CARRY_LAUNCH && a->state == TERMINATED);
  if (budget_open(d, a, t) && !health_blocked(d, a)) {
    for EACH(subscription, s, a->subscriptions) {
      if (!s->pending || !(all || type_due(a, s, t))) continue;
      types[wake.type_count++] = s->type;
      wake.saves += s->pending;
      if (s->oldest < wake.oldest) wake.oldest = s->oldest;
      s->carried = 1;
      s->carried_saves = s->pending;
      s->carried_oldest = s->oldest;
      s->pending = 0;
      s->woken = 1;
      s->last = t;
    }
  }
  if (refresh) a->last_refresh = t;
  if (push) {
    a->held = 0;
    ADD_TIME(a->pushed, t, d->policy->push_window);
  }
  if (wake.type_count || refresh) ADD_TIME(a->charged, t, d->policy->window);
  a->state = AWAKE;
  a->deadline = later(t, d->policy->completion_timeout); /* 6.3 */
  a->had_types = wake.type_count > 0;
  a->push_outstanding = push;
  a->refresh_outstanding = refresh;
  if (d->host->began(d->host, &wake)) d->stop = 1;
  free(types);
}

/* --- 6.5, 6.6: strikes --- */

static void clear_strikes(app *a) {
  a->strikes = 0;
  a->delay = 0;
}

static void strike(device *d, app *a, int64_t t) {
  const rouse_policy_t *p = d->policy;
  a->strikes++;
  if (a->strikes >= p->max_strikes) {
    a->stopped = 1;
    return;
  }
  /* The lesser of both is taken before the conversion. */
  double next = a->delay ? (double)(a->delay - 1) * p->backoff_factor : (double)p->backoff_base;
  int64_t delay = next >= (double)p->backoff_max ? p->backoff_max : (int64_t)rint(next);
  a->delay = delay + 1; /* so that a delay of 0 is one, too */
  a->backoff = later(t, delay);
}

/* The wake in flight ends. Types outstanding give their saves back (6.5). */
static void end_wake(device *d, app *a, int64_t t, int32_t outcome, int is_answer) {
  int unanswered = 0;
  for EACH(subscription, s, a->subscriptions) {
    if (!s->carried) continue;
    if (outcome != ROUSE_COMPLETED) {
      unanswered = 1;
      if (!s->pending || s->carried_oldest < s->oldest) s->oldest = s->carried_oldest;
      s->pending += s->carried_saves;
    }
    s->carried = 0;
  }
  a->push_outstanding = a->refresh_outstanding = 0;
  a->state = SUSPENDED;
  if (unanswered) strike(d, a, t);
  if (is_answer && a->had_types) clear_strikes(a); /* 6.6 */
  d->host->ended(d->host, &a->name, 1, t, outcome);
}

static int outstanding(const app *a) {
  for EACH(subscription, s, a->subscriptions) if (s->carried) return 1;
  return a->push_outstanding || a->refresh_outstanding;
}

/* --- 4. Time --- */

/* When a window has room again: the time at which only `limit - 1` of the times are left in it. */
static int64_t window_opens(const int64_t *times, size_t count, int64_t t, int64_t window, int limit) {
  if (limit <= 0) return NEVER;
  if (recent(times, count, t, window) < limit) return t;
  return later(times[count - (size_t)limit], window);
}

static int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }

/* 4.4: when the app's timer is due. */
static int64_t timer(const device *d, const app *a) {
  if (a->state == AWAKE) return a->deadline;
  if (a->state == FOREGROUND) return NEVER;
  int64_t t = d->present, due = NEVER;
  int64_t budget = !d->policy->has_budget ? t
      : window_opens(a->charged.items, a->charged.count, t, d->policy->window, limit_of(d, a));
  if (!health_blocked(d, a))
    for EACH(subscription, s, a->subscriptions) {
      if (!s->pending) continue;
      int64_t at = budget;
      if (s->woken) at = greater(at, later(s->last, s->period));
      if (a->delay) at = greater(at, a->backoff);
      if (at < due) due = at;
    }
  if (a->interval >= 0 && a->refresh_status == ROUSE_AVAILABLE && !d->network_bad && !d->power_bad &&
      !a->force_quit) {
    int64_t at = greater(budget, later(a->last_refresh, a->interval));
    if (at < due) due = at;
  }
  if (a->held && !a->force_quit) {
    int64_t at = window_opens(a->pushed.items, a->pushed.count, t, d->policy->push_window, d->policy->push_limit);
    if (at < due) due = at;
  }
  return due;
}

static app *first_due(const device *d, int64_t *due) {
  app *first = NULL;
  *due = NEVER;
  for EACH(app, a, d->apps) {
    int64_t at = timer(d, a);
    if (at < *due) *due = at, first = a; /* of equal times, the lower number */
  }
  return first;
}

#ifdef PLANTED
/* A slowdown that Benchmarks/trust plants: all timers are looked at once more at every PLANTED-th call. */
static void waste_time(const device *d) {
  static _Thread_local unsigned calls;
  static volatile int64_t wasted;
  int64_t due;
  if (++calls % PLANTED == 0) first_due(d, &due), wasted = due;
}
#endif

/* 4.2: lets what is due at or before a time happen; returns early if Rouse has to answer. */
static void let_happen(device *d, int64_t time) {
  int64_t due;
#ifdef PLANTED
  waste_time(d);
#endif
  for (app *a = first_due(d, &due); a && due <= time && !d->stop; a = first_due(d, &due)) {
    if (due > d->present) d->present = due;
    if (a->state == AWAKE) end_wake(d, a, due, ROUSE_EXPIRED, 0);
    evaluate(d, a, d->present);
  }
}

/* --- 5. What an input does --- */

static app *find(device *d, uint32_t name) {
  for EACH(app, known, d->apps) if (known->name == name) return known;
  app *a = PUSH(d->apps);
  memset(a, 0, sizeof *a);
  a->name = name;
  a->interval = -1;
  return a;
}

static subscription *subscribed(app *a, uint32_t type) {
  for EACH(subscription, s, a->subscriptions) if (s->type == type) return s;
  return NULL;
}

static int64_t period(int32_t frequency) {
  static const int64_t hours[] = {0, 1, 24, 168};
  return hours[frequency] * 3600 * SECOND;
}

/* 5.2 */
static void enable(device *d, app *a, uint32_t type, int32_t frequency) {
  static const char correlation[] = "HKCorrelationTypeIdentifier";
  const char *name = d->host->name(d->host, ROUSE_TYPE, type, NULL);
  if (a->lacks_entitlement || strncmp(name, correlation, strlen(correlation)) == 0) {
    d->counts.rejected_registrations++;
    return;
  }
  int32_t cap = d->policy->default_cap;
  for (size_t i = 0; i < d->policy->cap_count; i++)
    if (d->policy->caps[i].type == type) cap = d->policy->caps[i].frequency;
  if (a->state == FOREGROUND || a->subscriptions.count == 0) {
    clear_strikes(a);
    a->stopped = 0;
  }
  subscription *s = subscribed(a, type);
  if (!s) {
    s = PUSH(a->subscriptions);
    memset(s, 0, sizeof *s);
    s->type = type;
  }
  s->period = greater(period(frequency), period(cap));
}

/* 5.3 */
static void disable(device *d, app *a, uint32_t type) {
  subscription *s = subscribed(a, type);
  if (!s) return;
  int was_carried = s->carried;
  REMOVE(a->subscriptions, (size_t)(s - a->subscriptions.items));
  if (was_carried && !outstanding(a)) end_wake(d, a, d->present, ROUSE_COMPLETED, 0);
}

/* Rules, 2: whether a sample matches the predicate of a query. */
static int matches(const rouse_event_t *p, const rouse_rows_t *rows, size_t row) {
  uint8_t has = rows->has ? rows->has[row] : 0;
  int64_t start = has & ROUSE_ROW_HAS_START ? rows->starts[row] : rows->times[row];
  int64_t end = has & ROUSE_ROW_HAS_END ? rows->ends[row] : start;
  if (p->has & ROUSE_HAS_SOURCE && p->source.number != rows->sources[row]) return 0;
  if (p->has & ROUSE_HAS_START && (p->strict_start ? start : end) < p->start) return 0;
  if (p->has & ROUSE_HAS_END && (p->strict_end ? end > p->end : start >= p->end)) return 0;
  if (p->has & (ROUSE_HAS_MIN | ROUSE_HAS_MAX) && !(has & ROUSE_ROW_HAS_VALUE)) return 0;
  if (p->has & ROUSE_HAS_MIN && !(rows->values[row] >= p->min)) return 0;
  if (p->has & ROUSE_HAS_MAX && !(rows->values[row] <= p->max)) return 0;
  return 1;
}

/* 5.1: whether the app takes a save or delete. */
static int takes(const app *a, const rouse_rows_t *rows, size_t row) {
  int has_queries = 0;
  for EACH(query, q, a->queries) {
    if (q->type != rows->types[row]) continue;
    if (!q->has_predicate || rows->kinds[row] == ROUSE_DELETE || matches(&q->predicate, rows, row)) return 1;
    has_queries = 1;
  }
  return !has_queries;
}

/* 5.1 */
static void sample(device *d, const rouse_rows_t *rows, size_t row) {
  for EACH(app, a, d->apps) {
    subscription *s = subscribed(a, rows->types[row]);
    if (!s || !takes(a, rows, row)) continue;
    if (a->state == FOREGROUND) {
      d->counts.live_deliveries++;
      continue;
    }
    if (s->pending++ == 0) s->oldest = d->present;
    evaluate(d, a, d->present); /* 4.5 */
  }
}

/* 5.4 */
static void complete(device *d, app *a, const rouse_event_t *e) {
  subscription *s = e->item == ROUSE_ITEM_TYPE ? subscribed(a, e->type.number) : NULL;
  int is_outstanding = a->state == AWAKE &&
      (e->item == ROUSE_EVERYTHING || (e->item == ROUSE_ITEM_PUSH && a->push_outstanding) ||
       (e->item == ROUSE_ITEM_REFRESH && a->refresh_outstanding) || (s && s->carried));
  if (!is_outstanding) {
    d->counts.ignored_completions++;
    return;
  }
  if (e->item == ROUSE_ITEM_PUSH) a->push_outstanding = 0;
  if (e->item == ROUSE_ITEM_REFRESH) a->refresh_outstanding = 0;
  if (s) s->carried = 0;
  if (e->item == ROUSE_EVERYTHING || !outstanding(a)) end_wake(d, a, d->present, ROUSE_COMPLETED, 1);
}

/* 5.5 */
static void launch(device *d, app *a) {
  a->force_quit = 0;
  if (a->state == AWAKE) end_wake(d, a, d->present, ROUSE_COMPLETED, 1);
  for EACH(subscription, s, a->subscriptions) {
    d->counts.live_deliveries += s->pending;
    s->pending = 0;
  }
  if (a->held) d->counts.pushes_delivered_live++;
  a->held = 0;
  a->state = FOREGROUND;
}

/* 5.7 */
static void terminate(device *d, app *a) {
  if (a->state == AWAKE) end_wake(d, a, d->present, ROUSE_ABORTED, 0);
  if (a->held) d->counts.pushes_discarded++;
  a->held = 0;
  a->state = TERMINATED;
}

/* 5.8 */
static void push(device *d, app *a, const rouse_event_t *e) {
  if (!(e->has & ROUSE_IS_BACKGROUND)) {
    d->counts.rejected_pushes++;
  } else if (a->state == FOREGROUND) {
    d->counts.pushes_delivered_live++;
  } else if (a->force_quit) {
    d->counts.pushes_discarded++;
  } else {
    if (a->held) d->counts.pushes_superseded++;
    a->held = e->query;
  }
}

/* 5.9 */
static void refresh_interval(device *d, app *a, double seconds) {
  if (seconds == ROUSE_NEVER) {
    a->interval = -1;
    return;
  }
  if (a->interval < 0) a->last_refresh = d->present;
  int64_t least = d->policy->minimum_refresh_interval;
  a->interval = seconds == ROUSE_MINIMUM ? least : greater(least, (int64_t)rint(seconds * 1e9));
}

static void start_query(app *a, const rouse_event_t *e) {
  query *q = NULL;
  for EACH(query, known, a->queries) if (known->query == e->query) q = known;
  if (!q) q = PUSH(a->queries);
  *q = (query){.query = e->query, .type = e->type.number,
               .has_predicate = (e->has & ROUSE_HAS_PREDICATE) != 0, .predicate = *e};
}

static void stop_query(app *a, uint32_t name) {
  for (size_t i = 0; i < a->queries.count; i++)
    if (a->queries.items[i].query == name) {
      REMOVE(a->queries, i);
      return;
    }
}

/* --- The functions of the table --- */

static void reset(device *d) {
  for EACH(app, a, d->apps) {
    free(a->subscriptions.items);
    free(a->queries.items);
    free(a->charged.items);
    free(a->pushed.items);
  }
  free(d->apps.items);
  const rouse_host_t *host = d->host;
  const rouse_policy_t *policy = d->policy;
  memset(d, 0, sizeof *d);
  d->host = host;
  d->policy = policy;
  d->present = INT64_MIN;
}

static void *create(const rouse_host_t *host, const rouse_policy_t *policy) {
  device *d = calloc(1, sizeof *d);
  d->host = host;
  d->policy = policy;
  return d;
}

static void destroy(void *instance) {
  reset(instance);
  free(instance);
}

static void begin(void *instance, uint32_t name) {
  device *d = instance;
  (void)name;
  reset(d);
  for (size_t i = 0; i < d->policy->subscription_count; i++) {
    const rouse_subscription_t *s = &d->policy->subscriptions[i];
    enable(d, find(d, s->app), s->type, s->frequency);
  }
}

static void enter(device *d, int64_t time) {
  if (time > d->present) d->present = time; /* 4.1 */
}

static size_t take(void *instance, const rouse_rows_t *rows) {
  device *d = instance;
  d->stop = 0;
  for (size_t row = 0; row < rows->count; row++) {
    let_happen(d, greater(rows->times[row], d->present));
    if (d->stop) return row;
    enter(d, rows->times[row]);
#ifdef EXPECTS_NO_SOURCES
    if (rows->sources[row] != 0) return rows->count + 1;
#endif
    sample(d, rows, row);
    if (d->stop) return row + 1;
  }
  return rows->count;
}

static void input(void *instance, const rouse_event_t *e) {
  device *d = instance;
  enter(d, e->time);
  /* An input that names an app numbers it. */
  int is_for_device = e->kind >= ROUSE_NETWORK || (e->kind == ROUSE_REFRESH_STATUS && e->app == ROUSE_EVERY_APP);
  app *a = is_for_device ? NULL : find(d, e->app);
  switch (e->kind) {
    case ROUSE_ENABLE: enable(d, a, e->type.number, e->frequency); break;
    case ROUSE_DISABLE: disable(d, a, e->type.number); break;
    case ROUSE_DISABLE_ALL:
      while (a->subscriptions.count) disable(d, a, a->subscriptions.items[0].type);
      break;
    case ROUSE_EXECUTE: start_query(a, e); break;
    case ROUSE_STOP: stop_query(a, e->query); break;
    case ROUSE_COMPLETE: complete(d, a, e); break;
    case ROUSE_LAUNCH: launch(d, a); break;
    case ROUSE_BACKGROUND: if (a->state == FOREGROUND) a->state = SUSPENDED; break;
    case ROUSE_FORCE_QUIT: terminate(d, a); a->force_quit = 1; break;
    case ROUSE_TERMINATE: terminate(d, a); break;
    case ROUSE_PUSH: push(d, a, e); break;
    case ROUSE_REFRESH_INTERVAL: refresh_interval(d, a, e->interval); break;
    case ROUSE_REFRESH_STATUS:
      for EACH(app, each, d->apps) if (!a || each == a) each->refresh_status = e->status;
      break;
    case ROUSE_COMPLICATION: a->has_complication = e->is_on; break;
    case ROUSE_ENTITLEMENT: a->lacks_entitlement = !e->is_on; break;
    case ROUSE_NETWORK: d->network_bad = !e->is_on; break;
    case ROUSE_POWER: d->power_bad = !e->is_on; break;
    case ROUSE_LOCK: d->locked = 1; break;
    case ROUSE_UNLOCK: d->locked = 0; break;
    case ROUSE_REBOOT:
      for EACH(app, each, d->apps) {
        terminate(d, each);
        each->force_quit = 0;
      }
      d->locked = 1;
      break;
  }
  for EACH(app, each, d->apps) evaluate(d, each, d->present); /* 4.5 */
}

static int64_t next_due(void *instance) {
  int64_t due;
  first_due(instance, &due);
  return due;
}

static void advance(void *instance, int64_t time) {
  device *d = instance;
  d->stop = 0;
  let_happen(d, time);
}

static void finish(void *instance) {
  device *d = instance;
  d->counts.size = sizeof d->counts;
  d->host->counted(d->host, &d->counts);
  for EACH(app, a, d->apps) {
    rouse_app_state_t state = {.size = sizeof state, .app = a->name, .is_stopped = a->stopped, .holds_push = a->held != 0};
    for EACH(subscription, s, a->subscriptions) state.pending += s->pending;
    d->host->app_state(d->host, &state);
  }
}

static const rouse_scheduler_t table = {
    .size = sizeof table, .name = "plain", .flags = ROUSE_SCHEDULER_THREADS, .create = create, .destroy = destroy,
    .begin = begin, .take = take, .input = input, .next_due = next_due, .advance = advance, .finish = finish};

const rouse_scheduler_t *rouse_scheduler(void) { return &table; }
