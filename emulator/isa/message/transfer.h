/* Moves a message's bytes between memory and registers, once the addresses are known: either at
 * once, or later from a copy of the payload. */
#ifndef VESIM_TRANSFER_H
#define VESIM_TRANSFER_H

#include <string.h>

#include "isa/decode/message.h"

enum { TRANSFER_MAX_HOSTS = 512 };

/* How many addresses describe a transfer's memory. */
enum transfer_form {
    TRANSFER_RUN,      /* one: all bytes are contiguous, in memory and in registers */
    TRANSFER_SAME,     /* one: a load of one dword into all lanes, as whole vectors */
    TRANSFER_LANES,    /* one per lane, whose components are contiguous from there on */
    TRANSFER_ELEMENTS, /* one per component that is not skipped and, within it, per lane */
    TRANSFER_SAMPLES,  /* one per texel that a sampler weighs and, within it, per lane */
    TRANSFER_ROWS,     /* one per row of a 2-D block, of its first element in bounds */
};

enum { BLOCK_2D_MAX_BLOCKS = 4 };

/* Equal blocks of elements, side by side in memory, one after another in registers. */
struct block_2d {
    uint8_t blocks, width, height; /* of each block, in elements */
    uint8_t pitch;        /* elements from a row to the next in registers; transposed: a column */
    uint8_t packed;       /* rows whose elements of one column lie together; 1: none */
    bool transposed;      /* columns lie together, whole */
    uint16_t block_bytes; /* from a block to the next in registers */
    uint8_t first[BLOCK_2D_MAX_BLOCKS], end[BLOCK_2D_MAX_BLOCKS]; /* columns in bounds */
};

enum {
    SAMPLES_MAX_LEVELS = 2,
    SAMPLES_MAX_DIMENSIONS = 3,
    SAMPLES_MAX_LANES = 32,
    TEXEL_CHANNELS = 4
};

/* What a sampler adds to the texels that it has chosen: the payload of TRANSFER_SAMPLES. */
struct sampled {
    uint32_t border[TEXEL_CHANNELS]; /* red, green, blue and alpha where there is no texel */
    /* Of each lane, in parts of 256: the weight of the second texel in each filtered dimension of a
     * level, and that of the second level. */
    uint8_t weight[SAMPLES_MAX_LEVELS][SAMPLES_MAX_DIMENSIONS][SAMPLES_MAX_LANES];
    uint8_t level_weight[SAMPLES_MAX_LANES];
};

struct transfer {
    struct transfer_shape shape;
    uint8_t form;        /* enum transfer_form */
    uint8_t filtered;    /* TRANSFER_SAMPLES: dimensions with a filter. A lane has two texels in
                            each; bit i of a texel's number says which in dimension i */
    uint8_t levels;      /* TRANSFER_SAMPLES: 1 or 2 that a lane has texels in; those of the first
                            come first */
    uint16_t host_count; /* number of addresses */
    uint32_t mask;       /* lanes that take part */
    uint32_t run_bytes;  /* TRANSFER_RUN, TRANSFER_SAME: in registers */
    struct block_2d block_2d; /* TRANSFER_ROWS */
    uint32_t destination;     /* first byte in the register file */
    uint32_t source;
};

/* Moves the bytes. `hosts` are host addresses, NULL for out-of-bounds elements, which read 0 and
 * are not written. `payload` is the register file from `source` on, or a copy of it from when the
 * message was sent. `shared`: others may work on the same memory now, such as the host, another
 * process or another stack on all global memory, so atomics must be atomic on the host. */
void transfer_move(const struct transfer *transfer, uint8_t *const *hosts, const uint8_t *payload,
                   uint8_t *registers, bool shared);

/* Moves the bytes of a load if they are a run of whole vectors, as most loads are, or a dword for
 * all lanes; returns whether they are. */
static inline bool transfer_move_together(const struct transfer *transfer, uint8_t *const *hosts,
                                          uint8_t *registers)
{
    enum { VECTOR = 32 };
    uint8_t same[VECTOR];

    registers += transfer->destination;
    if (transfer->form == TRANSFER_SAME) {
        for (uint32_t i = 0; i < VECTOR; i += 4)
            memcpy(same + i, hosts[0], 4);
        for (uint32_t i = 0; i < transfer->run_bytes; i += VECTOR)
            memcpy(registers + i, same, VECTOR);
        return true;
    }
    if (transfer->form != TRANSFER_RUN || transfer->shape.texel || transfer->run_bytes % VECTOR)
        return false;
    for (uint32_t i = 0; i < transfer->run_bytes; i += VECTOR)
        memcpy(registers + i, hosts[0] + i, VECTOR);
    return true;
}

/* Called for each piece that is in bounds, in the order in which transfer_move() moves them: the
 * host address, its first byte in the payload or the destination, and its length. */
typedef void (*transfer_visitor)(void *context, uint8_t *host, uint32_t offset, uint32_t bytes);
void transfer_visit(const struct transfer *transfer, uint8_t *const *hosts,
                    transfer_visitor visitor, void *context);

#endif
