/* Bytes that an Xe-core has written through its first level and that are not in memory yet: its own
 * loads that hit the first level see them. */
#ifndef VESIM_WRITTEN_H
#define VESIM_WRITTEN_H

#include "isa/message/transfer.h"

enum { WRITTEN_CHUNK = 64 };

struct written_chunk {
    uintptr_t place; /* the host's address over WRITTEN_CHUNK */
    uint64_t mask;   /* a bit for each byte that has been written; 0: the chunk is free */
    uint8_t bytes[WRITTEN_CHUNK];
};

struct written {
    struct written_chunk *chunks; /* a hash table */
    uint32_t count, capacity;     /* a power of 2 */
};

void written_release(struct written *written);
void written_clear(struct written *written);

/* Adds what a store writes. 0, or -1: out of memory. */
int written_add(struct written *written, const struct transfer *transfer, uint8_t *const *places,
                const uint8_t *payload);

/* Puts what has been written over what a load has just read. */
void written_overlay(const struct written *written, const struct transfer *transfer,
                     uint8_t *const *places, uint8_t *registers);

#endif
