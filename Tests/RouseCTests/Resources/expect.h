/* Calls of the recorder whose answers are held against what they must be. */
#include <rouse.h>
#include <stdint.h>
#include <stdio.h>

/* How many answers were others; what a program ends with. */
static int failures;

#define EXPECT(call, wanted)                                                          \
  do {                                                                                \
    int32_t got = (call);                                                             \
    if (got != (wanted)) {                                                            \
      fprintf(stderr, "line %d: %s is %d (%s), not %d\n", __LINE__, #call, (int)got,  \
              rouse_last_error(), (int)(wanted));                                     \
      failures++;                                                                     \
    }                                                                                 \
  } while (0)
