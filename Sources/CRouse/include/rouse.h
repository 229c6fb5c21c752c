/* rouse.h: record what wakes apps, from C or anything that can call C.
 *
 *     rouse_recorder_t recorder;
 *     rouse_options_t options = {.size = sizeof options, .trace = "component.wtrace"};
 *     rouse_open(&options, &recorder);
 *     rouse_type_t type;
 *     rouse_source_t source;
 *     rouse_type(recorder, "HKWorkoutTypeIdentifier", &type);
 *     rouse_source(recorder, "Watch", &source);
 *     rouse_producer_t producer;                  // one for each thread that records
 *     rouse_producer_open(recorder, &producer);
 *     rouse_save_now(producer, type, source);
 *     ...
 *     rouse_producer_close(producer);
 *     rouse_close(recorder);
 *
 * Handles are numbers; the caller frees nothing. A handle that is 0, closed or of the other sort is refused
 * (ROUSE_CLOSED). Texts are zero-terminated UTF-8 and are copied. Invalid arguments never end the process or raise a
 * signal; where there is no memory, the library ends it (abort). A function that returns a handle sets it to 0 where
 * it fails.
 *
 * Threads: all threads may use a recorder at once; a producer may be used by one thread at a time. A thread that is
 * cancelled (pthread_cancel) ends after a call, not in it; asynchronous cancellation is not supported.
 *
 * Exit: exit and a return from main close the recorders that are open, as rouse_close does, but wait for the reader of a
 * pipe for about a second alone; what it did not take stays in the ring file. Handlers of atexit that were registered
 * before the first rouse_open run after that, so their calls return ROUSE_CLOSED. _exit, quick_exit and a signal
 * close nothing: what was not written stays in the ring file for `rouse recover`. A signal handler must not call
 * exit, which would wait for what it interrupted; _exit is safe.
 *
 * fork: in the child, calls with the parent's handles record nothing and return ROUSE_FORKED; closing them
 * returns ROUSE_OK and unmaps the memory that is shared with the parent. The child may open its own recorder.
 * A child of _Fork, vfork or clone must not call these functions.
 *
 * Signals: a signal handler may call rouse_save, rouse_save_value and rouse_delete in the modes ROUSE_DROP and
 * ROUSE_OVERWRITE. A call that interrupts another one of the same producer records nothing and returns ROUSE_BUSY. A
 * handler must not leave such a call by longjmp: the producer is then ROUSE_BUSY until it is closed and another is
 * opened. SIGBUS has a handler from the first rouse_open on, which survives that another process cuts a ring file
 * short: calls then return ROUSE_CLOSED, and rouse_flush and rouse_close ROUSE_NOT_A_TRACE. Any other SIGBUS goes to
 * the handler before. A program that sets its own later should call the one that it replaces. 
 * rouse_producer_open unblocks SIGBUS in the calling thread, and rouse_producer_close blocks it again if it was
 * blocked; where rouse_close closes the producer instead, it stays unblocked. A thread that uses a producer which
 * another thread has opened must not block SIGBUS.
 *
 * ABI: functions are only added, and numbers keep their meaning. Structures that begin with their size may grow
 * at the end, where 0 is the default; an older library refuses fields that it does not know. An incompatible
 * change gets another soname. Symbols are versioned.
 */
#ifndef ROUSE_H
#define ROUSE_H

#include <stddef.h>
#include <stdint.h>

/* The functions that are called for every sample are called without the procedure linkage table, which would
 * take a seventh of the call's time. */
#ifdef __has_attribute
#if __has_attribute(noplt)
#define ROUSE_DIRECT __attribute__((noplt))
#endif
#endif
#ifndef ROUSE_DIRECT
#define ROUSE_DIRECT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header: 10,000 times the major, 100 times the minor, and the patch number. */
#define ROUSE_VERSION 100
/* That of the library, which may be another one. */
int32_t rouse_version(void);

/* A recorder, and a producer of one thread; 0 is never valid. */
typedef uint64_t rouse_recorder_t;
typedef uint64_t rouse_producer_t;

/* The numbers of a sample type and of a source. Distinct types, so that a compiler refuses one in place of the other;
 * for the ABI each is a uint32_t. */
typedef struct {
  uint32_t number;
} rouse_type_t;
typedef struct {
  uint32_t number;
} rouse_source_t;

/* The results of calls. With ROUSE_OK and ROUSE_NOT_WRITTEN an event is recorded. */
enum {
  ROUSE_OK = 0,
  /* Recorded in memory, but the trace could not be written; rouse_flush returns why. Each producer reports a
   * failure once. */
  ROUSE_NOT_WRITTEN = 1,
  /* The ring is full: the event is lost, and counted as lost in the trace. */
  ROUSE_LOST = 2,
  /* The handle is closed or invalid. With this and all codes below nothing is recorded or counted. */
  ROUSE_CLOSED = 3,
  /* The handle belongs to the process that this one was forked off. */
  ROUSE_FORKED = 4,
  /* The call interrupted another one of the same producer. */
  ROUSE_BUSY = 5,
  /* The event takes more than a quarter of the ring, a text in it more than 8 MiB, or it observes more than 65,536
   * types. */
  ROUSE_TOO_LARGE = 6,
  /* The number of a name or device was not returned by rouse_name. */
  ROUSE_UNKNOWN_NAME = 7,
  /* A time is beyond 4e18 nanoseconds before or after 1970. */
  ROUSE_INVALID_TIME = 8,
  /* A number is not finite or out of range. */
  ROUSE_INVALID_NUMBER = 9,
  /* A pointer is null, a value is not listed, or a structure has an unknown size. */
  ROUSE_INVALID_ARGUMENT = 20,
  /* A text is not valid UTF-8, or a push's aps is no JSON object. */
  ROUSE_INVALID_TEXT = 21,
  /* A name has more than 65,535 bytes, or all names of the recorder more than 16 MiB; or there are 4,096 rings or 65,536
   * producers. */
  ROUSE_NO_ROOM = 22,
  /* A file cannot be opened, read or written, as on a full disk; or the trace was removed. */
  ROUSE_IO = 23,
  /* Another recorder writes the trace, or the file that a snapshot would replace; or a ring is overwritten faster than a
   * snapshot can copy it. */
  ROUSE_IN_USE = 24,
  /* The file to be continued is no trace, or is damaged; or the ring file was cut short. */
  ROUSE_NOT_A_TRACE = 25
};

/* What happens when a ring is full. */
enum {
  /* The new event is lost, and counted. */
  ROUSE_DROP = 0,
  /* The producer waits until there is room. */
  ROUSE_BLOCK = 1,
  /* The oldest events are lost, and counted; rouse_snapshot writes the others. Refused with a trace: set
   * rouse_options_t.trace to null. */
  ROUSE_OVERWRITE = 2
};

/* How to record. A field that is 0 or null has its default. */
typedef struct {
  /* sizeof(rouse_options_t) */
  size_t size;
  /* Null with ROUSE_OVERWRITE. A file, which is continued if it exists, or a folder in which files are created. Null writes no trace; an
   * empty text is refused. If the file is renamed, a new one is created under its name. So it is if the file is
   * removed, replaced or emptied; as its content is lost, the next rouse_flush or rouse_close then returns
   * ROUSE_IO once. A FIFO must have a reader. A file that is created can be read by its owner alone, as the ring
   * file; one that exists keeps its permissions. */
  const char *trace;
  /* ROUSE_DROP, ROUSE_BLOCK, ROUSE_OVERWRITE. */
  int32_t mode;
  /* zlib's level from 1 to 9, by default 1; -1 stores without compression. */
  int32_t level;
  /* The folder of the ring file, by default /dev/shm; an empty text is refused. */
  const char *ring_folder;
  /* The device of events that name none, by default the empty name. */
  const char *device;
  /* Slots of 16 bytes in each thread's ring, from 1,024 to 67,108,864, by default 262,144; rounded up to a power of two.
   * A save or delete takes one, and one more for each of start, end, value and another device than the producer's. Any
   * other event takes one, and one for each 8 bytes of its fields. A ring that takes n slots a second and whose events
   * must wait t seconds at most, for the disk or for `rouse record --attach`, needs n * t slots: 262,144 hold 26 ms of
   * 10 million saves a second. */
  uint32_t slots_per_ring;
  /* Events of a block, by default 65,536 (the maximum). */
  uint32_t events_per_block;
  /* Seconds that events may wait to be written, by default 1. While little is recorded, a thread looks at the rings once
   * in this time, at most 250 times a second; a producer wakes it when it has filled a sixteenth of its ring. While they
   * fill, the thread looks up to 10,000 times a second. While little is recorded, it may take this time to find that
   * another process has cut the ring file short. */
  double flush_seconds;
  /* In a folder, seconds and bytes after which the next file begins; by default never. Refused without a
   * folder. */
  double seconds_per_file;
  int64_t bytes_per_file;
  /* 1: each block, the names of new files, and snapshots are on the disk before the recorder goes on; what a
   * rouse_flush returned ROUSE_OK for survives a failure of power. 0: it survives the end of the process. */
  int32_t durable;
  int32_t reserved; /* 0 */
} rouse_options_t;

/* What was recorded. This structure does not grow. */
typedef struct {
  /* Events, blocks and bytes of the trace. */
  uint64_t written, blocks, bytes;
  /* Events that were lost, whether or not the trace tells it yet; in the mode ROUSE_OVERWRITE, those that were
   * overwritten so far. */
  uint64_t lost;
} rouse_statistics_t;

/* Starts to record. A failure leaves no file behind. */
int32_t rouse_open(const rouse_options_t *options, rouse_recorder_t *recorder);
/* Writes everything that was recorded before. Without a trace it does nothing and returns ROUSE_OK: events stay in
 * the ring until `rouse record --attach` takes them or, in the mode ROUSE_OVERWRITE, they are overwritten. */
int32_t rouse_flush(rouse_recorder_t recorder);
/* Writes the rings' events to a new file, which replaces an existing one; in the mode ROUSE_OVERWRITE only. */
int32_t rouse_snapshot(rouse_recorder_t recorder, const char *path);
/* Returns what was recorded. Call it before rouse_close; after rouse_flush everything is written. In the mode
 * ROUSE_OVERWRITE it reads all rings. */
int32_t rouse_statistics(rouse_recorder_t recorder, rouse_statistics_t *statistics);
/* Writes the rest and ends the trace. If that fails, the handle is closed all the same and the ring file stays for
 * `rouse recover`; so it does without a trace in the modes ROUSE_DROP and ROUSE_BLOCK, if an event was recorded. Like
 * rouse_open, rouse_flush, rouse_snapshot and rouse_statistics it may wait for the disk or a FIFO's reader; the other
 * calls and fork do not. Producers that are open are closed; calls of other threads then return ROUSE_CLOSED. As
 * such calls may be under way, the addresses of their rings stay mapped, without memory, for ever: it is better
 * to close producers first. */
int32_t rouse_close(rouse_recorder_t recorder);

/* The sorts of names. */
enum { ROUSE_TYPE = 0, ROUSE_SOURCE = 1, ROUSE_APP = 2, ROUSE_QUERY = 3, ROUSE_DEVICE = 4 };

/* Returns the number of a name; equal names of a sort have equal numbers. Those of ROUSE_TYPE and ROUSE_SOURCE are the
 * ones that rouse_type and rouse_source return. */
int32_t rouse_name(rouse_recorder_t recorder, int32_t sort, const char *name, uint32_t *number);

int32_t rouse_type(rouse_recorder_t recorder, const char *name, rouse_type_t *type);
int32_t rouse_source(rouse_recorder_t recorder, const char *name, rouse_source_t *source);

/* Makes a producer for the calling thread, for events of the recorder's device or of another one. It has a ring, which
 * stays when it is closed, for the next producer of the same device: threads and devices together can have 4,096. For
 * events of many devices use one producer and ROUSE_HAS_DEVICE. */
int32_t rouse_producer_open(rouse_recorder_t recorder, rouse_producer_t *producer);
int32_t rouse_producer_open_device(
    rouse_recorder_t recorder, uint32_t device, rouse_producer_t *producer);
/* Closes a producer; the thread that used it must call this. Its events are kept. */
int32_t rouse_producer_close(rouse_producer_t producer);

/* Record that a sample was saved or deleted, at a time in nanoseconds since 1970 or now: the fast calls. */
ROUSE_DIRECT int32_t rouse_save(
    rouse_producer_t producer, int64_t time, rouse_type_t type, rouse_source_t source);
ROUSE_DIRECT int32_t rouse_save_now(rouse_producer_t producer, rouse_type_t type, rouse_source_t source);
ROUSE_DIRECT int32_t rouse_save_value(
    rouse_producer_t producer, int64_t time, rouse_type_t type, rouse_source_t source, double value);
ROUSE_DIRECT int32_t rouse_delete(
    rouse_producer_t producer, int64_t time, rouse_type_t type, rouse_source_t source);
ROUSE_DIRECT int32_t rouse_delete_now(rouse_producer_t producer, rouse_type_t type, rouse_source_t source);

/* The recorder's clock, in nanoseconds since 1970, for calls that take a time. */
int64_t rouse_now(void);

/* The kinds of events, with the fields that each needs. */
enum {
  ROUSE_SAVE = 0,              /* type, source; optional start, end, value */
  ROUSE_DELETE = 1,            /* type, source */
  ROUSE_ENABLE = 2,            /* app, type, frequency: background delivery is enabled */
  ROUSE_DISABLE = 3,           /* app, type */
  ROUSE_DISABLE_ALL = 4,       /* app */
  ROUSE_EXECUTE = 5,           /* app, query, type; optional predicate: an observer query starts */
  ROUSE_STOP = 6,              /* app, query */
  ROUSE_COMPLETE = 7,          /* app, item, result; type for ROUSE_ITEM_TYPE: its handler is called */
  ROUSE_LAUNCH = 8,            /* app: the user opens it */
  ROUSE_BACKGROUND = 9,        /* app: the user leaves it */
  ROUSE_TERMINATE = 10,        /* app: the system ends it */
  ROUSE_FORCE_QUIT = 11,       /* app: the user ends it */
  ROUSE_PUSH = 12,             /* app, id; optional aps, push_type, priority */
  ROUSE_REFRESH_INTERVAL = 13, /* app, interval */
  ROUSE_REFRESH_STATUS = 14,   /* app or ROUSE_EVERY_APP, status */
  ROUSE_COMPLICATION = 15,     /* app, is_on: it has a complication on the active watch face */
  ROUSE_ENTITLEMENT = 16,      /* app, is_on: it may have background delivery */
  ROUSE_NETWORK = 17,          /* is_on: it is good */
  ROUSE_POWER = 18,            /* is_on: it is good */
  ROUSE_LOCK = 19,
  ROUSE_UNLOCK = 20,
  ROUSE_REBOOT = 21,
  /* app, types and type_count; optional id of a push, ROUSE_HAS_REFRESH with is_on, outcome, end: the system woke the
   * app. It is kept beside what happened, and a replay ignores it; `rouse diff` compares it with what the rules say. */
  ROUSE_OBSERVED = 22
};

/* The frequency of background delivery. */
enum { ROUSE_IMMEDIATE = 0, ROUSE_HOURLY = 1, ROUSE_DAILY = 2, ROUSE_WEEKLY = 3 };
/* What a completion handler completes: everything outstanding, the push, the refresh, or one type. */
enum { ROUSE_EVERYTHING = 0, ROUSE_ITEM_PUSH = 1, ROUSE_ITEM_REFRESH = 2, ROUSE_ITEM_TYPE = 3 };
/* What the app found. */
enum { ROUSE_NO_RESULT = 0, ROUSE_NEW_DATA = 1, ROUSE_NO_DATA = 2, ROUSE_FAILED = 3 };
/* How a wake ended. */
enum { ROUSE_NO_OUTCOME = 0, ROUSE_COMPLETED = 1, ROUSE_EXPIRED = 2, ROUSE_ABORTED = 3, ROUSE_OPEN = 4 };
/* Whether background refresh is allowed. */
enum { ROUSE_AVAILABLE = 0, ROUSE_DENIED = 1, ROUSE_RESTRICTED = 2 };
/* Intervals of background refresh that are not in seconds. */
enum { ROUSE_NEVER = -1, ROUSE_MINIMUM = -2 };
/* Every app that has appeared so far. */
#define ROUSE_EVERY_APP UINT32_MAX

/* The optional parts that an event has; parts that its kind does not have are refused. */
enum {
  ROUSE_HAS_DEVICE = 1,     /* another device than the producer's */
  ROUSE_HAS_START = 2,
  ROUSE_HAS_END = 4,
  ROUSE_HAS_VALUE = 8,
  ROUSE_HAS_PREDICATE = 16, /* implied by each part of a predicate; alone, the predicate is empty */
  ROUSE_HAS_SOURCE = 32,
  ROUSE_HAS_STRICT_START = 64,
  ROUSE_HAS_STRICT_END = 128,
  ROUSE_HAS_MIN = 256,
  ROUSE_HAS_MAX = 512,
  ROUSE_HAS_PRIORITY = 1024,
  ROUSE_HAS_REFRESH = 2048  /* is_on says whether an observed wake carried a refresh */
};

/* Any event. Fields that its kind does not have are ignored. */
typedef struct {
  size_t size;     /* sizeof(rouse_event_t) */
  int32_t kind;    /* ROUSE_SAVE and so on */
  uint32_t has;    /* ROUSE_HAS_START and so on, or 0 */
  int64_t time;    /* in nanoseconds since 1970, as all times */
  uint32_t device, app; /* numbers of names, as the next three are */
  rouse_type_t type;
  rouse_source_t source;
  uint32_t query;
  int32_t frequency, item, result, status;
  int32_t is_on, strict_start, strict_end; /* 0 or 1 */
  int64_t start, end;                      /* of the sample or a predicate's range; end of an observed wake */
  double value, min, max;
  double interval; /* seconds, ROUSE_NEVER or ROUSE_MINIMUM */
  double priority;
  /* A push; aps is a JSON object as text. Null fields are absent. */
  const char *id, *aps, *push_type;
  /* An observed wake: its types, and how it ended. */
  const rouse_type_t *types;
  uint32_t type_count;
  int32_t outcome; /* ROUSE_COMPLETED and so on */
} rouse_event_t;

/* Records any event. */
ROUSE_DIRECT int32_t rouse_record(rouse_producer_t producer, const rouse_event_t *event);

/* What a code means, as a static text. */
const char *rouse_text(int32_t code);
/* The message of the calling thread's last call that failed, except rouse_save…, rouse_delete…, and calls that returned
 * ROUSE_LOST. The text is valid until the next failure, and never null. */
const char *rouse_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
