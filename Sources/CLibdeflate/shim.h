// libdeflate, for builds with the package trait LibDeflate.
#ifndef ROUSE_CLIBDEFLATE_SHIM_H
#define ROUSE_CLIBDEFLATE_SHIM_H

#include <libdeflate.h>

#endif
