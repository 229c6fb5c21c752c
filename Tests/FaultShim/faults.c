// Makes chosen calls of a program fail, counts its calls and logs what they change. The tests compile this with clang
// and load it with LD_PRELOAD, as SQLite's test_vfs.c stands between SQLite and the system.
//
//   ROUSE_FAULT=CALL:K:WHAT,...  The K-th CALL fails; with K+, all from the K-th on. WHAT is an errno's number, or
//                                `short` for half of the bytes; with `swap` the call does not fail, but `out` and `link`
//                                of the folder have exchanged their names before it; with `late` it is made 2 s later.
//                                CALL is a function's name; `nameless` is open(2) with O_TMPFILE.
//   ROUSE_FAULT_FOLDER=FOLDER    Only files below it count, those of relative paths, and standard input and output.
//   ROUSE_FAULT_COUNTS=FILE      At the end, a line `CALL COUNT` for each function.
//   ROUSE_FAULT_LOG=FILE         A line for each change, in order: `write PATH OFFSET COUNT` with the bytes behind it,
//                                `truncate PATH LENGTH`, `sync PATH`, `rename PATH PATH`, `remove PATH`.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALLS(DO)                                                                                                  \
  DO(open) DO(nameless) DO(close) DO(read) DO(pread) DO(write) DO(fstat) DO(stat) DO(ftruncate) DO(posix_fallocate) \
  DO(rename) DO(linkat) DO(unlink) DO(fsync) DO(fdatasync) DO(mmap) DO(fcntl) DO(lseek) DO(dup) DO(dup2) DO(fchmod)  \
  DO(realpath) DO(opendir) DO(lstat) DO(mkdir) DO(socket) DO(bind) DO(listen) DO(accept4) DO(access) DO(fstatfs)      \
  DO(readlinkat) DO(readdir) DO(getcwd) DO(poll) DO(connect) DO(getsockopt) DO(pipe) DO(pipe2) DO(posix_spawnp)     \
  DO(waitpid) DO(pthread_create) DO(raise) DO(fchdir)

#define NUMBER(name) CALL_##name,
#define NAME(name) #name,
enum { CALLS(NUMBER) CALL_COUNT };
static const char *const names[] = {CALLS(NAME)};

enum { NONE = 0, SHORT = -1, SWAP = -2, LATE = -3 };

typedef struct {
  int call, what;
  unsigned long from, to;
} Fault;

static Fault faults[16];
static int fault_count;
static unsigned long counts[CALL_COUNT];
static char folder[512];
// The path of each open file that counts; empty for others.
static char paths[1024][512];
static int log_file = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int what_of(const char *word) {
  if (strcmp(word, "short") == 0) return SHORT;
  if (strcmp(word, "swap") == 0) return SWAP;
  if (strcmp(word, "late") == 0) return LATE;
  return atoi(word);
}

__attribute__((constructor)) static void begin(void) {
  const char *given = getenv("ROUSE_FAULT_FOLDER");
  if (given) snprintf(folder, sizeof folder, "%s/", given);
  strcpy(paths[0], "<stdin>"), strcpy(paths[1], "<stdout>");
  // Programs that this one starts are not its calls.
  unsetenv("LD_PRELOAD");
  if ((given = getenv("ROUSE_FAULT_LOG"))) {
    log_file = syscall(SYS_openat, AT_FDCWD, given, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  if (!(given = getenv("ROUSE_FAULT"))) return;
  char text[512], *rest = text;
  snprintf(text, sizeof text, "%s", given);
  for (char *part; (part = strsep(&rest, ",")) && fault_count < 16;) {
    const char *name = strsep(&part, ":"), *place = strsep(&part, ":");
    Fault *fault = &faults[fault_count++];
    while (fault->call < CALL_COUNT && strcmp(names[fault->call], name) != 0) fault->call++;
    if (fault->call == CALL_COUNT || !part) fprintf(stderr, "ROUSE_FAULT: no fault: %s\n", given), abort();
    fault->from = strtoul(place, NULL, 10);
    fault->to = strchr(place, '+') ? (unsigned long)-1 : fault->from;
    fault->what = what_of(part);
  }
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("ROUSE_FAULT_COUNTS");
  if (!path) return;
  int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  for (int call = 0; call < CALL_COUNT; call++) {
    char line[64];
    int length = snprintf(line, sizeof line, "%s %lu\n", names[call], counts[call]);
    syscall(SYS_write, file, line, length);
  }
  syscall(SYS_close, file);
}

static bool is_in_folder(const char *path) {
  return path && (path[0] != '/' || (folder[0] && strncmp(path, folder, strlen(folder)) == 0) ||
                  (folder[0] && strncmp(path, folder, strlen(folder) - 1) == 0 && !path[strlen(folder) - 1]));
}

static bool is_followed(int file) { return file >= 0 && file < 1024 && paths[file][0]; }

static void follow(int file, const char *path) {
  if (file < 0 || file >= 1024) return;
  if (path[0] == '/' || path[0] == '<') {
    snprintf(paths[file], sizeof paths[file], "%s", path);
  } else {
    snprintf(paths[file], sizeof paths[file], "%s%s", folder, path);
  }
}

static int swap(void) {
  int reason = errno;
  char out[600], link[600];
  snprintf(out, sizeof out, "%sout", folder), snprintf(link, sizeof link, "%slink", folder);
  renameat2(AT_FDCWD, out, AT_FDCWD, link, RENAME_EXCHANGE);
  errno = reason;
  return NONE;
}

// Counts a call, and returns how it fails.
static int next(int call) {
  unsigned long number = __atomic_add_fetch(&counts[call], 1, __ATOMIC_RELAXED);
  for (int place = 0; place < fault_count; place++) {
    if (faults[place].call == call && number >= faults[place].from && number <= faults[place].to)
      return faults[place].what == SWAP ? swap() : faults[place].what;
  }
  return NONE;
}

// Returns -1 if this call is to fail.
#define FAIL_IF(call)                                      \
  do {                                                     \
    int what = next(CALL_##call);                          \
    if (what > 0) return errno = what, (__typeof__(result))-1; \
  } while (0)

static void note(const void *bytes, size_t count, const char *format, ...) {
  if (log_file < 0) return;
  int reason = errno;
  char line[1200];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&lock);
  syscall(SYS_write, log_file, line, length);
  if (count > 0) syscall(SYS_write, log_file, bytes, count);
  pthread_mutex_unlock(&lock);
  errno = reason;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  int result = 0;
  bool counted = is_in_folder(path), is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (counted && is_nameless) FAIL_IF(nameless);
  if (counted && !is_nameless) FAIL_IF(open);
  result = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (result >= 0 && counted) {
    follow(result, path);
    if (is_nameless) snprintf(paths[result], sizeof paths[result], "<nameless-%d>", result);
    if (flags & O_TRUNC) note(NULL, 0, "truncate %s 0\n", paths[result]);
  } else if (result >= 0 && result < 1024) {
    paths[result][0] = 0;
  }
  return result;
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int close(int file) {
  bool counted = is_followed(file);
  if (counted && file > 2) paths[file][0] = 0;
  int what = counted ? next(CALL_close) : NONE, result = syscall(SYS_close, file);
  // Linux closes the file even if the call fails.
  return what > 0 ? (errno = what, -1) : result;
}

ssize_t read(int file, void *bytes, size_t count) {
  ssize_t result = 0;
  if (!is_followed(file)) return syscall(SYS_read, file, bytes, count);
  int what = next(CALL_read);
  if (what > 0) return errno = what, -1;
  result = syscall(SYS_read, file, bytes, what == SHORT ? (count + 1) / 2 : count);
  return result;
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  int what = is_followed(file) ? next(CALL_pread) : NONE;
  if (what > 0) return errno = what, -1;
  return syscall(SYS_pread64, file, bytes, what == SHORT ? (count + 1) / 2 : count, offset);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (!is_followed(file)) return syscall(SYS_write, file, bytes, count);
  int what = next(CALL_write);
  if (what > 0) return errno = what, -1;
  ssize_t result = syscall(SYS_write, file, bytes, what == SHORT ? (count + 1) / 2 : count);
  if (result > 0) {
    long end = syscall(SYS_lseek, file, 0, SEEK_CUR);
    note(bytes, result, "write %s %ld %zd\n", paths[file], end - result, result);
  }
  return result;
}

int fstat(int file, struct stat *status) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(fstat);
  return result = REAL(fstat)(file, status);
}

int stat(const char *path, struct stat *status) {
  int result = 0;
  if (is_in_folder(path)) FAIL_IF(stat);
  return result = REAL(stat)(path, status);
}

int ftruncate(int file, off_t length) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(ftruncate);
  result = syscall(SYS_ftruncate, file, length);
  if (result == 0 && is_followed(file)) note(NULL, 0, "truncate %s %ld\n", paths[file], (long)length);
  return result;
}

int posix_fallocate(int file, off_t offset, off_t length) {
  int what = is_followed(file) ? next(CALL_posix_fallocate) : NONE;
  return what > 0 ? what : REAL(posix_fallocate)(file, offset, length);
}

int rename(const char *path, const char *new_path) {
  int result = 0;
  if (is_in_folder(path)) FAIL_IF(rename);
  result = REAL(rename)(path, new_path);
  if (result == 0) note(NULL, 0, "rename %s %s\n", path, new_path);
  return result;
}

int linkat(int at, const char *path, int new_at, const char *new_path, int flags) {
  int result = 0;
  FAIL_IF(linkat);
  result = REAL(linkat)(at, path, new_at, new_path, flags);
  int file;
  if (result == 0 && sscanf(path, "/proc/self/fd/%d", &file) == 1 && is_followed(file))
    note(NULL, 0, "rename %s %s\n", paths[file], new_path);
  return result;
}

int unlink(const char *path) {
  int result = 0;
  if (is_in_folder(path)) FAIL_IF(unlink);
  result = REAL(unlink)(path);
  if (result == 0 && is_in_folder(path)) note(NULL, 0, "remove %s\n", path);
  return result;
}

int fsync(int file) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(fsync);
  result = syscall(SYS_fsync, file);
  if (result == 0 && is_followed(file)) note(NULL, 0, "sync %s\n", paths[file]);
  return result;
}

int fdatasync(int file) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(fdatasync);
  result = syscall(SYS_fdatasync, file);
  if (result == 0 && is_followed(file)) note(NULL, 0, "sync %s\n", paths[file]);
  return result;
}

void *mmap(void *place, size_t length, int protection, int flags, int file, off_t offset) {
  void *result = NULL;
  if (!(flags & MAP_ANONYMOUS) && is_followed(file)) FAIL_IF(mmap);
  return result = (void *)syscall(SYS_mmap, place, length, protection, flags, file, offset);
}

// Locks and copies of descriptors.
int fcntl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  int result = 0;
  bool is_copy = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  if (is_followed(file) && (is_copy || command == F_OFD_SETLK || command == F_OFD_GETLK)) FAIL_IF(fcntl);
  result = syscall(SYS_fcntl, file, command, argument);
  if (is_copy && result >= 0 && is_followed(file)) follow(result, paths[file]);
  return result;
}

off_t lseek(int file, off_t offset, int from) {
  off_t result = 0;
  if (is_followed(file)) FAIL_IF(lseek);
  return result = syscall(SYS_lseek, file, offset, from);
}

int dup(int file) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(dup);
  result = syscall(SYS_dup, file);
  if (result >= 0 && is_followed(file)) follow(result, paths[file]);
  return result;
}

int dup2(int file, int to) {
  int result = 0;
  FAIL_IF(dup2);
  return result = REAL(dup2)(file, to);
}

int fchdir(int file) {
  int result = 0;
  FAIL_IF(fchdir);
  return result = syscall(SYS_fchdir, file);
}

int fchmod(int file, mode_t mode) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(fchmod);
  return result = syscall(SYS_fchmod, file, mode);
}

char *realpath(const char *path, char *resolved) {
  int what = is_in_folder(path) ? next(CALL_realpath) : NONE;
  return what > 0 ? (errno = what, NULL) : REAL(realpath)(path, resolved);
}

DIR *opendir(const char *path) {
  int what = is_in_folder(path) ? next(CALL_opendir) : NONE;
  return what > 0 ? (errno = what, NULL) : REAL(opendir)(path);
}

int lstat(const char *path, struct stat *status) {
  int result = 0;
  if (is_in_folder(path)) FAIL_IF(lstat);
  return result = REAL(lstat)(path, status);
}

// The names of every folder, since a stream does not tell its own.
struct dirent *readdir(DIR *stream) {
  int what = next(CALL_readdir);
  return what > 0 ? (errno = what, NULL) : REAL(readdir)(stream);
}

struct dirent64 *readdir64(DIR *stream) __attribute__((alias("readdir")));

int access(const char *path, int mode) {
  int result = 0;
  if (is_in_folder(path) || strncmp(path, "/proc/", 6) == 0) FAIL_IF(access);
  return result = REAL(access)(path, mode);
}

int fstatfs(int file, struct statfs *system) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(fstatfs);
  return result = REAL(fstatfs)(file, system);
}

ssize_t readlinkat(int at, const char *path, char *text, size_t room) {
  ssize_t result = 0;
  if (is_followed(at) || is_in_folder(path)) FAIL_IF(readlinkat);
  return result = REAL(readlinkat)(at, path, text, room);
}

char *getcwd(char *path, size_t room) {
  int what = next(CALL_getcwd);
  return what > 0 ? (errno = what, NULL) : REAL(getcwd)(path, room);
}

int mkdir(const char *path, mode_t mode) {
  int result = 0;
  if (is_in_folder(path)) FAIL_IF(mkdir);
  return result = REAL(mkdir)(path, mode);
}

// Unix sockets, and their clients, whose calls of read, fcntl and close count from then on.
int socket(int family, int type, int protocol) {
  int result = 0;
  if (family == AF_UNIX) FAIL_IF(socket);
  result = REAL(socket)(family, type, protocol);
  if (result >= 0 && family == AF_UNIX) follow(result, "<socket>");
  return result;
}

int bind(int file, const struct sockaddr *address, socklen_t length) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(bind);
  return result = REAL(bind)(file, address, length);
}

int listen(int file, int count) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(listen);
  return result = REAL(listen)(file, count);
}

int accept4(int file, struct sockaddr *address, socklen_t *length, int flags) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(accept4);
  result = REAL(accept4)(file, address, length, flags);
  if (result >= 0 && is_followed(file)) follow(result, "<client>");
  return result;
}

int connect(int file, const struct sockaddr *address, socklen_t length) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(connect);
  return result = REAL(connect)(file, address, length);
}

int getsockopt(int file, int level, int name, void *value, socklen_t *length) {
  int result = 0;
  if (is_followed(file)) FAIL_IF(getsockopt);
  return result = REAL(getsockopt)(file, level, name, value, length);
}

int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  int result = 0;
  FAIL_IF(poll);
  return result = REAL(poll)(files, count, milliseconds);
}

int pipe(int ends[2]) {
  int result = 0;
  FAIL_IF(pipe);
  return result = REAL(pipe)(ends);
}

// Pipes to and from other programs.
int pipe2(int ends[2], int flags) {
  int result = 0;
  FAIL_IF(pipe2);
  result = REAL(pipe2)(ends, flags);
  if (result == 0) follow(ends[0], "<pipe>"), follow(ends[1], "<pipe>");
  return result;
}

int posix_spawnp(pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  int what = next(CALL_posix_spawnp);
  return what > 0 ? what : REAL(posix_spawnp)(process, program, actions, attributes, arguments, environment);
}

pid_t waitpid(pid_t process, int *status, int options) {
  pid_t result = 0;
  FAIL_IF(waitpid);
  return result = REAL(waitpid)(process, status, options);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  int what = next(CALL_pthread_create);
  return what > 0 ? what : REAL(pthread_create)(thread, attributes, body, argument);
}

int raise(int number) {
  if (next(CALL_raise) == LATE) sleep(2);
  return REAL(raise)(number);
}
