#include "isa/compile/arithmetic.h"

#include "isa/compile/half.h"
#include "isa/compile/lanes.h"
#include "isa/compile/narrow.h"
#include "isa/compile/wide.h"
#include "isa/execute/operand.h"
#include "isa/fast/fast.h"

/* An instruction in the making. */
struct making {
    struct emitter *e;
    const struct inst *inst;
    unsigned lanes;
};

typedef LLVMValueRef source_emitter(struct emitter *e, const struct inst *inst, unsigned n);

static LLVMValueRef as_floats(const struct making *m, LLVMValueRef value)
{
    return llvm.BuildBitCast(m->e->builder, value, emit_vector(m->e->f32, m->lanes), "");
}

static LLVMValueRef as_dwords(const struct making *m, LLVMValueRef value)
{
    return llvm.BuildBitCast(m->e->builder, value, emit_vector(m->e->i32, m->lanes), "");
}

static LLVMValueRef dwords(const struct making *m, uint32_t value)
{
    return emit_splat_i32(m->e, value, m->lanes);
}

/* A boolean function of three bits, by its truth table. */
static LLVMValueRef boolean_function(const struct making *m, LLVMValueRef *from)
{
    LLVMBuilderRef b = m->e->builder;
    LLVMValueRef result = dwords(m, 0), complement[3];

    for (unsigned n = 0; n < 3; n++)
        complement[n] = llvm.BuildNot(b, from[n], "");
    for (unsigned row = 0; row < 8; row++) {
        if (!(m->inst->function >> row & 1))
            continue;
        LLVMValueRef term = row & 1 ? from[0] : complement[0];
        term = llvm.BuildAnd(b, term, row & 2 ? from[1] : complement[1], "");
        term = llvm.BuildAnd(b, term, row & 4 ? from[2] : complement[2], "");
        result = llvm.BuildOr(b, result, term, "");
    }
    return result;
}

/* Four products of bytes with a sign, added up. */
static LLVMValueRef byte_products(const struct making *m, LLVMValueRef a, LLVMValueRef b)
{
    LLVMBuilderRef builder = m->e->builder;
    LLVMValueRef sum = dwords(m, 0), down = dwords(m, 24);

    for (unsigned byte = 0; byte < 4; byte++) {
        LLVMValueRef up = dwords(m, 24 - 8 * byte);
        LLVMValueRef x = llvm.BuildAShr(builder, llvm.BuildShl(builder, a, up, ""), down, "");
        LLVMValueRef y = llvm.BuildAShr(builder, llvm.BuildShl(builder, b, up, ""), down, "");

        sum = llvm.BuildAdd(builder, sum, llvm.BuildMul(builder, x, y, ""), "");
    }
    return sum;
}

/* How the opcode takes its sources; NULL if it is not translated. */
static source_emitter *integer_sources(enum opcode opcode)
{
    switch (opcode) {
    case OP_mov:
    case OP_dp4a:
    case OP_rol:
    case OP_ror:
        return emit_source;
    case OP_bfn:
        return emit_logic;
#define LANE_OPERATION(name, sources, kind, result)                                                \
    case OP_##name:                                                                                \
        return emit_##kind;
#define LANE_OPERATION_3(name, kind, result) LANE_OPERATION(name, 3, kind, result)
#include "isa/execute/lane-operations.def"
    default:
        return NULL;
    }
}

static LLVMValueRef integer_result(const struct making *m, LLVMValueRef *from)
{
    LLVMBuilderRef b = m->e->builder;
    LLVMValueRef turned[] = {from[0], from[0], from[1]}; /* a funnel shift of twice the same */

    switch (m->inst->opcode) {
    case OP_add3:
        from[0] = llvm.BuildAdd(b, from[0], from[2], "");
        return llvm.BuildAdd(b, from[0], from[1], "");
    case OP_mad:
        return llvm.BuildAdd(b, from[0], llvm.BuildMul(b, from[1], from[2], ""), "");
    case OP_dp4a:
        return llvm.BuildAdd(b, from[0], byte_products(m, from[1], from[2]), "");
    case OP_bfn:
        return boolean_function(m, from);
    case OP_rol:
        return emit_intrinsic(m->e, "llvm.fshl", llvm.TypeOf(from[0]), turned, 3);
    case OP_ror:
        return emit_intrinsic(m->e, "llvm.fshr", llvm.TypeOf(from[0]), turned, 3);
    case OP_shl:
    case OP_shr:
    case OP_asr:
        from[1] = llvm.BuildAnd(b, from[1], dwords(m, 31), "");
        break;
    default:
        break;
    }
    return emit_operation(m->e, (enum opcode)m->inst->opcode, from[0], from[1]);
}

static LLVMValueRef integer(const struct making *m)
{
    source_emitter *source = integer_sources((enum opcode)m->inst->opcode);
    LLVMValueRef from[3] = {NULL};

    if (!source)
        return NULL;
    for (unsigned n = 0; n < m->inst->source_count; n++)
        from[n] = source(m->e, m->inst, n);
    return integer_result(m, from);
}

/* Which NaN results is not modelled: it is always the same one. */
static LLVMValueRef one_nan(const struct making *m, LLVMValueRef value)
{
    LLVMValueRef is_nan = llvm.BuildFCmp(m->e->builder, LLVMRealUNO, value, value, "");

    return llvm.BuildSelect(m->e->builder, is_nan, dwords(m, FLOAT_NAN), as_dwords(m, value), "");
}

/* A sum, a product or both; NULL for other opcodes. */
static LLVMValueRef real(const struct making *m)
{
    LLVMBuilderRef b = m->e->builder;
    LLVMValueRef from[3] = {NULL};

    if (m->inst->opcode != OP_add && m->inst->opcode != OP_mul && m->inst->opcode != OP_mad)
        return NULL;
    for (unsigned n = 0; n < m->inst->source_count; n++)
        from[n] = emit_real(m->e, m->inst, n);
    LLVMValueRef factors[] = {from[1], from[2], from[0]};
    return m->inst->opcode == OP_add ? llvm.BuildFAdd(b, from[0], from[1], "")
           : m->inst->opcode == OP_mul
               ? llvm.BuildFMul(b, from[0], from[1], "")
               : emit_intrinsic(m->e, "llvm.fma", llvm.TypeOf(from[0]), factors, 3);
}

/* 1 for each lane, which the compiler must not know: it would divide -1 instead where the quotient
 * or the divisor is negated, and leave a NaN's sign as it was. */
static LLVMValueRef opaque_one(const struct making *m)
{
    const struct emitter *e = m->e;

    return emit_splat(
        e, emit_load(e, e->f32, emit_address(e, ADDRESS_ONE), emit_i64(e, 0), sizeof(float), true),
        m->lanes);
}

/* Extended math rounds as the host does. Of values that are known now, the compiler's NaN may be
 * another than the host's. */
static LLVMValueRef math(const struct making *m)
{
    LLVMBuilderRef b = m->e->builder;
    LLVMTypeRef wide = emit_vector(m->e->f64, m->lanes);

    if (m->inst->fast[0].form == FORM_VALUE)
        return NULL;
    LLVMValueRef x = emit_float(m->e, m->inst, 0);
    switch (m->inst->function) {
    case MATH_INV:
        return as_dwords(m, llvm.BuildFDiv(b, opaque_one(m), x, ""));
    case MATH_SQT:
        return as_dwords(m, emit_intrinsic(m->e, "llvm.sqrt", llvm.TypeOf(x), &x, 1));
    case MATH_RSQT:
        x = llvm.BuildFPExt(b, x, wide, "");
        x = emit_intrinsic(m->e, "llvm.sqrt", wide, &x, 1);
        x = llvm.BuildFDiv(b, llvm.BuildFPExt(b, opaque_one(m), wide, ""), x, "");
        return as_dwords(m, llvm.BuildFPTrunc(b, x, emit_vector(m->e->f32, m->lanes), ""));
    default:
        return NULL;
    }
}

static LLVMValueRef compare(const struct making *m, enum fast_compare way, LLVMValueRef a,
                            LLVMValueRef b)
{
    static const LLVMIntPredicate integers[2][CONDITION_LE + 1] = {
        [COMPARE_SIGNED] = {0, LLVMIntEQ, LLVMIntNE, LLVMIntSGT, LLVMIntSGE, LLVMIntSLT,
                            LLVMIntSLE},
        [COMPARE_UNSIGNED] = {0, LLVMIntEQ, LLVMIntNE, LLVMIntUGT, LLVMIntUGE, LLVMIntULT,
                              LLVMIntULE}};
    static const LLVMRealPredicate reals[] = {0,           LLVMRealOEQ, LLVMRealUNE, LLVMRealOGT,
                                              LLVMRealOGE, LLVMRealOLT, LLVMRealOLE};

    return way == COMPARE_FLOAT
               ? llvm.BuildFCmp(m->e->builder, reals[m->inst->condition], a, b, "")
               : llvm.BuildICmp(m->e->builder, integers[way][m->inst->condition], a, b, "");
}

static bool emit_compare(const struct making *m, enum fast_compare way)
{
    source_emitter *source = way == COMPARE_FLOAT ? emit_float : emit_integer;
    LLVMValueRef a = source(m->e, m->inst, 0), b = source(m->e, m->inst, 1);
    LLVMValueRef holds = compare(m, way, a, b), mask = emit_write_mask(m->e, m->inst);

    emit_condition(m->e, m->inst, holds, mask);
    if (!m->inst->destination.is_null)
        emit_result(m->e, m->inst,
                    llvm.BuildSExt(m->e->builder, holds, emit_vector(m->e->i32, m->lanes), ""),
                    mask);
    return true;
}

/* The lesser or the greater of two; of a number and a NaN the number, of two NaNs a quiet one. */
static bool emit_extreme(const struct making *m, enum fast_compare way)
{
    LLVMBuilderRef builder = m->e->builder;
    source_emitter *source = way == COMPARE_FLOAT ? emit_float : emit_integer;
    LLVMValueRef a = source(m->e, m->inst, 0), b = source(m->e, m->inst, 1);
    LLVMValueRef first = compare(m, way, a, b);

    if (way == COMPARE_FLOAT)
        first = llvm.BuildOr(builder, first, llvm.BuildFCmp(builder, LLVMRealUNO, b, b, ""), "");
    LLVMValueRef chosen = llvm.BuildSelect(builder, first, as_dwords(m, a), as_dwords(m, b), "");
    if (way == COMPARE_FLOAT) {
        LLVMValueRef value = as_floats(m, chosen);
        LLVMValueRef is_nan = llvm.BuildFCmp(builder, LLVMRealUNO, value, value, "");
        LLVMValueRef quiet = llvm.BuildOr(builder, chosen, dwords(m, 0x00400000), "");

        chosen = llvm.BuildSelect(builder, is_nan, quiet, chosen, "");
    }
    emit_result(m->e, m->inst, chosen, emit_active_mask(m->e, m->inst));
    return true;
}

static bool emit_selection(const struct making *m)
{
    LLVMValueRef a = emit_source(m->e, m->inst, 0), b = emit_source(m->e, m->inst, 1);
    LLVMValueRef first = emit_predicate(m->e, m->inst);

    emit_result(m->e, m->inst, llvm.BuildSelect(m->e->builder, first, a, b, ""),
                emit_active_mask(m->e, m->inst));
    return true;
}

/* add that leaves a flag: the order of the sum, cut to 32 bits, and zero. */
static bool emit_add_condition(const struct making *m)
{
    LLVMValueRef x = emit_source(m->e, m->inst, 0), y = emit_source(m->e, m->inst, 1);
    LLVMValueRef sum = llvm.BuildAdd(m->e->builder, x, y, ""),
                 mask = emit_write_mask(m->e, m->inst);

    emit_condition(m->e, m->inst, compare(m, COMPARE_SIGNED, sum, dwords(m, 0)), mask);
    emit_result(m->e, m->inst, sum, mask);
    return true;
}

/* Bits that leave a flag, whether they are all zero or not. */
static bool emit_logic_condition(const struct making *m)
{
    LLVMValueRef value = integer(m), mask = emit_write_mask(m->e, m->inst);

    emit_condition(m->e, m->inst, compare(m, COMPARE_SIGNED, value, dwords(m, 0)), mask);
    if (!m->inst->destination.is_null)
        emit_result(m->e, m->inst, value, mask);
    return true;
}

/* Towards zero; what is beyond the range takes its nearest value, and NaN is 0. */
static LLVMValueRef to_signed(const struct making *m)
{
    LLVMBuilderRef b = m->e->builder;
    LLVMValueRef x = emit_float(m->e, m->inst, 0), zero = dwords(m, 0);
    LLVMValueRef above =
        llvm.BuildFCmp(b, LLVMRealOGE, x, as_floats(m, dwords(m, 0x4f000000)), ""); /* 2^31 */
    LLVMValueRef below = llvm.BuildFCmp(b, LLVMRealOLE, x, as_floats(m, dwords(m, 0xcf000000)), "");
    LLVMValueRef beyond = llvm.BuildOr(b, above, below, "");

    beyond = llvm.BuildOr(b, beyond, llvm.BuildFCmp(b, LLVMRealUNO, x, x, ""), "");
    LLVMValueRef within = llvm.BuildSelect(b, beyond, zero, as_dwords(m, x), "");
    LLVMValueRef whole = llvm.BuildFPToSI(b, as_floats(m, within), llvm.TypeOf(zero), "");
    whole = llvm.BuildSelect(b, above, dwords(m, 0x7fffffff), whole, "");
    return llvm.BuildSelect(b, below, dwords(m, 0x80000000), whole, "");
}

static LLVMValueRef to_float(const struct making *m)
{
    LLVMValueRef value = emit_integer(m->e, m->inst, 0);

    return as_dwords(m,
                     llvm.BuildSIToFP(m->e->builder, value, emit_vector(m->e->f32, m->lanes), ""));
}

/* Whether the destination's bytes are registers that are held. */
static bool has_registers(const struct inst *inst)
{
    return inst->destination.is_null || inst->fast_destination + inst->lanes * 4u <= ARF_FLAG;
}

static bool source_has_registers(const struct inst *inst)
{
    for (unsigned n = 0; n < inst->source_count; n++)
        if (inst->fast[n].form != FORM_VALUE &&
            inst->fast[n].offset_or_value + inst->lanes * 4u > ARF_FLAG)
            return false;
    return true;
}

static bool depends_on_mode(struct fast_choice choice, const struct inst *inst)
{
    return (choice.operation == FAST_REAL && inst->opcode != OP_mov) ||
           choice.operation == FAST_TO_FLOAT ||
           ((choice.operation == FAST_COMPARE || choice.operation == FAST_LEAST ||
             choice.operation == FAST_GREATEST) &&
            choice.compare == COMPARE_FLOAT);
}

static bool emit_value(const struct making *m, LLVMValueRef value)
{
    if (value)
        emit_result(m->e, m->inst, value, emit_write_mask(m->e, m->inst));
    return value != NULL;
}

/* The lanes that do not write keep a value whose floats nobody has kept. */
static bool emit_real_value(const struct making *m)
{
    LLVMValueRef value = real(m), mask = emit_write_mask(m->e, m->inst);

    if (!value)
        return false;
    emit_result(m->e, m->inst, one_nan(m, value), mask);
    if (!mask)
        emit_keep_real(m->e, m->inst->fast_destination, m->inst->lanes, value);
    return true;
}

static bool emit_choice(const struct making *m, struct fast_choice choice)
{
    switch (choice.operation) {
    case FAST_INTEGER:
        return emit_value(m, integer(m));
    case FAST_WIDE:
        if (m->inst->opcode == OP_bfn)
            emit_to_accumulator(m->e, m->inst, integer(m));
        else
            emit_wide(m->e, m->inst);
        return true;
    case FAST_HALF:
        return emit_half(m->e, m->inst);
    case FAST_REAL:
        return m->inst->opcode == OP_mov ? emit_value(m, integer(m)) : emit_real_value(m);
    case FAST_MATH:
        return emit_value(m, math(m));
    case FAST_TO_FLOAT:
        return emit_value(m, to_float(m));
    case FAST_TO_SIGNED:
        return emit_value(m, to_signed(m));
    case FAST_COMPARE:
        return emit_compare(m, choice.compare);
    case FAST_LEAST:
    case FAST_GREATEST:
        return emit_extreme(m, choice.compare);
    case FAST_SELECT:
        return emit_selection(m);
    case FAST_ADD_CONDITION:
        return emit_add_condition(m);
    case FAST_LOGIC_CONDITION:
        return emit_logic_condition(m);
    default:
        return false;
    }
}

bool emit_arithmetic(struct emitter *e, const struct inst *inst, struct usual_modes *modes)
{
    struct inst prepared = *inst;
    struct fast_choice choice = fast_choose(&prepared);
    const struct making making = {e, &prepared, inst->lanes};

    if (choice.operation == FAST_NARROW)
        return emit_narrow(e, &prepared);
    if (choice.operation == FAST_NONE || !has_registers(&prepared) ||
        !source_has_registers(&prepared) || !lanes_have_flags(&prepared) ||
        !emit_choice(&making, choice))
        return false;
    modes->single |= depends_on_mode(choice, inst);
    modes->half |= choice.operation == FAST_HALF;
    return true;
}
