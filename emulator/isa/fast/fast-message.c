/* The fast path of the most frequent messages: loads and stores of one or a few adjacent elements
 * per lane, all within one mapping. Everything else, including lanes out of bounds, takes the
 * general path (memory-access.c), which is chosen before anything is moved or reported. Both paths
 * give the same bits and the same time on the model's clock. */
#include "isa/fast/fast-message.h"

#include "isa/fast/message-form.h"
#include "isa/fast/message-lanes.h"
#include "isa/fast/message-together.h"
#include "isa/message/access.h"
#include "isa/message/atomic.h"
#include "isa/message/memory-access.h"

/* One component of each lane of a block, the one at `host` for offset 0. */
ALWAYS_INLINE u32x8 load_component(const struct lanes *lanes, unsigned i, const uint8_t *host,
                                   unsigned bytes)
{
    if (lanes->pattern == PATTERN_RUN)
        return read_lanes(host + lanes->run + i * BLOCK_BYTES, bits_of(lanes, i));
    if (lanes->pattern == PATTERN_SAME)
        return splat(read_element(host + lanes->first, bytes));
    return gather_lanes(host, lanes->offsets[i], bytes);
}

ALWAYS_INLINE void load_components(const struct lanes *lanes, const uint8_t *host,
                                   uint8_t *registers, unsigned bytes)
{
    for (unsigned i = 0; i < lanes->blocks; i++) {
        uint8_t *to = registers + i * BLOCK_BYTES;

        if (lanes->full)
            write_block(to, load_component(lanes, i, host, bytes));
        else if (bits_of(lanes, i))
            store_lanes(to, load_component(lanes, i, host, bytes), bits_of(lanes, i));
    }
}

static void load_qwords(const struct lanes *lanes, const uint8_t *host, uint8_t *registers)
{
    for (uint32_t left = lanes->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        memcpy(registers + lane * 8, host + offset_of(lanes, lane), 8);
    }
}

ALWAYS_INLINE void load(const struct lanes *lanes, const struct message *message,
                        const uint8_t *host, uint8_t *registers, struct message_form form)
{
    unsigned components = form.single ? 1 : message->shape.components;

    for (unsigned n = 0; n < components; n++) {
        if (form.bytes == 8)
            load_qwords(lanes, host + n * 8, registers + n * message->shape.step);
        else
            load_components(lanes, host + n * form.bytes, registers + n * message->shape.step,
                            form.bytes);
    }
}

ALWAYS_INLINE void store_run(const struct lanes *lanes, uint8_t *host, const uint8_t *payload)
{
    for (unsigned i = 0; i < lanes->blocks; i++)
        if (bits_of(lanes, i))
            write_lanes(host + lanes->run + i * BLOCK_BYTES, load_block(payload + i * BLOCK_BYTES),
                        bits_of(lanes, i));
}

/* Lane by lane: of two that go to the same address, the later wins. */
ALWAYS_INLINE void store_element(const struct lanes *lanes, const struct message *message,
                                 uint8_t *host, const uint8_t *payload, struct message_form form)
{
    unsigned components = form.single ? 1 : message->shape.components;
    unsigned apart = form.bytes == 8 ? 8 : 4;

    if (lanes->pattern == PATTERN_RUN) {
        store_run(lanes, host, payload);
        return;
    }
    for (uint32_t left = lanes->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        for (unsigned i = 0; i < components; i++)
            memcpy(host + offset_of(lanes, lane) + i * form.bytes,
                   payload + i * message->shape.step + lane * apart, form.bytes);
    }
}

/* Lane by lane. */
static void apply(const struct lanes *lanes, const struct message *message, uint8_t *host,
                  const uint8_t *payload, uint8_t *registers, bool shared)
{
    enum atomic_operation operation = (enum atomic_operation)message->atomic;
    unsigned operands = atomic_operands(operation);

    for (uint32_t left = lanes->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint8_t *at = host + offset_of(lanes, lane);
        const uint8_t *from = payload + lane * 4;
        uint32_t a = operands > 0 ? read_element(from, 4) : 0;
        uint32_t b = operands > 1 ? read_element(from + message->shape.step, 4) : 0;
        uint32_t old = (uint32_t)(shared ? atomic_apply_shared(operation, at, 4, a, b)
                                         : atomic_apply(operation, at, 4, a, b));

        if (message->returns)
            memcpy(registers + lane * 4, &old, sizeof(old));
    }
}

static void give_hosts(const struct lanes *lanes, const struct window *window,
                       struct message_access *access)
{
    struct transfer *t = &access->transfer;

    if (lanes->pattern == PATTERN_RUN && lanes->full) {
        t->form = TRANSFER_RUN;
        t->run_bytes = (uint32_t)t->shape.lanes * 4;
        t->host_count = 1;
        access->hosts[0] = window->host + lanes->run;
        return;
    }
    t->form = TRANSFER_LANES;
    t->host_count = t->shape.lanes;
    for (unsigned i = 0; lanes->mask && i < lanes->blocks; i++) { /* else there is no window */
        uint32_t offsets[BLOCK_LANES];

        memcpy(offsets, &lanes->offsets[i], sizeof(offsets));
        for (unsigned lane = 0; lane < BLOCK_LANES; lane++)
            access->hosts[i * BLOCK_LANES + lane] = window->host + offsets[lane];
    }
    for (uint32_t left = ~lanes->mask & access_all_lanes(t->shape.lanes); left; left &= left - 1)
        access->hosts[__builtin_ctz(left)] = NULL;
}

/* The lines of lanes anywhere. They are looked for only where a lane's line is not that of the lane
 * before; lanes without a part stand for the first that has one. False, and nothing done, if an
 * element may lie on two lines. */
static bool give_lines_of_lanes(struct message_access *access, const struct lanes *lanes,
                                uint64_t physical, uint32_t bytes, unsigned line_shift)
{
    u32x8 lines[MAX_BLOCKS], crossing = splat(0), before = splat(UINT32_MAX);
    uint32_t changes = 0;

    for (unsigned i = 0; i < lanes->blocks; i++) {
        u32x8 offsets =
            choose(mask_lanes(bits_of(lanes, i)), lanes->offsets[i], splat(lanes->first));

        lines[i] = offsets >> line_shift;
        crossing |= lines[i] ^ (offsets + (bytes - 1)) >> line_shift;
        before = __builtin_shufflevector(before, lines[i], 7, 8, 9, 10, 11, 12, 13, 14);
        changes |= lane_bits((i32x8)(lines[i] != before)) << i * BLOCK_LANES;
        before = lines[i];
    }
    if (physical & ((UINT64_C(1) << line_shift) - 1) || !is_zero(crossing))
        return false;
    changes |= lanes->mask & -lanes->mask; /* the first, whatever stands before it */
    for (uint32_t left = changes & lanes->mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        lines_add(access, (physical >> line_shift) + lines[lane / BLOCK_LANES][lane % BLOCK_LANES]);
    }
    return true;
}

static void give_lines(struct thread *thread, const struct lanes *lanes, uint64_t physical,
                       uint32_t bytes)
{
    unsigned line_shift = (unsigned)__builtin_ctzll(thread->program->device->line_bytes);

    if (lanes->pattern == PATTERN_SAME) {
        lines_add_bytes(thread, physical + lanes->first, bytes);
        return;
    }
    if (lanes->pattern == PATTERN_RUN && lanes->full) {
        lines_add_bytes(thread, physical + lanes->run, thread->access->transfer.run_bytes);
        return;
    }
    if (give_lines_of_lanes(thread->access, lanes, physical, bytes, line_shift))
        return;
    for (uint32_t left = lanes->mask; left; left &= left - 1)
        lines_add_bytes(thread, physical + offset_of(lanes, (unsigned)__builtin_ctz(left)), bytes);
}

/* Whether all that the lanes touch lies in one row of banks, so that no bank serves two dwords: by
 * far the most common case. */
static bool is_in_one_row(const struct lanes *lanes, uint32_t bytes, uint32_t banks)
{
    u32x8 rows = splat(0), first = splat(lanes->first);

    for (unsigned i = 0; i < lanes->blocks; i++)
        rows |= (lanes->offsets[i] ^ first) | ((lanes->offsets[i] + (bytes - 1)) ^ first);
    return (banks & (banks - 1)) == 0 && is_zero(rows & -(banks * 4));
}

/* The dwords in which elements lie that do not cross their ends; returns how many. */
static uint32_t dwords_of(const struct lanes *lanes, uint32_t *dwords)
{
    uint32_t all[MAX_LANES], count = 0;

    for (unsigned i = 0; i < lanes->blocks; i++) {
        u32x8 block = lanes->offsets[i] / 4;

        memcpy(&all[i * BLOCK_LANES], &block, sizeof(block));
    }
    for (uint32_t left = lanes->mask; left; left &= left - 1)
        dwords[count++] = all[__builtin_ctz(left)];
    return count;
}

/* The busy banks of shared local memory, which moves at once: banks need no addresses if it is one
 * row of the fewest that a message takes, and lanes may share a dword. */
static void give_banks(struct thread *thread, const struct lanes *lanes,
                       const struct window *window, const struct message *message)
{
    const uint32_t banks = (uint32_t)thread->program->device->slm_banks;
    const uint32_t row = banks_of_row(1, banks);
    const bool share = message->kind != MESSAGE_ATOMIC;
    uint32_t dwords[MAX_LANES];

    if (share && is_in_one_row(lanes, message->end, row)) {
        thread->access->slm = (struct bank_use){1, row};
    } else if (message->shape.components == 1 && message->element_bytes <= 4) {
        uint32_t count = dwords_of(lanes, dwords);

        thread->access->slm = bank_use_of_dwords(dwords, count, banks, share);
    } else {
        give_hosts(lanes, window, thread->access);
        access_add_banks(thread);
    }
}

/* The lines of an atomic, and how many lanes work on each. */
static void give_passes(struct thread *thread, const struct lanes *lanes, uint64_t physical,
                        uint32_t bytes)
{
    struct message_access *access = thread->access;
    unsigned shift = (unsigned)__builtin_ctzll(thread->program->device->line_bytes);
    uint64_t known = UINT64_MAX;
    uint32_t line = 0;

    memset(access->passes, 0, 2u * access->transfer.shape.lanes);
    for (uint32_t left = lanes->mask; left; left &= left - 1) {
        uint64_t at = physical + offset_of(lanes, (unsigned)__builtin_ctz(left));
        uint64_t last = (at + bytes - 1) >> shift;

        if (last != known || at >> shift != known)
            line = lines_add_bytes(thread, at, bytes);
        known = last;
        access->passes[line]++;
    }
}

/* Reports what the clock charges for, and what to move if that is done later. */
static void report_access(struct thread *thread, const struct inst *inst, const struct lanes *lanes,
                          const struct window *window)
{
    access_begin(thread->access, inst, &inst->message, lanes->mask);
    if (inst->message.base == BASE_SLM) {
        give_banks(thread, lanes, window, &inst->message);
        return;
    }
    give_hosts(lanes, window, thread->access);
    if (inst->message.kind == MESSAGE_ATOMIC)
        give_passes(thread, lanes, window->physical, inst->message.end);
    else
        give_lines(thread, lanes, window->physical, inst->message.end);
}

/* Whether the message can take the fast path; if so, fills in what that needs. */
ALWAYS_INLINE bool prepare(struct thread *thread, const struct inst *inst, struct message_form form,
                           struct lanes *lanes, struct window *window)
{
    const struct message *message = &inst->message;

    if (choose_lanes(thread, inst, form.blocks, lanes))
        return open_window(thread, inst, form.base, lanes, window) &&
               find_pattern(lanes, message, window->reach, form.single);
    /* No active lane: nothing is moved, but an unreadable surface still faults. */
    memset(lanes->offsets, 0, sizeof(lanes->offsets));
    lanes->first = 0;
    lanes->pattern = PATTERN_ANY;
    *window = (struct window){0};
    return form.base != BASE_SURFACE || thread->access->surfaces[message->surface].known;
}

ALWAYS_INLINE int carry_out(struct thread *thread, const struct inst *inst,
                            struct message_form form)
{
    const struct message *message = &inst->message;
    struct window window;
    struct lanes lanes;

    if (form.single && carry_out_together(thread, inst, form))
        return 0;
    if (!prepare(thread, inst, form, &lanes, &window))
        return inst->general(thread, inst);
    thread->message = message;
    if (!thread->access->timeless)
        report_access(thread, inst, &lanes, &window);
    if (!lanes.mask || (form.base != BASE_SLM && thread->access->later))
        return 0;
    if (form.kind == MESSAGE_LOAD)
        load(&lanes, message, window.host, thread->registers + inst->destination.offset, form);
    else
        store_element(&lanes, message, window.host, thread->registers + inst->source[1].offset,
                      form);
    return 0;
}

ALWAYS_INLINE int carry_out_atomic(struct thread *thread, const struct inst *inst,
                                   enum address_base base)
{
    const struct message *message = &inst->message;
    const struct message_form form = {MESSAGE_ATOMIC, base, 4, false, 0};
    struct window window;
    struct lanes lanes;

    if (!prepare(thread, inst, form, &lanes, &window))
        return inst->general(thread, inst);
    thread->message = message;
    if (!thread->access->timeless)
        report_access(thread, inst, &lanes, &window);
    if (!lanes.mask || (base != BASE_SLM && thread->access->later))
        return 0;
    apply(&lanes, message, window.host, thread->registers + inst->source[1].offset,
          thread->registers + inst->destination.offset, base != BASE_SLM);
    return 0;
}

static int atomic_surface(struct thread *thread, const struct inst *inst)
{
    return carry_out_atomic(thread, inst, BASE_SURFACE);
}

static int atomic_slm(struct thread *thread, const struct inst *inst)
{
    return carry_out_atomic(thread, inst, BASE_SLM);
}

static int atomic_flat(struct thread *thread, const struct inst *inst)
{
    return carry_out_atomic(thread, inst, BASE_FLAT);
}

/* The forms there are: single dwords and several for up to 8, 16 and 32 lanes, other elements for
 * any number. */
enum { SINGLE, SEVERAL = 3, BYTES = 6, WORDS, QWORDS, FORMS };

#define MESSAGE(name, ...)                                                                         \
    static int name(struct thread *thread, const struct inst *inst)                                \
    {                                                                                              \
        return carry_out(thread, inst, (struct message_form){__VA_ARGS__});                        \
    }

#define MESSAGES(name, kind, base)                                                                 \
    MESSAGE(name##_dword_8, kind, base, 4, true, 1)                                                \
    MESSAGE(name##_dword_16, kind, base, 4, true, 2)                                               \
    MESSAGE(name##_dword_32, kind, base, 4, true, 4)                                               \
    MESSAGE(name##_dwords_8, kind, base, 4, false, 1)                                              \
    MESSAGE(name##_dwords_16, kind, base, 4, false, 2)                                             \
    MESSAGE(name##_dwords_32, kind, base, 4, false, 4)                                             \
    MESSAGE(name##_bytes, kind, base, 1, false, 0)                                                 \
    MESSAGE(name##_words, kind, base, 2, false, 0)                                                 \
    MESSAGE(name##_qwords, kind, base, 8, false, 0)                                                \
    static const execute_function name[FORMS] = {                                                  \
        name##_dword_8,   name##_dword_16, name##_dword_32, name##_dwords_8, name##_dwords_16,     \
        name##_dwords_32, name##_bytes,    name##_words,    name##_qwords};

MESSAGES(load_surface, MESSAGE_LOAD, BASE_SURFACE)
MESSAGES(store_surface, MESSAGE_STORE, BASE_SURFACE)
MESSAGES(load_slm, MESSAGE_LOAD, BASE_SLM)
MESSAGES(store_slm, MESSAGE_STORE, BASE_SLM)
MESSAGES(load_flat, MESSAGE_LOAD, BASE_FLAT)
MESSAGES(store_flat, MESSAGE_STORE, BASE_FLAT)

/* Fences, barriers and the end of a thread affect only the clock and the work-group; see send.c. */
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

static unsigned choose_form(const struct message *m)
{
    unsigned width = m->lanes <= 8 ? 0 : m->lanes <= 16 ? 1 : 2;

    switch (m->element_bytes) {
    case 1:
        return BYTES;
    case 2:
        return WORDS;
    case 8:
        return QWORDS;
    default:
        return (m->shape.components == 1 ? SINGLE : SEVERAL) + width;
    }
}

execute_function FAST_MESSAGE_SELECT(const struct inst *inst)
{
    static const execute_function *const functions[][2] = {
        [BASE_SURFACE] = {load_surface, store_surface}, [BASE_SLM] = {load_slm, store_slm},
        [BASE_FLAT] = {load_flat, store_flat},          [BASE_STATELESS] = {load_flat, store_flat},
        [BASE_SCALAR] = {load_flat, store_flat},
    };
    static const execute_function atomics[] = {[BASE_SURFACE] = atomic_surface,
                                               [BASE_SLM] = atomic_slm,
                                               [BASE_FLAT] = atomic_flat,
                                               [BASE_STATELESS] = atomic_flat,
                                               [BASE_SCALAR] = atomic_flat};
    const struct message *m = &inst->message;

    if (inst->has_message && is_notice(inst))
        return send_notice;
    if (!inst->has_message || inst->end_of_thread || !message_moves_elements(m) ||
        !message_names_memory(m) || !memory_registers_fit(inst))
        return NULL;
    if (m->kind == MESSAGE_ATOMIC)
        return atomics[m->base];
    return functions[m->base][m->kind == MESSAGE_STORE][choose_form(m)];
}
