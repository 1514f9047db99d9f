/* As on the fast path (isa/fast/fast-half.c), lanes are computed as floats, and a product with a
 * sum is rounded to odd before it is rounded to a half. */
#include "isa/compile/half.h"

#include "isa/compile/lanes.h"

enum { HALF_NAN = 0x7e00, CONVERTED_LANES = 8 /* at a time, from floats */ };

static LLVMValueRef half_words(const struct emitter *e, uint16_t value, unsigned lanes)
{
    return emit_splat(e, llvm.ConstInt(e->i16, value, false), lanes);
}

/* The halves from byte `offset` of the register file on; NULL where they do not fill dwords. */
static LLVMValueRef read_halves(struct emitter *e, uint32_t offset, unsigned lanes)
{
    if (offset % 4)
        return NULL;
    return llvm.BuildBitCast(e->builder, emit_read(e, offset, lanes / 2),
                             emit_vector(e->i16, lanes), "");
}

static LLVMValueRef one_half(struct emitter *e, uint32_t offset, unsigned lanes)
{
    LLVMValueRef one = llvm.BuildExtractElement(e->builder, emit_read_elements(e, offset, 2, 1),
                                                emit_i32(e, 0), "");

    return emit_splat(e, one, lanes);
}

/* Source `n`, with its modifiers, as floats. */
static LLVMValueRef widened(struct emitter *e, const struct inst *inst, unsigned n)
{
    const struct fast_source *from = &inst->fast[n];
    LLVMTypeRef half = emit_vector(llvm.HalfTypeInContext(e->context), inst->lanes);
    LLVMValueRef value = from->form == FORM_UNSIGNED_WORDS
                             ? read_halves(e, from->offset_or_value, inst->lanes)
                             : one_half(e, from->offset_or_value, inst->lanes);

    if (!value)
        return NULL;
    if (from->absolute)
        value = llvm.BuildAnd(e->builder, value, half_words(e, 0x7fff, inst->lanes), "");
    if (from->negate)
        value = llvm.BuildXor(e->builder, value, half_words(e, 0x8000, inst->lanes), "");
    return llvm.BuildFPExt(e->builder, llvm.BuildBitCast(e->builder, value, half, ""),
                           emit_vector(e->f32, inst->lanes), "");
}

/* A sum rounded to odd: what its error, which is exact, adds to or takes from an even last bit. */
static LLVMValueRef sum_to_odd(const struct emitter *e, LLVMValueRef x, LLVMValueRef y,
                               unsigned lanes)
{
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef dwords = emit_vector(e->i32, lanes), floats = llvm.TypeOf(x);
    LLVMValueRef zero = llvm.ConstNull(dwords), one = emit_splat_i32(e, 1, lanes);
    LLVMValueRef sum = llvm.BuildFAdd(b, x, y, ""), of_y = llvm.BuildFSub(b, sum, x, "");
    LLVMValueRef of_x = llvm.BuildFSub(b, sum, of_y, "");
    LLVMValueRef error =
        llvm.BuildFAdd(b, llvm.BuildFSub(b, x, of_x, ""), llvm.BuildFSub(b, y, of_y, ""), "");
    LLVMValueRef is_inexact =
        llvm.BuildFCmp(b, LLVMRealONE, error, llvm.ConstNull(floats), ""); /* not NaN */
    LLVMValueRef bits = llvm.BuildBitCast(b, sum, dwords, "");
    LLVMValueRef signs = llvm.BuildXor(b, bits, llvm.BuildBitCast(b, error, dwords, ""), "");
    LLVMValueRef is_inward = llvm.BuildICmp(b, LLVMIntSLT, signs, zero, "");
    LLVMValueRef step =
        llvm.BuildSelect(b, is_inward, emit_splat_i32(e, UINT32_MAX, lanes), one, "");
    LLVMValueRef is_even = llvm.BuildICmp(b, LLVMIntEQ, llvm.BuildAnd(b, bits, one, ""), zero, "");
    LLVMValueRef steps = llvm.BuildAnd(b, is_inexact, is_even, "");

    bits = llvm.BuildAdd(b, bits, llvm.BuildSelect(b, steps, step, zero, ""), "");
    return llvm.BuildBitCast(b, bits, floats, "");
}

/* Rounded to nearest even, `lanes` of them from lane `first` on. */
static LLVMValueRef convert(const struct emitter *e, LLVMValueRef floats, unsigned first,
                            unsigned lanes)
{
    if (lanes > CONVERTED_LANES) {
        LLVMValueRef low = convert(e, floats, first, lanes / 2);

        return emit_part(e, low, convert(e, floats, first + lanes / 2, lanes / 2), 0, lanes);
    }
    LLVMValueRef none = llvm.GetUndef(llvm.TypeOf(floats));
    LLVMValueRef arguments[] = {emit_part(e, floats, none, first, lanes), emit_i32(e, 0)};
    return emit_intrinsic(e, "llvm.x86.vcvtps2ph.256", NULL, arguments, 2);
}

/* The same; every NaN is the same. */
static LLVMValueRef narrowed(const struct emitter *e, LLVMValueRef floats, unsigned lanes)
{
    LLVMValueRef is_nan = llvm.BuildFCmp(e->builder, LLVMRealUNO, floats, floats, "");

    return llvm.BuildSelect(e->builder, is_nan, half_words(e, HALF_NAN, lanes),
                            convert(e, floats, 0, lanes), "");
}

static LLVMValueRef result_of(const struct emitter *e, const struct inst *inst, LLVMValueRef *from)
{
    switch (inst->opcode) {
    case OP_add:
        return llvm.BuildFAdd(e->builder, from[0], from[1], "");
    case OP_mul:
        return llvm.BuildFMul(e->builder, from[0], from[1], "");
    default:
        return sum_to_odd(e, llvm.BuildFMul(e->builder, from[1], from[2], ""), from[0],
                          inst->lanes);
    }
}

bool emit_half(struct emitter *e, const struct inst *inst)
{
    const unsigned lanes = inst->lanes;
    LLVMValueRef from[3] = {NULL};

    if (!strstr(llvm.features, "+f16c") || lanes % CONVERTED_LANES || inst->fast_destination % 4)
        return false;
    for (unsigned n = 0; n < inst->source_count; n++)
        if (!(from[n] = widened(e, inst, n)))
            return false;
    LLVMValueRef value = narrowed(e, result_of(e, inst, from), lanes);
    LLVMValueRef mask = emit_write_mask(e, inst);
    if (mask)
        value = llvm.BuildSelect(e->builder, mask, value,
                                 read_halves(e, inst->fast_destination, lanes), "");
    emit_write(e, inst->fast_destination, lanes / 2,
               llvm.BuildBitCast(e->builder, value, emit_vector(e->i32, lanes / 2), ""));
    return true;
}
