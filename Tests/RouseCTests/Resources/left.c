/* Recorders that are closed without their producers, while a thread records: nothing stays, and no call goes
 * wrong. Argument: a folder. Prints how many events were recorded. */
#include <dirent.h>
#include <pthread.h>
#include <rouse.h>
#include <stdio.h>
#include <string.h>

static rouse_producer_t producers[2];
static rouse_type_t type;
static rouse_source_t source;
static _Atomic long recorded;
static int failures;

static void *record(void *unused) {
  int32_t code;
  while ((code = rouse_save(producers[1], 2, type, source)) == ROUSE_OK) recorded++;
  if (code != ROUSE_CLOSED) failures++, fprintf(stderr, "a call answers %d\n", (int)code);
  return unused;
}

static int descriptors(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

static int mapped_rings(void) {
  int count = 0;
  char line[8192];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) count += strstr(line, ".ring") != NULL;
  fclose(maps);
  return count;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  char path[4096];
  snprintf(path, sizeof path, "%s/left.wtrace", arguments[1]);
  int before = 0;
  for (int round = 0; round < 50; round++) {
    rouse_recorder_t recorder;
    rouse_options_t options = {.size = sizeof options, .trace = path, .ring_folder = arguments[1],
                               .mode = ROUSE_BLOCK, .level = -1, .slots_per_ring = 1024};
    if (rouse_open(&options, &recorder) || rouse_type(recorder, "type", &type) ||
        rouse_source(recorder, "source", &source) ||
        rouse_producer_open(recorder, &producers[0]) || rouse_producer_open(recorder, &producers[1]))
      return fprintf(stderr, "round %d: %s\n", round, rouse_last_error()), 1;
    pthread_t thread;
    if (pthread_create(&thread, NULL, record, NULL)) return 65;
    for (int event = 0; event < 2000; event++)
      if (rouse_save(producers[0], 1, type, source) == ROUSE_OK) recorded++;
    rouse_close(recorder);
    pthread_join(thread, NULL);
    if (rouse_save(producers[0], 1, type, source) != ROUSE_CLOSED) failures++;
    if (rouse_producer_close(producers[0]) != ROUSE_CLOSED) failures++;
    if (round == 0) before = descriptors();
  }
  if (descriptors() != before)
    failures++, fprintf(stderr, "%d descriptors, not %d\n", descriptors(), before);
  if (mapped_rings()) failures++, fprintf(stderr, "%d rings are mapped\n", mapped_rings());
  printf("%ld", recorded);
  return failures != 0;
}
