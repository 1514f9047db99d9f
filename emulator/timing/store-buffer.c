#include "timing/store-buffer.h"

#include <stdlib.h>
#include <string.h>

void store_buffer_release(struct store_buffer *buffer)
{
    free(buffer->chunks);
    *buffer = (struct store_buffer){0};
}

void store_buffer_clear(struct store_buffer *buffer)
{
    if (buffer->count)
        memset(buffer->chunks, 0, buffer->capacity * sizeof(*buffer->chunks));
    buffer->count = 0;
}

/* The chunk of a block, or the free one that it would take. There is always a free one. */
static struct store_chunk *find(const struct store_buffer *buffer, uintptr_t block)
{
    uint32_t mask = buffer->capacity - 1;
    uint32_t at = (uint32_t)(block * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;

    while (buffer->chunks[at].mask && buffer->chunks[at].block != block)
        at = (at + 1) & mask;
    return &buffer->chunks[at];
}

static int grow_chunks(struct store_buffer *buffer)
{
    struct store_buffer grown = {.capacity = buffer->capacity ? 2 * buffer->capacity : 64};

    grown.chunks = calloc(grown.capacity, sizeof(*grown.chunks));
    if (!grown.chunks)
        return -1;
    for (uint32_t i = 0; i < buffer->capacity; i++)
        if (buffer->chunks[i].mask)
            *find(&grown, buffer->chunks[i].block) = buffer->chunks[i];
    grown.count = buffer->count;
    free(buffer->chunks);
    *buffer = grown;
    return 0;
}

/* A visit of memory bytes, with as many at `offset` of the payload or the destination. */
struct visit {
    struct store_buffer *buffer;
    const struct store_buffer *read;
    const uint8_t *payload;
    uint8_t *registers;
    bool failed;
};

static void add(void *context, uint8_t *host, uint32_t offset, uint32_t bytes)
{
    struct visit *visit = context;

    for (uint32_t i = 0; i < bytes; i++) {
        uintptr_t at = (uintptr_t)host + i;
        struct store_buffer *buffer = visit->buffer;

        if (2 * buffer->count >= buffer->capacity && grow_chunks(buffer)) {
            visit->failed = true;
            return;
        }
        struct store_chunk *chunk = find(buffer, at / STORE_CHUNK_BYTES);
        buffer->count += chunk->mask == 0;
        chunk->block = at / STORE_CHUNK_BYTES;
        chunk->mask |= UINT64_C(1) << at % STORE_CHUNK_BYTES;
        chunk->bytes[at % STORE_CHUNK_BYTES] = visit->payload[offset + i];
    }
}

static void overlay(void *context, uint8_t *host, uint32_t offset, uint32_t bytes)
{
    struct visit *visit = context;

    for (uint32_t i = 0; i < bytes; i++) {
        uintptr_t at = (uintptr_t)host + i;
        const struct store_chunk *chunk = find(visit->read, at / STORE_CHUNK_BYTES);

        if (chunk->mask >> at % STORE_CHUNK_BYTES & 1)
            visit->registers[offset + i] = chunk->bytes[at % STORE_CHUNK_BYTES];
    }
}

int store_buffer_add(struct store_buffer *buffer, const struct transfer *transfer,
                     uint8_t *const *hosts, const uint8_t *payload)
{
    struct visit visit = {.buffer = buffer, .payload = payload};

    transfer_visit(transfer, hosts, add, &visit);
    return visit.failed ? -1 : 0;
}

void store_buffer_overlay(const struct store_buffer *buffer, const struct transfer *transfer,
                          uint8_t *const *hosts, uint8_t *registers)
{
    struct visit visit = {.read = buffer, .registers = registers + transfer->destination};

    transfer_visit(transfer, hosts, overlay, &visit);
}
