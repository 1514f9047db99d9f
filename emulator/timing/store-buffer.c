#include "timing/store-buffer.h"

#include <stdlib.h>
#include <string.h>

void written_release(struct written *written)
{
    free(written->chunks);
    *written = (struct written){0};
}

void written_clear(struct written *written)
{
    if (written->count)
        memset(written->chunks, 0, written->capacity * sizeof(*written->chunks));
    written->count = 0;
}

/* The chunk of that place, or the free one where it would be. There is always a free one. */
static struct written_chunk *find(const struct written *written, uintptr_t place)
{
    uint32_t mask = written->capacity - 1;
    uint32_t at = (uint32_t)(place * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (written->chunks[at].mask && written->chunks[at].place != place)
        at = (at + 1) & mask;
    return &written->chunks[at];
}

static int grow_chunks(struct written *written)
{
    struct written grown = {.capacity = written->capacity ? 2 * written->capacity : 64};
    grown.chunks = calloc(grown.capacity, sizeof(*grown.chunks));
    if (!grown.chunks)
        return -1;
    for (uint32_t i = 0; i < written->capacity; i++)
        if (written->chunks[i].mask)
            *find(&grown, written->chunks[i].place) = written->chunks[i];
    grown.count = written->count;
    free(written->chunks);
    *written = grown;
    return 0;
}

/* What to do with bytes of memory and as many at `offset` of the payload or the destination. */
struct visit {
    struct written *written;
    const struct written *read;
    const uint8_t *payload;
    uint8_t *registers;
    bool failed;
};

static void add(void *context, uint8_t *place, uint32_t offset, uint32_t bytes)
{
    struct visit *visit = context;
    for (uint32_t i = 0; i < bytes; i++) {
        uintptr_t at = (uintptr_t)place + i;
        struct written *written = visit->written;
        if (2 * written->count >= written->capacity && grow_chunks(written)) {
            visit->failed = true;
            return;
        }
        struct written_chunk *chunk = find(written, at / WRITTEN_CHUNK);
        written->count += chunk->mask == 0;
        chunk->place = at / WRITTEN_CHUNK;
        chunk->mask |= UINT64_C(1) << at % WRITTEN_CHUNK;
        chunk->bytes[at % WRITTEN_CHUNK] = visit->payload[offset + i];
    }
}

static void overlay(void *context, uint8_t *place, uint32_t offset, uint32_t bytes)
{
    struct visit *visit = context;
    for (uint32_t i = 0; i < bytes; i++) {
        uintptr_t at = (uintptr_t)place + i;
        const struct written_chunk *chunk = find(visit->read, at / WRITTEN_CHUNK);
        if (chunk->mask >> at % WRITTEN_CHUNK & 1)
            visit->registers[offset + i] = chunk->bytes[at % WRITTEN_CHUNK];
    }
}

int written_add(struct written *written, const struct transfer *transfer, uint8_t *const *places,
                const uint8_t *payload)
{
    struct visit visit = {.written = written, .payload = payload};
    transfer_visit(transfer, places, add, &visit);
    return visit.failed ? -1 : 0;
}

void written_overlay(const struct written *written, const struct transfer *transfer,
                     uint8_t *const *places, uint8_t *registers)
{
    struct visit visit = {.read = written, .registers = registers + transfer->destination};
    if (written->count)
        transfer_visit(transfer, places, overlay, &visit);
}
