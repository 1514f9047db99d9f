#include "isa/compile/wide.h"

#include "isa/compile/lanes.h"
#include "isa/execute/operand.h"

static LLVMTypeRef wide_lanes(const struct emitter *e, const struct inst *inst)
{
    return emit_vector(e->i64, inst->lanes);
}

static LLVMValueRef narrow(const struct emitter *e, const struct inst *inst, LLVMValueRef value)
{
    return llvm.BuildTrunc(e->builder, value, emit_vector(e->i32, inst->lanes), "");
}

static LLVMValueRef constant(const struct emitter *e, const struct inst *inst, uint32_t value)
{
    return llvm.BuildZExt(e->builder, emit_splat_i32(e, value, inst->lanes), wide_lanes(e, inst),
                          "");
}

/* Sets the accumulator's lanes from `first` on, at full width and where it is read as a register.
 */
static void set_accumulator(struct emitter *e, const struct inst *inst, unsigned first,
                            LLVMValueRef value, LLVMValueRef mask)
{
    uint32_t offset = ARF_ACC + first * 4u;
    LLVMValueRef low = narrow(e, inst, value);

    if (mask) {
        LLVMValueRef old = emit_accumulator(e, first, inst->lanes);

        value = llvm.BuildSelect(e->builder, mask, value, old, "");
        low = llvm.BuildSelect(e->builder, mask, low, emit_read(e, offset, inst->lanes), "");
    }
    emit_set_accumulator(e, first, inst->lanes, value);
    emit_write(e, offset, inst->lanes, low);
}

static LLVMValueRef extended(struct emitter *e, const struct inst *inst, unsigned n)
{
    LLVMValueRef value = emit_source(e, inst, n);

    return type_is_signed((enum type)inst->source[n].type)
               ? llvm.BuildSExt(e->builder, value, wide_lanes(e, inst), "")
               : llvm.BuildZExt(e->builder, value, wide_lanes(e, inst), "");
}

static LLVMValueRef result_for_accumulator(struct emitter *e, const struct inst *inst)
{
    LLVMBuilderRef b = e->builder;
    enum opcode opcode = (enum opcode)inst->opcode;
    LLVMValueRef x = extended(e, inst, 0), y = inst->source_count > 1 ? extended(e, inst, 1) : NULL;

    if (opcode == OP_add3)
        return llvm.BuildAdd(b, llvm.BuildAdd(b, x, y, ""), extended(e, inst, 2), "");
    if (opcode == OP_shr)
        x = llvm.BuildZExt(b, narrow(e, inst, x), wide_lanes(e, inst), "");
    if (opcode_is_shift(opcode))
        y = llvm.BuildAnd(b, y, constant(e, inst, 31), "");
    return emit_operation(e, opcode, x, y);
}

static void fill_accumulator(struct emitter *e, const struct inst *inst)
{
    LLVMValueRef mask = emit_write_mask(e, inst);

    set_accumulator(e, inst, (inst->fast_destination - ARF_ACC) / 4,
                    result_for_accumulator(e, inst), mask);
    if (inst->opcode == OP_mul && !mask && inst->fast_destination == ARF_ACC &&
        inst->fast[1].form == FORM_UNSIGNED_WORDS_APART)
        emit_keep_factors(e, inst->lanes, emit_source(e, inst, 0),
                          emit_read(e, inst->fast[1].offset_or_value, inst->lanes));
}

void emit_to_accumulator(struct emitter *e, const struct inst *inst, LLVMValueRef value)
{
    value = type_is_signed((enum type)inst->destination.type)
                ? llvm.BuildSExt(e->builder, value, wide_lanes(e, inst), "")
                : llvm.BuildZExt(e->builder, value, wide_lanes(e, inst), "");
    set_accumulator(e, inst, (inst->fast_destination - ARF_ACC) / 4, value,
                    emit_write_mask(e, inst));
}

/* The low half of a product whose other part is in the accumulator already. */
static LLVMValueRef low_half(struct emitter *e, const struct inst *inst)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef x = emit_source(e, inst, 0), y = emit_source(e, inst, 1),
                 by = emit_splat_i32(e, 16, inst->lanes);

    if (emit_has_factors(e, inst->lanes, x, y)) /* the other part of the same product */
        return llvm.BuildMul(b, x, y, "");
    LLVMValueRef upper = llvm.BuildMul(b, x, llvm.BuildLShr(b, y, by, ""), "");
    upper = llvm.BuildShl(b, upper, by, "");
    return llvm.BuildAdd(b, narrow(e, inst, emit_accumulator(e, 0, inst->lanes)), upper, "");
}

/* The high half, the same way. The whole product stays in the accumulator if the instruction says
 * so. */
static void high_half(struct emitter *e, const struct inst *inst)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef sixteen = constant(e, inst, 16), mask = emit_write_mask(e, inst);
    LLVMValueRef upper = llvm.BuildAShr(b, extended(e, inst, 1), sixteen, "");

    upper = llvm.BuildShl(b, llvm.BuildMul(b, extended(e, inst, 0), upper, ""), sixteen, "");
    LLVMValueRef whole = llvm.BuildAdd(b, emit_accumulator(e, 0, inst->lanes), upper, "");
    if (inst->writes_accumulator)
        set_accumulator(e, inst, 0, whole, mask);
    emit_result(e, inst, narrow(e, inst, llvm.BuildLShr(b, whole, constant(e, inst, 32), "")),
                mask);
}

/* A sum, or a difference, whose carry or borrow goes to the accumulator. */
static void with_carry(struct emitter *e, const struct inst *inst)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef x = emit_integer(e, inst, 0), y = emit_integer(e, inst, 1), result, carry,
                 mask = emit_write_mask(e, inst);

    if (inst->opcode == OP_addc) {
        result = llvm.BuildAdd(b, x, y, "");
        carry = llvm.BuildICmp(b, LLVMIntULT, result, x, "");
    } else {
        result = llvm.BuildSub(b, x, y, "");
        carry = llvm.BuildICmp(b, LLVMIntULT, x, y, "");
    }
    set_accumulator(e, inst, 0, llvm.BuildZExt(b, carry, wide_lanes(e, inst), ""), mask);
    emit_result(e, inst, result, mask);
}

void emit_wide(struct emitter *e, const struct inst *inst)
{
    switch (inst->opcode) {
    case OP_macl:
        emit_result(e, inst, low_half(e, inst), emit_write_mask(e, inst));
        break;
    case OP_mach:
        high_half(e, inst);
        break;
    case OP_addc:
    case OP_subb:
        with_carry(e, inst);
        break;
    default:
        fill_accumulator(e, inst);
        break;
    }
}
