/* A scheduler that is better than the rules where saves come in bursts: it waits for the end of a burst.
 *
 *     cc -O2 -shared -fPIC -I Sources/CRouse/include Tests/Schedulers/burst.c -o burst.so
 *     rouse replay day.wtrace --policy day.policy.json --scheduler ./burst.so --bounds -
 *
 * The rules wake an app at the first save of a burst, carry that one save, and leave the rest of the burst to the next
 * hour: nearly all the time the app is behind (rules, 10.1). This one wakes an app at the end of a burst, which is when
 * nothing has come for QUIET seconds, but at the latest LATEST seconds after the first save that waits. The wake carries
 * all that waits, of whatever type. An app earns one wake in EARNED seconds, and saves up at most SAVED of them; at the end
 * of a burst for which it has none left, it waits for the next one. The environment sets the four: BURST_QUIET,
 * BURST_LATEST, BURST_EARNED, BURST_SAVED.
 *
 * What forbids a wake by the rules does so here: the foreground, a force-quit, a lock, a stopped app (6.1, 6.5). It knows
 * no frequencies, budget, predicates, pushes and refreshes, and makes no difference between apps that do not answer.
 */
#include "rouse_scheduler.h"

#include <stdlib.h>
#include <string.h>

#define NEVER INT64_MAX
static const int64_t SECOND = 1000000000;

typedef struct {
  uint32_t type;
  int is_on;
  uint64_t pending;
  uint64_t carried; /* by the wake in flight, and not answered yet */
} subscription;

typedef enum { TERMINATED, SUSPENDED, AWAKE, FOREGROUND } activity;

typedef struct {
  int is_known; /* it has appeared in an input */
  activity state;
  int force_quit;
  subscription *subscriptions;
  size_t count;
  /* The times of the first and the last save that wait; NEVER if none does. */
  int64_t first, last;
  int64_t carried_first;
  int64_t spent;    /* the time up to which it has spent what it earned; a long time ago at first */
  int64_t deadline; /* of the wake in flight (6.3) */
  int strikes;
} app;

typedef struct {
  const rouse_host_t *host;
  const rouse_policy_t *policy;
  int64_t quiet, latest, earned, saved;
  int64_t present;
  int locked;
  /* By number. */
  app *apps;
  size_t count;
  uint64_t live;
  /* Set when Rouse may have an answer to give before anything else happens. */
  int stop;
} device;

static int64_t seconds(const char *name, double otherwise) {
  const char *text = getenv(name);
  return (int64_t)((text ? atof(text) : otherwise) * (double)SECOND);
}

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }

static app *find(device *d, uint32_t name) {
  if (name >= d->count) {
    d->apps = realloc(d->apps, (name + 1) * sizeof *d->apps);
    memset(d->apps + d->count, 0, (name + 1 - d->count) * sizeof *d->apps);
    d->count = name + 1;
  }
  app *a = &d->apps[name];
  if (!a->is_known) *a = (app){.is_known = 1, .first = NEVER, .last = NEVER, .spent = INT64_MIN / 2};
  return a;
}

static int is_blocked(const device *d, const app *a) {
  return a->strikes >= d->policy->max_strikes || (a->force_quit && d->policy->force_quit_blocks_health) ||
         (d->locked && d->policy->lock_blocks_health);
}

/* The time up to which the app has spent what it earned: it saves up no more than `saved` wakes. */
static int64_t spent(const device *d, const app *a, int64_t t) { return greater(a->spent, t - d->saved); }

/* When the app is due: its wake ends, or what waits is to be carried. */
static int64_t due(const device *d, const app *a) {
  if (!a->is_known || a->state == FOREGROUND) return NEVER;
  if (a->state == AWAKE) return a->deadline;
  if (a->first == NEVER || is_blocked(d, a)) return NEVER;
  int64_t end = a->last + d->quiet, latest = a->first + d->latest;
  int has_wake = spent(d, a, end) + d->earned <= end;
  return greater(d->present, has_wake ? lesser(end, latest) : latest);
}

static void wake(device *d, app *a, int64_t t) {
  uint32_t name = (uint32_t)(a - d->apps);
  uint32_t *types = malloc(a->count * sizeof *types);
  rouse_wake_t wake = {.size = sizeof wake, .time = t, .apps = &name, .app_count = 1, .types = types,
                       .has_saves = 1, .oldest = a->first};
  for (subscription *s = a->subscriptions; s < a->subscriptions + a->count; s++) {
    if (!s->pending) continue;
    types[wake.type_count++] = s->type;
    wake.saves += s->pending;
    s->carried = s->pending;
    s->pending = 0;
  }
  a->carried_first = a->first;
  a->first = a->last = NEVER;
  a->spent = spent(d, a, t) + d->earned;
  a->state = AWAKE;
  a->deadline = t + d->policy->completion_timeout;
  if (d->host->began(d->host, &wake)) d->stop = 1;
  free(types);
}

static void end(device *d, app *a, int64_t t, int32_t outcome) {
  uint32_t name = (uint32_t)(a - d->apps);
  int comes_back = 0;
  for (subscription *s = a->subscriptions; s < a->subscriptions + a->count; s++) {
    if (outcome != ROUSE_COMPLETED && s->carried) comes_back = 1;
    if (outcome != ROUSE_COMPLETED) s->pending += s->carried;
    s->carried = 0;
  }
  if (comes_back) {
    if (a->first == NEVER) a->last = t;
    a->first = a->carried_first;
    a->strikes++;
  } else if (outcome == ROUSE_COMPLETED) {
    a->strikes = 0;
  }
  a->state = SUSPENDED;
  d->host->ended(d->host, &name, 1, t, outcome);
}

static void advance(void *instance, int64_t time) {
  device *d = instance;
  for (d->stop = 0; !d->stop;) {
    app *next = NULL;
    int64_t at = NEVER;
    for (app *a = d->apps; a < d->apps + d->count; a++)
      if (due(d, a) < at) at = due(d, a), next = a;
    if (!next || at > time) return;
    d->present = greater(d->present, at);
    if (next->state == AWAKE) end(d, next, at, ROUSE_EXPIRED);
    else wake(d, next, at);
  }
}

static int64_t next_due(void *instance) {
  device *d = instance;
  int64_t at = NEVER;
  for (app *a = d->apps; a < d->apps + d->count; a++) at = lesser(at, due(d, a));
  return at;
}

static void save(device *d, uint32_t type) {
  for (app *a = d->apps; a < d->apps + d->count; a++)
    for (subscription *s = a->subscriptions; s < a->subscriptions + a->count; s++) {
      if (s->type != type || !s->is_on) continue;
      if (a->state == FOREGROUND) {
        d->live++;
        continue;
      }
      s->pending++;
      a->last = d->present;
      if (a->first == NEVER) a->first = d->present;
    }
}

static size_t take(void *instance, const rouse_rows_t *rows) {
  device *d = instance;
  for (size_t row = 0; row < rows->count; row++) {
    advance(d, greater(rows->times[row], d->present));
    if (d->stop) return row;
    d->present = greater(d->present, rows->times[row]);
    save(d, rows->types[row]);
  }
  return rows->count;
}

static subscription *subscribed(app *a, uint32_t type) {
  for (subscription *s = a->subscriptions; s < a->subscriptions + a->count; s++)
    if (s->type == type) return s;
  a->subscriptions = realloc(a->subscriptions, (a->count + 1) * sizeof *a->subscriptions);
  a->subscriptions[a->count] = (subscription){.type = type};
  return &a->subscriptions[a->count++];
}

/* What waits is gone if nothing is pending any more. */
static void forget(app *a) {
  for (subscription *s = a->subscriptions; s < a->subscriptions + a->count; s++) if (s->pending) return;
  a->first = a->last = NEVER;
}

static void disable(device *d, app *a, subscription *s) {
  int was_carried = s->carried > 0, others = 0;
  *s = (subscription){.type = s->type};
  forget(a);
  for (subscription *o = a->subscriptions; o < a->subscriptions + a->count; o++) others |= o->carried > 0;
  if (was_carried && !others && a->state == AWAKE) end(d, a, d->present, ROUSE_COMPLETED);
}

static void launch(device *d, app *a) {
  if (a->state == AWAKE) end(d, a, d->present, ROUSE_COMPLETED);
  for (subscription *s = a->subscriptions; s < a->subscriptions + a->count; s++) {
    d->live += s->pending;
    s->pending = 0;
  }
  a->first = a->last = NEVER;
  a->force_quit = 0;
  a->state = FOREGROUND;
}

static void terminate(device *d, app *a) {
  if (a->state == AWAKE) end(d, a, d->present, ROUSE_ABORTED);
  a->state = TERMINATED;
}

static void complete(device *d, app *a, const rouse_event_t *e) {
  if (a->state != AWAKE) return;
  int others = 0;
  for (subscription *s = a->subscriptions; s < a->subscriptions + a->count; s++) {
    if (e->item == ROUSE_EVERYTHING || (e->item == ROUSE_ITEM_TYPE && s->type == e->type.number)) s->carried = 0;
    others |= s->carried > 0;
  }
  if (!others) end(d, a, d->present, ROUSE_COMPLETED);
}

static void input(void *instance, const rouse_event_t *e) {
  device *d = instance;
  d->stop = 0;
  d->present = greater(d->present, e->time);
  int is_for_device = e->kind >= ROUSE_NETWORK || (e->kind == ROUSE_REFRESH_STATUS && e->app == ROUSE_EVERY_APP);
  app *a = is_for_device ? NULL : find(d, e->app);
  switch (e->kind) {
    case ROUSE_ENABLE:
      a->strikes = 0;
      subscribed(a, e->type.number)->is_on = 1;
      break;
    case ROUSE_DISABLE: disable(d, a, subscribed(a, e->type.number)); break;
    case ROUSE_DISABLE_ALL:
      for (size_t i = 0; i < a->count; i++) disable(d, a, &a->subscriptions[i]);
      break;
    case ROUSE_COMPLETE: complete(d, a, e); break;
    case ROUSE_LAUNCH: launch(d, a); break;
    case ROUSE_BACKGROUND: if (a->state == FOREGROUND) a->state = SUSPENDED; break;
    case ROUSE_TERMINATE: terminate(d, a); break;
    case ROUSE_FORCE_QUIT: terminate(d, a); a->force_quit = 1; break;
    case ROUSE_LOCK: d->locked = 1; break;
    case ROUSE_UNLOCK: d->locked = 0; break;
    case ROUSE_REBOOT:
      for (a = d->apps; a < d->apps + d->count; a++) {
        if (a->is_known) terminate(d, a);
        a->force_quit = 0;
      }
      d->locked = 1;
      break;
  }
}

static void reset(device *d) {
  for (app *a = d->apps; a < d->apps + d->count; a++) free(a->subscriptions);
  free(d->apps);
  d->apps = NULL;
  d->count = 0;
  d->present = INT64_MIN / 2;
  d->locked = 0;
  d->live = 0;
}

static void *create(const rouse_host_t *host, const rouse_policy_t *policy) {
  device *d = calloc(1, sizeof *d);
  d->host = host;
  d->policy = policy;
  d->quiet = seconds("BURST_QUIET", 2);
  d->latest = seconds("BURST_LATEST", 3600);
  d->earned = seconds("BURST_EARNED", 1770);
  d->saved = d->earned * (seconds("BURST_SAVED", 4) / SECOND);
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
    subscribed(find(d, s->app), s->type)->is_on = 1;
  }
}

static void finish(void *instance) {
  device *d = instance;
  rouse_counts_t counts = {.size = sizeof counts, .live_deliveries = d->live};
  d->host->counted(d->host, &counts);
  for (app *a = d->apps; a < d->apps + d->count; a++) {
    if (!a->is_known) continue;
    rouse_app_state_t state = {.size = sizeof state, .app = (uint32_t)(a - d->apps),
                               .is_stopped = a->strikes >= d->policy->max_strikes};
    for (subscription *s = a->subscriptions; s < a->subscriptions + a->count; s++) state.pending += s->pending;
    d->host->app_state(d->host, &state);
  }
}

static const rouse_scheduler_t table = {
    .size = sizeof table, .name = "burst", .flags = ROUSE_SCHEDULER_THREADS, .create = create, .destroy = destroy,
    .begin = begin, .take = take, .input = input, .next_due = next_due, .advance = advance, .finish = finish};

const rouse_scheduler_t *rouse_scheduler(void) { return &table; }
