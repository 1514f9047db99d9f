#include "timing/transfer-queue.h"

#include <stdlib.h>

void deferred_release(struct deferred *deferred)
{
    free(deferred->bytes);
    written_release(&deferred->written);
    *deferred = (struct deferred){0};
}

static uint8_t *make_room(struct deferred *deferred, size_t bytes)
{
    if (deferred->used + bytes > deferred->capacity) {
        size_t capacity = deferred->capacity ? 2 * deferred->capacity : 65536;
        uint8_t *grown = realloc(deferred->bytes, capacity);
        if (!grown)
            return NULL;
        deferred->bytes = grown;
        deferred->capacity = capacity;
    }
    uint8_t *at = deferred->bytes + deferred->used;
    deferred->used += bytes;
    return at;
}

int deferred_add(struct deferred *deferred, struct thread *thread, uint64_t time)
{
    const struct message_access *access = thread->access;
    const struct transfer *transfer = &access->transfer;
    size_t places = transfer->place_count * sizeof(*access->places);
    size_t bytes = sizeof(struct deferred_transfer) + places + transfer->shape.payload_bytes;
    uint8_t *at = make_room(deferred, bytes);
    if (!at)
        return -1;
    struct deferred_transfer *added = (struct deferred_transfer *)(void *)at;
    added->time = time;
    added->thread = thread;
    added->bytes = (uint32_t)bytes;
    added->transfer = *transfer;
    uint8_t **place = (uint8_t **)(void *)(added + 1);
    for (unsigned i = 0; i < transfer->place_count; i++) /* most often, few */
        place[i] = access->places[i];
    if (transfer->shape.payload_bytes)
        memcpy((uint8_t *)(added + 1) + places, thread->registers + transfer->source,
               transfer->shape.payload_bytes);
    deferred->writes |= transfer->shape.kind != MESSAGE_LOAD;
    return 0;
}

const struct deferred_transfer *deferred_at(const struct deferred *deferred, size_t offset)
{
    if (offset == deferred->used)
        return NULL;
    return (const struct deferred_transfer *)(const void *)(deferred->bytes + offset);
}

void deferred_carry_out(const struct deferred_transfer *deferred)
{
    const struct transfer *transfer = &deferred->transfer;
    uint8_t *const *places = (uint8_t *const *)(const void *)(deferred + 1);
    const uint8_t *payload = (const uint8_t *)(places + transfer->place_count);
    transfer_move(transfer, places, payload, deferred->thread->registers, false);
}

void deferred_clear(struct deferred *deferred)
{
    deferred->used = 0;
    deferred->writes = false;
    written_clear(&deferred->written);
}

void deferred_load_now(const struct deferred *deferred, struct thread *thread)
{
    const struct message_access *access = thread->access;
    transfer_move(&access->transfer, access->places, NULL, thread->registers, false);
    written_overlay(&deferred->written, &access->transfer, access->places, thread->registers);
}
