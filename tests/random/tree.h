/* Programs as trees. */
#ifndef TESTS_RANDOM_TREE_H
#define TESTS_RANDOM_TREE_H

#include "program.h"

enum op {
    OP_VARIABLE,
    OP_CONSTANT,
    OP_ELEMENT, /* of the work-item's array, uint */
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_NOT,
    OP_SHIFT_LEFT,
    OP_SHIFT_RIGHT,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_ADD_SAT,
    OP_SUB_SAT,
    OP_HADD,
    OP_RHADD,
    OP_MUL_HI,
    OP_ROTATE,
    OP_MIN,
    OP_MAX,
    OP_CLZ,
    OP_POPCOUNT,
    OP_BITSELECT,
    OP_SELECT,    /* operands 0 and 1 compared; 2 where that holds, else 3 */
    OP_CONVERT,   /* saturated, if to an integer */
    OP_TRUNCATE,  /* integer to integer */
    OP_AS,        /* the same bits; a NaN's are those of one NaN */
    OP_COMPONENT, /* of a vector variable */
    OP_SWIZZLE,
    OP_FMA,
    OP_FLOOR,
    OP_CEIL,
    OP_TRUNC,
    OP_RINT,
    OP_FABS,
    OP_NEGATE,
    OP_SQRT,
};

enum relation { EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, RELATIONS };

struct node {
    enum op op;
    struct type type;
    struct node *operand[4];
    struct value constant;
    unsigned variable;                /* also the component, for OP_COMPONENT in `pattern` */
    unsigned pattern[COMPONENTS_MAX]; /* OP_SWIZZLE, OP_COMPONENT */
    enum relation relation;
    enum rounding rounding;
};

enum step {
    STEP_ASSIGN,
    STEP_IF,
    STEP_LOOP,     /* (value & 3) times; `condition`, if it holds, leaves it */
    STEP_ELEMENT,  /* array[index] += value */
    STEP_EXCHANGE, /* through local memory: from the work-item of the group that `index` says */
    STEP_SUB_GROUP,
};

enum sub_group_op {
    SHUFFLE,
    SHUFFLE_XOR,
    BROADCAST,
    REDUCE_ADD,
    REDUCE_MIN,
    REDUCE_MAX,
    SCAN_INCLUSIVE_ADD,
    SCAN_EXCLUSIVE_ADD,
    SCAN_INCLUSIVE_MAX,
    BALLOT,
    SUB_GROUP_OPS,
};

struct list {
    struct statement *first, *last;
};

struct statement {
    enum step step;
    unsigned number;
    bool dropped;
    unsigned variable;      /* that it sets */
    struct node *value;     /* assigned, counted, added */
    struct node *index;     /* STEP_ELEMENT, STEP_EXCHANGE, SHUFFLE */
    struct node *condition; /* an OP_SELECT whose relation is asked */
    enum sub_group_op sub_group_op;
    unsigned lane; /* BROADCAST, SHUFFLE_XOR */
    struct list body, otherwise;
    struct statement *next;
};

struct program {
    struct abilities abilities;
    uint64_t seed;
    struct type variables[VARIABLES];
    struct list body;
    struct statement *statements[256]; /* in the order of their text */
    unsigned count;
    void *allocated; /* everything above, a list of blocks */
};

#endif
