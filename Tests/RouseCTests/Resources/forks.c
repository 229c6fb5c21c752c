/* Children that are forked off while threads use the recorder: their calls answer and come back.
 * Arguments: a folder. */
#define _GNU_SOURCE
#include <rouse.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static rouse_recorder_t recorder;
static atomic_int is_done;

static void *use(void *unused) {
  while (!atomic_load(&is_done)) {
    rouse_statistics_t statistics;
    uint32_t number;
    rouse_producer_t producer;
    rouse_statistics(recorder, &statistics);
    rouse_name(recorder, ROUSE_TYPE, "type", &number);
    if (rouse_producer_open(recorder, &producer) == ROUSE_OK) rouse_producer_close(producer);
  }
  return unused;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  char path[4096];
  snprintf(path, sizeof path, "%s/a.wtrace", arguments[1]);
  rouse_options_t options = {
      .size = sizeof options, .trace = path, .ring_folder = arguments[1], .slots_per_ring = 1024};
  rouse_type_t type;
  rouse_source_t source;
  rouse_producer_t producer;
  if (rouse_open(&options, &recorder) != ROUSE_OK) return 1;
  if (rouse_type(recorder, "type", &type) != ROUSE_OK) return 1;
  if (rouse_source(recorder, "source", &source) != ROUSE_OK) return 1;
  if (rouse_producer_open(recorder, &producer) != ROUSE_OK) return 1;
  pthread_t threads[2];
  for (int thread = 0; thread < 2; thread++) pthread_create(&threads[thread], NULL, use, NULL);
  int failures = 0;
  for (int round = 0; round < 100 && failures == 0; round++) {
    if (rouse_save(producer, round, type, source) != ROUSE_OK) failures++;
    pid_t child = fork();
    if (child == 0) {
      alarm(60); /* a child that hangs is ended, and told of below */
      if (rouse_save(producer, 0, type, source) != ROUSE_FORKED) _exit(2);
      if (rouse_producer_close(producer) != ROUSE_OK) _exit(3);
      snprintf(path, sizeof path, "%s/child.wtrace", arguments[1]);
      rouse_recorder_t own;
      if (rouse_open(&options, &own) != ROUSE_OK) _exit(4);
      /* Closes what it has of its parent, and nothing of its own. */
      rouse_close(recorder);
      if (rouse_type(own, "type", &type) != ROUSE_OK) _exit(5);
      if (rouse_source(own, "source", &source) != ROUSE_OK) _exit(5);
      if (rouse_producer_open(own, &producer) != ROUSE_OK) _exit(6);
      if (rouse_save(producer, round, type, source) != ROUSE_OK) _exit(7);
      if (rouse_close(own) != ROUSE_OK) _exit(8);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0) failures++, fprintf(stderr, "round %d: the child ended with %x\n", round, status);
  }
  atomic_store(&is_done, 1);
  for (int thread = 0; thread < 2; thread++) pthread_join(threads[thread], NULL);
  if (rouse_producer_close(producer) != ROUSE_OK) failures++;
  if (rouse_close(recorder) != ROUSE_OK) failures++;
  return failures != 0;
}
