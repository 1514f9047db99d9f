#include "isa/compile/flow.h"

#include <stddef.h>

/* The bits of the predicate have to be in flags that are held. */
static bool has_own_predicate(const struct inst *inst)
{
    return inst->predicate == PREDICATE_NONE ||
           (inst->predicate == PREDICATE_LANE &&
            inst->flag * 16u + inst->first_lane + MAX_LANES <= FLAG_BITS);
}

int32_t flow_target(const struct inst *inst)
{
    if (inst->loop)
        return NOWHERE;
    switch (inst->opcode) {
    case OP_jmpi:
        return inst->source_count && inst->source[0].kind == OPERAND_REGISTER ? NOWHERE
                                                                              : inst->jip_index;
    case OP_while:
        return inst->jip_index;
    case OP_goto:
        return inst->branch_control ? inst->uip_index : NOWHERE;
    default:
        return NOWHERE;
    }
}

/* The next instruction, if there is one: a thread that runs past the last has a fault. */
static int32_t next_of(const struct program *program, const struct inst *inst)
{
    return (uint32_t)inst->next < program->count ? inst->next : NOWHERE;
}

/* What the functions in isa/execute/flow.c come to. Lanes that would wait where the others go do
 * not wait at all. */
static struct outcomes outcomes_of(const struct inst *inst, int32_t next)
{
    int32_t jip = inst->jip_index, uip = inst->uip_index;

    switch (inst->opcode) {
    case OP_join:
    case OP_endif:
        return (struct outcomes){next, NOWHERE};
    case OP_jmpi:
        return (struct outcomes){flow_target(inst), next};
    case OP_if:
        return (struct outcomes){next, jip};
    case OP_else:
        return (struct outcomes){uip < 0 || uip == jip ? jip : NOWHERE, NOWHERE};
    case OP_while:
        return (struct outcomes){jip, next};
    case OP_goto:
        return inst->branch_control ? (struct outcomes){uip, jip == next ? next : NOWHERE}
                                    : (struct outcomes){uip == jip ? jip : NOWHERE, next};
    case OP_break:
    case OP_cont:
        return (struct outcomes){NOWHERE, uip < 0 ? NOWHERE : next};
    case OP_halt:
        return (struct outcomes){NOWHERE, next};
    default:
        return (struct outcomes){NOWHERE, NOWHERE};
    }
}

static bool is_unconditional(const struct inst *inst)
{
    return inst->opcode == OP_join || inst->opcode == OP_endif || inst->opcode == OP_else;
}

struct outcomes flow_outcomes(const struct program *program, const struct inst *inst)
{
    struct outcomes outcomes = outcomes_of(inst, next_of(program, inst));

    if (inst->loop || (!is_unconditional(inst) && !has_own_predicate(inst)))
        return (struct outcomes){NOWHERE, NOWHERE};
    if (inst->predicate == PREDICATE_NONE && inst->first_lane == 0)
        outcomes.none = NOWHERE;
    return outcomes;
}

static LLVMValueRef none_waits(const struct emitter *e)
{
    LLVMValueRef waiting = emit_thread_member(e, e->i32, offsetof(struct thread, waiting_count));

    return llvm.BuildICmp(e->builder, LLVMIntEQ, waiting, emit_i32(e, 0), "");
}

static LLVMValueRef both(const struct emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return llvm.BuildAnd(e->builder, a, b, "");
}

/* The predicate, from the instruction's first lane on (i32). */
static LLVMValueRef predicate_bits(struct emitter *e, const struct inst *inst)
{
    if (inst->predicate == PREDICATE_NONE)
        return emit_i32(e, UINT32_MAX);
    LLVMValueRef first = emit_i64(e, inst->flag * 16u + inst->first_lane);
    LLVMValueRef bits = llvm.BuildLShr(e->builder, emit_flags(e), first, "");
    bits = llvm.BuildTrunc(e->builder, bits, e->i32, "");
    return inst->predicate_inverse ? llvm.BuildNot(e->builder, bits, "") : bits;
}

static LLVMValueRef active_lanes(const struct emitter *e)
{
    return emit_thread_member(e, e->i32, offsetof(struct thread, active));
}

/* Whether those of the active lanes that take the branch are none, or all. */
static LLVMValueRef taken_are(struct emitter *e, const struct inst *inst, bool all)
{
    LLVMValueRef active = active_lanes(e), bits = predicate_bits(e, inst);

    bits = llvm.BuildShl(e->builder, bits, emit_i32(e, inst->first_lane), "");
    bits = both(e, bits, active);
    return llvm.BuildICmp(e->builder, LLVMIntEQ, bits, all ? active : emit_i32(e, 0), "");
}

/* jmpi goes by the first lane's predicate, whether active or not. */
static LLVMValueRef jumps(struct emitter *e, const struct inst *inst)
{
    LLVMValueRef bit = both(e, predicate_bits(e, inst), emit_i32(e, 1));

    return llvm.BuildICmp(e->builder, LLVMIntNE, bit, emit_i32(e, 0), "");
}

LLVMValueRef emit_together(const struct emitter *e)
{
    LLVMValueRef some = llvm.BuildICmp(e->builder, LLVMIntNE, active_lanes(e), emit_i32(e, 0), "");

    return both(e, none_waits(e), some);
}

LLVMValueRef emit_is_taken(struct emitter *e, const struct inst *inst, bool by_all)
{
    if (is_unconditional(inst))
        return llvm.ConstInt(llvm.IntTypeInContext(e->context, 1), by_all, false);
    if (inst->opcode != OP_jmpi)
        return taken_are(e, inst, by_all);
    LLVMValueRef jump = jumps(e, inst);
    return by_all ? jump : llvm.BuildNot(e->builder, jump, "");
}

void emit_channel_enables(struct emitter *e)
{
    emit_set_thread_member(e, active_lanes(e), offsetof(struct thread, registers) + ARF_CE);
}

/* The usual way round: all lanes together, and nobody waits. */
static LLVMValueRef goes_straight_back(struct emitter *e, const struct inst *inst)
{
    if (!has_own_predicate(inst))
        return llvm.ConstInt(llvm.IntTypeInContext(e->context, 1), 0, false);
    LLVMValueRef together = emit_together(e);
    return both(e, together, emit_is_taken(e, inst, true));
}

LLVMValueRef emit_branch(struct emitter *e, const struct inst *inst)
{
    emit_flush(e);
    emit_set_thread_member(e, emit_i32(e, (uint32_t)inst->next), offsetof(struct thread, index));
    emit_interpret(e, inst);
    emit_channel_enables(e);
    return emit_thread_member(e, e->i32, offsetof(struct thread, index));
}

LLVMValueRef emit_loops(struct emitter *e, const struct inst *inst, uint32_t first)
{
    LLVMBasicBlockRef other = emit_block(e, "other"), next = emit_block(e, "next");
    LLVMTypeRef bit = llvm.IntTypeInContext(e->context, 1);

    emit_flush(e);
    emit_set_thread_member(e, emit_i32(e, first), offsetof(struct thread, index));
    LLVMValueRef back = goes_straight_back(e, inst);
    LLVMBasicBlockRef here = llvm.GetInsertBlock(e->builder);
    llvm.BuildCondBr(e->builder, back, next, other);
    emit_continue_at(e, other);
    emit_interpret(e, inst);
    LLVMValueRef index = emit_thread_member(e, e->i32, offsetof(struct thread, index));
    LLVMValueRef found = llvm.BuildICmp(e->builder, LLVMIntEQ, index, emit_i32(e, first), "");
    LLVMBasicBlockRef there = llvm.GetInsertBlock(e->builder);
    llvm.BuildBr(e->builder, next);
    emit_continue_at(e, next);
    LLVMValueRef loops = llvm.BuildPhi(e->builder, bit, ""),
                 values[] = {llvm.ConstInt(bit, 1, false), found};
    LLVMBasicBlockRef blocks[] = {here, there};
    llvm.AddIncoming(loops, values, blocks, 2);
    emit_channel_enables(e);
    return loops;
}
