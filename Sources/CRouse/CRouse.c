// The functions of rouse.h are Swift's, in Sources/RouseC and Sources/WakeTrace/Recorder.
#include "producer_cells.h"
#include "rouse.h"

_Alignas(4096) char producer_cell_memory[PRODUCER_CELLS * PRODUCER_CELL_BYTES];
