/* Which bytes of one mapping a message's lanes access: the first half of fast-message.c. Offsets
 * have 32 bits and are handled as host vectors; a message that needs more is refused and takes the
 * general path. */
#ifndef VESIM_MESSAGE_LANES_H
#define VESIM_MESSAGE_LANES_H

#include "isa/fast/lane-memory.h"
#include "isa/message/last-mapping.h"
#include "isa/message/memory-access.h"

/* The memory that a message's offsets are relative to, as far as it is contiguous. */
struct window {
    uint8_t *host;
    uint64_t physical;
    uint64_t reach; /* bytes */
};

enum pattern {
    PATTERN_ANY,
    PATTERN_RUN, /* each lane's dword follows that of the lane before */
    PATTERN_SAME,
};

/* What each lane of a message accesses. */
struct lanes {
    u32x8 offsets[MAX_BLOCKS]; /* in the window; of lanes without a part: of one that has */
    unsigned blocks;
    uint32_t mask;  /* lanes that take part */
    bool full;      /* as do all that the blocks have room for */
    uint32_t first; /* offset of the first of them */
    enum pattern pattern;
    uint64_t run; /* PATTERN_RUN: offset of lane 0 */
};

static inline uint32_t offset_of(const struct lanes *lanes, unsigned lane)
{
    return lanes->offsets[lane / BLOCK_LANES][lane % BLOCK_LANES];
}

/* A bit for each lane of block `i` that takes part. */
static inline uint32_t bits_of(const struct lanes *lanes, unsigned i)
{
    return lanes->mask >> i * BLOCK_LANES & 0xff;
}

ALWAYS_INLINE bool choose_lanes(const struct thread *thread, const struct inst *inst,
                                unsigned blocks, struct lanes *lanes)
{
    if (blocks == 0)
        blocks = (inst->message.lanes + BLOCK_LANES - 1u) / BLOCK_LANES;
    lanes->mask = thread_write_mask(thread, inst) & UINT32_MAX >> (32 - inst->message.lanes);
    lanes->blocks = blocks;
    lanes->run = 0;
    lanes->full = lanes->mask == UINT32_MAX >> (32 - blocks * BLOCK_LANES);
    return lanes->mask != 0;
}

static inline bool is_zero(u32x8 value)
{
    return lane_bits((i32x8)(value != 0)) == 0;
}

/* Inactive lanes get the offset of an active one, so that theirs cannot cause faults. */
ALWAYS_INLINE void fill_gaps(struct lanes *lanes)
{
    for (unsigned i = 0; i < lanes->blocks; i++)
        lanes->offsets[i] =
            choose(mask_lanes(bits_of(lanes, i)), lanes->offsets[i], splat(lanes->first));
}

ALWAYS_INLINE void read_offsets(const struct thread *thread, const struct inst *inst, uint32_t mask,
                                struct lanes *lanes)
{
    const uint8_t *from = thread->registers + inst->source[0].offset;

    for (unsigned i = 0; i < lanes->blocks; i++)
        lanes->offsets[i] = load_block(from + i * BLOCK_BYTES) & mask;
}

/* A lane's address in global memory: 8 bytes, or 4 that count from the general state base; on Xe3P
 * also a base in s0, and an offset of either size. */
static inline uint64_t read_address(const struct thread *thread, const struct inst *inst,
                                    unsigned lane)
{
    const uint8_t *from = thread->registers + inst->source[0].offset;
    uint64_t address;

    if (inst->message.base == BASE_STATELESS)
        return thread->walker->general_state_base + read_element(from + lane * 4, 4);
    if (inst->message.base == BASE_SCALAR && inst->message.address_bytes == 4)
        address = read_element(from + lane * 4, 4);
    else
        memcpy(&address, from + lane * sizeof(address), sizeof(address));
    if (inst->message.base == BASE_SCALAR)
        address = memory_scalar(thread, &inst->message) + message_offset(&inst->message, address);
    return address;
}

/* Offsets in a mapping; false if not all lanes begin in its first 4 GiB. */
static bool read_offsets_in(const struct mapping *mapping, const struct thread *thread,
                            const struct inst *inst, struct lanes *lanes)
{
    uint64_t beyond = 0;

    for (unsigned lane = 0; lane < inst->message.lanes; lane++) {
        uint64_t address = read_address(thread, inst, lane);
        uint64_t offset = address_cut(thread->space, address - mapping->address);

        lanes->offsets[lane / BLOCK_LANES][lane % BLOCK_LANES] = (uint32_t)offset;
        beyond |= lanes->mask >> lane & 1 ? offset : 0;
    }
    return beyond <= UINT32_MAX;
}

static bool open_mapping(struct thread *thread, const struct inst *inst, struct lanes *lanes,
                         struct window *window)
{
    const struct mapping **last = last_mapping(thread, inst), *mapping = *last;
    unsigned first = (unsigned)__builtin_ctz(lanes->mask);

    lanes->offsets[lanes->blocks - 1] = splat(0);
    if (!mapping || !read_offsets_in(mapping, thread, inst, lanes)) {
        mapping = address_space_find(thread->space, read_address(thread, inst, first), 1);
        if (!mapping || mapping->mirrors || !read_offsets_in(mapping, thread, inst, lanes))
            return false;
        *last = mapping;
    }
    *window = (struct window){mapping->host, mapping->physical, mapping->size};
    return true;
}

ALWAYS_INLINE bool open_window(struct thread *thread, const struct inst *inst,
                               enum address_base base, struct lanes *lanes, struct window *window)
{
    const struct surface *surface;

    switch (base) {
    case BASE_SLM:
        read_offsets(thread, inst, SLM_ADDRESS_MASK, lanes);
        *window = (struct window){thread->slm, 0, thread->slm_bytes};
        return true;
    case BASE_SURFACE:
        surface = &thread->access->surfaces[inst->message.surface];
        read_offsets(thread, inst, UINT32_MAX, lanes);
        *window = (struct window){surface->host, surface->physical, surface->reach};
        return true;
    default:
        return open_mapping(thread, inst, lanes, window);
    }
}

/* Dwords that follow one another, all of them in the window; there may be lanes without a part. */
ALWAYS_INLINE bool is_run(struct lanes *lanes, uint64_t reach)
{
    const u32x8 steps = {0, 4, 8, 12, 16, 20, 24, 28};
    uint32_t first = (uint32_t)__builtin_ctz(lanes->mask) * 4;
    uint32_t last = (31 - (uint32_t)__builtin_clz(lanes->mask)) * 4;
    u32x8 gaps = splat(0), expected = splat(lanes->first - first) + steps;

    if (lanes->first < first)
        return false;
    lanes->run = lanes->first - first;
    if (lanes->run + last > UINT32_MAX || lanes->run + last + 4 > reach)
        return false;
    for (unsigned i = 0; i < lanes->blocks; i++, expected += 4 * BLOCK_LANES) {
        u32x8 gap = lanes->offsets[i] ^ expected;

        gaps |= lanes->full ? gap : gap & mask_lanes(bits_of(lanes, i));
    }
    return is_zero(gaps);
}

ALWAYS_INLINE bool all_the_same(const struct lanes *lanes)
{
    u32x8 differences = splat(0);

    for (unsigned i = 0; i < lanes->blocks; i++)
        differences |= lanes->offsets[i] ^ splat(lanes->first);
    return is_zero(differences);
}

ALWAYS_INLINE bool all_within(const struct lanes *lanes, uint32_t last)
{
    u32x8 beyond = splat(0);

    for (unsigned i = 0; i < lanes->blocks; i++)
        beyond |= (u32x8)(lanes->offsets[i] > splat(last));
    return is_zero(beyond);
}

/* Finds how what the lanes want lies to one another; false if not all of it is in the window. */
ALWAYS_INLINE bool find_pattern(struct lanes *lanes, const struct message *message, uint64_t reach,
                                bool single)
{
    lanes->first = offset_of(lanes, (unsigned)__builtin_ctz(lanes->mask));
    lanes->pattern = PATTERN_RUN;
    if (single && is_run(lanes, reach))
        return true;
    if (reach < message->end)
        return false;
    if (!lanes->full)
        fill_gaps(lanes);
    uint64_t last = reach - message->end;
    lanes->pattern = all_the_same(lanes) ? PATTERN_SAME : PATTERN_ANY;
    return all_within(lanes, last < UINT32_MAX ? (uint32_t)last : UINT32_MAX);
}

#endif
