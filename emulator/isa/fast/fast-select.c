/* Which instructions take the fast path, and what it needs to know of their operands. */
#include "isa/fast/fast.h"

#include <string.h>

#include "isa/execute/lane-operations.h"
#include "isa/execute/operand.h"
#include "isa/fast/fast-narrow.h"
#include "isa/thread/thread.h"

static enum type source_type(const struct inst *inst, unsigned n)
{
    return (enum type)inst->source[n].type;
}

/* The value of an immediate with the modifiers that the kind of instruction gives it. */
static uint32_t modified_value(const struct inst *inst, unsigned n)
{
    const struct operand *from = &inst->source[n];
    bool is_logic = operation_is_logic((enum opcode)inst->opcode);
    uint32_t value = from->broadcast;

    if (from->type == TYPE_F) {
        value = from->absolute ? value & 0x7fffffff : value;
        return from->negate ? value ^ 0x80000000 : value;
    }
    return !from->negate ? value : is_logic ? ~value : 0 - value;
}

/* Words side by side, or apart; -1 for regions that are neither. */
static int word_form(const struct inst *inst, const struct operand *from)
{
    bool is_signed = from->type == TYPE_W;

    if (from->shape == SHAPE_SCALAR || inst->lanes == 1)
        return is_signed ? FORM_SIGNED_WORD : FORM_UNSIGNED_WORD;
    if (from->shape == SHAPE_CONTIGUOUS)
        return is_signed ? FORM_SIGNED_WORDS : FORM_UNSIGNED_WORDS;
    for (unsigned lane = 0; lane < inst->lanes; lane++)
        if (from->lane_offset[lane] != lane * 4)
            return -1;
    return is_signed ? FORM_SIGNED_WORDS_APART : FORM_UNSIGNED_WORDS_APART;
}

/* Whether a register operand of halves is a run of them, or one for all lanes. */
static bool is_run_of_halves(const struct inst *inst, const struct operand *operand)
{
    bool is_run =
        operand->shape == SHAPE_CONTIGUOUS || operand->shape == SHAPE_SCALAR || inst->lanes == 1;

    return is_run && operand->kind == OPERAND_REGISTER && operand->type == TYPE_HF &&
           !operand->is_null && !operand_is_instruction_pointer(operand) &&
           operand->offset + fast_block_lanes(inst) * 2 <= REGISTER_FILE_BYTES;
}

/* Prepares the operands of an instruction on halves; false if the fast path does not take it. */
static bool note_halves(struct inst *inst)
{
    const struct operand *to = &inst->destination;

    if (!is_run_of_halves(inst, to) || (to->shape == SHAPE_SCALAR && inst->lanes > 1))
        return false;
    inst->fast_destination = to->offset;
    for (unsigned n = 0; n < inst->source_count; n++) {
        const struct operand *from = &inst->source[n];
        bool is_one = from->shape == SHAPE_SCALAR || inst->lanes == 1;

        if (!is_run_of_halves(inst, from))
            return false;
        inst->fast[n] =
            (struct fast_source){.form = is_one ? FORM_UNSIGNED_WORD : FORM_UNSIGNED_WORDS,
                                 .negate = from->negate,
                                 .absolute = from->absolute,
                                 .offset_or_value = from->offset};
    }
    return true;
}

/* How the fast path takes a source; -1 if it doesn't. */
static int source_form(const struct inst *inst, unsigned n)
{
    const struct operand *from = &inst->source[n];
    enum type type = source_type(inst, n);

    if (from->kind == OPERAND_IMMEDIATE)
        return from->has_broadcast ? FORM_VALUE : -1;
    if (from->kind != OPERAND_REGISTER || from->is_null || operand_is_instruction_pointer(from) ||
        from->offset + fast_block_lanes(inst) * 4 > REGISTER_FILE_BYTES)
        return -1;
    if (type == TYPE_W || type == TYPE_UW)
        return word_form(inst, from);
    if (type_bytes(type) != 4)
        return -1;
    if (from->shape == SHAPE_SCALAR || inst->lanes == 1)
        return FORM_DWORD;
    return from->shape == SHAPE_CONTIGUOUS ? FORM_DWORDS : -1;
}

static bool note_sources(struct inst *inst)
{
    for (unsigned n = 0; n < inst->source_count; n++) {
        const struct operand *from = &inst->source[n];
        struct fast_source *fast = &inst->fast[n];
        int form = source_form(inst, n);

        if (form < 0)
            return false;
        *fast = (struct fast_source){.form = (uint8_t)form, .offset_or_value = from->offset};
        if (form == FORM_VALUE) {
            fast->offset_or_value = modified_value(inst, n);
        } else {
            fast->negate = from->negate;
            fast->absolute = from->absolute;
        }
    }
    return inst->source_count > 0;
}

/* What leaves integers in the accumulator, which has a width of its own. */
static bool fills_accumulator(const struct inst *inst)
{
    switch (inst->opcode) {
    case OP_add:
    case OP_add3:
    case OP_and:
    case OP_asr:
    case OP_bfn:
    case OP_mov:
    case OP_mul:
    case OP_not:
    case OP_or:
    case OP_shl:
    case OP_shr:
    case OP_xor:
        return inst->destination.is_accumulator && inst->destination.type != TYPE_F;
    default:
        return false;
    }
}

static bool is_test_of_bits(const struct inst *inst)
{
    return inst->condition != CONDITION_NONE &&
           (inst->opcode == OP_and || inst->opcode == OP_or || inst->opcode == OP_xor);
}

/* Whether the instruction may be there for its flag alone. */
static bool may_write_nothing(const struct inst *inst)
{
    return inst->opcode == OP_cmp ||
           (is_test_of_bits(inst) && type_bytes((enum type)inst->destination.type) == 4);
}

static bool note_destination(struct inst *inst)
{
    const struct operand *to = &inst->destination;

    inst->fast_destination = to->offset;
    inst->fast_container = to->is_null ? 0 : 4;
    if (to->is_null)
        return may_write_nothing(inst);
    return to->kind == OPERAND_REGISTER && !operand_is_instruction_pointer(to) &&
           type_bytes((enum type)to->type) == 4 &&
           (!to->is_accumulator || to->type == TYPE_F || fills_accumulator(inst)) &&
           /* a lone lane is a run of one, whatever the stride says */
           (to->shape == SHAPE_CONTIGUOUS || inst->lanes == 1) &&
           to->offset + fast_block_lanes(inst) * 4 <= REGISTER_FILE_BYTES;
}

static unsigned width_index(const struct inst *inst)
{
    return inst->lanes == 1 ? 0 : inst->lanes <= 8 ? 1 : inst->lanes == 16 ? 2 : 3;
}

static bool all_sources_are(const struct inst *inst, enum type type)
{
    for (unsigned n = 0; n < inst->source_count; n++)
        if (source_type(inst, n) != type)
            return false;
    return true;
}

static bool any_source_is_float(const struct inst *inst)
{
    for (unsigned n = 0; n < inst->source_count; n++)
        if (type_is_float(source_type(inst, n)))
            return true;
    return false;
}

static bool any_modifier(const struct inst *inst)
{
    for (unsigned n = 0; n < inst->source_count; n++)
        if (inst->source[n].negate || inst->source[n].absolute)
            return true;
    return false;
}

static bool any_absolute(const struct inst *inst)
{
    for (unsigned n = 0; n < inst->source_count; n++)
        if (inst->source[n].absolute)
            return true;
    return false;
}

/* Whether 32 bits with, or without, a sign hold every value that the source may have. */
static bool holds(const struct inst *inst, unsigned n, bool is_signed)
{
    const struct operand *from = &inst->source[n];

    if (from->type == TYPE_UW)
        return true;
    if (from->kind == OPERAND_IMMEDIATE && (int32_t)from->broadcast >= 0)
        return true;
    bool has_sign = from->type == TYPE_D || from->type == TYPE_W;
    return is_signed ? has_sign : from->type == TYPE_UD;
}

/* How two sources compare; FAST_COMPARES if not on the fast path. The general path compares
 * integers as 64-bit values: here both must have the same signedness, and a modifier must not
 * exceed 32 bits. */
static enum fast_compare comparison(const struct inst *inst)
{
    if (all_sources_are(inst, TYPE_F))
        return COMPARE_FLOAT;
    if (any_source_is_float(inst) || any_modifier(inst))
        return FAST_COMPARES;
    return holds(inst, 0, true) && holds(inst, 1, true)     ? COMPARE_SIGNED
           : holds(inst, 0, false) && holds(inst, 1, false) ? COMPARE_UNSIGNED
                                                            : FAST_COMPARES;
}

static struct fast_choice only(enum fast_operation operation)
{
    return (struct fast_choice){.operation = operation};
}

/* cmp: its result, if it has one, is that of integers. */
static struct fast_choice choose_compare(const struct inst *inst)
{
    const struct operand *to = &inst->destination;
    enum fast_compare way = comparison(inst);
    bool known = inst->condition >= CONDITION_EQ && inst->condition <= CONDITION_LE;

    known &= to->is_null || (way != COMPARE_FLOAT && to->type != TYPE_F && !to->is_accumulator);
    return known && way < FAST_COMPARES ? (struct fast_choice){FAST_COMPARE, way} : only(FAST_NONE);
}

/* sel: by its predicate, or the lesser or greater of the two. */
static struct fast_choice choose_selection(const struct inst *inst)
{
    enum type to = (enum type)inst->destination.type;
    bool is_float = to == TYPE_F;

    if (is_float != all_sources_are(inst, TYPE_F) || is_float != any_source_is_float(inst))
        return only(FAST_NONE);
    enum fast_compare way = comparison(inst);
    if (inst->condition == CONDITION_NONE)
        return only(inst->predicate != PREDICATE_NONE && !any_modifier(inst) ? FAST_SELECT
                                                                             : FAST_NONE);
    if (way == FAST_COMPARES)
        return only(FAST_NONE);
    return inst->condition == CONDITION_LT   ? (struct fast_choice){FAST_LEAST, way}
           : inst->condition == CONDITION_GE ? (struct fast_choice){FAST_GREATEST, way}
                                             : only(FAST_NONE);
}

/* mov: between types of one kind the bits stay the same. */
static enum fast_operation choose_mov(const struct inst *inst)
{
    enum type from = source_type(inst, 0), to = (enum type)inst->destination.type;

    if (type_is_float(from) == type_is_float(to))
        return any_modifier(inst) ? FAST_NONE : FAST_INTEGER;
    if (to == TYPE_F)
        return holds(inst, 0, true) && !any_modifier(inst) ? FAST_TO_FLOAT : FAST_NONE;
    return from == TYPE_F && to == TYPE_D ? FAST_TO_SIGNED : FAST_NONE;
}

static enum fast_operation choose_add_condition(const struct inst *inst)
{
    return inst->destination.type == TYPE_D && !inst->destination.is_accumulator &&
                   !inst->destination.is_null && inst->condition <= CONDITION_LE &&
                   !any_source_is_float(inst) && !any_modifier(inst) && holds(inst, 0, true) &&
                   holds(inst, 1, true)
               ? FAST_ADD_CONDITION
               : FAST_NONE;
}

/* Bits that leave a flag, as tests of them do. */
static enum fast_operation choose_logic_condition(const struct inst *inst)
{
    return inst->condition <= CONDITION_NE && !inst->destination.is_accumulator &&
                   !type_is_float((enum type)inst->destination.type) &&
                   !any_source_is_float(inst) && !any_absolute(inst)
               ? FAST_LOGIC_CONDITION
               : FAST_NONE;
}

static enum fast_operation choose_wide(const struct inst *inst)
{
    if (any_source_is_float(inst) || any_modifier(inst) || inst->lanes > 16 ||
        type_is_float((enum type)inst->destination.type))
        return FAST_NONE;
    return FAST_WIDE;
}

static enum fast_operation choose_arithmetic(const struct inst *inst)
{
    if (inst->destination.type == TYPE_F)
        return all_sources_are(inst, TYPE_F) ? FAST_REAL : FAST_NONE;
    return any_source_is_float(inst) || any_absolute(inst) ||
                   type_is_float((enum type)inst->destination.type)
               ? FAST_NONE
               : FAST_INTEGER;
}

static enum fast_operation choose_math(const struct inst *inst)
{
    return inst->destination.type == TYPE_F && all_sources_are(inst, TYPE_F) &&
                   inst->function <= MATH_RSQT
               ? FAST_MATH
               : FAST_NONE;
}

/* Products of bytes that all have a sign. */
static enum fast_operation choose_products(const struct inst *inst)
{
    return all_sources_are(inst, TYPE_D) && !any_modifier(inst) &&
                   !type_is_float((enum type)inst->destination.type)
               ? FAST_INTEGER
               : FAST_NONE;
}

/* Of dwords: within the width of the first source. */
static enum fast_operation choose_rotation(const struct inst *inst)
{
    return type_bytes(source_type(inst, 0)) == 4 && !any_source_is_float(inst) &&
                   !any_modifier(inst) && !type_is_float((enum type)inst->destination.type)
               ? FAST_INTEGER
               : FAST_NONE;
}

static enum fast_operation choose_unconditional(const struct inst *inst)
{
    if (fills_accumulator(inst))
        return choose_wide(inst);
    switch (inst->opcode) {
    case OP_mov:
        return choose_mov(inst);
    case OP_math:
        return choose_math(inst);
    case OP_dp4a:
        return choose_products(inst);
    case OP_rol:
    case OP_ror:
        return choose_rotation(inst);
    case OP_mach:
    case OP_macl:
    case OP_addc:
    case OP_subb:
        return choose_wide(inst);
    default:
        return choose_arithmetic(inst);
    }
}

static struct fast_choice choose_dwords(struct inst *inst)
{
    if (!note_destination(inst) || !note_sources(inst))
        return only(FAST_NONE);
    if (inst->opcode == OP_cmp)
        return choose_compare(inst);
    if (inst->opcode == OP_sel)
        return choose_selection(inst);
    if (inst->condition == CONDITION_NONE)
        return only(choose_unconditional(inst));
    if (is_test_of_bits(inst))
        return only(choose_logic_condition(inst));
    return only(inst->opcode == OP_add ? choose_add_condition(inst) : FAST_NONE);
}

struct fast_choice fast_choose(struct inst *inst)
{
    bool keeps_rest = inst->opcode == OP_addc || inst->opcode == OP_subb || inst->opcode == OP_mach;

    if (inst->saturate || (inst->writes_accumulator && !keeps_rest) || inst_has_unknown_type(inst))
        return only(FAST_NONE);
    if (inst->destination.type == TYPE_HF && inst->condition == CONDITION_NONE &&
        (inst->opcode == OP_add || inst->opcode == OP_mul || inst->opcode == OP_mad))
        return only(note_halves(inst) ? FAST_HALF : FAST_NONE);
    struct fast_choice choice = choose_dwords(inst);
    bool is_narrow =
        choice.operation == FAST_NONE && inst->condition == CONDITION_NONE && narrow_prepare(inst);
    return is_narrow ? only(FAST_NARROW) : choice;
}

execute_function fast_select(struct inst *inst, const struct fast_functions *f)
{
    struct fast_choice choice = fast_choose(inst);

    if (choice.operation == FAST_HALF)
        return f->half[inst->opcode];
    if (choice.operation == FAST_NARROW)
        return f->narrow[inst->opcode];
    const execute_function *const rows[] = {
        [FAST_NONE] = NULL,
        [FAST_INTEGER] = f->integer[inst->opcode],
        [FAST_REAL] = f->real[inst->opcode],
        [FAST_MATH] = choice.operation == FAST_MATH ? f->math[inst->function] : NULL,
        [FAST_COMPARE] =
            choice.operation == FAST_COMPARE ? f->compare[choice.compare][inst->condition] : NULL,
        [FAST_LEAST] = f->least[choice.compare],
        [FAST_GREATEST] = f->greatest[choice.compare],
        [FAST_ADD_CONDITION] = f->add_condition,
        [FAST_LOGIC_CONDITION] = f->logic_condition,
        [FAST_SELECT] = f->select,
        [FAST_WIDE] = f->wide[inst->opcode],
        [FAST_TO_FLOAT] = f->to_float,
        [FAST_TO_SIGNED] = f->to_signed,
    };
    const execute_function *functions_of_widths = rows[choice.operation];

    return functions_of_widths ? functions_of_widths[width_index(inst)] : NULL;
}
