/* A tracepoint of LTTng-UST with the fields of a save. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER rouse
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_tracepoints.h"

#if !defined(LTTNG_TRACEPOINTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_TRACEPOINTS_H

#include <lttng/tracepoint.h>
#include <stdint.h>

/* clang-format off */
LTTNG_UST_TRACEPOINT_EVENT(
    rouse, save,
    LTTNG_UST_TP_ARGS(int64_t, time, uint32_t, type, uint32_t, source, uint8_t, kind),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(int64_t, time, time)
        lttng_ust_field_integer(uint32_t, type, type)
        lttng_ust_field_integer(uint32_t, source, source)
        lttng_ust_field_integer(uint8_t, kind, kind)))
/* clang-format on */

#endif

#include <lttng/tracepoint-event.h>
