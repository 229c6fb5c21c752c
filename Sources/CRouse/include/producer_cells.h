// Memory for the cells of producers, in one place that the linker knows; not installed.
#ifndef ROUSE_PRODUCER_CELLS_H
#define ROUSE_PRODUCER_CELLS_H

/* Producers that a process may have at once, and bytes for each. */
#define PRODUCER_CELLS 65536
#define PRODUCER_CELL_BYTES 128

extern _Alignas(4096) char producer_cell_memory[PRODUCER_CELLS * PRODUCER_CELL_BYTES]
    __attribute__((visibility("hidden")));

static inline void *producer_cells(void) { return producer_cell_memory; }

#endif
