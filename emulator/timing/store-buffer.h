/* The store buffer of an Xe-core: bytes written through its first level that are not in memory yet.
 * Its own loads that hit the first level see them. */
#ifndef VESIM_STORE_BUFFER_H
#define VESIM_STORE_BUFFER_H

#include "isa/message/transfer.h"

enum { STORE_CHUNK_BYTES = 64 };

struct store_chunk {
    uintptr_t block; /* host address / STORE_CHUNK_BYTES */
    uint64_t mask;   /* a bit per byte written; 0: the chunk is free */
    uint8_t bytes[STORE_CHUNK_BYTES];
};

struct store_buffer {
    struct store_chunk *chunks; /* a hash table */
    uint32_t count, capacity;   /* a power of 2 */
};

void store_buffer_release(struct store_buffer *buffer);
void store_buffer_clear(struct store_buffer *buffer);

/* Adds what a store writes. 0, or -1: out of memory. */
int store_buffer_add(struct store_buffer *buffer, const struct transfer *transfer,
                     uint8_t *const *hosts, const uint8_t *payload);

/* Overlays what a load has just read with what has been written. Not to be called if the buffer is
 * empty. */
void store_buffer_overlay(const struct store_buffer *buffer, const struct transfer *transfer,
                          uint8_t *const *hosts, uint8_t *registers);

#endif
