/* Static analysis of machine code: which resources its instructions occupy, and how long a loop
 * takes in a thread without others. It uses the same figures as the timing of vesim/vesim.h's GPUs;
 * what only a running GPU knows (addresses, other threads) is assumed to cost the least possible.
 * Functions that can fail return 0, or -1 with one line in `error`. */
#ifndef VESIM_CODE_H
#define VESIM_CODE_H

#include "vesim/vesim.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Decoded machine code. */
struct vesim_code;

enum vesim_pipe {
    VESIM_PIPE_FLOAT,
    VESIM_PIPE_INTEGER,
    VESIM_PIPE_LONG,
    VESIM_PIPE_MATH,
    VESIM_PIPE_SYSTOLIC,
    VESIM_PIPE_SEND,
    VESIM_PIPE_NONE, /* waits for the scoreboard or a barrier */
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
    VESIM_MESSAGE_OTHER, /* end of thread, samplers, and messages that only a register determines */
    VESIM_MESSAGE_COUNT
};

struct vesim_instruction {
    uint32_t offset; /* bytes from the first instruction */
    bool is_branch;
    enum vesim_pipe pipe;
    enum vesim_pipe port; /* the pipe whose port it issues through; pipes may share one */
    unsigned occupancy;   /* cycles for which the port is busy; not for messages */
    unsigned bank_cycles; /* of these, in which operands of one register bank are waited for */
    enum vesim_message message; /* for VESIM_PIPE_SEND; with its minimum cost: */
    uint64_t port_cycles;       /* until its vector engine can send again */
    double unit_cycles; /* for which the load/store unit or the gateway is busy; less than a cycle
                         * if others fit beside it */
    int32_t loop_first; /* index of the first instruction of the loop that ends here; -1: none */
};

/* Decodes code, up to the message that ends the thread and the functions after it, with the cost of
 * each instruction on `device`, which is copied. */
int vesim_code_read(struct vesim_code **made, const struct vesim_device *device, const void *bytes,
                    size_t size, char *error, size_t error_size);
void vesim_code_free(struct vesim_code *code);

const struct vesim_device *vesim_code_device(const struct vesim_code *code);
size_t vesim_code_bytes(const struct vesim_code *code); /* up to the end of the code */
size_t vesim_code_count(const struct vesim_code *code); /* number of instructions */

/* Instruction `index`, from 0. */
const struct vesim_instruction *vesim_code_instruction(const struct vesim_code *code, size_t index);

/* Writes the instruction's assembler text. */
void vesim_code_text(const struct vesim_code *code, size_t index, char *text, size_t text_size);

/* The number of general registers that the code names. */
unsigned vesim_code_registers_used(const struct vesim_code *code);

#define VESIM_NOBODY UINT32_MAX

/* An instruction's wait per iteration, in the steady state. */
struct vesim_wait {
    uint64_t cycles; /* delay of its issue relative to back-to-back issue */
    uint32_t whom;   /* index of the instruction it waits for; VESIM_NOBODY: none */
};

/* Cycles per iteration of the loop [first, last] for a thread without others. Branches out of the
 * loop and over parts of it count as not taken. `waits` has an element for each instruction of the
 * loop. Returns -1 when out of memory. */
int vesim_code_thread_time(const struct vesim_code *code, size_t first, size_t last,
                           struct vesim_wait *waits, uint64_t *cycles);

/* Cycles that each instruction of the loop [first, last] waits for conflicting operand reads in the
 * steady state: one for each pair of its sources in the same bank and bundle of the register file,
 * or if all three are in one bank. A register that the previous source, or the same source of the
 * previous instruction, has just read is not read again. `conflicts` has an element for each
 * instruction of the loop.
 *
 * Banks and bundles are those that the compiler allocates by: intel-graphics-compiler,
 * visa/G4_BB.cpp (getConflictTimesForTGL) and HWCaps.inc. The timing of vesim/vesim.h's GPUs has
 * them for instructions of three sources, and reads every register again. */
void vesim_code_operand_conflicts(const struct vesim_code *code, size_t first, size_t last,
                                  unsigned *conflicts);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
