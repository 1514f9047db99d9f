/* Execution of decoded instructions: which function does which. */
#ifndef VESIM_EXECUTE_H
#define VESIM_EXECUTE_H

#include "isa/execute/thread.h"

/* The function that executes the instruction; never NULL: what the model does not know gets one
 * that faults. Called once, when the instruction is decoded. */
execute_function execute_select(const struct inst *inst);

/* The function that executes it faster on the host that this is; NULL if there is none. The
 * environment's VESIM_LANES says plain (for any host) or general (none) for tests. */
execute_function execute_select_fast(struct inst *inst);

bool opcode_is_flow(enum opcode opcode);

/* One for each file of instructions; NULL if the instruction is not theirs. */
execute_function integer_select(const struct inst *inst);
execute_function bits_select(const struct inst *inst);
execute_function compare_select(const struct inst *inst);
execute_function float_select(const struct inst *inst);
execute_function move_select(const struct inst *inst);
execute_function math_select(const struct inst *inst);
execute_function dpas_select(const struct inst *inst);
execute_function flow_select(const struct inst *inst);

/* Executes an instruction that has the instruction pointer as a source. */
int execute_reading_pointer(struct thread *thread, const struct inst *inst);

/* send and sendc: carries the message out, its effect on memory included. */
int execute_send(struct thread *thread, const struct inst *inst);

#endif
