// The memory of the producers' cells, at an address that the linker knows; not installed.
#ifndef ROUSE_PRODUCER_CELLS_H
#define ROUSE_PRODUCER_CELLS_H

// As ProducerMemory in WakeRecorder says.
#define PRODUCER_CELLS_BYTES (65536 * 128)

extern _Alignas(4096) char producer_cell_memory[PRODUCER_CELLS_BYTES]
    __attribute__((visibility("hidden")));

static inline void *producer_cells(void) { return producer_cell_memory; }

#endif
