/* The fast path: the most frequent instructions on their usual operands, which are 32-bit lanes, or
 * words extended to them, adjacent in a register or one value for all; narrower integers at regular
 * distances (fast-narrow.h), and half floats. Everything else takes the general path. Both give the
 * same bits. */
#ifndef VESIM_FAST_H
#define VESIM_FAST_H

#include "isa/thread/thread.h"

/* Each operation is there for instructions of 1, of up to 8, of 16 and of 32 lanes. */
enum { FAST_WIDTHS = 4 };

enum fast_compare { COMPARE_SIGNED, COMPARE_UNSIGNED, COMPARE_FLOAT, FAST_COMPARES };

/* The modes of single and half precision in cr0. */
enum { CR0_ROUNDING = 3 << 4, CR0_KEEP_DENORM_F = 1 << 7, CR0_KEEP_DENORM_HF = 1 << 10 };

/* Floats take the general path while the thread uses another rounding mode or flushes denormals. */
static inline bool fast_is_usual_mode(const struct thread *thread)
{
    uint32_t cr0 = thread_read32(thread, ARF_CR);

    return (cr0 & (CR0_ROUNDING | CR0_KEEP_DENORM_F)) == CR0_KEEP_DENORM_F;
}

static inline bool fast_is_usual_half_mode(const struct thread *thread)
{
    uint32_t cr0 = thread_read32(thread, ARF_CR);

    return (cr0 & (CR0_ROUNDING | CR0_KEEP_DENORM_HF)) == CR0_KEEP_DENORM_HF;
}

/* How many lanes an operation may read: whole blocks of eight. */
static inline uint32_t fast_block_lanes(const struct inst *inst)
{
    return (inst->lanes + 7u) / 8 * 8;
}

/* What the fast path does with an instruction. */
enum fast_operation {
    FAST_NONE,    /* takes the general path */
    FAST_INTEGER, /* what the opcode says; logic and moves of bits, too */
    FAST_REAL,    /* in single precision */
    FAST_HALF,    /* in half precision */
    FAST_MATH,
    FAST_COMPARE,
    FAST_LEAST,
    FAST_GREATEST,
    FAST_ADD_CONDITION,
    FAST_LOGIC_CONDITION,
    FAST_SELECT, /* by the predicate */
    FAST_WIDE,   /* products in two halves, and sums with a carry, through the accumulator */
    FAST_TO_FLOAT,
    FAST_TO_SIGNED,
    FAST_NARROW, /* bytes, words, and dwords apart: see fast-narrow.h */
};

/* The operation, and how it compares if it does. Prepares the instruction's operands. */
struct fast_choice {
    enum fast_operation operation;
    enum fast_compare compare;
};
struct fast_choice fast_choose(struct inst *inst);

/* The functions that execute instructions: one table for any processor and one for those with AVX2
 * and FMA, from the same source. NULL where there is no function. */
struct fast_functions {
    const execute_function *half, *narrow;               /* by opcode, for any number of lanes */
    const execute_function (*wide)[FAST_WIDTHS];         /* by opcode */
    execute_function integer[OPCODE_COUNT][FAST_WIDTHS]; /* logic, too */
    execute_function real[OPCODE_COUNT][FAST_WIDTHS];    /* single precision */
    execute_function math[MATH_RSQT + 1][FAST_WIDTHS];
    execute_function compare[FAST_COMPARES][CONDITION_LE + 1][FAST_WIDTHS];
    execute_function least[FAST_COMPARES][FAST_WIDTHS], greatest[FAST_COMPARES][FAST_WIDTHS];
    execute_function add_condition[FAST_WIDTHS], logic_condition[FAST_WIDTHS];
    execute_function select[FAST_WIDTHS];
    execute_function to_float[FAST_WIDTHS], to_signed[FAST_WIDTHS];
};
extern const struct fast_functions fast_plain, fast_avx2;

/* The table's function for the instruction, with its operands prepared; NULL if it needs the
 * general path. */
execute_function fast_select(struct inst *inst, const struct fast_functions *functions);

#endif
