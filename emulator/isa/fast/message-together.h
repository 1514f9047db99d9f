/* The most frequent messages of all: each of 8, 16 or 32 lanes loads or stores a dword, and these
 * follow one another in memory, or all lanes load the same. Nothing is found out for each lane. */
#ifndef VESIM_MESSAGE_TOGETHER_H
#define VESIM_MESSAGE_TOGETHER_H

#include "isa/fast/message-form.h"
#include "isa/fast/message-lanes.h"

/* How the lanes' offsets lie to one another; `first` is that of the first, if they are not
 * anywhere. */
ALWAYS_INLINE enum pattern offsets_pattern(const uint8_t *from, unsigned blocks, uint32_t mask,
                                           uint64_t *first)
{
    const u32x8 steps = {0, 4, 8, 12, 16, 20, 24, 28};
    uint32_t offset = read_element(from, 4) & mask;
    u32x8 gaps = splat(0), differences = splat(0), expected = splat(offset) + steps;

    *first = offset;
    for (unsigned i = 0; i < blocks; i++, expected += BLOCK_BYTES)
        gaps |= (load_block(from + i * BLOCK_BYTES) & mask) ^ expected;
    if (is_zero(gaps))
        return PATTERN_RUN;
    for (unsigned i = 0; i < blocks; i++)
        differences |= (load_block(from + i * BLOCK_BYTES) & mask) ^ splat(offset);
    return is_zero(differences) ? PATTERN_SAME : PATTERN_ANY;
}

/* The same for addresses of 64 bits. */
ALWAYS_INLINE enum pattern addresses_pattern(const uint8_t *from, unsigned blocks, uint64_t *first)
{
    typedef uint64_t u64x4 __attribute__((vector_size(32)));
    u64x4 gaps = {0}, differences = {0}, same = {0}, expected = {0, 4, 8, 12};

    memcpy(first, from, sizeof(*first));
    same += *first;
    expected += *first;
    for (unsigned i = 0; i < 2 * blocks; i++, expected += BLOCK_BYTES / 2)
        gaps |= (u64x4)load_block(from + i * BLOCK_BYTES) ^ expected;
    if (is_zero((u32x8)gaps))
        return PATTERN_RUN;
    for (unsigned i = 0; i < 2 * blocks; i++)
        differences |= (u64x4)load_block(from + i * BLOCK_BYTES) ^ same;
    return is_zero((u32x8)differences) ? PATTERN_SAME : PATTERN_ANY;
}

/* How the lanes' dwords lie, and where: a window, and the offset of the first in it. What
 * PATTERN_ANY leaves there means nothing. */
ALWAYS_INLINE enum pattern find_together(const struct thread *thread, const struct inst *inst,
                                         struct message_form form, struct window *window,
                                         uint64_t *first)
{
    const uint8_t *from = thread->registers + inst->source[0].offset;
    const struct surface *surface;
    const struct mapping *mapping;
    enum pattern pattern;

    switch (form.base) {
    case BASE_SLM:
        *window = (struct window){thread->slm, 0, thread->slm_bytes};
        return offsets_pattern(from, form.blocks, SLM_ADDRESS_MASK, first);
    case BASE_SURFACE:
        surface = &thread->access->surfaces[inst->message.surface];
        *window = (struct window){surface->host, surface->physical,
                                  surface->reach < UINT32_MAX ? surface->reach : UINT32_MAX};
        return offsets_pattern(from, form.blocks, UINT32_MAX, first);
    default:
        mapping = *last_mapping(thread, inst);
        if (!mapping || inst->message.base != BASE_FLAT)
            return PATTERN_ANY;
        pattern = addresses_pattern(from, form.blocks, first);
        *first = address_cut(thread->space, *first - mapping->address);
        *window = (struct window){mapping->host, mapping->physical, mapping->size};
        return pattern;
    }
}

/* What a message takes that moves `bytes` to or from registers, and `span` in memory. */
struct extent {
    uint32_t bytes, span;
};

/* Within one row of banks they keep each bank busy for a cycle. Local memory is accessed at once:
 * there is no transfer to describe. Returns whether they are. */
ALWAYS_INLINE bool report_local(const struct thread *thread, uint64_t first, struct extent extent)
{
    struct message_access *access = thread->access;
    const uint32_t banks = (uint32_t)thread->program->device->slm_banks;
    const uint64_t dwords = (first + extent.span - 1) / 4 - first / 4 + 1;

    if (dwords > banks)
        return false;
    access->line_count = 0;
    access->slm = (struct bank_use){1, banks_of_row(dwords, banks)};
    access->bytes = extent.bytes;
    return true;
}

ALWAYS_INLINE void report_global(const struct thread *thread, const struct inst *inst,
                                 uint8_t *host, uint64_t physical, struct extent extent)
{
    const unsigned shift = (unsigned)__builtin_ctzll(thread->program->device->line_bytes);
    uint64_t line = physical >> shift, last = (physical + extent.span - 1) >> shift;
    struct message_access *access = thread->access;
    struct transfer *t = &access->transfer;
    uint32_t count = 0;

    t->shape = inst->message.shape;
    t->mask = access_all_lanes(extent.bytes / 4);
    t->destination = inst->destination.offset;
    t->source = access_payload(inst, &inst->message);
    t->form = extent.span == extent.bytes ? TRANSFER_RUN : TRANSFER_SAME;
    t->run_bytes = access->bytes = extent.bytes;
    t->host_count = 1;
    access->hosts[0] = host;
    access->slm.cycles = 0;
    access->highest_line = last;
    do
        access->lines[count++] = line;
    while (line++ < last);
    access->line_count = count;
}

ALWAYS_INLINE void move_together(struct thread *thread, const struct inst *inst,
                                 struct message_form form, uint8_t *host, struct extent extent)
{
    uint8_t *registers = thread->registers + (form.kind == MESSAGE_LOAD ? inst->destination.offset
                                                                        : inst->source[1].offset);

    for (unsigned i = 0; i < extent.bytes; i += BLOCK_BYTES)
        if (form.kind == MESSAGE_STORE)
            write_block(host + i, load_block(registers + i));
        else if (extent.span == extent.bytes)
            write_block(registers + i, load_block(host + i));
        else
            write_block(registers + i, splat(read_element(host, extent.span)));
}

/* Carries out a message whose dwords begin at offset `first`, if all are in the window. */
ALWAYS_INLINE bool carry_out_at(struct thread *thread, const struct inst *inst,
                                struct message_form form, const struct window *window,
                                uint64_t first, struct extent extent)
{
    const bool local = form.base == BASE_SLM;

    if (first + extent.span > window->reach)
        return false;
    uint8_t *host = window->host + first;
    if (!thread->access->timeless) {
        if (!local)
            report_global(thread, inst, host, window->physical + first, extent);
        else if (!report_local(thread, first, extent))
            return false;
    }
    thread->message = &inst->message;
    if (local || !thread->access->later)
        move_together(thread, inst, form, host, extent);
    return true;
}

/* Carries the message out if it is such a one; else does nothing. */
ALWAYS_INLINE bool carry_out_together(struct thread *thread, const struct inst *inst,
                                      struct message_form form)
{
    const uint32_t bytes = form.blocks * BLOCK_BYTES, all = access_all_lanes(bytes / 4);
    struct window window;
    uint64_t first;

    if ((thread_write_mask(thread, inst) & access_all_lanes(inst->message.lanes)) != all)
        return false;
    switch (find_together(thread, inst, form, &window, &first)) {
    case PATTERN_RUN:
        return carry_out_at(thread, inst, form, &window, first, (struct extent){bytes, bytes});
    case PATTERN_SAME:
        return form.kind == MESSAGE_LOAD &&
               carry_out_at(thread, inst, form, &window, first, (struct extent){bytes, 4});
    default:
        return false;
    }
}

#endif
