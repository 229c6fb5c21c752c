// Sources/RouseC implements the functions of rouse.h, in Swift.
#include "producer_cells.h"
#include "rouse.h"
#include "rouse_columns.h"

_Alignas(4096) char producer_cell_memory[PRODUCER_CELLS_BYTES];
