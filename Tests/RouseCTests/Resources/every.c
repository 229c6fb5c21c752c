/* Records every sort of event with all that it may have, at 1, 2, 3 ...: every.jsonl is what must come out.
 * Argument: the trace. */
#include <rouse.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(int32_t code, int number) {
  if (code == ROUSE_OK) return;
  fprintf(stderr, "event %d: %s (%s)\n", number, rouse_text(code), rouse_last_error());
  exit(1);
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  rouse_recorder_t recorder;
  rouse_producer_t producer;
  rouse_options_t options = {.size = sizeof options, .trace = arguments[1], .device = "Phone"};
  expect(rouse_open(&options, &recorder), 0);
  static const struct {
    int32_t sort;
    const char *name;
  } names[] = {{ROUSE_TYPE, "Steps"}, {ROUSE_TYPE, "Heart ♥"}, {ROUSE_SOURCE, "Ring"}, {ROUSE_SOURCE, "Watch"},
               {ROUSE_APP, "run"},    {ROUSE_APP, "heart"},    {ROUSE_QUERY, "q0"},    {ROUSE_QUERY, "q1"},
               {ROUSE_DEVICE, "Pad"}};
  /* Numbers follow each other within a sort; the device's own name was the first one. */
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    uint32_t number;
    expect(rouse_name(recorder, names[index].sort, names[index].name, &number), 0);
    if (number != index % 2 && number != 1) return 65;
  }
  expect(rouse_producer_open(recorder, &producer), 0);

  rouse_event_t events[] = {
      {.kind = ROUSE_SAVE, .type = {1}, .source = {1}},
      {.kind = ROUSE_SAVE, .has = ROUSE_HAS_VALUE, .value = -60.25},
      {.kind = ROUSE_SAVE, .has = ROUSE_HAS_START | ROUSE_HAS_END | ROUSE_HAS_VALUE | ROUSE_HAS_DEVICE,
       .device = 1, .start = -7, .end = 2, .value = 0},
      {.kind = ROUSE_SAVE, .has = ROUSE_HAS_END, .end = 4000000000000000000},
      {.kind = ROUSE_DELETE, .type = {1}},
      {.kind = ROUSE_DELETE, .has = ROUSE_HAS_DEVICE, .device = 1, .source = {1}},
      {.kind = ROUSE_ENABLE, .app = 1, .type = {1}, .frequency = ROUSE_WEEKLY},
      {.kind = ROUSE_ENABLE, .frequency = ROUSE_IMMEDIATE},
      {.kind = ROUSE_DISABLE, .app = 1},
      {.kind = ROUSE_DISABLE_ALL, .app = 1},
      {.kind = ROUSE_EXECUTE, .app = 1, .query = 1, .type = {1}},
      {.kind = ROUSE_EXECUTE, .has = ROUSE_HAS_PREDICATE},
      {.kind = ROUSE_EXECUTE, .has = ROUSE_HAS_SOURCE, .source = {1}},
      {.kind = ROUSE_EXECUTE,
       .has = ROUSE_HAS_DEVICE | ROUSE_HAS_SOURCE | ROUSE_HAS_START | ROUSE_HAS_END | ROUSE_HAS_STRICT_START |
              ROUSE_HAS_STRICT_END | ROUSE_HAS_MIN | ROUSE_HAS_MAX,
       .device = 1, .start = 5, .end = 50, .strict_start = 1, .strict_end = 0, .min = -1.5, .max = 1e300},
      {.kind = ROUSE_STOP, .app = 1, .query = 1},
      {.kind = ROUSE_COMPLETE},
      {.kind = ROUSE_COMPLETE, .item = ROUSE_ITEM_PUSH, .result = ROUSE_NEW_DATA},
      {.kind = ROUSE_COMPLETE, .item = ROUSE_ITEM_REFRESH, .result = ROUSE_NO_DATA},
      {.kind = ROUSE_COMPLETE, .item = ROUSE_ITEM_TYPE, .type = {1}, .result = ROUSE_FAILED},
      {.kind = ROUSE_LAUNCH},
      {.kind = ROUSE_BACKGROUND},
      {.kind = ROUSE_TERMINATE},
      {.kind = ROUSE_FORCE_QUIT, .app = 1},
      {.kind = ROUSE_PUSH, .id = "plain"},
      {.kind = ROUSE_PUSH, .has = ROUSE_HAS_PRIORITY | ROUSE_HAS_DEVICE, .device = 1, .app = 1, .id = "",
       .aps = "{\"content-available\": 1, \"alert\": \"Wake up ⌚\"}", .push_type = "alert", .priority = 10},
      {.kind = ROUSE_REFRESH_INTERVAL, .interval = ROUSE_NEVER},
      {.kind = ROUSE_REFRESH_INTERVAL, .interval = ROUSE_MINIMUM},
      {.kind = ROUSE_REFRESH_INTERVAL, .interval = 900.5},
      {.kind = ROUSE_REFRESH_STATUS, .status = ROUSE_RESTRICTED},
      {.kind = ROUSE_REFRESH_STATUS, .app = ROUSE_EVERY_APP, .status = ROUSE_AVAILABLE},
      {.kind = ROUSE_COMPLICATION, .is_on = 1},
      {.kind = ROUSE_ENTITLEMENT},
      {.kind = ROUSE_NETWORK},
      {.kind = ROUSE_POWER, .is_on = 1},
      {.kind = ROUSE_LOCK},
      {.kind = ROUSE_UNLOCK, .has = ROUSE_HAS_DEVICE, .device = 1},
      {.kind = ROUSE_REBOOT},
  };
  rouse_type_t types[] = {{0}, {1}};
  rouse_source_t sources[] = {{0}, {1}};
  int number = 0;
  for (; number < (int)(sizeof events / sizeof *events); number++) {
    events[number].size = sizeof(rouse_event_t);
    events[number].time = number + 1;
    expect(rouse_record(producer, &events[number]), number + 1);
  }
  /* And the fast calls. */
  expect(rouse_save(producer, number + 1, types[0], sources[1]), number + 1);
  expect(rouse_save_value(producer, number + 2, types[1], sources[0], 0.5), number + 2);
  expect(rouse_delete(producer, number + 3, types[1], sources[1]), number + 3);
  /* And what was observed. */
  rouse_event_t observed[] = {
      {.kind = ROUSE_OBSERVED, .app = 1, .types = types, .type_count = 2},
      {.kind = ROUSE_OBSERVED, .has = ROUSE_HAS_REFRESH | ROUSE_HAS_END | ROUSE_HAS_DEVICE, .device = 1, .is_on = 1,
       .id = "p-1", .outcome = ROUSE_ABORTED, .end = 50},
      {.kind = ROUSE_OBSERVED, .has = ROUSE_HAS_REFRESH, .types = &types[1], .type_count = 1, .outcome = ROUSE_COMPLETED},
  };
  for (int place = 0; place < 3; place++) {
    observed[place].size = sizeof(rouse_event_t);
    observed[place].time = number + 4 + place;
    expect(rouse_record(producer, &observed[place]), number + 4 + place);
  }
  expect(rouse_producer_close(producer), 0);
  expect(rouse_close(recorder), 0);
  return 0;
}
