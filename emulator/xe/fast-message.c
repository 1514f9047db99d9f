/* The messages that programs send most: loads and stores of dwords, one or a few side by side for
 * each lane, all within one piece of memory. Anything else, and lanes out of bounds, go the general
 * way (memory-access.c), which is chosen before anything has been moved or accounted for; both ways
 * do the same to the bit, and take the same time on the model's clock. */
#include "xe/fast-message.h"

#include "xe/banks.h"
#include "xe/lane-memory.h"
#include "xe/last-mapping.h"
#include "xe/lines.h"
#include "xe/memory-access.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The memory that a message's offsets count from, as far as it lies in one piece. */
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

/* What each lane of a message wants. */
struct lanes {
    u32x8 offsets[MAX_BLOCKS]; /* in the window; of lanes without a part: of one that has */
    unsigned blocks;           /* a constant wherever the functions below are inlined */
    uint32_t mask;             /* lanes that take part */
    bool full;                 /* as do all that the blocks have room for */
    uint32_t first;            /* offset of the first of them */
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
    unsigned count = inst->message.lanes < inst->lanes ? inst->message.lanes : inst->lanes;
    lanes->mask = inst->no_mask ? UINT32_MAX : thread->active >> inst->first_lane;
    lanes->mask &= UINT32_MAX >> (32 - count);
    if (inst->predicate != PREDICATE_NONE)
        lanes->mask &= thread_predicate(thread, inst);
    lanes->blocks = blocks;
    lanes->run = 0;
    lanes->full = lanes->mask == UINT32_MAX >> (32 - blocks * BLOCK_LANES);
    return lanes->mask != 0;
}

static inline bool is_zero(u32x8 value)
{
    return lane_bits((i32x8)(value != 0)) == 0;
}

/* Lanes without a part get the offset of one that has, so that nobody trips over theirs. */
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

static inline uint64_t read_address(const uint8_t *addresses, unsigned lane)
{
    uint64_t address;
    memcpy(&address, addresses + lane * sizeof(address), sizeof(address));
    return address;
}

/* Offsets in a mapping; false if not all lanes begin in its first 4 GiB. */
static bool read_offsets_in(const struct mapping *mapping, const uint8_t *addresses,
                            unsigned lane_count, struct lanes *lanes)
{
    uint64_t beyond = 0;
    for (unsigned lane = 0; lane < lane_count; lane++) {
        uint64_t offset = (read_address(addresses, lane) - mapping->address) & GPU_ADDRESS_MASK;
        lanes->offsets[lane / BLOCK_LANES][lane % BLOCK_LANES] = (uint32_t)offset;
        beyond |= lanes->mask >> lane & 1 ? offset : 0;
    }
    return beyond <= UINT32_MAX;
}

static bool open_flat(struct thread *thread, const struct inst *inst, struct lanes *lanes,
                      struct window *window)
{
    const uint8_t *addresses = thread->registers + inst->source[0].offset;
    const struct mapping **last = last_mapping(thread, inst), *mapping = *last;
    unsigned first = (unsigned)__builtin_ctz(lanes->mask), count = inst->message.lanes;
    lanes->offsets[lanes->blocks - 1] = splat(0);
    if (!mapping || !read_offsets_in(mapping, addresses, count, lanes)) {
        mapping = address_space_find(thread->space, read_address(addresses, first), 1);
        if (!mapping || !read_offsets_in(mapping, addresses, count, lanes))
            return false;
        *last = mapping;
    }
    *window = (struct window){mapping->host, mapping->physical, mapping->size};
    return true;
}

ALWAYS_INLINE bool open_window(struct thread *thread, const struct inst *inst,
                               enum address_base base, struct lanes *lanes, struct window *window)
{
    const struct surface *surface = &thread->access->surfaces[inst->message.surface];
    switch (base) {
    case BASE_SLM:
        read_offsets(thread, inst, SLM_ADDRESS_MASK, lanes);
        *window = (struct window){thread->group->slm, 0, thread->group->slm_bytes};
        return true;
    case BASE_SURFACE:
        read_offsets(thread, inst, UINT32_MAX, lanes);
        *window = (struct window){surface->host, surface->physical, surface->reach};
        return true;
    default:
        return open_flat(thread, inst, lanes, window);
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

/* One component of each lane, the one at `host` for offset 0. */
ALWAYS_INLINE u32x8 load_component(const struct lanes *lanes, unsigned i, const uint8_t *host)
{
    if (lanes->pattern == PATTERN_RUN)
        return read_lanes(host + lanes->run + i * BLOCK_BYTES, bits_of(lanes, i));
    if (lanes->pattern == PATTERN_SAME)
        return splat(read_dword(host + lanes->first));
    return gather_lanes(host, lanes->offsets[i]);
}

ALWAYS_INLINE void load(const struct lanes *lanes, const struct message *message,
                        const uint8_t *host, uint8_t *registers, bool single)
{
    unsigned components = single ? 1 : message->shape.components;
    for (unsigned n = 0; n < components; n++) {
        uint8_t *to = registers + n * message->shape.step;
        for (unsigned i = 0; i < lanes->blocks; i++) {
            if (lanes->full)
                write_block(to + i * BLOCK_BYTES, load_component(lanes, i, host + n * 4));
            else if (bits_of(lanes, i))
                store_lanes(to + i * BLOCK_BYTES, load_component(lanes, i, host + n * 4),
                            bits_of(lanes, i));
        }
    }
}

ALWAYS_INLINE void store_run(const struct lanes *lanes, uint8_t *host, const uint8_t *payload)
{
    for (unsigned i = 0; i < lanes->blocks; i++)
        if (bits_of(lanes, i))
            write_lanes(host + lanes->run + i * BLOCK_BYTES, load_block(payload + i * BLOCK_BYTES),
                        bits_of(lanes, i));
}

/* Lane by lane: of two that go to the same place, the later wins. */
ALWAYS_INLINE void store(const struct lanes *lanes, const struct message *message, uint8_t *host,
                         const uint8_t *payload, bool single)
{
    unsigned components = single ? 1 : message->shape.components;
    if (lanes->pattern == PATTERN_RUN) {
        store_run(lanes, host, payload);
        return;
    }
    for (uint32_t left = lanes->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned i = 0; i < components; i++)
            memcpy(host + offset_of(lanes, lane) + i * 4,
                   payload + i * message->shape.step + lane * 4, 4);
    }
}

static void give_places(const struct lanes *lanes, const struct window *window,
                        struct access *access)
{
    struct transfer *t = &access->transfer;
    if (lanes->pattern == PATTERN_RUN && lanes->full) {
        t->form = TRANSFER_RUN;
        t->run_bytes = (uint32_t)t->shape.lanes * 4;
        t->place_count = 1;
        access->places[0] = window->host + lanes->run;
        return;
    }
    t->form = TRANSFER_LANES;
    t->place_count = t->shape.lanes;
    for (unsigned lane = 0; lane < t->shape.lanes; lane++)
        access->places[lane] =
            lanes->mask >> lane & 1 ? window->host + offset_of(lanes, lane) : NULL;
}

static void give_lines(struct thread *thread, const struct lanes *lanes, uint64_t physical,
                       uint32_t bytes)
{
    if (lanes->pattern == PATTERN_SAME) {
        lines_add_bytes(thread, physical + lanes->first, bytes);
        return;
    }
    if (lanes->pattern == PATTERN_RUN && lanes->full) {
        lines_add_bytes(thread, physical + lanes->run, thread->access->transfer.run_bytes);
        return;
    }
    for (uint32_t left = lanes->mask; left; left &= left - 1)
        lines_add_bytes(thread, physical + offset_of(lanes, (unsigned)__builtin_ctz(left)), bytes);
}

/* What the clock charges for, and what is moved if somebody does that later. */
static void give_account(struct thread *thread, const struct inst *inst, const struct lanes *lanes,
                         const struct window *window)
{
    struct access *access = thread->access;
    struct transfer *t = &access->transfer;
    t->shape = inst->message.shape;
    t->mask = lanes->mask;
    t->destination = inst->destination.offset;
    t->source = inst->source_count > 1 ? inst->source[1].offset : ARF_NULL;
    access->line_count = access->slm_cycles = 0;
    access->bytes = (uint32_t)__builtin_popcount(lanes->mask) * t->shape.components * 4;
    give_places(lanes, window, access);
    if (inst->message.base == BASE_SLM)
        access->slm_cycles = banks_busy(t, access->places, window->host,
                                        (uint32_t)thread->program->device->slm_banks);
    else
        give_lines(thread, lanes, window->physical, inst->message.end);
}

/* Whether the message can go this way; if so, with all that is to be known of it. */
ALWAYS_INLINE bool prepare(struct thread *thread, const struct inst *inst, enum address_base base,
                           bool single, unsigned blocks, struct lanes *lanes, struct window *window)
{
    const struct message *message = &inst->message;
    if (choose_lanes(thread, inst, blocks, lanes))
        return open_window(thread, inst, base, lanes, window) &&
               find_pattern(lanes, message, window->reach, single);
    /* No lane: nothing is moved. A surface that cannot be read is a fault all the same. */
    lanes->pattern = PATTERN_ANY;
    *window = (struct window){0};
    return base != BASE_SURFACE || thread->access->surfaces[message->surface].known;
}

ALWAYS_INLINE int carry_out(struct thread *thread, const struct inst *inst, enum message_kind kind,
                            enum address_base base, bool single, unsigned blocks)
{
    const struct message *message = &inst->message;
    struct window window;
    struct lanes lanes;
    if (!prepare(thread, inst, base, single, blocks, &lanes, &window))
        return inst->general(thread, inst);
    thread->message = message;
    if (!thread->access->timeless)
        give_account(thread, inst, &lanes, &window);
    if (base != BASE_SLM && thread->access->later)
        return 0;
    if (kind == MESSAGE_LOAD)
        load(&lanes, message, window.host, thread->registers + inst->destination.offset, single);
    else
        store(&lanes, message, window.host, thread->registers + inst->source[1].offset, single);
    return 0;
}

/* Up to 8 lanes, 16, and 32. */
enum { WIDTHS = 3 };

#define MESSAGE(name, kind, base, single, blocks)                                                  \
    static int name##_##blocks(struct thread *thread, const struct inst *inst)                     \
    {                                                                                              \
        return carry_out(thread, inst, kind, base, single, blocks);                                \
    }

#define MESSAGES(name, kind, base, single)                                                         \
    MESSAGE(name, kind, base, single, 1)                                                           \
    MESSAGE(name, kind, base, single, 2)                                                           \
    MESSAGE(name, kind, base, single, 4)                                                           \
    static const execute_function name[WIDTHS] = {name##_1, name##_2, name##_4};

MESSAGES(load_surface, MESSAGE_LOAD, BASE_SURFACE, true)
MESSAGES(load_surface_vector, MESSAGE_LOAD, BASE_SURFACE, false)
MESSAGES(store_surface, MESSAGE_STORE, BASE_SURFACE, true)
MESSAGES(store_surface_vector, MESSAGE_STORE, BASE_SURFACE, false)
MESSAGES(load_slm, MESSAGE_LOAD, BASE_SLM, true)
MESSAGES(load_slm_vector, MESSAGE_LOAD, BASE_SLM, false)
MESSAGES(store_slm, MESSAGE_STORE, BASE_SLM, true)
MESSAGES(store_slm_vector, MESSAGE_STORE, BASE_SLM, false)
MESSAGES(load_flat, MESSAGE_LOAD, BASE_FLAT, true)
MESSAGES(load_flat_vector, MESSAGE_LOAD, BASE_FLAT, false)
MESSAGES(store_flat, MESSAGE_STORE, BASE_FLAT, true)
MESSAGES(store_flat_vector, MESSAGE_STORE, BASE_FLAT, false)

/* Fences, barriers and the end of a thread act on the clock and on the work-group alone; see
 * send.c. */
static int send_notice(struct thread *thread, const struct inst *inst)
{
    thread->message = &inst->message;
    return 0;
}

static bool is_notice(const struct inst *inst)
{
    uint8_t kind = inst->message.kind;
    return kind == MESSAGE_END_OF_THREAD ||
           (!inst->end_of_thread && (kind == MESSAGE_FENCE || kind == MESSAGE_BARRIER));
}

/* Whether it moves dwords, the first ones behind each lane's address, that being all there is. */
static bool moves_dwords(const struct message *m)
{
    uint32_t components = m->shape.component_mask;
    return (m->kind == MESSAGE_LOAD || m->kind == MESSAGE_STORE) && !m->block && !m->has_header &&
           m->immediate_offset == 0 && m->element_bytes == 4 && m->register_bytes == 4 &&
           m->lanes >= 1 && m->lanes <= MAX_LANES && components != 0 &&
           (components & (components + 1)) == 0;
}

execute_function FAST_MESSAGE_SELECT(const struct inst *inst)
{
    static const execute_function *const functions[][2][2] = {
        [BASE_SURFACE] = {{load_surface, load_surface_vector},
                          {store_surface, store_surface_vector}},
        [BASE_SLM] = {{load_slm, load_slm_vector}, {store_slm, store_slm_vector}},
        [BASE_FLAT] = {{load_flat, load_flat_vector}, {store_flat, store_flat_vector}},
    };
    const struct message *m = &inst->message;
    if (inst->has_message && is_notice(inst))
        return send_notice;
    if (!inst->has_message || inst->end_of_thread || !moves_dwords(m) ||
        !memory_registers_fit(inst))
        return NULL;
    bool has_base = (m->base == BASE_SURFACE && m->surface < ACCESS_SURFACES) ||
                    m->base == BASE_SLM || m->base == BASE_FLAT;
    if (!has_base || m->address_bytes != (m->base == BASE_FLAT ? 8 : 4))
        return NULL;
    unsigned width = m->lanes <= 8 ? 0 : m->lanes <= 16 ? 1 : 2;
    return functions[m->base][m->kind == MESSAGE_STORE][m->shape.components > 1][width];
}
