/* What a message moves and, for the clock, the lines that it touches, each once in the order in
 * which they are touched, and the banks. The fast ways and the general one agree on it. */
#ifndef VESIM_ACCESS_H
#define VESIM_ACCESS_H

#include "isa/message/banks.h"
#include "isa/message/surface.h"
#include "isa/message/transfer.h"
#include "isa/thread/thread.h"

/* Lines that a message touches at the most: lanes times components, each across a line's end. */
#define ACCESS_MAX_LINES 1024

/* Mappings that are remembered from one message to the next, and entries of the binding table. */
#define ACCESS_MAPPINGS 64
#define ACCESS_SURFACES 16

/* What the last message did, in the terms that the clock charges for, and what it moves. */
struct message_access {
    uint32_t line_count;
    uint64_t highest_line;            /* if there is one */
    uint64_t lines[ACCESS_MAX_LINES]; /* physical address / line size, in the order touched */
    uint8_t passes[ACCESS_MAX_LINES]; /* of global atomics, for each line: the most lanes that work
                                         on one element of it */
    uint32_t slm_cycles; /* shared local memory: cycles that the fullest bank is busy */
    uint32_t bytes;      /* moved to or from registers */
    struct transfer transfer;
    uint8_t *hosts[TRANSFER_MAX_HOSTS];
    /* Set by whoever runs the thread. */
    bool later;    /* what is moved from and to global memory is moved by whoever reads this */
    bool shared;   /* others work on global memory at the same time */
    bool timeless; /* nobody wants to know what it takes: lines, passes, banks and bytes are left
                      out */
    const struct mapping *mappings[ACCESS_MAPPINGS]; /* the last one that an instruction used, by
                                                        the low bits of its address; NULL: none */
    struct surface surfaces[ACCESS_SURFACES];        /* the first of the binding table */
    struct surface_state last_state;                 /* that has been read in this walk */
};

static inline uint32_t access_all_lanes(unsigned lanes)
{
    return lanes >= 32 ? UINT32_MAX : (1u << lanes) - 1;
}

/* Where a message's payload begins in the register file. */
static inline uint32_t access_payload(const struct inst *inst)
{
    return inst->source_count > 1 ? inst->source[1].offset : ARF_NULL;
}

/* Begins it for the lanes in `mask`, of the message's. */
static inline void access_begin(struct message_access *access, const struct inst *inst,
                                const struct message *message, uint32_t mask)
{
    struct transfer *t = &access->transfer;
    unsigned lanes = message->shape.lanes;
    bool all = mask == access_all_lanes(lanes);
    t->shape = message->shape;
    t->mask = mask;
    t->destination = inst->destination.offset;
    t->source = access_payload(inst);
    access->line_count = access->slm_cycles = 0;
    access->bytes = (all ? lanes : (uint32_t)__builtin_popcount(mask)) * t->shape.components *
                    t->shape.element_bytes;
}

/* Adds the banks of shared local memory, once the addresses are known. */
static inline void access_add_banks(const struct thread *thread)
{
    struct message_access *access = thread->access;
    access->slm_cycles = banks_busy(&access->transfer, access->hosts, thread->slm,
                                    (uint32_t)thread->program->device->slm_banks);
}

/* Adds a line, unless it is there. Returns its index. */
static inline uint32_t lines_add(struct message_access *access, uint64_t line)
{
    uint32_t count = access->line_count;
    if (count == 0 || line > access->highest_line)
        access->highest_line = line;
    else
        for (uint32_t i = count; i-- > 0;)
            if (access->lines[i] == line)
                return i;
    if (count == ACCESS_MAX_LINES)
        return ACCESS_MAX_LINES - 1;
    access->lines[count] = line;
    return access->line_count++;
}

/* Adds those of `bytes` bytes from a physical address on. Returns the index of the last. */
static inline uint32_t lines_add_bytes(const struct thread *thread, uint64_t physical,
                                       uint32_t bytes)
{
    unsigned shift = (unsigned)__builtin_ctzll(thread->program->device->line_bytes);
    uint32_t last = 0;
    for (uint64_t line = physical >> shift; line <= (physical + bytes - 1) >> shift; line++)
        last = lines_add(thread->access, line);
    return last;
}

#endif
