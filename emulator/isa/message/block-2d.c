#include "isa/message/block-2d.h"

#include <string.h>

/* Where an element of a block is in registers, in elements from the block's begin. */
static uint32_t element_at(const struct block_2d *b, uint32_t x, uint32_t y)
{
    if (b->transposed)
        return x * b->pitch + y;
    return (y / b->packed * b->pitch + x) * b->packed + y % b->packed;
}

/* The columns of a row that are in bounds, the first of which is at `host`. */
static void visit_row(const struct transfer *t, uint8_t *host, uint32_t block, uint32_t y,
                      transfer_visitor visitor, void *context)
{
    const struct block_2d *b = &t->block_2d;
    uint32_t bytes = t->shape.element_bytes, first = b->first[block], end = b->end[block];
    uint32_t start = block * b->block_bytes;

    if (!b->transposed && b->packed == 1) {
        visitor(context, host, start + element_at(b, first, y) * bytes, (end - first) * bytes);
        return;
    }
    for (uint32_t x = first; x < end; x++)
        visitor(context, host + (x - first) * bytes, start + element_at(b, x, y) * bytes, bytes);
}

void block_2d_visit(const struct transfer *t, uint8_t *const *hosts, transfer_visitor visitor,
                    void *context)
{
    const struct block_2d *b = &t->block_2d;

    for (uint32_t block = 0; block < b->blocks; block++)
        for (uint32_t y = 0; y < b->height; y++)
            if (hosts[block * b->height + y])
                visit_row(t, hosts[block * b->height + y], block, y, visitor, context);
}

static void load(void *context, uint8_t *host, uint32_t offset, uint32_t bytes)
{
    uint8_t *registers = context;

    memcpy(registers + offset, host, bytes);
}

static void store(void *context, uint8_t *host, uint32_t offset, uint32_t bytes)
{
    const uint8_t *const *payload = context;

    memcpy(host, *payload + offset, bytes);
}

void block_2d_move(const struct transfer *t, uint8_t *const *hosts, const uint8_t *payload,
                   uint8_t *registers)
{
    if (t->shape.kind == MESSAGE_LOAD) {
        memset(registers, 0, block_2d_bytes(&t->block_2d));
        block_2d_visit(t, hosts, load, registers);
    } else {
        block_2d_visit(t, hosts, store, &payload);
    }
}
