/* Operands of the fast path: sources from the register file into blocks of lanes, and results back.
 * `lanes` is known when this is compiled: 1, 8 (also for 2 and 4), 16 or 32; so loops over blocks
 * unroll and the blocks stay in host registers. */
#ifndef VESIM_FAST_OPERANDS_H
#define VESIM_FAST_OPERANDS_H

#include "isa/execute/lane-operations.h"
#include "isa/fast/lanes.h"
#include "isa/thread/thread.h"

#define BLOCKS for (unsigned i = 0; i < (lanes + 7) / 8; i++)

BOOLEAN_FUNCTION(u32x8)

/* The rarer forms: eight lanes made of words. `from` is the first of them. */
static inline u32x8 load_words(enum fast_form form, const uint8_t *from)
{
    u16x8 words;
    uint16_t word;

    memcpy(&word, from, sizeof(word));
    switch (form) {
    case FORM_SIGNED_WORD:
        return splat((uint32_t)(int16_t)word);
    case FORM_UNSIGNED_WORD:
        return splat(word);
    case FORM_SIGNED_WORDS_APART:
        return (u32x8)((i32x8)(load_block(from) << 16) >> 16);
    case FORM_UNSIGNED_WORDS_APART:
        return load_block(from) & 0xffff;
    default:
        memcpy(&words, from, sizeof(words));
        return form == FORM_SIGNED_WORDS ? (u32x8) __builtin_convertvector((i16x8)words, i32x8)
                                         : __builtin_convertvector(words, u32x8);
    }
}

/* From the first lane of one block of words to the next one's. */
static inline unsigned words_step(enum fast_form form)
{
    return form <= FORM_UNSIGNED_WORDS         ? BLOCK_BYTES / 2
           : form <= FORM_UNSIGNED_WORDS_APART ? BLOCK_BYTES
                                               : 0;
}

ALWAYS_INLINE void fetch(const struct thread *thread, const struct inst *inst, unsigned n,
                         unsigned lanes, u32x8 *to)
{
    const struct fast_source *source = &inst->fast[n];
    enum fast_form form = (enum fast_form)source->form;

    if (form == FORM_VALUE) {
        BLOCKS to[i] = splat(source->offset_or_value);
        return;
    }
    const uint8_t *from = thread->registers + source->offset_or_value;
    if (form == FORM_DWORDS && lanes > 1) {
        BLOCKS to[i] = load_block(from + i * BLOCK_BYTES);
    } else if (form <= FORM_DWORD) {
        uint32_t value;

        memcpy(&value, from, sizeof(value));
        BLOCKS to[i] = splat(value);
    } else {
        BLOCKS to[i] = load_words(form, from + i * words_step(form));
    }
}

/* Sources with the modifiers that integers, bits and floats give them. */
ALWAYS_INLINE void fetch_integer(const struct thread *thread, const struct inst *inst, unsigned n,
                                 unsigned lanes, u32x8 *to)
{
    fetch(thread, inst, n, lanes, to);
    if (inst->fast[n].negate)
        BLOCKS to[i] = -to[i];
}

ALWAYS_INLINE void fetch_logic(const struct thread *thread, const struct inst *inst, unsigned n,
                               unsigned lanes, u32x8 *to)
{
    fetch(thread, inst, n, lanes, to);
    if (inst->fast[n].negate)
        BLOCKS to[i] = ~to[i];
}

ALWAYS_INLINE void fetch_float(const struct thread *thread, const struct inst *inst, unsigned n,
                               unsigned lanes, u32x8 *to)
{
    fetch(thread, inst, n, lanes, to);
    if (inst->fast[n].absolute)
        BLOCKS to[i] &= 0x7fffffff;
    if (inst->fast[n].negate)
        BLOCKS to[i] ^= 0x80000000;
}

/* Writes the lanes in `mask` from `to` on. */
ALWAYS_INLINE void store_at(uint8_t *to, unsigned lanes, uint32_t mask, const u32x8 *blocks)
{
    if (lanes == 1) {
        if (mask & 1)
            memcpy(to, &blocks[0], sizeof(uint32_t));
    } else if (mask == UINT32_MAX >> (32 - lanes)) {
        BLOCKS memcpy(to + i * BLOCK_BYTES, &blocks[i], BLOCK_BYTES);
    } else {
        BLOCKS store_lanes(to + i * BLOCK_BYTES, blocks[i], mask >> i * BLOCK_LANES);
    }
}

ALWAYS_INLINE void store(struct thread *thread, const struct inst *inst, unsigned lanes,
                         uint32_t mask, const u32x8 *blocks)
{
    store_at(thread->registers + inst->fast_destination, lanes, mask, blocks);
}

/* Functions `name`_1, _8, _16 and _32 from the inline function `name`, and their row of a table. */
#define WIDTHS(name)                                                                               \
    static int name##_1(struct thread *thread, const struct inst *inst)                            \
    {                                                                                              \
        return name(thread, inst, 1);                                                              \
    }                                                                                              \
    static int name##_8(struct thread *thread, const struct inst *inst)                            \
    {                                                                                              \
        return name(thread, inst, 8);                                                              \
    }                                                                                              \
    static int name##_16(struct thread *thread, const struct inst *inst)                           \
    {                                                                                              \
        return name(thread, inst, 16);                                                             \
    }                                                                                              \
    static int name##_32(struct thread *thread, const struct inst *inst)                           \
    {                                                                                              \
        return name(thread, inst, 32);                                                             \
    }
#define ROW(name)                                                                                  \
    {                                                                                              \
        name##_1, name##_8, name##_16, name##_32                                                   \
    }

#endif
