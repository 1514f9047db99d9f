/* The bytes that a message moves between memory and registers, once its addresses are known: either
 * at once, or from a copy of what it takes, later. */
#ifndef VESIM_TRANSFER_H
#define VESIM_TRANSFER_H

#include "isa/decode/message.h"

enum { TRANSFER_MAX_HOSTS = 256 };

/* How the memory of a transfer is given. */
enum transfer_form {
    TRANSFER_RUN,      /* one: all bytes follow one another, in memory and in registers */
    TRANSFER_LANES,    /* one for each lane: its components follow one another from there on */
    TRANSFER_ELEMENTS, /* one for each component (that is not skipped) and in it for each lane */
};

struct transfer {
    struct transfer_shape shape;
    uint8_t form;         /* enum transfer_form */
    uint16_t host_count;  /* addresses that are given */
    uint32_t mask;        /* lanes that take part */
    uint32_t run_bytes;   /* TRANSFER_RUN */
    uint32_t destination; /* first byte in the register file */
    uint32_t source;
};

/* Moves the bytes. `hosts` are the host's addresses, NULL for what is out of bounds,
 * which reads 0 and is not written. `payload` holds what is at `source` of the register file, or
 * what was there when the message was sent. `shared`: others may work on the same memory at this
 * time, so that atomics have to be atomic on the host. */
void transfer_move(const struct transfer *transfer, uint8_t *const *hosts, const uint8_t *payload,
                   uint8_t *registers, bool shared);

/* Tells of each piece that is in bounds: the host's address, its first byte in the payload or the
 * destination, and its length. In the order in which transfer_move() moves them. */
typedef void (*transfer_visitor)(void *context, uint8_t *host, uint32_t offset, uint32_t bytes);
void transfer_visit(const struct transfer *transfer, uint8_t *const *hosts,
                    transfer_visitor visitor, void *context);

#endif
