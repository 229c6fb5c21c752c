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
 * Threads: a recorder may be used by all threads, a producer by one at a time.
 *
 * fork: in the child the parent's handles answer ROUSE_FORKED and leave no trace; closing them answers
 * ROUSE_OK, and gives back what memory the child shares with its parent. It may open a recorder of its own.
 * This holds for fork alone: a child of _Fork, vfork or clone must call nothing here.
 *
 * Signals: from a signal handler rouse_save, rouse_save_value and rouse_delete may be called, in the
 * modes ROUSE_DROP and ROUSE_OVERWRITE; a call that interrupts another one of the same producer
 * answers ROUSE_BUSY, and its event is not recorded.
 *
 * ABI: functions are only added, numbers never change their meaning. Structures that say their size
 * first may grow at their end, where 0 is as before; a library that is older than the program refuses
 * what it does not know. A change that breaks this has another soname. Symbols have versions.
 */
#ifndef ROUSE_H
#define ROUSE_H

#include <stddef.h>
#include <stdint.h>

/* Calls of what is called for every sample go straight to the library, where the compiler can do that: a
 * step by way of the procedure linkage table would cost a seventh of such a call. */
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
  /* The event takes more than a quarter of the ring, or a text more than 8 MiB. */
  ROUSE_TOO_LARGE = 6,
  /* A number of a name, be it a device's, is none that rouse_name gave. */
  ROUSE_UNKNOWN_NAME = 7,
  /* A time is beyond 4e18 nanoseconds before or after 1970. */
  ROUSE_INVALID_TIME = 8,
  /* A number is not finite or out of its range. */
  ROUSE_INVALID_NUMBER = 9,
  /* A pointer is null, a value none of those listed, or a structure of an unknown size. */
  ROUSE_INVALID_ARGUMENT = 20,
  /* A text is no valid UTF-8, or a push's aps no object of JSON. */
  ROUSE_INVALID_TEXT = 21,
  /* A name has more than 65,535 bytes, or there is no room for more names or producers. */
  ROUSE_NO_ROOM = 22,
  /* A file cannot be opened, read or written: full disk, read-only folder; or the trace was removed. */
  ROUSE_IO = 23,
  /* Another recorder writes the trace, or what a snapshot would replace. */
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
  /* A file, which is gone on with if it is there, or a folder that gets files. Null writes none; the empty
   * text is refused. One that is renamed meanwhile stays as it is, and a new one is begun under its name. So
   * it is with one that is removed, replaced or emptied; as what was in it is gone, the next rouse_flush or
   * rouse_close answers ROUSE_IO once. A FIFO must have a reader already. */
  const char *trace;
  /* ROUSE_DROP, ROUSE_BLOCK, ROUSE_OVERWRITE. */
  int32_t mode;
  /* zlib's level from 1 to 9, by default 1; -1 stores. */
  int32_t level;
  /* Where the ring file goes, by default /dev/shm; the empty text is refused. */
  const char *ring_folder;
  /* The device of events, by default the empty name. */
  const char *device;
  /* Slots of 16 bytes in each thread's ring, by default 262,144. */
  uint32_t slots_per_ring;
  /* Events of a block, by default 65,536 (the most). */
  uint32_t events_per_block;
  /* Seconds after which events are written, by default 1. */
  double flush_seconds;
  /* In a folder, seconds and bytes after which the next file begins; by default never. Refused without a
   * folder. */
  double seconds_per_file;
  int64_t bytes_per_file;
} rouse_options_t;

/* What was recorded; does not grow. */
typedef struct {
  /* Events and blocks that stand in the trace, and its bytes. */
  uint64_t written, blocks, bytes;
  /* Events that were lost, whether the trace tells it yet or not; in the mode ROUSE_OVERWRITE those that
   * were overwritten so far, as a snapshot of this moment would tell. */
  uint64_t lost;
} rouse_statistics_t;

/* Starts to record; where it fails it leaves no file behind. */
int32_t rouse_open(const rouse_options_t *options, rouse_recorder_t *recorder);
/* Writes all that was recorded before. Without a trace it does nothing and answers ROUSE_OK: events stay in
 * the ring until `rouse record --attach` takes them out or, in the mode ROUSE_OVERWRITE, others replace them. */
int32_t rouse_flush(rouse_recorder_t recorder);
/* Writes what the rings hold to a file of its own, which replaces one that is there; in the mode
 * ROUSE_OVERWRITE. */
int32_t rouse_snapshot(rouse_recorder_t recorder, const char *path);
/* Tells what was recorded; before rouse_close, after rouse_flush if all is to be written. In the mode
 * ROUSE_OVERWRITE it looks through all rings. */
int32_t rouse_statistics(rouse_recorder_t recorder, rouse_statistics_t *statistics);
/* Writes the rest and ends the trace. If that fails the ring file stays, for `rouse recover`; the
 * handle is closed all the same. As rouse_flush and rouse_statistics, it waits as long as the disk, or a
 * FIFO's reader, takes for what is being written; the other calls, and fork, do not. Producers that are
 * left are closed, too, even while other threads call them, which answers ROUSE_CLOSED; but as such calls
 * may be under way, each such recorder and ring keeps its addresses, without memory, for good: better
 * close producers first. */
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

/* A sample was saved or deleted at a time, in nanoseconds since 1970, or now: the fast calls. */
ROUSE_DIRECT int32_t rouse_save(
    rouse_producer_t producer, int64_t time, uint32_t type, uint32_t source);
ROUSE_DIRECT int32_t rouse_save_now(rouse_producer_t producer, uint32_t type, uint32_t source);
ROUSE_DIRECT int32_t rouse_save_value(
    rouse_producer_t producer, int64_t time, uint32_t type, uint32_t source, double value);
ROUSE_DIRECT int32_t rouse_delete(
    rouse_producer_t producer, int64_t time, uint32_t type, uint32_t source);
ROUSE_DIRECT int32_t rouse_delete_now(rouse_producer_t producer, uint32_t type, uint32_t source);

/* Nanoseconds since 1970 by the recorder's clock, for calls that take a time. */
int64_t rouse_now(void);

/* What an event may be; what each needs stands beside it. */
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
  ROUSE_REBOOT = 21
};

/* The frequency of background delivery. */
enum { ROUSE_IMMEDIATE = 0, ROUSE_HOURLY = 1, ROUSE_DAILY = 2, ROUSE_WEEKLY = 3 };
/* What a completion answers: everything outstanding, the push, the refresh, or one type. */
enum { ROUSE_EVERYTHING = 0, ROUSE_ITEM_PUSH = 1, ROUSE_ITEM_REFRESH = 2, ROUSE_ITEM_TYPE = 3 };
/* What the app found. */
enum { ROUSE_NO_RESULT = 0, ROUSE_NEW_DATA = 1, ROUSE_NO_DATA = 2, ROUSE_FAILED = 3 };
/* Whether background refresh is allowed. */
enum { ROUSE_AVAILABLE = 0, ROUSE_DENIED = 1, ROUSE_RESTRICTED = 2 };
/* Intervals of background refresh that are no number of seconds. */
enum { ROUSE_NEVER = -1, ROUSE_MINIMUM = -2 };
/* Every app that was seen so far. */
#define ROUSE_EVERY_APP UINT32_MAX

/* Which optional parts an event has; those that its kind does not have are refused. */
enum {
  ROUSE_HAS_DEVICE = 1,     /* another device than the producer's */
  ROUSE_HAS_START = 2,
  ROUSE_HAS_END = 4,
  ROUSE_HAS_VALUE = 8,
  ROUSE_HAS_PREDICATE = 16, /* implied by each part of a predicate; alone it asks nothing */
  ROUSE_HAS_SOURCE = 32,
  ROUSE_HAS_STRICT_START = 64,
  ROUSE_HAS_STRICT_END = 128,
  ROUSE_HAS_MIN = 256,
  ROUSE_HAS_MAX = 512,
  ROUSE_HAS_PRIORITY = 1024
};

/* Any event. What its kind does not have is not looked at. */
typedef struct {
  size_t size;     /* sizeof(rouse_event_t) */
  int32_t kind;    /* ROUSE_SAVE and so on */
  uint32_t has;    /* ROUSE_HAS_START and so on, added up */
  int64_t time;    /* in nanoseconds since 1970, as all times */
  uint32_t device, app, type, source, query; /* numbers of names */
  int32_t frequency, item, result, status;
  int32_t is_on, strict_start, strict_end; /* 0 or 1 */
  int64_t start, end;                      /* of the sample, or of a predicate's range */
  double value, min, max;
  double interval; /* seconds, ROUSE_NEVER or ROUSE_MINIMUM */
  double priority;
  /* A push; aps is the text of an object of JSON. What is null is not given. */
  const char *id, *aps, *push_type;
} rouse_event_t;

/* Records any event. */
ROUSE_DIRECT int32_t rouse_record(rouse_producer_t producer, const rouse_event_t *event);

/* What a code means: a text that is always there. */
const char *rouse_text(int32_t code);
/* What went wrong in the calling thread's last call that failed, in more words (those that record saves
 * and deletes are too fast to leave any): a text that is there until the next one; never null. */
const char *rouse_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
