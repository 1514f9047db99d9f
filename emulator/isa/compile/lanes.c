#include "isa/compile/lanes.h"

/* Words, one after the other, or one for all lanes; extended to dwords. */
static LLVMValueRef words(struct emitter *e, const struct fast_source *from, unsigned lanes)
{
    bool one = from->form == FORM_SIGNED_WORD || from->form == FORM_UNSIGNED_WORD;
    bool is_signed = from->form == FORM_SIGNED_WORD || from->form == FORM_SIGNED_WORDS;
    unsigned read = one ? 1 : lanes;
    LLVMValueRef value = emit_read_elements(e, from->offset_or_value, 2, read);
    LLVMTypeRef wide = emit_vector(e->i32, read);

    value = is_signed ? llvm.BuildSExt(e->builder, value, wide, "")
                      : llvm.BuildZExt(e->builder, value, wide, "");
    return !one ? value
                : emit_splat(e, llvm.BuildExtractElement(e->builder, value, emit_i32(e, 0), ""),
                             lanes);
}

/* The low halves of dwords. The last one's upper half is no part of the operand, but is there. */
static LLVMValueRef words_apart(struct emitter *e, const struct fast_source *from, unsigned lanes)
{
    LLVMValueRef value = emit_read(e, from->offset_or_value, lanes);

    if (from->form == FORM_UNSIGNED_WORDS_APART)
        return llvm.BuildAnd(e->builder, value, emit_splat_i32(e, 0xffff, lanes), "");
    LLVMValueRef by = emit_splat_i32(e, 16, lanes);
    return llvm.BuildAShr(e->builder, llvm.BuildShl(e->builder, value, by, ""), by, "");
}

LLVMValueRef emit_source(struct emitter *e, const struct inst *inst, unsigned n)
{
    const struct fast_source *from = &inst->fast[n];

    switch ((enum fast_form)from->form) {
    case FORM_VALUE:
        return emit_splat_i32(e, from->offset_or_value, inst->lanes);
    case FORM_DWORDS:
        return emit_read(e, from->offset_or_value, inst->lanes);
    case FORM_DWORD:
        return emit_splat(e,
                          llvm.BuildExtractElement(e->builder,
                                                   emit_read(e, from->offset_or_value, 1),
                                                   emit_i32(e, 0), ""),
                          inst->lanes);
    case FORM_SIGNED_WORDS_APART:
    case FORM_UNSIGNED_WORDS_APART:
        return words_apart(e, from, inst->lanes);
    default:
        return words(e, from, inst->lanes);
    }
}

LLVMValueRef emit_integer(struct emitter *e, const struct inst *inst, unsigned n)
{
    LLVMValueRef value = emit_source(e, inst, n);

    return inst->fast[n].negate ? llvm.BuildNeg(e->builder, value, "") : value;
}

LLVMValueRef emit_logic(struct emitter *e, const struct inst *inst, unsigned n)
{
    LLVMValueRef value = emit_source(e, inst, n);

    return inst->fast[n].negate ? llvm.BuildNot(e->builder, value, "") : value;
}

static LLVMValueRef float_of(struct emitter *e, const struct inst *inst, unsigned n,
                             LLVMValueRef value)
{
    if (inst->fast[n].absolute)
        value = llvm.BuildAnd(e->builder, value, emit_splat_i32(e, 0x7fffffff, inst->lanes), "");
    if (inst->fast[n].negate)
        value = llvm.BuildXor(e->builder, value, emit_splat_i32(e, 0x80000000, inst->lanes), "");
    return llvm.BuildBitCast(e->builder, value, emit_vector(e->f32, inst->lanes), "");
}

LLVMValueRef emit_float(struct emitter *e, const struct inst *inst, unsigned n)
{
    return float_of(e, inst, n, emit_source(e, inst, n));
}

LLVMValueRef emit_real(struct emitter *e, const struct inst *inst, unsigned n)
{
    const struct fast_source *from = &inst->fast[n];
    LLVMValueRef real =
        from->form == FORM_DWORDS ? emit_read_real(e, from->offset_or_value, inst->lanes) : NULL;

    if (!real)
        return emit_float(e, inst, n);
    LLVMTypeRef dwords = emit_vector(e->i32, inst->lanes);
    return float_of(e, inst, n, llvm.BuildBitCast(e->builder, real, dwords, ""));
}

LLVMValueRef emit_operation(const struct emitter *e, enum opcode opcode, LLVMValueRef x,
                            LLVMValueRef y)
{
    LLVMBuilderRef b = e->builder;

    switch (opcode) {
    case OP_mov:
        return x;
    case OP_not:
        return llvm.BuildNot(b, x, "");
    case OP_add:
        return llvm.BuildAdd(b, x, y, "");
    case OP_mul:
        return llvm.BuildMul(b, x, y, "");
    case OP_and:
        return llvm.BuildAnd(b, x, y, "");
    case OP_or:
        return llvm.BuildOr(b, x, y, "");
    case OP_xor:
        return llvm.BuildXor(b, x, y, "");
    case OP_shl:
        return llvm.BuildShl(b, x, y, "");
    case OP_shr:
        return llvm.BuildLShr(b, x, y, "");
    case OP_asr:
        return llvm.BuildAShr(b, x, y, "");
    default:
        return NULL;
    }
}

bool lanes_have_flags(const struct inst *inst)
{
    bool uses = inst->predicate != PREDICATE_NONE || inst->condition != CONDITION_NONE;

    return !uses || (inst->predicate <= PREDICATE_LANE &&
                     inst->flag * 16u + inst->first_lane + inst->lanes <= FLAG_BITS);
}

/* The bits of `number` from bit `first` on as a vector. */
static LLVMValueRef bits_from(const struct emitter *e, LLVMValueRef number, unsigned first,
                              unsigned lanes)
{
    LLVMTypeRef type = llvm.TypeOf(number), bits = llvm.IntTypeInContext(e->context, lanes);
    LLVMValueRef low = llvm.BuildLShr(e->builder, number, llvm.ConstInt(type, first, false), "");

    if (type != bits)
        low = llvm.BuildTrunc(e->builder, low, bits, "");
    return llvm.BuildBitCast(e->builder, low,
                             emit_vector(llvm.IntTypeInContext(e->context, 1), lanes), "");
}

LLVMValueRef emit_predicate(struct emitter *e, const struct inst *inst)
{
    LLVMValueRef bits =
        bits_from(e, emit_flags(e), inst->flag * 16u + inst->first_lane, inst->lanes);

    return inst->predicate_inverse ? llvm.BuildNot(e->builder, bits, "") : bits;
}

LLVMValueRef emit_active_mask(struct emitter *e, const struct inst *inst)
{
    return inst->no_mask || !e->active ? NULL
                                       : bits_from(e, e->active, inst->first_lane, inst->lanes);
}

LLVMValueRef emit_write_mask(struct emitter *e, const struct inst *inst)
{
    LLVMValueRef active = emit_active_mask(e, inst);

    if (inst->predicate == PREDICATE_NONE)
        return active;
    LLVMValueRef predicate = emit_predicate(e, inst);
    return active ? llvm.BuildAnd(e->builder, active, predicate, "") : predicate;
}

void emit_masked_write(struct emitter *e, uint32_t offset, unsigned lanes, LLVMValueRef value,
                       LLVMValueRef mask)
{
    if (mask)
        value = llvm.BuildSelect(e->builder, mask, value, emit_read(e, offset, lanes), "");
    emit_write(e, offset, lanes, value);
}

void emit_result(struct emitter *e, const struct inst *inst, LLVMValueRef value, LLVMValueRef mask)
{
    emit_masked_write(e, inst->fast_destination, inst->lanes, value, mask);
}

LLVMValueRef emit_bits(const struct emitter *e, LLVMValueRef vector)
{
    unsigned lanes = llvm.GetVectorSize(llvm.TypeOf(vector));

    return llvm.BuildBitCast(e->builder, vector, llvm.IntTypeInContext(e->context, lanes), "");
}

LLVMValueRef emit_is_none(const struct emitter *e, LLVMValueRef vector)
{
    LLVMValueRef bits = emit_bits(e, vector);

    return llvm.BuildICmp(e->builder, LLVMIntEQ, bits, llvm.ConstNull(llvm.TypeOf(bits)), "");
}

void emit_condition(struct emitter *e, const struct inst *inst, LLVMValueRef bits,
                    LLVMValueRef mask)
{
    LLVMValueRef flags = emit_flags(e),
                 wide = llvm.BuildZExt(e->builder, emit_bits(e, bits), e->i64, "");
    LLVMValueRef first = emit_i64(e, inst->flag * 16u + inst->first_lane);
    LLVMValueRef all = emit_i64(e, UINT32_MAX >> (32 - inst->lanes));

    if (mask)
        all = llvm.BuildZExt(e->builder, emit_bits(e, mask), e->i64, "");
    all = llvm.BuildShl(e->builder, all, first, "");
    wide = llvm.BuildAnd(e->builder, llvm.BuildShl(e->builder, wide, first, ""), all, "");
    flags = llvm.BuildAnd(e->builder, flags, llvm.BuildNot(e->builder, all, ""), "");
    emit_set_flags(e, llvm.BuildOr(e->builder, flags, wide, ""));
}
