/* What the ways of executing an instruction share of its meaning, besides lane-operations.def. */
#ifndef VESIM_LANE_OPERATIONS_H
#define VESIM_LANE_OPERATIONS_H

#include "isa/decode/inst.h"

#define IS_LOGIC_integer false
#define IS_LOGIC_logic   true

/* Is a negated source complemented, rather than its sign changed? */
static inline bool operation_is_logic(enum opcode opcode)
{
    switch (opcode) {
#define LANE_OPERATION(name, sources, kind, result)                                                \
    case OP_##name:                                                                                \
        return IS_LOGIC_##kind;
#define LANE_OPERATION_3(name, kind, result) LANE_OPERATION(name, 3, kind, result)
#include "isa/execute/lane-operations.def"
    default:
        return opcode == OP_bfn;
    }
}

/* bfn: the boolean function of three bits that has this truth table, for each bit of integers or
 * vectors of a type. */
#define BOOLEAN_FUNCTION(type)                                                                     \
    static inline __attribute__((always_inline)) type boolean_function(uint8_t table, type a,      \
                                                                       type b, type c)             \
    {                                                                                              \
        type result = {0};                                                                         \
                                                                                                   \
        for (unsigned row = 0; row < 8; row++)                                                     \
            if (table >> row & 1)                                                                  \
                result |= (row & 1 ? a : ~a) & (row & 2 ? b : ~b) & (row & 4 ? c : ~c);            \
        return result;                                                                             \
    }

#endif
