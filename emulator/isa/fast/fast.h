/* The fast path: the most frequent instructions on their usual operands, which are 32-bit lanes, or
 * words extended to them, adjacent in a register or one value for all. Everything else takes the
 * general path. Both give the same bits. */
#ifndef VESIM_FAST_H
#define VESIM_FAST_H

#include "isa/decode/inst.h"

/* Each operation is there for instructions of 1, of up to 8, of 16 and of 32 lanes. */
enum { FAST_WIDTHS = 4 };

enum fast_compare { COMPARE_SIGNED, COMPARE_UNSIGNED, COMPARE_FLOAT, FAST_COMPARES };

/* The functions that execute instructions: one table for any processor and one for those with AVX2
 * and FMA, from the same source. NULL where there is no function. */
struct fast_functions {
    execute_function integer[OPCODE_COUNT][FAST_WIDTHS]; /* logic, too */
    execute_function real[OPCODE_COUNT][FAST_WIDTHS];    /* single precision */
    execute_function math[MATH_RSQT + 1][FAST_WIDTHS];
    execute_function compare[FAST_COMPARES][CONDITION_LE + 1][FAST_WIDTHS];
    execute_function least[FAST_COMPARES][FAST_WIDTHS], greatest[FAST_COMPARES][FAST_WIDTHS];
    execute_function add_condition[FAST_WIDTHS];
    execute_function select[FAST_WIDTHS];
    execute_function to_accumulator[FAST_WIDTHS]; /* mul */
    execute_function to_float[FAST_WIDTHS], to_signed[FAST_WIDTHS];
};
extern const struct fast_functions fast_plain, fast_avx2;

/* The table's function for the instruction, with its operands prepared; NULL if it needs the
 * general path. */
execute_function fast_select(struct inst *inst, const struct fast_functions *functions);

#endif
