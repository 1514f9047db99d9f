/* Whether the threads of a walk can ever leave what they do. */
#ifndef VESIM_ENDLESS_H
#define VESIM_ENDLESS_H

#include "gpu/walk.h"

enum endless {
    ENDLESS_NO,      /* something goes on, or may */
    ENDLESS_POLLING, /* only a change of memory from outside the walk could end it */
    ENDLESS_YES,     /* nothing can */
};

struct endless_finding {
    uint32_t threads;         /* that run; the others wait for them at barriers */
    struct thread_slot *slot; /* one that runs */
};

/* To be called while no thread runs and all transfers are executed. A copy of each thread that runs
 * goes on by itself until all of its state repeats, without changing memory. If each does, and no
 * work-group is about to start, then nothing but memory can make a difference, and none of them
 * changes that. What is not found out within some thousand instructions of a thread counts as going
 * on, so that long kernels are asked at little cost; the finding is valid unless ENDLESS_NO. */
enum endless endless_find(const struct walk *walk, struct endless_finding *finding);

#endif
