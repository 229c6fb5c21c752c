/* The scheduling of one app that is hourly on every type, as a plain C program would write it: the
 * yardstick of the scheduler's hot path. It knows saves and deletes, and answers that are modelled, and
 * nothing else; its digest is that of the page Rules, section 7.
 */
#ifndef ROUSE_PLAIN_LOOP_H
#define ROUSE_PLAIN_LOOP_H

#include <stddef.h>
#include <stdint.h>

struct plain_type {
  /* Saves and deletes so far, and how many of them wakes have carried. */
  int64_t count, carried;
  /* The time of the first that waits, and of the last wake that carried some. */
  int64_t oldest, last_wake;
  /* The hash of its name. */
  uint64_t hash;
};

struct plain_app {
  struct plain_type *types;
  size_t type_count;
  uint64_t device_hash, app_hash;
  /* Nanoseconds: between wakes for a type, and from a wake to its answer, the first time more. */
  int64_t period, completes_after, cold_start;

  /* What follows begins as plain_begin sets it. */
  int64_t present, due, earliest;
  int is_awake, was_woken;
  int64_t wakes, wake_time, wake_saves, wake_oldest;
  uint64_t wake_types, digest;
};

/* Begins a run, with nothing pending on any type. */
void plain_begin(struct plain_app *app);

/* Takes saves and deletes, which must be of its types, in their order. */
void plain_feed(struct plain_app *app, const int64_t *times, const uint32_t *types, size_t count);

/* Ends the run and returns the digest of its wakes. */
uint64_t plain_end(struct plain_app *app);

#endif
