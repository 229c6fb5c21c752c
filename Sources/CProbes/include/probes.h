/* Places in the code that a tracer can stop at by name (USDT): `perf probe`, bpftrace, SystemTap and gdb
 * find them in the ELF section .note.stapsdt. A probe that nobody watches is one `nop`. A probe with a semaphore
 * can be skipped altogether: tracers that attach to it count the semaphore up, and down when they leave.
 *
 * Header-only, so that a probe stands inlined where Swift calls it.
 */
#ifndef ROUSE_PROBES_H
#define ROUSE_PROBES_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

/* The note: sizes of its name and contents, type 3, the name, then the address of the nop, that of the
 * base (which lets tools undo prelinking), that of the semaphore or 0, and provider, name and places of the arguments.
 * It joins the group of the function around it, so that the linker drops both or neither. The base lies
 * with the code, as tracers compute a probe's place in the file from the place of the base; it is retained
 * (R), as only notes refer to it. */
#define ROUSE_PROBE(name, semaphore, places, ...)                                               \
  __asm__ __volatile__(                                                                         \
      "990: nop\n"                                                                              \
      ".pushsection .note.stapsdt, \"?\", \"note\"\n"                                           \
      ".balign 4\n"                                                                             \
      ".4byte 992f - 991f, 995f - 993f, 3\n"                                                    \
      "991: .asciz \"stapsdt\"\n"                                                               \
      "992: .balign 4\n"                                                                        \
      "993: .8byte 990b, _.stapsdt.base, " semaphore "\n"                                       \
      ".asciz \"rouse\"\n"                                                                      \
      ".asciz \"" name "\"\n"                                                                   \
      ".asciz \"" places "\"\n"                                                                 \
      "995: .balign 4\n"                                                                        \
      ".popsection\n"                                                                           \
      ".ifndef _.stapsdt.base\n"                                                                \
      ".pushsection .stapsdt.base, \"axGR\", \"progbits\", .stapsdt.base, comdat\n"             \
      ".weak _.stapsdt.base\n"                                                                  \
      ".hidden _.stapsdt.base\n"                                                                \
      "_.stapsdt.base: .space 1\n"                                                              \
      ".size _.stapsdt.base, 1\n"                                                               \
      ".popsection\n"                                                                           \
      ".endif\n"                                                                                \
      :                                                                                         \
      : __VA_ARGS__)

/* rouse:region_begin, rouse:region_end: what is measured begins and ends. arg1: its name, a C string. */
static inline void rouse_probe_region_begin(const char *name) {
  ROUSE_PROBE("region_begin", "0", "8@%0", "r"(name));
}
static inline void rouse_probe_region_end(const char *name) {
  ROUSE_PROBE("region_end", "0", "8@%0", "r"(name));
}

/* The semaphore of rouse:wake. Not named rouse_…, as the functions of librouse are. */
extern volatile uint16_t probes_wake_semaphore __attribute__((visibility("hidden")));

/* Whether a tracer watches rouse:wake. Otherwise the probe, and the work of finding its arguments, can be left out. */
static inline bool rouse_probe_watches_wakes(void) { return probes_wake_semaphore != 0; }

/* rouse:wake: a wake has begun, and may have ended since. arg1: its time in nanoseconds since 1970; arg2: the
 * app's number among the trace's names; arg3: the wake's number on its device; arg4: the saves it delivers. */
static inline void rouse_probe_wake(int64_t time, uint64_t app, uint64_t number, uint64_t saves) {
  ROUSE_PROBE("wake", "probes_wake_semaphore", "-8@%0 8@%1 8@%2 8@%3", "r"(time), "r"(app), "r"(number), "r"(saves));
}

/* rouse:block: a block was decoded and is about to be scheduled. arg1: the number of its first event in the
 * replay; arg2: how many events it holds. */
static inline void rouse_probe_block(uint64_t first_event, uint64_t events) {
  ROUSE_PROBE("block", "0", "8@%0 8@%1", "r"(first_event), "r"(events));
}

#else

static inline bool rouse_probe_watches_wakes(void) { return false; }
static inline void rouse_probe_region_begin(const char *name) { (void)name; }
static inline void rouse_probe_region_end(const char *name) { (void)name; }
static inline void rouse_probe_wake(int64_t time, uint64_t app, uint64_t number, uint64_t saves) {
  (void)time, (void)app, (void)number, (void)saves;
}
static inline void rouse_probe_block(uint64_t first_event, uint64_t events) {
  (void)first_event, (void)events;
}

#endif

#endif
