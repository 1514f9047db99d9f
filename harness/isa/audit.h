/* What there is to say of a kernel's machine code without running it. */
#ifndef VEBENCH_ISA_AUDIT_H
#define VEBENCH_ISA_AUDIT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vesim/code.h>

#define ISA_LOOPS_MAX 64 /* of a kernel; further ones are left out */

struct isa_target;

/* What an instruction keeps busy. */
enum isa_pipe {
    ISA_FLOAT,
    ISA_INTEGER,
    ISA_LONG,
    ISA_MATH,
    ISA_SYSTOLIC,
    ISA_SEND,
    ISA_SYNC,   /* nothing: a wait for the scoreboard or a barrier */
    ISA_BRANCH, /* issues as of the integer pipe */
    ISA_PIPE_COUNT
};

/* "float", "int", … */
const char *isa_pipe_name(enum isa_pipe pipe);

struct isa_mix {
    unsigned instructions;
    unsigned pipe[ISA_PIPE_COUNT];
    unsigned message[VESIM_MESSAGE_COUNT]; /* parts of pipe[ISA_SEND] */
};

enum isa_bound_kind {
    ISA_BOUND_ISSUE,    /* the fullest pipe of a vector engine */
    ISA_BOUND_READS,    /* the same with operand reads that collide */
    ISA_BOUND_MESSAGES, /* a vector engine's turns to send, or what the Xe-core takes from all */
    ISA_BOUND_LATENCY,  /* one thread's dependencies, shared by those of a vector engine */
    ISA_BOUND_COUNT
};

/* "issue", "operand reads", … */
const char *isa_bound_name(enum isa_bound_kind kind);

struct isa_bound {
    double cycles;
    int line;       /* of the loop: the one that takes the most of it; -1: none does */
    double share;   /* cycles that are that instruction's */
    const char *of; /* the pipe or unit, static text */
};

/* All cycles are those from one iteration to the next of one thread on each vector engine of an
 * Xe-core that is full of threads: what a resource takes, no schedule makes less. */
struct isa_bounds {
    struct isa_bound bound[ISA_BOUND_COUNT];
    enum isa_bound_kind highest; /* the loop's lower bound */
    double alone;                /* cycles of an iteration of a thread that is alone */
    unsigned threads;            /* that a vector engine holds of this code */
};

/* One instruction of the hot loop. */
struct isa_line {
    uint32_t pc; /* bytes */
    enum isa_pipe pipe;
    unsigned occupancy; /* cycles of its pipe; 0 of messages and waits */
    unsigned conflicts; /* cycles by which its operand reads collide */
    unsigned wait;      /* cycles that a thread alone waits before it */
    int waits_for;      /* number of the line from 0; -1: nobody */
    char *text;         /* the assembler's */
};

struct isa_audit {
    unsigned width, required_width; /* lanes; 0: the source asks for none */
    unsigned registers, registers_used;
    uint32_t scratch_bytes, slm_bytes, code_bytes;
    struct isa_mix all, hot;     /* `hot` is empty where there is no loop */
    size_t loop_count, hot_loop; /* the latter from 0 */
    struct isa_bounds bounds;    /* where there is a loop */
    struct isa_line *lines;      /* of the hot loop; owned */
    size_t line_count;
};

/* Which loop is audited: one by its number in the order of their ends, or the one that is taken for
 * hot. Of several that qualify it is the one with the most instructions. */
#define ISA_LOOP_INNERMOST 0 /* and 1, 2, … are numbers */
#define ISA_LOOP_OUTERMOST (-1)

/* Audits a kernel by the figures of `target`, which has some. STATUS_FAILED for code that cannot be
 * decoded, STATUS_USAGE for a loop that is not there. Free it with isa_audit_free(). */
enum status isa_audit_make(struct isa_audit *audit, const struct vesim_kernel_properties *kernel,
                           const struct isa_target *target, int loop, struct error *error);
void isa_audit_free(struct isa_audit *audit);

/* Text of the instruction that sets the loop's lower bound; "" where none does. */
const char *isa_audit_binds(const struct isa_audit *audit);

#endif
