/* Transfers from and to global memory that an Xe-core has issued but not carried out yet: other
 * Xe-cores may come before it. They keep what they take from registers, which the thread may
 * overwrite in between. */
#ifndef VESIM_TRANSFER_QUEUE_H
#define VESIM_TRANSFER_QUEUE_H

#include <stddef.h>

#include "isa/message/access.h"
#include "timing/store-buffer.h"

struct transfer_queue {
    uint8_t *bytes; /* transfers, one behind the other */
    size_t used, capacity;
    bool writes; /* there are stores or atomics among them */
    struct store_buffer stores;
};

struct queued_transfer {
    uint64_t time; /* cycle of its issue */
    struct thread *thread;
    uint32_t bytes; /* of this with its addresses and payload, which follow */
    struct transfer transfer;
};

void transfer_queue_release(struct transfer_queue *queue);

/* Adds what thread->access holds. 0, or -1: out of memory. */
int transfer_queue_add(struct transfer_queue *queue, struct thread *thread, uint64_t time);

/* The transfer at `offset`, NULL at the end. The next one is its `bytes` farther. */
const struct queued_transfer *transfer_queue_at(const struct transfer_queue *queue, size_t offset);

void queued_transfer_execute(const struct queued_transfer *queued);

/* Forgets them, after they have been carried out. */
void transfer_queue_clear(struct transfer_queue *queue);

/* Carries a load out now, of lines in the first level: it sees memory without what others have
 * queued, but with what its own Xe-core has written into lines that the first level held. */
void transfer_queue_load_through(const struct transfer_queue *queue, struct thread *thread);

#endif
