/* Branches within a block. While lanes stay together, a branch has two outcomes: all of them take
 * it, or none does. A block goes on with one outcome and ends with the other; where lanes part, or
 * some wait elsewhere, the branch's function says where the thread goes on. */
#ifndef VESIM_COMPILE_FLOW_H
#define VESIM_COMPILE_FLOW_H

#include "isa/compile/emit.h"

enum { NOWHERE = -1 };

/* Where a branch of which the beginning of a block may be the target goes if it is taken. */
int32_t flow_target(const struct inst *inst);

/* Indices of the instructions where a branch leads if no lane waits and all active lanes take it,
 * or none does. NOWHERE: that cannot be, or is left to the interpreter. */
struct outcomes {
    int32_t all, none;
};
struct outcomes flow_outcomes(const struct program *program, const struct inst *inst);

/* Whether there are active lanes, and none that wait. */
LLVMValueRef emit_together(const struct emitter *e);

/* Whether the outcome is the one with all of them, or with none. */
LLVMValueRef emit_is_taken(struct emitter *e, const struct inst *inst, bool by_all);

/* Executes a branch by its function. Returns where to go on (i32), which is also the thread's
 * index. Nothing is held afterwards. */
LLVMValueRef emit_branch(struct emitter *e, const struct inst *inst);

/* Executes a branch that may lead to instruction `first`, the beginning of the block. It leaves
 * where to go on in the thread's index; returns whether that is `first`. Nothing is held
 * afterwards. */
LLVMValueRef emit_loops(struct emitter *e, const struct inst *inst, uint32_t first);

/* The register with the active lanes, as each flow instruction leaves it. */
void emit_channel_enables(struct emitter *e);

#endif
