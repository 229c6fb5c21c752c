/* rouse.h: record what wakes apps, from C or anything that can call C.
 *
 *     rouse_recorder_t recorder;
 *     rouse_options_t options = {.size = sizeof options, .trace = "component.wtrace"};
 *     rouse_open(&options, &recorder);
 *     uint32_t type, source;
 *     rouse_name(recorder, ROUSE_TYPE, "HKWorkoutTypeIdentifier", &type);
 *     rouse_name(recorder, ROUSE_SOURCE, "Watch", &source);
 *     rouse_producer_t producer;                  // one for each thread that records
 *     rouse_producer_open(recorder, &producer);
 *     rouse_save_now(producer, type, source);
 *     ...
 *     rouse_producer_close(producer);
 *     rouse_close(recorder);
 *
 * Handles are numbers and own nothing that the caller must free; one that was closed, 0, and one of
 * the other sort are refused (ROUSE_CLOSED). Texts are UTF-8 that ends with a zero byte, and are
 * copied. Nothing here ends the process or raises a signal on bad arguments.
 *
 * Threads: a recorder may be used by all threads, a producer by one at a time. After fork the child
 * must not use the parent's handles: calls of producers answer ROUSE_FORKED and leave no trace.
 *
 * Signals: from a signal handler rouse_save, rouse_save_value and rouse_delete may be called, in the
 * modes ROUSE_DROP and ROUSE_OVERWRITE; a call that interrupts another one of the same producer
 * answers ROUSE_BUSY, and its event is not recorded.
 *
 * ABI: functions are only added, numbers never change their meaning, structures that grow say their
 * size first. A change that breaks this has another soname.
 */
#ifndef ROUSE_H
#define ROUSE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A recorder, and a producer of one thread; 0 is none. */
typedef uint64_t rouse_recorder_t;
typedef uint64_t rouse_producer_t;

/* What a call answers. ROUSE_OK and ROUSE_NOT_WRITTEN say that an event is recorded. */
enum {
  ROUSE_OK = 0,
  /* Recorded in memory; but of late the trace could not be written. rouse_flush tells why. Said once
   * by each producer for each failure. */
  ROUSE_NOT_WRITTEN = 1,
  /* The ring is full: the event is lost, and counted as lost in the trace. */
  ROUSE_LOST = 2,
  /* The handle is closed or none. With this and all codes below nothing is recorded or counted. */
  ROUSE_CLOSED = 3,
  /* The handle belongs to the process that this one was forked off. */
  ROUSE_FORKED = 4,
  /* The call interrupted another one of the same producer. */
  ROUSE_BUSY = 5,
  /* The event takes more than a quarter of the ring. */
  ROUSE_TOO_LARGE = 6,
  /* A number of a name is none that rouse_name gave. */
  ROUSE_UNKNOWN_NAME = 7,
  /* A time is beyond 4e18 nanoseconds before or after 1970. */
  ROUSE_INVALID_TIME = 8,
  /* A number is not finite or out of its range. */
  ROUSE_INVALID_NUMBER = 9,
  /* A pointer is null, or a value is none of those listed. */
  ROUSE_INVALID_ARGUMENT = 20,
  /* A text is no valid UTF-8. */
  ROUSE_INVALID_TEXT = 21,
  /* A name has more than 65,535 bytes, or there is no room for more names or producers. */
  ROUSE_NO_ROOM = 22,
  /* A file cannot be opened, read or written: full disk, read-only folder. */
  ROUSE_IO = 23,
  /* Another recorder writes the trace. */
  ROUSE_IN_USE = 24,
  /* What is to be gone on with is no trace, or a torn or damaged one. */
  ROUSE_NOT_A_TRACE = 25
};

/* What happens when a ring is full. */
enum {
  /* The new event is lost, and counted. */
  ROUSE_DROP = 0,
  /* The producer waits until there is room. */
  ROUSE_BLOCK = 1,
  /* The oldest events are lost, and counted; rouse_snapshot writes the others. */
  ROUSE_OVERWRITE = 2
};

/* How to record. What is 0 or null is as it is by default. */
typedef struct {
  /* sizeof(rouse_options_t) */
  size_t size;
  /* A file, which is gone on with if it is there, or a folder that gets files. Null writes none. */
  const char *trace;
  /* ROUSE_DROP, ROUSE_BLOCK, ROUSE_OVERWRITE. */
  int32_t mode;
  /* zlib's level from 1 to 9, by default 1; -1 stores. */
  int32_t level;
  /* Where the ring file goes, by default /dev/shm. */
  const char *ring_folder;
  /* The device of events, by default the empty name. */
  const char *device;
  /* Slots of 16 bytes in each thread's ring, by default 262,144. */
  uint32_t slots_per_ring;
  /* Events of a block, by default 65,536 (the most). */
  uint32_t events_per_block;
  /* Seconds after which events are written, by default 1. */
  double flush_seconds;
  /* In a folder, seconds and bytes after which the next file begins; by default never. */
  double seconds_per_file;
  int64_t bytes_per_file;
} rouse_options_t;

/* What was recorded. */
typedef struct {
  /* Events and blocks that stand in the trace, and its bytes. */
  uint64_t written, blocks, bytes;
  /* Events that were lost. */
  uint64_t lost;
} rouse_statistics_t;

/* Starts to record. */
int32_t rouse_open(const rouse_options_t *options, rouse_recorder_t *recorder);
/* Writes all that was recorded before. */
int32_t rouse_flush(rouse_recorder_t recorder);
/* Writes what the rings hold to a file of its own; in the mode ROUSE_OVERWRITE. */
int32_t rouse_snapshot(rouse_recorder_t recorder, const char *path);
/* Tells what was recorded. */
int32_t rouse_statistics(rouse_recorder_t recorder, rouse_statistics_t *statistics);
/* Writes the rest and ends the trace. If that fails the ring file stays, for `rouse recover`; the
 * handle is closed all the same. */
int32_t rouse_close(rouse_recorder_t recorder);

/* The sorts of names. */
enum { ROUSE_TYPE = 0, ROUSE_SOURCE = 1, ROUSE_APP = 2, ROUSE_QUERY = 3, ROUSE_DEVICE = 4 };

/* The number of a name; the same name of a sort has the same number. */
int32_t rouse_name(rouse_recorder_t recorder, int32_t sort, const char *name, uint32_t *number);

/* Makes a producer for the calling thread, for events of the recorder's device or of another one. */
int32_t rouse_producer_open(rouse_recorder_t recorder, rouse_producer_t *producer);
int32_t rouse_producer_open_device(
    rouse_recorder_t recorder, uint32_t device, rouse_producer_t *producer);
/* Ends it; by the thread that used it. What it recorded is kept. */
int32_t rouse_producer_close(rouse_producer_t producer);

/* A sample was saved or deleted at a time, in nanoseconds since 1970, or now. */
int32_t rouse_save(rouse_producer_t producer, int64_t time, uint32_t type, uint32_t source);
int32_t rouse_save_now(rouse_producer_t producer, uint32_t type, uint32_t source);
int32_t rouse_save_value(
    rouse_producer_t producer, int64_t time, uint32_t type, uint32_t source, double value);
int32_t rouse_delete(rouse_producer_t producer, int64_t time, uint32_t type, uint32_t source);
int32_t rouse_delete_now(rouse_producer_t producer, uint32_t type, uint32_t source);

/* A sample with its start and end, and a value unless it is NaN. */
int32_t rouse_save_sample(
    rouse_producer_t producer, int64_t time, uint32_t type, uint32_t source, int64_t start,
    int64_t end, double value);

/* Background delivery is enabled (0 immediate, 1 hourly, 2 daily, 3 weekly) or disabled. */
int32_t rouse_enable(
    rouse_producer_t producer, int64_t time, uint32_t app, uint32_t type, int32_t frequency);
int32_t rouse_disable(rouse_producer_t producer, int64_t time, uint32_t app, uint32_t type);

/* An observer query without a predicate starts, or a query stops. */
int32_t rouse_execute(
    rouse_producer_t producer, int64_t time, uint32_t app, uint32_t query, uint32_t type);
int32_t rouse_stop(rouse_producer_t producer, int64_t time, uint32_t app, uint32_t query);

/* What happens to an app. */
enum {
  ROUSE_DISABLE_ALL = 4,
  /* The completion handler is called, for everything outstanding. */
  ROUSE_COMPLETE = 7,
  ROUSE_LAUNCH = 8,
  ROUSE_BACKGROUND = 9,
  ROUSE_TERMINATE = 10,
  ROUSE_FORCE_QUIT = 11
};
int32_t rouse_app_event(rouse_producer_t producer, int64_t time, int32_t kind, uint32_t app);

/* What happens to the device; for network and power, whether they are good now. */
enum {
  ROUSE_NETWORK = 17,
  ROUSE_POWER = 18,
  ROUSE_LOCK = 19,
  ROUSE_UNLOCK = 20,
  ROUSE_REBOOT = 21
};
int32_t rouse_device_event(rouse_producer_t producer, int64_t time, int32_t kind, int32_t is_good);

/* A background notification reaches the device. */
int32_t rouse_push(rouse_producer_t producer, int64_t time, uint32_t app, const char *id);

/* What a code means: a text that is always there. */
const char *rouse_text(int32_t code);
/* What went wrong in the calling thread's last failed call of a recorder, with the file's name: a text
 * that is there until its next failed call; never null. */
const char *rouse_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
