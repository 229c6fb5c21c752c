#define _GNU_SOURCE
#include "mapping_guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { places = 1 << 16 };

static struct {
  // 0: the place is free. Written last.
  _Atomic uintptr_t start;
  size_t length;
  long word;
  uint64_t mark;
  atomic_bool is_cut;
} table[places];
// Places from here on were never used.
static atomic_int used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction previous;

// Replaces a whole mapping at once: no other thread sees zeros without the mark.
static bool map_zeros(int place, void *start) {
  size_t length = table[place].length;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  char *zeros = mmap(NULL, length, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (zeros == MAP_FAILED) return false;
  if (table[place].word >= 0) ((uint64_t *)zeros)[table[place].word] = table[place].mark;
  // Before the zeros can be read.
  atomic_store(&table[place].is_cut, true);
  return mremap(zeros, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, start) != MAP_FAILED;
}

static bool map_zeros_around(uintptr_t address) {
  int end = atomic_load(&used);
  for (int place = 0; place < end; place++) {
    uintptr_t start = atomic_load(&table[place].start);
    if (start != 0 && address - start < table[place].length) return map_zeros(place, (void *)start);
  }
  return false;
}

static void on_bus_error(int signal, siginfo_t *info, void *context) {
  int reason = errno;
  bool is_survived = info->si_code == BUS_ADRERR && map_zeros_around((uintptr_t)info->si_addr);
  errno = reason;
  if (is_survived) return;
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else if (previous.sa_handler == SIG_DFL || info->si_code > 0) {
    // An access that fails is executed again and ends the process; a signal that was sent is sent again.
    sigaction(SIGBUS, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    if (info->si_code <= 0) raise(signal);
  }
}

static void install(void) {
  struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &previous);
}

int mapping_guard_add(void *start, size_t length, long word, uint64_t mark) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  pthread_mutex_lock(&lock);
  int place = 0;
  while (place < places && atomic_load(&table[place].start) != 0) place++;
  if (place < places) {
    table[place].length = length;
    table[place].word = word;
    table[place].mark = mark;
    atomic_store(&table[place].is_cut, false);
    atomic_store(&table[place].start, (uintptr_t)start);
    if (place >= atomic_load(&used)) atomic_store(&used, place + 1);
  }
  pthread_mutex_unlock(&lock);
  return place < places ? place : -1;
}

void mapping_guard_remove(int place) { atomic_store(&table[place].start, 0); }

bool mapping_guard_was_cut(int place) {
  // After what was read of the mapping.
  atomic_thread_fence(memory_order_acquire);
  return atomic_load(&table[place].is_cut);
}

static bool change_mask(int how) {
  sigset_t bus_error, old;
  sigemptyset(&bus_error);
  sigaddset(&bus_error, SIGBUS);
  pthread_sigmask(how, &bus_error, &old);
  return sigismember(&old, SIGBUS) == 1;
}

bool mapping_guard_unblock(void) { return change_mask(SIG_UNBLOCK); }

void mapping_guard_block(void) { change_mask(SIG_BLOCK); }

static _Thread_local int entered;
static _Thread_local bool was_blocked;

void mapping_guard_enter(void) {
  if (entered++ == 0) was_blocked = mapping_guard_unblock();
}

void mapping_guard_leave(void) {
  // The thread that leaves need not be the one that entered.
  if (entered > 0 && --entered == 0 && was_blocked) mapping_guard_block();
}
