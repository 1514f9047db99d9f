/* Branches. Where all lanes of a thread stay together, and none waits elsewhere, they are branches
 * of the host; else the interpreter's functions decide. */
#ifndef VESIM_COMPILE_FLOW_H
#define VESIM_COMPILE_FLOW_H

#include "isa/compile/emit.h"

/* What becomes of a flow instruction in a block that begins at instruction `first`. */
enum flow_use {
    FLOW_LEAVES, /* the block ends in front of it */
    FLOW_PASSES, /* the block goes on behind it if all lanes do, and else ends in front of it */
    FLOW_LOOPS,  /* it goes back to the beginning of the block, or the block ends behind it */
};
enum flow_use flow_use(const struct inst *inst, uint32_t first);

/* FLOW_PASSES: whether all lanes go on behind it. */
LLVMValueRef emit_passes(struct emitter *e, const struct inst *inst);

/* FLOW_LOOPS: executes the branch, which leaves where to go on in the thread's index, and returns
 * whether that is the beginning of the block. Nothing is held afterwards. */
LLVMValueRef emit_loops(struct emitter *e, const struct inst *inst, uint32_t first);

/* The register with the active lanes, as each flow instruction leaves it. */
void emit_channel_enables(struct emitter *e);

#endif
