#include "isa/compile/flow.h"

#include <stddef.h>

/* The bits of the predicate have to be in flags that are held. */
static bool has_own_predicate(const struct inst *inst)
{
    return inst->predicate == PREDICATE_NONE ||
           (inst->predicate == PREDICATE_LANE &&
            inst->flag * 16u + inst->first_lane + MAX_LANES <= FLAG_BITS);
}

/* Where the instruction goes if it is taken; -1 if that is not known, or not by one jump. */
static int32_t target_of(const struct inst *inst)
{
    switch (inst->opcode) {
    case OP_jmpi:
        return inst->source_count && inst->source[0].kind == OPERAND_REGISTER ? -1
                                                                              : inst->jip_index;
    case OP_while:
        return inst->jip_index;
    case OP_goto:
        return inst->branch_control ? inst->uip_index : -1;
    default:
        return -1;
    }
}

enum flow_use flow_use(const struct inst *inst, uint32_t first)
{
    if (inst->loop)
        return FLOW_LEAVES;
    if (target_of(inst) == (int32_t)first)
        return FLOW_LOOPS;
    switch (inst->opcode) {
    case OP_join:
    case OP_endif:
        return FLOW_PASSES;
    case OP_jmpi:
        return inst->predicate != PREDICATE_NONE && has_own_predicate(inst) ? FLOW_PASSES
                                                                            : FLOW_LEAVES;
    case OP_goto:
        return inst->predicate != PREDICATE_NONE && has_own_predicate(inst) && !inst->branch_control
                   ? FLOW_PASSES
                   : FLOW_LEAVES;
    case OP_if:
        return has_own_predicate(inst) ? FLOW_PASSES : FLOW_LEAVES;
    default:
        return FLOW_LEAVES;
    }
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

LLVMValueRef emit_passes(struct emitter *e, const struct inst *inst)
{
    LLVMValueRef alone = none_waits(e);

    switch (inst->opcode) {
    case OP_jmpi:
        return both(e, alone, llvm.BuildNot(e->builder, jumps(e, inst), ""));
    case OP_goto:
        return both(e, alone, taken_are(e, inst, false));
    case OP_if:
        return both(e, alone, taken_are(e, inst, true));
    default:
        return alone;
    }
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
    LLVMValueRef alone = none_waits(e);
    return both(e, alone, inst->opcode == OP_jmpi ? jumps(e, inst) : taken_are(e, inst, true));
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
