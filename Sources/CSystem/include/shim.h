// System calls that Swift cannot import, or that must not be points of cancellation.
#ifndef ROUSE_CSYSTEM_SHIM_H
#define ROUSE_CSYSTEM_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdbool.h>
#include <stdio.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Registers this process for `rouse_barrier_in_all_threads`; false if the kernel lacks membarrier(2).
static inline bool rouse_barrier_start(void) {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/// Executes a full memory barrier in every running thread of this process.
static inline void rouse_barrier_in_all_threads(void) {
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

/// Sleeps for less than a second. Unlike nanosleep(2), it does not end a thread that is cancelled.
static inline void rouse_pause(long nanoseconds) {
  struct timespec time = {.tv_nsec = nanoseconds};
  syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
}

#ifndef F_OFD_SETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

/// Locks one byte of a file for its open file description (fcntl(2)), until the description is closed or
/// `rouse_unlock_and_close` is called; false if another description has it. The byte need not exist.
static inline bool rouse_lock_byte(int descriptor, long byte) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
}

/// Unlocks all bytes of a file and closes it. Closing alone does not unlock while a child still has the description.
/// False if close(2) fails, as when a file system writes only then.
static inline bool rouse_unlock_and_close(int descriptor) {
  struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
  fcntl(descriptor, F_OFD_SETLK, &all);
  return close(descriptor) == 0;
}

/// Opens a pipe that no program inherits (pipe2(2)): its ends for reading and writing.
static inline int rouse_open_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

/// Accepts a client of a socket, with a descriptor that does not wait and that no program inherits (accept4(2)).
static inline int rouse_accept(int socket) {
  return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// Opens a new file that has no name; negative where the file system has no such files.
static inline int rouse_open_nameless(const char *folder, int flags, mode_t mode) {
  return open(folder, flags | O_TMPFILE | O_CLOEXEC, mode);
}

/// Whether `rouse_name_file` can work: it needs /proc, which a chroot may lack.
static inline bool rouse_can_name_files(void) { return access("/proc/self/fd", X_OK) == 0; }

/// Gives a file from `rouse_open_nameless` a name, which must be free (open(2)).
static inline bool rouse_name_file(int descriptor, const char *path) {
  char open_file[32];
  snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, open_file, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/// Opens what has a name, for its status alone; a link at the path's end is not followed (open(2), O_PATH).
static inline int rouse_open_entry(const char *path) {
  return open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
}

/// The length of the text of a link from `rouse_open_entry`, which is cut off to the room; 0 for links of /proc, which
/// lead to files that a path need not name, and negative on failure.
static inline long rouse_read_link(int link, char *text, size_t room) {
  struct statfs system;
  while (fstatfs(link, &system) != 0) {
    if (errno != EINTR) return -1;
  }
  return system.f_type == 0x9fa0 ? 0 : (long)readlinkat(link, "", text, room);
}

/// Whether another open file description has locked a byte. The file may be open for reading only.
static inline bool rouse_is_byte_locked(int descriptor, long byte) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/// Keeps other descriptions from locking a byte, with a shared lock; false if one has locked it. The file may be open
/// for reading only.
static inline bool rouse_keep_byte_unlocked(int descriptor, long byte) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ||
         !rouse_is_byte_locked(descriptor, byte);
}

/// Another descriptor of the same file, from `least` on, that no program inherits (fcntl(2)).
static inline int rouse_move_descriptor(int descriptor, int least) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, least);
}

/// What fork(2) has made of a process that has called `fork_watch_begin`.
enum {
  /// It has made a copy.
  FORK_WATCH_ORIGINAL = 1,
  /// It is a copy, which ends with the thread that made it.
  FORK_WATCH_COPY = 2
};
__attribute__((visibility("hidden"))) extern volatile sig_atomic_t fork_watch_mark;
static inline int fork_watch_state(void) { return fork_watch_mark; }
static inline void fork_watch_forget(void) { fork_watch_mark = 0; }

/// Call it once a process, before `fork_watch_state`.
__attribute__((visibility("hidden"))) void fork_watch_begin(void);

/// Whether a child has ended; it can still be waited for.
static inline bool rouse_has_ended(int process) {
  siginfo_t info = {.si_pid = 0};
  return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

/// Lets the kernel kill this process when the thread that started it ends (prctl(2)).
static inline void rouse_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

#endif
