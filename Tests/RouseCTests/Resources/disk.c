/* What the C interface answers where files cannot be written. Argument: a folder. */
#include <fcntl.h>
#include <pthread.h>
#include <rouse.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expect.h"

static char path[4096];
static const char *rings;
static rouse_type_t type;
static rouse_source_t source;

/* What must stand in the last error: the file and why. */
static void told(const char *file, const char *reason) {
  if (strstr(rouse_last_error(), file) && strstr(rouse_last_error(), reason)) return;
  failures++, fprintf(stderr, "not told of %s, %s: %s\n", file, reason, rouse_last_error());
}

static rouse_recorder_t start(const char *folder, const char *name, rouse_producer_t *producer) {
  snprintf(path, sizeof path, "%s/%s", folder, name);
  rouse_recorder_t recorder = 0;
  rouse_options_t options = {
      .size = sizeof options, .trace = path, .ring_folder = rings, .slots_per_ring = 1024, .level = -1,
      .flush_seconds = 1e9};
  EXPECT(rouse_open(&options, &recorder), ROUSE_OK);
  EXPECT(rouse_type(recorder, "type", &type), ROUSE_OK);
  EXPECT(rouse_source(recorder, "source", &source), ROUSE_OK);
  EXPECT(rouse_producer_open(recorder, producer), ROUSE_OK);
  return recorder;
}

/* No file may grow beyond this; stands for a disk that is full. */
static void limit(rlim_t bytes) {
  struct rlimit limit = {bytes, RLIM_INFINITY};
  if (setrlimit(RLIMIT_FSIZE, &limit)) perror("setrlimit"), failures++;
}

/* Somebody who reads from a pipe, but not for long. */
static void *leave(void *pipe) {
  char first;
  int descriptor = open(pipe, O_RDONLY);
  if (read(descriptor, &first, 1) != 1) perror("read"), failures++;
  close(descriptor);
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  const char *folder = rings = arguments[1];
  sigset_t none; /* who started this program may have blocked or ignored signals */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGXFSZ, SIG_DFL), signal(SIGPIPE, SIG_DFL);
  rouse_recorder_t recorder;
  rouse_producer_t producer;
  rouse_statistics_t statistics;

  /* Paths at which nobody can write, root neither. */
  static char loop[4096]; /* below a symbolic link to itself */
  snprintf(path, sizeof path, "%s/loop", folder);
  snprintf(loop, sizeof loop, "%s/a.wtrace", path);
  if (symlink(path, path)) return 65;
  const char *nowhere[][2] = {{"/dev/null/a.wtrace", "Not a directory"},
                              {"/proc/a.wtrace", "No such file"},
                              {loop, "Too many levels of symbolic links"},
                              {"/dev/full/a", "Not a directory"}};
  for (size_t index = 0; index < sizeof nowhere / sizeof *nowhere; index++) {
    rouse_options_t options = {.size = sizeof options, .trace = nowhere[index][0], .ring_folder = folder};
    EXPECT(rouse_open(&options, &recorder), ROUSE_IO);
    told(nowhere[index][0], nowhere[index][1]);
  }
  if (unlink(path)) return 65;
  rouse_options_t options = {.size = sizeof options, .ring_folder = "/dev/null"};
  EXPECT(rouse_open(&options, &recorder), ROUSE_IO);
  told("/dev/null", "Not a directory");
  options.ring_folder = folder;
  snprintf(path, sizeof path, "%s/other", folder);
  FILE *other = fopen(path, "w");
  if (!other || fputs("no trace\n", other) < 0 || fclose(other)) return 65;
  options.trace = path;
  EXPECT(rouse_open(&options, &recorder), ROUSE_NOT_A_TRACE);
  told(path, "");
  options.trace = NULL, options.mode = ROUSE_OVERWRITE;
  EXPECT(rouse_open(&options, &recorder), ROUSE_OK);
  EXPECT(rouse_snapshot(recorder, "/proc/a.wtrace"), ROUSE_IO);
  EXPECT(rouse_snapshot(recorder, "\xFF"), ROUSE_INVALID_TEXT);
  EXPECT(rouse_snapshot(recorder, NULL), ROUSE_INVALID_ARGUMENT);
  EXPECT(rouse_close(recorder), ROUSE_OK);

  /* A pipe that nobody reads any more. */
  pthread_t reader;
  options.level = -1;
  EXPECT(rouse_open(&options, &recorder), ROUSE_OK);
  EXPECT(rouse_type(recorder, "type", &type), ROUSE_OK);
  EXPECT(rouse_source(recorder, "source", &source), ROUSE_OK);
  EXPECT(rouse_producer_open(recorder, &producer), ROUSE_OK);
  for (int event = 0; event < 200000; event++) EXPECT(rouse_save(producer, random(), type, source), ROUSE_OK);
  snprintf(path, sizeof path, "%s/pipe", folder);
  if (mkfifo(path, 0600) || pthread_create(&reader, NULL, leave, path)) return 65;
  EXPECT(rouse_snapshot(recorder, path), ROUSE_IO);
  told(path, "Broken pipe");
  pthread_join(reader, NULL);
  EXPECT(rouse_producer_close(producer), ROUSE_OK);
  EXPECT(rouse_close(recorder), ROUSE_OK);

  /* No room for rings. */
  limit(16);
  EXPECT(rouse_open(&options, &recorder), ROUSE_IO);
  told(folder, "File too large");
  limit(1 << 20);
  EXPECT(rouse_open(&options, &recorder), ROUSE_IO);
  limit(RLIM_INFINITY);

  /* A disk that is full for a while: recording goes on in memory, and what does not fit is counted. */
  recorder = start(folder, "full.wtrace", &producer);
  EXPECT(rouse_save(producer, 0, type, source), ROUSE_OK);
  limit(16);
  EXPECT(rouse_flush(recorder), ROUSE_IO);
  told(path, "File too large");
  EXPECT(rouse_save(producer, 1, type, source), ROUSE_NOT_WRITTEN);
  for (int64_t time = 2; time < 1024; time++) EXPECT(rouse_save(producer, time, type, source), ROUSE_OK);
  for (int64_t time = 0; time < 10; time++) EXPECT(rouse_save(producer, time, type, source), ROUSE_LOST);
  EXPECT(rouse_flush(recorder), ROUSE_IO);
  limit(RLIM_INFINITY);
  EXPECT(rouse_flush(recorder), ROUSE_OK);
  EXPECT(rouse_save(producer, 2000, type, source), ROUSE_OK);
  EXPECT(rouse_close(recorder), ROUSE_OK);

  recorder = start("/dev", "full", &producer);
  EXPECT(rouse_save(producer, 0, type, source), ROUSE_OK);
  EXPECT(rouse_flush(recorder), ROUSE_IO);
  told("/dev/full", "No space left");
  EXPECT(rouse_save(producer, 0, type, source), ROUSE_NOT_WRITTEN);
  EXPECT(rouse_close(recorder), ROUSE_IO);

  /* One that stays full: closing says so, and the ring file stays for `rouse recover`. */
  recorder = start(folder, "stays.wtrace", &producer);
  for (int64_t time = 0; time < 100; time++) EXPECT(rouse_save(producer, time, type, source), ROUSE_OK);
  EXPECT(rouse_statistics(recorder, &statistics), ROUSE_OK);
  if (statistics.written != 0 || statistics.lost != 0) failures++, fputs("written too early\n", stderr);
  limit(16);
  EXPECT(rouse_close(recorder), ROUSE_IO);
  told(path, "File too large");
  EXPECT(rouse_close(recorder), ROUSE_CLOSED);
  EXPECT(rouse_save(producer, 0, type, source), ROUSE_CLOSED);

  /* None of it left a signal behind. */
  sigset_t left;
  if (sigpending(&left) || sigismember(&left, SIGXFSZ) || sigismember(&left, SIGPIPE))
    failures++, fputs("a signal waits\n", stderr);
  if (pthread_sigmask(SIG_SETMASK, NULL, &left) || sigismember(&left, SIGXFSZ))
    failures++, fputs("a signal stays blocked\n", stderr);
  return failures != 0;
}
