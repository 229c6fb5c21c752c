/* A component that is started without standard input, output and error: the recorder's files do not take their
 * places, where they would get what the component prints. Argument: a folder. */
#include <fcntl.h>
#include <rouse.h>
#include <stdio.h>

static int is_taken(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++)
    if (fcntl(descriptor, F_GETFD) >= 0) return 1;
  return 0;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  char path[4096];
  snprintf(path, sizeof path, "%s/closed.wtrace", arguments[1]);
  if (is_taken()) return 65;
  rouse_recorder_t recorder;
  rouse_producer_t producer;
  rouse_type_t type;
  rouse_source_t source;
  rouse_options_t options = {.size = sizeof options, .trace = path, .ring_folder = arguments[1]};
  if (rouse_open(&options, &recorder) || rouse_type(recorder, "type", &type) ||
      rouse_source(recorder, "source", &source) || rouse_producer_open(recorder, &producer))
    return 1;
  if (is_taken()) return 2;
  if (rouse_save(producer, 1, type, source) || rouse_flush(recorder)) return 3;
  if (is_taken()) return 4;
  if (rouse_producer_close(producer) || rouse_close(recorder)) return 5;
  return is_taken() ? 6 : 0;
}
