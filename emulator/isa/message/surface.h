/* Surface states: where the memory of a binding table entry or bindless surface lies. */
#ifndef VESIM_SURFACE_H
#define VESIM_SURFACE_H

#include "isa/thread/thread.h"

/* Where the memory of a binding table entry or bindless surface lies. */
struct surface {
    uint64_t address;  /* GPU virtual address of the first byte */
    uint64_t bytes;    /* accesses beyond them read 0 and write nothing; UINT64_MAX: unlimited */
    uint8_t *host;     /* host address of the first byte */
    uint64_t physical; /* address of the first byte for the caches */
    uint64_t reach;    /* bytes from there on contiguous in both; 0: the first is not mapped */
    bool known;        /* a binding table entry that has been read in this walk */
};

/* The contents of a surface state. */
struct surface_state {
    uint64_t at; /* GPU virtual address of the state */
    uint64_t address, bytes;
    bool is_scratch; /* each thread of the device has `bytes` of its own from `address` on */
    bool known;
};

/* The GPU address of the state of binding table entry `index`. Returns 0, or -1 with the thread's
 * fault set. */
int surface_state_by_index(struct thread *thread, const struct inst *inst, unsigned index,
                           uint64_t *at);

/* The offset of a surface state, from a send's extended descriptor. */
static inline uint32_t surface_state_offset(const struct inst *inst, uint32_t extended_descriptor)
{
    return inst->extended_offset ? extended_descriptor & ~UINT32_C(63)
                                 : extended_descriptor >> 12 << 6;
}

/* The surface of binding table entry `index`. Returns 0, or -1 with the thread's fault set. */
int surface_by_index(struct thread *thread, const struct inst *inst, unsigned index,
                     struct surface *surface);

/* The surface whose state is at GPU address `at`. */
int surface_by_state(struct thread *thread, const struct inst *inst, uint64_t at,
                     struct surface *surface);

#endif
