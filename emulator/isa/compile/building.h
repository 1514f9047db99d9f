/* A block in the making: what builder.c and branches.c share. */
#ifndef VESIM_BUILDING_H
#define VESIM_BUILDING_H

#include "isa/compile/builder.h"
#include "isa/compile/emit.h"

struct building {
    const struct stretch *stretch;
    struct emitter emitter;
    LLVMBasicBlockRef entry, body;
    LLVMValueRef executed; /* i64, at the beginning of the body */
    LLVMValueRef limit;    /* i64: only below that it goes on over branches */
    uint32_t index;        /* of the instruction to translate next */
    uint32_t count;        /* instructions translated */
    uint32_t last_point;   /* count at the last point at which a turn may end; 0: none */
    bool has_branched;     /* it goes on behind a branch, */
    bool has_gone_back;    /* and behind one to before its beginning */
    bool is_cut;           /* all threads go on behind its last instruction */
    struct block *block;
};

static inline const struct inst *building_current(const struct building *b)
{
    return &b->stretch->program->insts[b->index];
}

/* Instructions executed since the beginning of the turn. */
LLVMValueRef building_executed(const struct building *b);

/* Leaves the block with what it returns (see compile.h). */
void building_leave_with(struct building *b, LLVMValueRef result);

/* Goes on at an instruction outside the block, or in front of the current one. */
void building_leave_to(struct building *b, uint32_t index, bool turn_may_end);
void building_leave(struct building *b);

/* The current instruction's lanes have to be active. */
void building_add_lanes(struct building *b);

/* A turn may end in front of the current instruction. */
void building_note_point(struct building *b);

/* Translates a branch; false if the block has ended. */
bool building_add_flow(struct building *b);

#endif
