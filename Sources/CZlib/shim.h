// What Swift cannot import from zlib by itself: its initialisers are macros.
#ifndef ROUSE_CZLIB_SHIM_H
#define ROUSE_CZLIB_SHIM_H

#include <zlib.h>

/// Starts raw inflate (no gzip or zlib wrapper), as Rouse reads the gzip wrapper itself.
static inline int rouse_inflate_init_raw(z_stream *stream) {
  return inflateInit2(stream, -MAX_WBITS);
}

/// Starts raw deflate at `level` (0 to 9).
static inline int rouse_deflate_init_raw(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
}

#endif
