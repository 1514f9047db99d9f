/* Surface states: where the memory of a binding table entry or bindless surface lies. */
#ifndef VESIM_SURFACE_H
#define VESIM_SURFACE_H

#include "isa/thread/thread.h"

/* Where the memory of a binding table entry or bindless surface lies. */
struct surface {
    uint64_t address;  /* GPU virtual address of the first byte */
    uint64_t bytes;    /* accesses beyond read 0 and write nothing; UINT64_MAX: unlimited */
    uint8_t *host;     /* the first byte for the host, and for the caches, */
    uint64_t physical; /* from where on this many of its bytes lie side by side: */
    uint64_t reach;    /* 0 if the first is not mapped */
    bool known;        /* of a binding table entry: has been read in this walk */
};

/* What a surface state says. */
struct surface_state {
    uint64_t at; /* GPU virtual address of the state */
    uint64_t address, bytes;
    bool is_scratch; /* `bytes` from `address` on for each thread of the device */
    bool known;
};

/* The surface of binding table entry `index`. 0, or -1 with the thread's fault set. */
int surface_by_index(struct thread *thread, const struct inst *inst, unsigned index,
                     struct surface *surface);

/* The surface whose state is at GPU address `at`. */
int surface_by_state(struct thread *thread, const struct inst *inst, uint64_t at,
                     struct surface *surface);

#endif
