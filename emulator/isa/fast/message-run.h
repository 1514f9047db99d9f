/* The most frequent messages of all: each of 8, 16 or 32 lanes loads or stores a dword, and these
 * follow one another in memory. Nothing is found out for each lane. */
#ifndef VESIM_MESSAGE_RUN_H
#define VESIM_MESSAGE_RUN_H

#include "isa/fast/message-form.h"
#include "isa/fast/message-lanes.h"

/* Whether the lanes' offsets follow one another by a dword; if so, `first` is that of the first. */
ALWAYS_INLINE bool offsets_run(const uint8_t *from, unsigned blocks, uint32_t mask, uint64_t *first)
{
    const u32x8 steps = {0, 4, 8, 12, 16, 20, 24, 28};
    uint32_t offset = read_element(from, 4) & mask;
    u32x8 gaps = splat(0), expected = splat(offset) + steps;

    for (unsigned i = 0; i < blocks; i++, expected += BLOCK_BYTES)
        gaps |= (load_block(from + i * BLOCK_BYTES) & mask) ^ expected;
    *first = offset;
    return is_zero(gaps);
}

/* The same for addresses of 64 bits. */
ALWAYS_INLINE bool addresses_run(const uint8_t *from, unsigned blocks, uint64_t *first)
{
    typedef uint64_t u64x4 __attribute__((vector_size(32)));
    u64x4 gaps = {0}, expected = {0, 4, 8, 12};

    memcpy(first, from, sizeof(*first));
    expected += *first;
    for (unsigned i = 0; i < 2 * blocks; i++, expected += BLOCK_BYTES / 2)
        gaps |= (u64x4)load_block(from + i * BLOCK_BYTES) ^ expected;
    return is_zero((u32x8)gaps);
}

/* Where the lanes' dwords lie: a window, and the offset of the first in it. */
ALWAYS_INLINE bool find_run(const struct thread *thread, const struct inst *inst,
                            struct message_form form, struct window *window, uint64_t *first)
{
    const uint8_t *from = thread->registers + inst->source[0].offset;
    const struct surface *surface;
    const struct mapping *mapping;

    switch (form.base) {
    case BASE_SLM:
        *window = (struct window){thread->slm, 0, thread->slm_bytes};
        return offsets_run(from, form.blocks, SLM_ADDRESS_MASK, first);
    case BASE_SURFACE:
        surface = &thread->access->surfaces[inst->message.surface];
        *window = (struct window){surface->host, surface->physical,
                                  surface->reach < UINT32_MAX ? surface->reach : UINT32_MAX};
        return offsets_run(from, form.blocks, UINT32_MAX, first);
    default:
        mapping = *last_mapping(thread, inst);
        if (!mapping || inst->message.base != BASE_FLAT || !addresses_run(from, form.blocks, first))
            return false;
        *first = address_cut(thread->space, *first - mapping->address);
        *window = (struct window){mapping->host, mapping->physical, mapping->size};
        return true;
    }
}

/* Within one row of banks they keep each bank busy for a cycle. Local memory is accessed at once:
 * there is no transfer to describe. Returns whether they are. */
ALWAYS_INLINE bool report_local_run(const struct thread *thread, uint64_t first, uint32_t bytes)
{
    struct message_access *access = thread->access;
    const uint32_t banks = (uint32_t)thread->program->device->slm_banks;
    const uint64_t dwords = (first + bytes - 1) / 4 - first / 4 + 1;

    if (dwords > banks)
        return false;
    access->line_count = 0;
    access->slm = (struct bank_use){1, banks_of_row(dwords, banks)};
    access->bytes = bytes;
    return true;
}

ALWAYS_INLINE void report_global_run(const struct thread *thread, const struct inst *inst,
                                     uint8_t *host, uint64_t physical, uint32_t bytes)
{
    const unsigned shift = (unsigned)__builtin_ctzll(thread->program->device->line_bytes);
    uint64_t line = physical >> shift, last = (physical + bytes - 1) >> shift;
    struct message_access *access = thread->access;
    struct transfer *t = &access->transfer;
    uint32_t count = 0;

    t->shape = inst->message.shape;
    t->mask = access_all_lanes(bytes / 4);
    t->destination = inst->destination.offset;
    t->source = access_payload(inst, &inst->message);
    t->form = TRANSFER_RUN;
    t->run_bytes = access->bytes = bytes;
    t->host_count = 1;
    access->hosts[0] = host;
    access->slm.cycles = 0;
    access->highest_line = last;
    do
        access->lines[count++] = line;
    while (line++ < last);
    access->line_count = count;
}

/* Carries the message out if it is such a one; else does nothing. */
ALWAYS_INLINE bool carry_out_run(struct thread *thread, const struct inst *inst,
                                 struct message_form form)
{
    const uint32_t bytes = form.blocks * BLOCK_BYTES, all = access_all_lanes(bytes / 4);
    const bool local = form.base == BASE_SLM;
    struct window window;
    uint64_t first;

    if ((thread_write_mask(thread, inst) & access_all_lanes(inst->message.lanes)) != all ||
        !find_run(thread, inst, form, &window, &first) || first + bytes > window.reach)
        return false;
    uint8_t *host = window.host + first;
    if (!thread->access->timeless) {
        if (!local)
            report_global_run(thread, inst, host, window.physical + first, bytes);
        else if (!report_local_run(thread, first, bytes))
            return false;
    }
    thread->message = &inst->message;
    if (!local && thread->access->later)
        return true;
    uint8_t *registers = thread->registers + (form.kind == MESSAGE_LOAD ? inst->destination.offset
                                                                        : inst->source[1].offset);
    for (unsigned i = 0; i < bytes; i += BLOCK_BYTES)
        if (form.kind == MESSAGE_LOAD)
            write_block(registers + i, load_block(host + i));
        else
            write_block(host + i, load_block(registers + i));
    return true;
}

#endif
