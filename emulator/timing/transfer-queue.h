/* Transfers from and to global memory that an Xe-core has issued but not carried out yet: other
 * Xe-cores may come before it. They keep what they take from registers, which the thread may
 * overwrite in between. */
#ifndef VESIM_DEFERRED_H
#define VESIM_DEFERRED_H

#include <stddef.h>

#include "isa/message/access.h"
#include "timing/store-buffer.h"

struct deferred {
    uint8_t *bytes; /* transfers, one behind the other */
    size_t used, capacity;
    bool writes; /* there are stores or atomics among them */
    struct written written;
};

struct deferred_transfer {
    uint64_t time; /* cycle of its issue */
    struct thread *thread;
    uint32_t bytes; /* of this with its places and payload, which follow */
    struct transfer transfer;
};

void deferred_release(struct deferred *deferred);

/* Adds what thread->access holds. 0, or -1: out of memory. */
int deferred_add(struct deferred *deferred, struct thread *thread, uint64_t time);

/* The transfer at `offset`, NULL at the end. The next one is its `bytes` farther. */
const struct deferred_transfer *deferred_at(const struct deferred *deferred, size_t offset);

void deferred_carry_out(const struct deferred_transfer *deferred);

/* Forgets them, after they have been carried out. */
void deferred_clear(struct deferred *deferred);

/* Carries a load out now, of lines in the first level: it sees memory without what others have
 * deferred, but with what its own Xe-core has written into lines that the first level held. */
void deferred_load_now(const struct deferred *deferred, struct thread *thread);

#endif
