#include "timing/transfer-queue.h"

#include <stdlib.h>

void transfer_queue_release(struct transfer_queue *queue)
{
    free(queue->bytes);
    store_buffer_release(&queue->stores);
    *queue = (struct transfer_queue){0};
}

static uint8_t *make_room(struct transfer_queue *queue, size_t bytes)
{
    if (queue->used + bytes > queue->capacity) {
        size_t capacity = queue->capacity ? 2 * queue->capacity : 65536;
        uint8_t *grown = realloc(queue->bytes, capacity);

        if (!grown)
            return NULL;
        queue->bytes = grown;
        queue->capacity = capacity;
    }
    uint8_t *at = queue->bytes + queue->used;
    queue->used += bytes;
    return at;
}

int transfer_queue_add(struct transfer_queue *queue, struct thread *thread, uint64_t time)
{
    const struct message_access *access = thread->access;
    const struct transfer *transfer = &access->transfer;
    size_t hosts = transfer->host_count * sizeof(*access->hosts);
    size_t bytes = sizeof(struct queued_transfer) + hosts + transfer->shape.payload_bytes;
    uint8_t *at = make_room(queue, bytes);

    if (!at)
        return -1;
    struct queued_transfer *added = (struct queued_transfer *)(void *)at;
    added->time = time;
    added->thread = thread;
    added->bytes = (uint32_t)bytes;
    added->transfer = *transfer;
    uint8_t **host = (uint8_t **)(void *)(added + 1);
    for (unsigned i = 0; i < transfer->host_count; i++) /* most often, few */
        host[i] = access->hosts[i];
    if (transfer->shape.payload_bytes)
        memcpy((uint8_t *)(added + 1) + hosts, thread->registers + transfer->source,
               transfer->shape.payload_bytes);
    queue->writes |= transfer->shape.kind != MESSAGE_LOAD;
    return 0;
}

const struct queued_transfer *transfer_queue_at(const struct transfer_queue *queue, size_t offset)
{
    if (offset == queue->used)
        return NULL;
    return (const struct queued_transfer *)(const void *)(queue->bytes + offset);
}

void queued_transfer_execute(const struct queued_transfer *queued)
{
    const struct transfer *transfer = &queued->transfer;
    uint8_t *const *hosts = (uint8_t *const *)(const void *)(queued + 1);
    const uint8_t *payload = (const uint8_t *)(hosts + transfer->host_count);

    transfer_move(transfer, hosts, payload, queued->thread->registers, true);
}

void transfer_queue_clear(struct transfer_queue *queue)
{
    queue->used = 0;
    queue->writes = false;
    store_buffer_clear(&queue->stores);
}
