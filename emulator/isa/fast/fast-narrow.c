/* Moves, sums, products, bits and shifts of bytes and words, and of dwords that lie apart, on the
 * fast path. Elements lie in containers of 1, 2, 4 or 8 bytes, the first in each; results are
 * computed as dwords. This file is compiled twice: see lanes.h. */
#include "isa/fast/fast-narrow.h"

#include "isa/execute/lane-operations.h"
#include "isa/execute/operand.h"
#include "isa/fast/fast.h"
#include "isa/fast/lanes.h"

typedef uint8_t u8x8 __attribute__((vector_size(8)));
typedef uint64_t u64x8 __attribute__((vector_size(64)));

/* The containers of eight lanes. */
ALWAYS_INLINE u32x8 load_containers(const uint8_t *from, unsigned bytes)
{
    u8x8 bytes8;
    u16x8 words;
    u64x8 qwords;

    switch (bytes) {
    case 1:
        memcpy(&bytes8, from, sizeof(bytes8));
        return __builtin_convertvector(bytes8, u32x8);
    case 2:
        memcpy(&words, from, sizeof(words));
        return __builtin_convertvector(words, u32x8);
    case 4:
        return load_block(from);
    default:
        memcpy(&qwords, from, sizeof(qwords));
        return __builtin_convertvector(qwords, u32x8);
    }
}

/* Writes the elements of the lanes that `mask` selects, in which it has the element's bits set, and
 * leaves the rest of their containers. */
ALWAYS_INLINE void store_containers(uint8_t *to, unsigned bytes, u32x8 value, u32x8 mask)
{
    u8x8 bytes8, byte_mask = __builtin_convertvector(mask, u8x8);
    u16x8 words, word_mask = __builtin_convertvector(mask, u16x8);
    u64x8 qwords, qword_mask = __builtin_convertvector(mask, u64x8);

    switch (bytes) {
    case 1:
        memcpy(&bytes8, to, sizeof(bytes8));
        bytes8 = (bytes8 & ~byte_mask) | (__builtin_convertvector(value, u8x8) & byte_mask);
        memcpy(to, &bytes8, sizeof(bytes8));
        break;
    case 2:
        memcpy(&words, to, sizeof(words));
        words = (words & ~word_mask) | (__builtin_convertvector(value, u16x8) & word_mask);
        memcpy(to, &words, sizeof(words));
        break;
    case 4:
        write_block(to, choose(mask, value, load_block(to)));
        break;
    default:
        memcpy(&qwords, to, sizeof(qwords));
        qwords = (qwords & ~qword_mask) | (__builtin_convertvector(value, u64x8) & qword_mask);
        memcpy(to, &qwords, sizeof(qwords));
    }
}

/* The low `bits` of each lane, extended to a dword. */
ALWAYS_INLINE u32x8 extend_element(u32x8 value, uint32_t bits, bool is_signed)
{
    uint32_t above = 32 - bits;

    return is_signed ? (u32x8)((i32x8)(value << above) >> above) : value << above >> above;
}

ALWAYS_INLINE u32x8 fetch_narrow(const struct thread *thread, const struct inst *inst, unsigned n,
                                 unsigned block, bool is_logic)
{
    const struct fast_source *source = &inst->fast[n];
    const struct narrow_form form = narrow_form_of(source->form);
    uint32_t one;
    u32x8 value;

    if (form.is_value)
        return splat(source->offset_or_value);
    const uint8_t *from = thread->registers + source->offset_or_value;
    if (form.is_one) {
        memcpy(&one, from, sizeof(one));
        value = splat(one);
    } else {
        value = load_containers(from + block * BLOCK_LANES * form.container, form.container);
    }
    value = extend_element(value, form.element * 8, form.is_signed);
    return !source->negate ? value : is_logic ? ~value : -value;
}

ALWAYS_INLINE u32x8 compute_narrow(enum opcode opcode, u32x8 a, u32x8 b)
{
    switch (opcode) {
#define A             a
#define B             b
#define COUNT(count)  ((count)&31)
#define SIGNED(value) ((i32x8)(value))
#define LOW(value)    (value)
#define LANE_OPERATION(name, sources, kind, expression)                                            \
    case OP_##name:                                                                                \
        return (u32x8)(expression);
#define LANE_OPERATION_3(name, kind, expression)
#include "isa/execute/lane-operations.def"
#undef A
#undef B
    default:
        return a;
    }
}

ALWAYS_INLINE int execute_narrow(struct thread *thread, const struct inst *inst, enum opcode opcode)
{
    const bool has_second = opcode != OP_mov && opcode != OP_not;
    const bool is_logic = operation_is_logic(opcode);
    const unsigned bytes = type_bytes((enum type)inst->destination.type);
    const unsigned container = inst->fast_container;
    unsigned blocks = (inst->lanes + BLOCK_LANES - 1u) / BLOCK_LANES;
    u32x8 result[MAX_BLOCKS];

    for (unsigned i = 0; i < blocks; i++) {
        u32x8 a = fetch_narrow(thread, inst, 0, i, is_logic);

        result[i] =
            compute_narrow(opcode, a, has_second ? fetch_narrow(thread, inst, 1, i, is_logic) : a);
    }
    uint8_t *to = thread->registers + inst->fast_destination;
    uint32_t mask = thread_write_mask(thread, inst), element = UINT32_MAX >> (32 - 8 * bytes);
    for (unsigned i = 0; i < blocks; i++)
        store_containers(to + i * BLOCK_LANES * container, container, result[i],
                         mask_lanes(mask >> i * BLOCK_LANES) & element);
    return 0;
}

#define NARROW(name)                                                                               \
    static int name##_narrow(struct thread *thread, const struct inst *inst)                       \
    {                                                                                              \
        return execute_narrow(thread, inst, OP_##name);                                            \
    }
NARROW(mov)
#define LANE_OPERATION(name, sources, kind, expression) NARROW(name)
#define LANE_OPERATION_3(name, kind, expression)
#include "isa/execute/lane-operations.def"

const execute_function FAST_NARROWS[OPCODE_COUNT] = {
    [OP_mov] = mov_narrow,
#define LANE_OPERATION(name, sources, kind, expression) [OP_##name] = name##_narrow,
#define LANE_OPERATION_3(name, kind, expression)
#include "isa/execute/lane-operations.def"
};
