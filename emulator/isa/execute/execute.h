/* Execution of decoded instructions, whatever their operands are. */
#ifndef VESIM_EXECUTE_H
#define VESIM_EXECUTE_H

#include "isa/thread/thread.h"

/* One per file of instructions; NULL if the file does not handle the instruction. */
execute_function integer_select(const struct inst *inst);
execute_function bits_select(const struct inst *inst);
execute_function compare_select(const struct inst *inst);
execute_function float_select(const struct inst *inst);
execute_function move_select(const struct inst *inst);
execute_function macro_select(const struct inst *inst);
execute_function math_select(const struct inst *inst);
execute_function dpas_select(const struct inst *inst);
execute_function flow_select(const struct inst *inst);

/* Executes an instruction that has the instruction pointer as a source. */
int execute_reading_pointer(struct thread *thread, const struct inst *inst);

#endif
