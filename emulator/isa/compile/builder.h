/* From a stretch of a program to a host function. */
#ifndef VESIM_BUILDER_H
#define VESIM_BUILDER_H

#include "isa/compile/compile.h"
#include "isa/compile/llvm.h"

/* What to compile. */
struct stretch {
    const struct program *program;
    uint32_t first;  /* index of its first instruction */
    bool all_active; /* for threads in which all lanes that instructions have are active */
    enum compile_scope scope;
    execute_function meet; /* see compiled_create() */
    const char *folder;    /* in which code is kept; NULL: nowhere */
};

struct built_block {
    struct block block;
    LLVMOrcLLJITRef object; /* owns the code */
    uint32_t end;           /* index of the first instruction behind the stretch */
    bool goes_on;           /* every thread that runs the block goes on there */
};

/* Returns 0, or -1 if the stretch begins with an instruction that only the interpreter knows, or
 * there is no memory. */
int block_build(const struct stretch *stretch, struct built_block *built);
void block_release(struct built_block *built);

#endif
