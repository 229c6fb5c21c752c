/* A trace that is a pipe whose reader takes its time: forks and other calls go on. Argument: a folder. */
#include <fcntl.h>
#include <pthread.h>
#include <rouse.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

static rouse_recorder_t recorder;
static atomic_int is_closed;

static void *read_all(void *unused) {
  int descriptor = *(int *)unused;
  static char bytes[1 << 16];
  while (read(descriptor, bytes, sizeof bytes) > 0) {}
  return NULL;
}

static void *close_recorder(void *unused) {
  EXPECT(rouse_close(recorder), ROUSE_OK);
  atomic_store(&is_closed, 1);
  return unused;
}

static void fork_one(int32_t answer) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) _exit(rouse_flush(recorder) == answer ? 0 : 1);
  int status;
  waitpid(child, &status, 0);
  if (status != 0) failures++, fprintf(stderr, "a child ended with %x\n", status);
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  sigset_t none; /* who started this program may have blocked signals */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  alarm(60); /* whatever hangs is ended */
  char path[4096];
  snprintf(path, sizeof path, "%s/pipe", arguments[1]);
  if (mkfifo(path, 0600)) return 65;
  rouse_options_t options = {
      .size = sizeof options, .trace = path, .ring_folder = arguments[1], .level = -1,
      .flush_seconds = 0.001};
  /* Nobody to read it: that is told, instead of waited for. */
  EXPECT(rouse_open(&options, &recorder), ROUSE_IO);
  int descriptor = open(path, O_RDONLY | O_NONBLOCK);
  if (descriptor < 0) return 65;
  EXPECT(rouse_open(&options, &recorder), ROUSE_OK);
  /* The reader sees the end once the recorder closes the pipe. */
  fcntl(descriptor, F_SETFL, 0);
  rouse_type_t type;
  rouse_source_t source;
  uint32_t number;
  rouse_producer_t producer, other;
  EXPECT(rouse_type(recorder, "type", &type), ROUSE_OK);
  EXPECT(rouse_source(recorder, "source", &source), ROUSE_OK);
  EXPECT(rouse_producer_open(recorder, &producer), ROUSE_OK);
  for (int event = 0; event < 100000; event++) EXPECT(rouse_save(producer, random(), type, source), ROUSE_OK);
  /* The writer fills the pipe, and waits. */
  for (int held = 0, before = -1; held != before || held == 0; usleep(100000)) {
    before = held;
    if (ioctl(descriptor, FIONREAD, &held)) return 65;
  }
  fork_one(ROUSE_FORKED);
  EXPECT(rouse_name(recorder, ROUSE_TYPE, "other", &number), ROUSE_OK);
  EXPECT(rouse_producer_open(recorder, &other), ROUSE_OK);
  EXPECT(rouse_producer_close(other), ROUSE_OK);
  EXPECT(rouse_producer_close(producer), ROUSE_OK);
  /* Nor do forks wait for a thread that closes the recorder, and waits itself. */
  pthread_t closing, reader;
  if (pthread_create(&closing, NULL, close_recorder, NULL)) return 65;
  usleep(100000);
  if (atomic_load(&is_closed)) failures++, fputs("closed without a reader\n", stderr);
  fork_one(ROUSE_CLOSED);
  if (pthread_create(&reader, NULL, read_all, &descriptor)) return 65;
  pthread_join(closing, NULL);
  pthread_join(reader, NULL);
  if (!atomic_load(&is_closed)) failures++;
  return failures != 0;
}
