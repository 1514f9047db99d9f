/* Static audit of a kernel's machine code. */
#ifndef VEBENCH_ISA_AUDIT_H
#define VEBENCH_ISA_AUDIT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vesim/code.h>

#define ISA_LOOPS_MAX 64 /* per kernel; further loops are ignored */

struct isa_target;

/* The resource that an instruction occupies. */
enum isa_pipe {
    ISA_FLOAT,
    ISA_INTEGER,
    ISA_LONG,
    ISA_MATH,
    ISA_SYSTOLIC,
    ISA_SEND,
    ISA_SYNC,   /* none: waits for the scoreboard or a barrier */
    ISA_BRANCH, /* issues through the integer pipe */
    ISA_PIPE_COUNT
};

/* "float", "int", … */
const char *isa_pipe_name(enum isa_pipe pipe);

struct isa_mix {
    unsigned instructions;
    unsigned pipe[ISA_PIPE_COUNT];
    unsigned message[VESIM_MESSAGE_COUNT]; /* breakdown of pipe[ISA_SEND] */
};

enum isa_bound_kind {
    ISA_BOUND_ISSUE,    /* the busiest pipe of a vector engine */
    ISA_BOUND_READS,    /* the same, including conflicts between operand reads */
    ISA_BOUND_MESSAGES, /* an engine's turns to send, or the Xe-core's limit for all engines */
    ISA_BOUND_LATENCY,  /* one thread's dependencies, divided by the threads of a vector engine */
    ISA_BOUND_COUNT
};

/* "issue", "operand reads", … */
const char *isa_bound_name(enum isa_bound_kind kind);

struct isa_bound {
    double cycles;
    int line;       /* line of the loop that takes the largest share; -1: none */
    double share;   /* cycles of that line */
    const char *of; /* the pipe or unit, a static string */
};

/* Lower bounds in cycles per iteration, for one thread on each vector engine of an Xe-core that is
 * full of threads: no schedule can reduce the time for which a resource is busy. */
struct isa_bounds {
    struct isa_bound bound[ISA_BOUND_COUNT];
    enum isa_bound_kind highest; /* sets the loop's lower bound */
    double alone;                /* cycles per iteration of a thread without others */
    unsigned threads;            /* that fit on a vector engine with this code */
};

/* One instruction of the hot loop. */
struct isa_line {
    uint32_t pc; /* bytes */
    enum isa_pipe pipe;
    unsigned occupancy; /* cycles on its pipe; 0 for messages and waits */
    unsigned conflicts; /* cycles lost to operand read conflicts */
    unsigned wait;      /* cycles that a thread without others waits before it */
    int waits_for;      /* line from 0; -1: none */
    char *text;         /* assembler text */
};

struct isa_audit {
    unsigned width, required_width; /* lanes; a required width of 0: the source asks for none */
    unsigned registers, registers_used;
    uint32_t scratch_bytes, slm_bytes, code_bytes;
    struct isa_mix all, hot;     /* `hot` is empty if there is no loop */
    size_t loop_count, hot_loop; /* `hot_loop` counts from 0 */
    struct isa_bounds bounds;    /* of the hot loop or, without a loop, of the whole code */
    struct isa_line *lines;      /* likewise; owned */
    size_t line_count;
};

/* The loop to audit: a number in the order in which loops end, or one of these rules for the hot
 * loop. Of several candidates the one with the most instructions is hot, and of
 * several innermost ones, one that uses memory. */
#define ISA_LOOP_INNERMOST 0 /* loop numbers are 1, 2, … */
#define ISA_LOOP_OUTERMOST (-1)

/* Audits a kernel by the figures of `target`, which must have some. STATUS_FAILED for code that
 * cannot be decoded, STATUS_USAGE for a loop that does not exist. Free the audit with
 * isa_audit_free(). */
enum status isa_audit_make(struct isa_audit *audit, const struct vesim_kernel_properties *kernel,
                           const struct isa_target *target, int loop, struct error *error);
void isa_audit_free(struct isa_audit *audit);

/* Text of the instruction that sets the loop's lower bound; "" if there is none. */
const char *isa_audit_binds(const struct isa_audit *audit);

#endif
