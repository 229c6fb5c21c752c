/* Schedulers that do what no scheduler may: HOSTILE is the number of the deed, which the sixth row or the first input
 * provokes. Up to then each wakes no app. */
#include "rouse_scheduler.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef HOSTILE
#error "HOSTILE is the number of the deed"
#endif

static const rouse_host_t *host;
static int rows_taken;

static int began(uint32_t app, int64_t time) {
  rouse_wake_t wake = {.size = sizeof wake, .time = time, .apps = &app, .app_count = 1};
  return host->began(host, &wake);
}

static void ended(uint32_t app, int64_t time, int32_t outcome) { host->ended(host, &app, 1, time, outcome); }

static int64_t told_time;
static void *from_thread(void *unused) {
  (void)unused;
  began(0, told_time);
  return NULL;
}

/* Infinite recursion that no compiler turns into a loop. */
static volatile int depth;
static int deeper(int n) {
  volatile char frame[4096];
  frame[0] = (char)n;
  if (++depth < 0) return 0;
  return deeper(n + 1) + frame[0];
}

static void deed(int64_t time, const rouse_rows_t *rows) {
  (void)rows;
  (void)time;
  switch (HOSTILE) {
    case 1: *(volatile int *)8 = 1; break;                        /* writes at a null pointer */
    case 2: abort();
    case 3: for (;;) pause();                                     /* sleeps for ever */
    case 4: for (volatile int i = 0;; i++) {}                     /* computes for ever */
    case 5: began(4242, time); break;                             /* wakes an app that nobody knows */
    case 6: began(0, time - 20000000000); break;                  /* a time that goes back */
    case 7: began(0, time + 1000000000000); break;                /* a time to come */
    case 8: ended(0, time, ROUSE_COMPLETED); break;               /* ends what has not begun */
    case 9: began(0, time); began(0, time); break;                /* wakes an app that is awake */
    case 10:                                                      /* wakes without end */
      for (;;) {
        began(0, time);
        ended(0, time, ROUSE_COMPLETED);
      }
    case 11: {                                                    /* calls back from another thread */
      pthread_t thread;
      told_time = time;
      pthread_create(&thread, NULL, from_thread, NULL);
      pthread_join(thread, NULL);
      break;
    }
    case 12: _exit(0);                                            /* ends the process, as if all were well */
    case 13: exit(0);
    case 14: kill(getpid(), SIGKILL); break;
    case 15: deeper(0); break;                                    /* overflows its stack */
    case 16: {                                                    /* divides by zero */
      volatile int one = 1, zero = 0;
      zero = one / zero;
      break;
    }
    case 17: began(0, time); ended(0, time, 77); break;           /* an outcome that there is not */
    case 18: {                                                    /* a type that there is not */
      uint32_t app = 0, type = 99999;
      rouse_wake_t wake = {.size = sizeof wake, .time = time, .apps = &app, .app_count = 1, .types = &type, .type_count = 1};
      host->began(host, &wake);
      break;
    }
    case 19: {                                                    /* the same type twice */
      uint32_t app = 0, types[2] = {0, 0};
      rouse_wake_t wake = {.size = sizeof wake, .time = time, .apps = &app, .app_count = 1, .types = types, .type_count = 2};
      host->began(host, &wake);
      break;
    }
    case 20: {                                                    /* a push that never came */
      uint32_t app = 0;
      rouse_wake_t wake = {.size = sizeof wake, .time = time, .apps = &app, .app_count = 1, .push = 7};
      host->began(host, &wake);
      break;
    }
    case 21: {                                                    /* a structure of another header */
      uint32_t app = 0;
      rouse_wake_t wake = {.size = 3, .time = time, .apps = &app, .app_count = 1};
      host->began(host, &wake);
      break;
    }
    case 22: host->fail(host, "I give up"); break;
    case 23: {                                                    /* unmaps its own code */
      long page = sysconf(_SC_PAGESIZE);
      munmap((void *)((uintptr_t)deed / (uintptr_t)page * (uintptr_t)page), (size_t)page);
      break;
    }
    case 24: memset((char *)host + sizeof *host, 0x5A, 1 << 20); began(0, time); abort(); /* writes beyond */
    case 25: for (int fd = 0; fd < 100; fd++) close(fd); for (;;) pause(); /* closes everything, and hangs */
    case 26: raise(SIGSTOP); break;                               /* stops its process */
    case 41: {                                                    /* impossible numbers */
      uint32_t app = 0;
      rouse_wake_t wake = {.size = sizeof wake, .time = time, .apps = &app, .app_count = 1, .has_saves = 1, .saves = UINT64_MAX};
      host->began(host, &wake);
      break;
    }
    case 42: case 43: {
      uint32_t app = 0;
      rouse_wake_t wake = {.size = sizeof wake, .time = time, .apps = &app, .app_count = 1, .has_saves = 1, .saves = 1,
                           .oldest = HOSTILE == 42 ? INT64_MIN : INT64_MAX};
      host->began(host, &wake);
      break;
    }
    case 44: {
      uint32_t app = 0, type = 0;
      rouse_wake_t wake = {.size = sizeof wake, .time = time, .apps = &app, .app_count = 1, .types = &type,
                           .type_count = (size_t)1 << 63};
      host->began(host, &wake);
      break;
    }
    case 45: host->fail(host, "one\ntwo\033[31m"); break;         /* a message of two lines, with colour */
    case 46: waitpid(fork(), NULL, 0); break;                     /* returns in two processes, in the copy first */
    case 52: for (int fd = 0; fd < 2000; fd++) close(fd); break;  /* closes everything, and goes on */
    case 53: for (int fd = 3; fd < 2000; fd++) close(fd); break;  /* closes all files of Rouse's, and goes on */
    case 54: puts("a word"); fflush(stdout); if (system("echo another")) {} break; /* prints */
    case 55: if (chdir("/")) {} break;                            /* goes to another folder */
    case 47: if (fork() == 0) for (;;) pause(); break;            /* leaves a process */
    default: break;
  }
}

static void *create(const rouse_host_t *given, const rouse_policy_t *policy) {
  (void)policy;
  host = given;
  if (HOSTILE == 30) return NULL;
  if (HOSTILE == 31) began(0, 0); /* before any device */
  return &rows_taken;
}

static void destroy(void *instance) { (void)instance; }
static void begin(void *instance, uint32_t device) { (void)instance, (void)device, rows_taken = 0; }

static size_t take(void *instance, const rouse_rows_t *rows) {
  (void)instance;
  if (HOSTILE == 27) return rows->count + 5; /* took more rows than there are */
  if (HOSTILE == 28) return 0;               /* never takes any */
  for (size_t row = 0; row < rows->count; row++) {
    if (HOSTILE == 29 && rows_taken == 2) began(0, rows->times[row]); /* a wake that never ends */
    if (++rows_taken == 6) deed(rows->times[row], rows);
  }
  return rows->count;
}

static void input(void *instance, const rouse_event_t *event) { (void)instance, (void)event; }
static void advance(void *instance, int64_t time) { (void)instance, (void)time; }
static void finish(void *instance) {
  (void)instance;
  if (HOSTILE == 32) abort();
  if (HOSTILE == 48) {
    rouse_counts_t counts = {.size = sizeof counts, .live_deliveries = INT64_MAX};
    host->counted(host, &counts);
  }
  if (HOSTILE == 49) {
    rouse_app_state_t state = {.size = sizeof state, .app = 0, .pending = UINT64_MAX};
    host->app_state(host, &state);
  }
}

static int64_t counted_up;
static int64_t next_due(void *instance) {
  (void)instance;
  switch (HOSTILE) {
    case 50: return INT64_MIN;
    case 51: return ++counted_up;
    default: return INT64_MAX;
  }
}

static const rouse_scheduler_t table = {
    .size = HOSTILE == 33 ? 16 : sizeof table, .name = "hostile", .create = create, .destroy = destroy, .begin = begin,
    .take = take, .input = input, .next_due = next_due, .advance = advance, .finish = HOSTILE == 34 ? NULL : finish};

#if HOSTILE == 35
int another_function(void);
int another_function(void) { return (int)table.size; }
#else
const rouse_scheduler_t *rouse_scheduler(void) {
  while (HOSTILE == 39) pause(); /* never gives its table */
  return HOSTILE == 36 ? NULL : &table;
}
#endif

__attribute__((constructor)) static void load(void) {
  while (HOSTILE == 37) pause(); /* is never loaded */
  if (HOSTILE == 38) exit(0);
}

__attribute__((destructor)) static void unload(void) {
  while (HOSTILE == 40) pause(); /* never lets its process end */
}
