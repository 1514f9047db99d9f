/* Kernels that go through memory once, all threads of the device side by side, and the rate at
 * which the model moves their bytes. */
#ifndef TEST_STREAM_KERNELS_H
#define TEST_STREAM_KERNELS_H

#include "machine.h"

/* GPU address of the buffer that they go through: entry 1 of the binding table. */
#define STREAM_BUFFER 0x40000000

enum stream_pattern {
    STREAM_READ,    /* a[i], four dwords of each work-item at a time, as are the next three */
    STREAM_WRITE,   /* b[i] = ... */
    STREAM_COPY,    /* b[i] = a[i] */
    STREAM_TRIAD,   /* c[i] = a[i] + s * b[i] */
    STREAM_SCATTER, /* each lane writes a dword of a line of its own */
    STREAM_LINES,   /* all of it, four dwords at a time, as Intel's compiler makes it */
    STREAM_LATTICE, /* D3Q19, in place: 19 planes of cells are read, then written; each cell's value
                     * of five of them is the next cell's */
    STREAM_HALF_LATTICE, /* the same, of halves */
    STREAM_PATTERNS,
};

/* Cells of 19 dwords in so many bytes, and the bytes that a step of each moves: what FluidX3D
 * counts for single precision, flags included. */
uint64_t stream_cells(uint32_t bytes);
enum { STREAM_CELL_BYTES = 153, STREAM_HALF_CELL_BYTES = 77 };

/* Adds a buffer of so many bytes of device memory, all 0, as entry 1 of the binding table; returns
 * it. */
uint32_t *stream_add_buffer(struct machine *machine, uint32_t bytes);

/* r12: the lanes' addresses, `item_bytes` apart, from (the thread's number in the walk) << shift.
 * To be called with the machine's work-groups chosen. */
void stream_emit_addresses(const struct machine *machine, uint32_t threads_per_group,
                           unsigned item_bytes, unsigned shift);

/* Runs the emitted kernel twice and returns the second run's cycles. */
uint64_t stream_warm_cycles(struct machine *machine);

/* Bytes that the pattern moves between the Xe-cores and a buffer of `bytes`, by the cycle. The
 * machine has its GPU and no buffer yet. */
double stream_rate(struct machine *machine, enum stream_pattern pattern, uint32_t bytes);

#endif
