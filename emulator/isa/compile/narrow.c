#include "isa/compile/narrow.h"

#include "isa/compile/lanes.h"
#include "isa/execute/lane-operations.h"
#include "isa/execute/operand.h"
#include "isa/fast/fast-narrow.h"

static LLVMTypeRef integers(const struct emitter *e, unsigned bytes, unsigned lanes)
{
    return emit_vector(llvm.IntTypeInContext(e->context, bytes * 8), lanes);
}

/* The first so many bytes of each. */
static LLVMValueRef shortened(const struct emitter *e, LLVMValueRef value, unsigned from,
                              unsigned to, unsigned lanes)
{
    return to < from ? llvm.BuildTrunc(e->builder, value, integers(e, to, lanes), "") : value;
}

/* Source `n`, extended to dwords. */
static LLVMValueRef source(struct emitter *e, const struct inst *inst, unsigned n)
{
    const struct fast_source *from = &inst->fast[n];
    const struct narrow_form form = narrow_form_of(from->form);
    unsigned lanes = form.is_one ? 1 : inst->lanes;

    if (form.is_value)
        return emit_splat_i32(e, from->offset_or_value, inst->lanes);
    LLVMValueRef value = emit_read_elements(e, from->offset_or_value, form.container, lanes);
    value = shortened(e, value, form.container, form.element, lanes);
    if (form.element < 4)
        value = form.is_signed ? llvm.BuildSExt(e->builder, value, integers(e, 4, lanes), "")
                               : llvm.BuildZExt(e->builder, value, integers(e, 4, lanes), "");
    if (form.is_one)
        value = emit_splat(e, llvm.BuildExtractElement(e->builder, value, emit_i32(e, 0), ""),
                           inst->lanes);
    if (!from->negate)
        return value;
    return operation_is_logic((enum opcode)inst->opcode) ? llvm.BuildNot(e->builder, value, "")
                                                         : llvm.BuildNeg(e->builder, value, "");
}

/* NULL if the opcode is not translated. */
static LLVMValueRef result(struct emitter *e, const struct inst *inst)
{
    LLVMValueRef x = source(e, inst, 0), y = inst->source_count > 1 ? source(e, inst, 1) : NULL;

    if (opcode_is_shift((enum opcode)inst->opcode))
        y = llvm.BuildAnd(e->builder, y, emit_splat_i32(e, 31, inst->lanes), "");
    return emit_operation(e, (enum opcode)inst->opcode, x, y);
}

/* Elements and what else is in their containers, which stays. */
static LLVMValueRef within_containers(struct emitter *e, const struct inst *inst,
                                      LLVMValueRef value, unsigned element, LLVMValueRef old)
{
    unsigned container = inst->fast_container;
    LLVMTypeRef type = integers(e, container, inst->lanes);
    LLVMValueRef kept[MAX_LANES];

    if (element == container)
        return value;
    const uint64_t behind = UINT64_MAX >> (64 - container * 8) & UINT64_MAX << element * 8;
    for (unsigned lane = 0; lane < inst->lanes; lane++)
        kept[lane] = llvm.ConstInt(llvm.IntTypeInContext(e->context, container * 8), behind, false);
    old = llvm.BuildAnd(e->builder, old, llvm.ConstVector(kept, inst->lanes), "");
    return llvm.BuildOr(e->builder, old, llvm.BuildZExt(e->builder, value, type, ""), "");
}

/* All bytes are registers that a block may hold. */
static bool all_may_be_held(const struct inst *inst)
{
    for (unsigned n = 0; n < inst->source_count; n++) {
        const struct narrow_form form = narrow_form_of(inst->fast[n].form);

        if (!form.is_value &&
            inst->fast[n].offset_or_value + inst->lanes * form.container > ARF_FLAG)
            return false;
    }
    return inst->fast_destination + inst->lanes * (unsigned)inst->fast_container <= ARF_FLAG;
}

bool emit_narrow(struct emitter *e, const struct inst *inst)
{
    const unsigned element = type_bytes((enum type)inst->destination.type),
                   container = inst->fast_container;

    if (!all_may_be_held(inst) || !lanes_have_flags(inst))
        return false;
    LLVMValueRef value = result(e, inst), mask = emit_write_mask(e, inst), old = NULL;
    if (!value)
        return false;
    if (mask || element < container)
        old = emit_read_elements(e, inst->fast_destination, container, inst->lanes);
    value = shortened(e, value, 4, element, inst->lanes);
    value = within_containers(e, inst, value, element, old);
    if (mask)
        value = llvm.BuildSelect(e->builder, mask, value, old, "");
    emit_write_elements(e, inst->fast_destination, container, inst->lanes, value);
    return true;
}
