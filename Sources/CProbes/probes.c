#include "probes.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

/* Where tracers expect semaphores. They change it from outside, in the memory of the process. */
__attribute__((section(".probes"), used)) volatile uint16_t probes_wake_semaphore = 0;

#endif
