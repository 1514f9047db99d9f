/* What a message moves and, for timing, the banks and the distinct cache lines it touches, in the
 * order of first use. The fast paths and the general one must record the same. */
#ifndef VESIM_ACCESS_H
#define VESIM_ACCESS_H

#include "isa/message/banks.h"
#include "isa/message/surface.h"
#include "isa/message/transfer.h"
#include "isa/thread/thread.h"

/* The most lines that a message touches: lanes times components, each crossing a line boundary. */
#define ACCESS_MAX_LINES 1024

/* Numbers of mappings and binding table entries remembered from one message to the next. */
#define ACCESS_MAPPINGS 64
#define ACCESS_SURFACES 16

/* What the last message moved, and what timing charges for it. */
struct message_access {
    uint32_t line_count;
    uint64_t highest_line;            /* valid if there is a line */
    uint64_t lines[ACCESS_MAX_LINES]; /* physical address / line size, in the order touched */
    uint8_t passes[ACCESS_MAX_LINES]; /* global atomics, per line: the lanes that work on it */
    struct bank_use slm;              /* of shared local memory: else of 0 cycles */
    uint32_t bytes;                   /* moved to or from registers */
    struct transfer transfer; /* of local memory, which moves at once, not always described */
    uint8_t *hosts[TRANSFER_MAX_HOSTS];
    /* Set by the caller that runs the thread. */
    bool later;    /* global memory transfers are left to the reader of this record */
    bool timeless; /* no timing wanted: lines, passes, banks and bytes are not recorded */
    const struct mapping *mappings[ACCESS_MAPPINGS]; /* last mapping used, by the low bits of the
                                                        instruction's address; NULL: none */
    uint64_t mirrored_page; /* the last one that was there, of what mirrors the process's memory */
    struct surface surfaces[ACCESS_SURFACES]; /* first entries of the binding table */
    struct surface_state last_state;          /* last one read in this walk */
};

static inline uint32_t access_all_lanes(unsigned lanes)
{
    return lanes >= 32 ? UINT32_MAX : (1u << lanes) - 1;
}

/* Where what a message sends besides its addresses begins in the register file. */
static inline uint32_t access_payload(const struct inst *inst, const struct message *message)
{
    if (inst->gathers)
        return ARF_GATHERED + message->address_bytes_sent;
    return inst->source_count > 1 ? inst->source[1].offset : ARF_NULL;
}

/* Where the registers end that it may send. */
static inline uint32_t access_sent_end(const struct inst *inst, const struct message *message)
{
    if (inst->gathers)
        return ARF_GATHERED + message->payload0_registers * (uint32_t)message->grf_bytes;
    return GRF_COUNT * (uint32_t)message->grf_bytes;
}

/* Starts the record for those of the message's lanes that are in `mask`. */
static inline void access_begin(struct message_access *access, const struct inst *inst,
                                const struct message *message, uint32_t mask)
{
    struct transfer *t = &access->transfer;
    unsigned lanes = message->shape.lanes;
    bool all = mask == access_all_lanes(lanes);

    t->shape = message->shape;
    t->mask = mask;
    t->destination = inst->destination.offset;
    t->source = access_payload(inst, message);
    access->line_count = access->slm.cycles = 0;
    access->bytes = (all ? lanes : (uint32_t)__builtin_popcount(mask)) * t->shape.components *
                    t->shape.element_bytes;
}

/* Records the busy banks of shared local memory; the addresses must be known. */
static inline void access_add_banks(const struct thread *thread)
{
    struct message_access *access = thread->access;

    access->slm = bank_use_of(&access->transfer, access->hosts, thread->slm,
                              (uint32_t)thread->program->device->slm_banks);
}

/* Adds a line unless it is present; returns its index. */
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

/* Adds the lines of `bytes` bytes starting at a physical address; returns the index of the last. */
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
