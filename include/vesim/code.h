/* Machine code read without being run: what its instructions keep busy, and how long a thread takes
 * that has a loop to itself. The figures are those that vesim/vesim.h's GPUs keep time by; what
 * only a running GPU knows (addresses, other threads) is taken at its least. Functions that can
 * fail return 0, or -1 with one line in `error`. */
#ifndef VESIM_CODE_H
#define VESIM_CODE_H

#include "vesim/vesim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Decoded machine code. */
struct vesim_code;

enum vesim_pipe {
    VESIM_PIPE_FLOAT,
    VESIM_PIPE_INTEGER,
    VESIM_PIPE_LONG,
    VESIM_PIPE_MATH,
    VESIM_PIPE_SYSTOLIC,
    VESIM_PIPE_SEND,
    VESIM_PIPE_NONE, /* a wait for the scoreboard or a barrier */
    VESIM_PIPE_COUNT
};

enum vesim_message {
    VESIM_MESSAGE_LOAD, /* of global memory */
    VESIM_MESSAGE_STORE,
    VESIM_MESSAGE_ATOMIC,
    VESIM_MESSAGE_SLM_LOAD,
    VESIM_MESSAGE_SLM_STORE,
    VESIM_MESSAGE_SLM_ATOMIC,
    VESIM_MESSAGE_SCRATCH, /* spilled registers and private arrays */
    VESIM_MESSAGE_FENCE,
    VESIM_MESSAGE_BARRIER,
    VESIM_MESSAGE_OTHER, /* end of thread, samplers, and what only a register tells */
    VESIM_MESSAGE_COUNT
};

struct vesim_instruction {
    uint32_t offset; /* bytes from the first instruction */
    bool is_branch;
    enum vesim_pipe pipe;
    enum vesim_pipe port;       /* the pipe whose port it issues through: two may share one */
    unsigned occupancy;         /* cycles for which the port is taken; not of messages */
    enum vesim_message message; /* of VESIM_PIPE_SEND, and the least that it costs: */
    uint64_t port_cycles;       /* until its vector engine may send another */
    uint64_t unit_cycles;       /* for which the load/store unit, or the gateway, is busy */
    int32_t loop_first; /* index of the first instruction of the loop that it ends; -1: none */
};

/* Decodes code, up to the message that ends the thread and the functions behind it, with what each
 * instruction costs on a device, of which it keeps a copy. */
int vesim_code_read(struct vesim_code **made, const struct vesim_device *device, const void *bytes,
                    size_t size, char *error, size_t error_size);
void vesim_code_free(struct vesim_code *code);

const struct vesim_device *vesim_code_device(const struct vesim_code *code);
size_t vesim_code_bytes(const struct vesim_code *code); /* up to its end */
size_t vesim_code_count(const struct vesim_code *code); /* of instructions */

/* Instruction `index`, from 0. */
const struct vesim_instruction *vesim_code_instruction(const struct vesim_code *code, size_t index);

/* Writes the assembler's text of it. */
void vesim_code_text(const struct vesim_code *code, size_t index, char *text, size_t text_size);

/* How many general registers are named. */
unsigned vesim_code_registers_used(const struct vesim_code *code);

#define VESIM_NOBODY UINT32_MAX

/* Of one instruction, in an iteration of the steady state. */
struct vesim_wait {
    uint64_t cycles; /* that it issues later than right after the one before it */
    uint32_t whom;   /* index of the instruction that it waits for; VESIM_NOBODY: none */
};

/* Cycles of an iteration of the loop [first, last] of a thread that is alone. Branches out of it
 * and over parts of it are not taken. `waits` has an element for each instruction of the loop. -1:
 * out of memory. */
int vesim_code_thread_time(const struct vesim_code *code, size_t first, size_t last,
                           struct vesim_wait *waits, uint64_t *cycles);

/* Cycles that each instruction [first, last] of a loop, in its steady state, waits for operand
 * reads that collide: one for each pair of its sources that lie in the same bank and bundle of the
 * register file, or where all three lie in one bank. A register that the source before it, or the
 * same source of the instruction before it, has just read is not read again. `conflicts` has an
 * element for each instruction of the loop.
 *
 * Banks and bundles are those that the compiler allocates by: intel-graphics-compiler,
 * visa/G4_BB.cpp (getConflictTimesForTGL) and HWCaps.inc. The clock of vesim/vesim.h's GPUs does
 * not know them. */
void vesim_code_operand_conflicts(const struct vesim_code *code, size_t first, size_t last,
                                  unsigned *conflicts);

#ifdef __cplusplus
}
#endif

#endif
