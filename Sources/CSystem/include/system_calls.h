// System calls that Swift cannot import, or that must not be points of cancellation.
//
// No header of a module defines _GNU_SOURCE: the C library's structures would have other members than in the other
// modules, which the compiler refuses where one file imports both. No name begins with `rouse_`: librouse.a exports those.
#ifndef ROUSE_SYSTEM_CALLS_H
#define ROUSE_SYSTEM_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

/// Registers this process for `system_barrier_in_all_threads`; false if the kernel lacks membarrier(2).
bool system_barrier_start(void);

/// Executes a full memory barrier in every running thread of this process.
void system_barrier_in_all_threads(void);

/// Sleeps for less than a second. Unlike nanosleep(2), it does not end a thread that is cancelled.
void system_pause(long nanoseconds);

/// Sleeps while the word of 32 bits has the value, until `system_wake_all` of the word, a signal, or the time is over
/// (futex(2)). May return early.
void system_sleep_while(const void *word, uint32_t value, int64_t nanoseconds);

/// Wakes the threads of this process that sleep on a word. A signal handler may call it.
void system_wake_all(const void *word);

/// Locks one byte of a file for its open file description (fcntl(2)), until the description is closed or
/// `system_unlock_and_close` is called; false if another description has it. The byte need not exist.
bool system_lock_byte(int descriptor, long byte);

/// Unlocks all bytes of a file and closes it. Closing alone does not unlock while a child still has the description.
/// False if close(2) fails, as when a file system writes only then.
bool system_unlock_and_close(int descriptor);

/// Opens a pipe that no program inherits (pipe2(2)): its ends for reading and writing.
int system_open_pipe(int ends[2]);

/// Accepts a client of a socket, with a descriptor that does not wait and that no program inherits (accept4(2)).
int system_accept(int socket);

/// Opens a new file that has no name; negative where the file system has no such files.
int system_open_nameless(const char *folder, int flags, mode_t mode);

/// Whether `system_name_file` can work: it needs /proc, which a chroot may lack.
bool system_can_name_files(void);

/// Gives a file from `system_open_nameless` a name, which must be free (open(2)).
bool system_name_file(int descriptor, const char *path);

/// Opens what has a name, for its status alone; a link at the path's end is not followed (open(2), O_PATH).
int system_open_entry(const char *path);

/// The length of the text of a link from `system_open_entry`, which is cut off to the room; 0 for links of /proc, which
/// lead to files that a path need not name, and negative on failure.
long system_read_link(int link, char *text, size_t room);

/// Whether another open file description has locked a byte. The file may be open for reading only.
bool system_is_byte_locked(int descriptor, long byte);

/// Keeps other descriptions from locking a byte, with a shared lock; false if one has locked it. The file may be open
/// for reading only.
bool system_keep_byte_unlocked(int descriptor, long byte);

/// Another descriptor of the same file, from `least` on, that no program inherits (fcntl(2)).
int system_move_descriptor(int descriptor, int least);

/// Whether a child has ended; it can still be waited for.
bool system_has_ended(int process);

/// Lets the kernel kill this process when the thread that started it ends (prctl(2)).
void system_end_with_parent(void);

#pragma GCC visibility pop

#endif
