#ifndef VESIM_FAKE_GPU_H
#define VESIM_FAKE_GPU_H

#include <stdbool.h>

#include "isa/thread/walker.h"
#include "vesim/vesim.h"

/* What was requested from the fake gpu, and how it is to behave. */
extern struct fake_gpu {
    struct walker last;
    struct walker of_stack[VESIM_STACKS_MAX]; /* the last of each */
    unsigned walks;
    unsigned cache_operations;   /* the or of all */
    unsigned code_invalidations; /* how many of them are of code */
    unsigned tlb_invalidations;  /* and of translations */
    uint64_t traffic;            /* bytes of copy engines */
    bool fault;                  /* the next walks fault */
    uint64_t walk_cycles;
    void (*on_walk)(void); /* called by each walk, without locks, or NULL */
} fake_gpu;

#endif
