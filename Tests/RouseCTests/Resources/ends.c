/* How a component ends. Arguments: a folder, and the case. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <rouse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rouse_producer_t producer;
static rouse_type_t type;
static rouse_source_t source;
static _Atomic int answered;

/* Records until it has to wait, and then until the end. */
static void *wait_for_room(void *unused) {
  int32_t code;
  while ((code = rouse_save(producer, 1, type, source)) == ROUSE_OK) answered++;
  answered = -code;
  pthread_testcancel();
  return unused;
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  char path[4096];
  snprintf(path, sizeof path, "%s/a.wtrace", arguments[1]);
  int is_cancelled = !strcmp(arguments[2], "cancelled");
  rouse_options_t options = {.size = sizeof options, .trace = is_cancelled ? NULL : path, .mode = ROUSE_BLOCK,
                             .ring_folder = arguments[1], .slots_per_ring = 1024, .flush_seconds = 1000};
  rouse_recorder_t recorder;
  if (!strcmp(arguments[2], "threads")) {
    /* No address space has room for such a stack. */
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, (size_t)1 << 48) || pthread_setattr_default_np(&attributes)) return 65;
    if (rouse_open(&options, &recorder) != ROUSE_IO) return 1;
    puts(rouse_last_error());
    return 0;
  }
  int is_pipe = !strcmp(arguments[2], "pipe");
  if (is_pipe) {
    /* Somebody has it open, and never reads. */
    if (mkfifo(path, 0600) || open(path, O_RDONLY | O_NONBLOCK) < 0) return 67;
    options.slots_per_ring = 1 << 17, options.level = -1, options.flush_seconds = 0.001;
    alarm(60);
  }
  if (rouse_open(&options, &recorder) || rouse_type(recorder, "type", &type) ||
      rouse_source(recorder, "source", &source) || rouse_producer_open(recorder, &producer))
    return fprintf(stderr, "%s\n", rouse_last_error()), 2;
  if (is_cancelled) {
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, NULL, wait_for_room, NULL)) return 66;
    while (answered < 1023) usleep(1000);
    usleep(100000);
    pthread_cancel(thread);
    usleep(100000);
    alarm(60);
    if (rouse_close(recorder)) return 3;
    if (pthread_join(thread, &result) || result != PTHREAD_CANCELED) return 4;
    return answered == -ROUSE_CLOSED ? 0 : 5;
  }
  for (int event = 0; event < (is_pipe ? 100000 : 100); event++)
    if (rouse_save(producer, event, type, source)) return 6;
  if (is_pipe) usleep(100000);
  if (!strcmp(arguments[2], "_exit")) _exit(0);
  if (!strcmp(arguments[2], "exit")) exit(0);
  return 0;
}
