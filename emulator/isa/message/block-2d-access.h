/* Loads, stores and prefetches of 2-D blocks (Xe2). */
#ifndef VESIM_BLOCK_2D_ACCESS_H
#define VESIM_BLOCK_2D_ACCESS_H

#include "isa/thread/thread.h"

/* As memory_access(), which see. */
int block_2d_access(struct thread *thread, const struct inst *inst, const struct message *message,
                    uint32_t mask);

#endif
