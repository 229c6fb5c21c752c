#define _GNU_SOURCE
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef F_OFD_SETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

bool system_barrier_start(void) {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void system_barrier_in_all_threads(void) {
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

void system_pause(long nanoseconds) {
  struct timespec time = {.tv_nsec = nanoseconds};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
}

void system_sleep_while(const void *word, uint32_t value, int64_t nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &time, NULL, 0) != 0 && errno != EAGAIN && errno != EINTR &&
      errno != ETIMEDOUT)
    // The caller, which asks again, would never pause.
    system_pause(4000000);
}

void system_wake_all(const void *word) {
  const int reason = errno;
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
  errno = reason;
}

bool system_lock_byte(int descriptor, long byte) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}

bool system_unlock_and_close(int descriptor) {
  struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
  fcntl(descriptor, F_OFD_SETLK, &all);
  return close(descriptor) == 0;
}

int system_open_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int system_accept(int socket) {
  return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int system_open_nameless(const char *folder, int flags, mode_t mode) {
  return open(folder, flags | O_TMPFILE | O_CLOEXEC, mode);
}

bool system_can_name_files(void) { return access("/proc/self/fd", X_OK) == 0; }

bool system_name_file(int descriptor, const char *path) {
  char open_file[32];
  snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, open_file, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

int system_open_entry(const char *path) {
  return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
}

long system_read_link(int link, char *text, size_t room) {
  struct statfs system;
  while (fstatfs(link, &system) != 0) {
    if (errno != EINTR) return -1;
  }
  return system.f_type == 0x9fa0 ? 0 : (long)readlinkat(link, "", text, room);
}

bool system_is_byte_locked(int descriptor, long byte) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool system_keep_byte_unlocked(int descriptor, long byte) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ||
         !system_is_byte_locked(descriptor, byte);
}

int system_move_descriptor(int descriptor, int least) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, least);
}

bool system_has_ended(int process) {
  siginfo_t info = {.si_pid = 0};
  return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

void system_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }
