/* Global-memory transfers that an Xe-core has issued but that are still queued, as other Xe-cores
 * may come first. They keep a copy of their payload, since the thread may overwrite its registers
 * in between. */
#ifndef VESIM_TRANSFER_QUEUE_H
#define VESIM_TRANSFER_QUEUE_H

#include <stddef.h>

#include "isa/message/access.h"
#include "timing/store-buffer.h"

struct transfer_queue {
    uint8_t *bytes; /* transfers, back to back */
    size_t used, capacity;
    bool writes; /* there are stores or atomics among them */
    struct store_buffer stores;
};

struct queued_transfer {
    uint64_t time; /* cycle of its issue */
    struct thread *thread;
    uint32_t bytes; /* of this and of its addresses and payload, which follow */
    struct transfer transfer;
};

void transfer_queue_release(struct transfer_queue *queue);

/* Adds what thread->access holds. 0, or -1: out of memory. */
int transfer_queue_add(struct transfer_queue *queue, struct thread *thread, uint64_t time);

/* The transfer at `offset`, NULL at the end. The next one follows after its `bytes`. */
const struct queued_transfer *transfer_queue_at(const struct transfer_queue *queue, size_t offset);

void queued_transfer_execute(const struct queued_transfer *queued);

/* Empties the queue, once all have been carried out. */
void transfer_queue_clear(struct transfer_queue *queue);

/* Carries out a load that hits the first level now: it sees memory without what others have queued,
 * but with what its own Xe-core has written through the first level. */
static inline void transfer_queue_load_through(const struct transfer_queue *queue,
                                               struct thread *thread)
{
    const struct message_access *access = thread->access;

    if (!transfer_move_together(&access->transfer, access->hosts, thread->registers))
        transfer_move(&access->transfer, access->hosts, thread->registers + access->transfer.source,
                      thread->registers, true);
    if (queue->stores.count)
        store_buffer_overlay(&queue->stores, &access->transfer, access->hosts, thread->registers);
}

#endif
