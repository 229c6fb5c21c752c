// What Swift cannot import from zlib by itself: its initialisers are macros.
#ifndef ROUSE_CZLIB_SHIM_H
#define ROUSE_CZLIB_SHIM_H

#include <zlib.h>

/// Makes a zeroed or a used stream ready for raw inflate; the gzip wrapper is Rouse's to read.
static inline int rouse_inflate_start(z_stream *stream) {
  if (stream->state != Z_NULL) return inflateReset(stream);
  return inflateInit2(stream, -MAX_WBITS);
}

/// Makes a zeroed stream ready for inflating part by part, with gzip's wrapper or none.
static inline int rouse_inflate_stream_start(z_stream *stream, int has_gzip_wrapper) {
  return inflateInit2(stream, has_gzip_wrapper ? 16 + MAX_WBITS : -MAX_WBITS);
}

/// Makes a zeroed stream ready for raw deflate at `level` (0 to 9).
static inline int rouse_deflate_start(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
}

#endif
