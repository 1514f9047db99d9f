/* Which instructions take the fast path, and what it needs to know of their operands. */
#include "isa/fast/fast.h"

#include <string.h>

#include "isa/execute/operand.h"
#include "isa/thread/thread.h"

/* How many lanes an operation may read: whole blocks of eight. */
static uint32_t block_lanes(const struct inst *inst)
{
    return (inst->lanes + 7u) / 8 * 8;
}

static enum type source_type(const struct inst *inst, unsigned n)
{
    return (enum type)inst->source[n].type;
}

/* The value of an immediate with the modifiers that the kind of instruction gives it. */
static uint32_t modified_value(const struct inst *inst, unsigned n)
{
    const struct operand *from = &inst->source[n];
    bool is_logic = inst->opcode == OP_and || inst->opcode == OP_or || inst->opcode == OP_xor ||
                    inst->opcode == OP_not || inst->opcode == OP_bfn;
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

/* The fast path does not handle the instruction pointer. */
static bool is_pointer(const struct operand *operand)
{
    return operand_lies_in(operand, ARF_IP, ARF_TDR);
}

/* How the fast path takes a source; -1 if it doesn't. */
static int source_form(const struct inst *inst, unsigned n)
{
    const struct operand *from = &inst->source[n];
    enum type type = source_type(inst, n);

    if (from->kind == OPERAND_IMMEDIATE)
        return from->has_broadcast ? FORM_VALUE : -1;
    if (from->kind != OPERAND_REGISTER || from->is_null || is_pointer(from) ||
        from->offset + block_lanes(inst) * 4 > REGISTER_FILE_BYTES)
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

/* Integers for the accumulator have a width of their own. */
static bool note_destination(struct inst *inst)
{
    const struct operand *to = &inst->destination;
    bool is_product = inst->opcode == OP_mul && to->is_accumulator;

    inst->fast_destination = to->offset;
    if (to->is_null)
        return inst->opcode == OP_cmp;
    return inst->opcode != OP_cmp && to->kind == OPERAND_REGISTER && !is_pointer(to) &&
           type_bytes((enum type)to->type) == 4 &&
           (!to->is_accumulator || to->type == TYPE_F || is_product) &&
           /* a lone lane is a run of one, whatever the stride says */
           (to->shape == SHAPE_CONTIGUOUS || inst->lanes == 1) &&
           to->offset + block_lanes(inst) * 4 <= REGISTER_FILE_BYTES;
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

typedef const execute_function *row;

static row select_compare(const struct inst *inst, const struct fast_functions *f)
{
    enum fast_compare way = comparison(inst);
    bool known = inst->condition >= CONDITION_EQ && inst->condition <= CONDITION_LE;

    return known && way < FAST_COMPARES ? f->compare[way][inst->condition] : NULL;
}

/* sel: by its predicate, or the lesser or greater of the two. */
static row select_selection(const struct inst *inst, const struct fast_functions *f)
{
    enum type to = (enum type)inst->destination.type;
    bool is_float = to == TYPE_F;

    if (is_float != all_sources_are(inst, TYPE_F) || is_float != any_source_is_float(inst))
        return NULL;
    enum fast_compare way = comparison(inst);
    if (inst->condition == CONDITION_NONE)
        return inst->predicate != PREDICATE_NONE && !any_modifier(inst) ? f->select : NULL;
    if (way == FAST_COMPARES)
        return NULL;
    return inst->condition == CONDITION_LT   ? f->least[way]
           : inst->condition == CONDITION_GE ? f->greatest[way]
                                             : NULL;
}

/* mov: between types of one kind the bits stay the same. */
static row select_mov(const struct inst *inst, const struct fast_functions *f)
{
    enum type from = source_type(inst, 0), to = (enum type)inst->destination.type;

    if (type_is_float(from) == type_is_float(to))
        return any_modifier(inst) ? NULL : f->integer[OP_mov];
    if (to == TYPE_F)
        return holds(inst, 0, true) && !any_modifier(inst) ? f->to_float : NULL;
    return from == TYPE_F && to == TYPE_D ? f->to_signed : NULL;
}

static row select_add_condition(const struct inst *inst, const struct fast_functions *f)
{
    return inst->destination.type == TYPE_D && inst->condition <= CONDITION_LE &&
                   !any_source_is_float(inst) && !any_modifier(inst) && holds(inst, 0, true) &&
                   holds(inst, 1, true)
               ? f->add_condition
               : NULL;
}

/* Products in two halves, and sums with a carry. */
static row select_wide(const struct inst *inst, const struct fast_functions *f)
{
    if (any_source_is_float(inst) || any_modifier(inst) || inst->lanes > 16 ||
        type_is_float((enum type)inst->destination.type))
        return NULL;
    return inst->opcode == OP_mul ? f->to_accumulator : f->integer[inst->opcode];
}

static row select_arithmetic(const struct inst *inst, const struct fast_functions *f)
{
    if (inst->destination.type == TYPE_F)
        return all_sources_are(inst, TYPE_F) ? f->real[inst->opcode] : NULL;
    return any_source_is_float(inst) || any_absolute(inst) ||
                   type_is_float((enum type)inst->destination.type)
               ? NULL
               : f->integer[inst->opcode];
}

static row select_math(const struct inst *inst, const struct fast_functions *f)
{
    return inst->destination.type == TYPE_F && all_sources_are(inst, TYPE_F) &&
                   inst->function <= MATH_RSQT
               ? f->math[inst->function]
               : NULL;
}

/* Products of bytes that all have a sign. */
static row select_products(const struct inst *inst, const struct fast_functions *f)
{
    return all_sources_are(inst, TYPE_D) && !any_modifier(inst) &&
                   !type_is_float((enum type)inst->destination.type)
               ? f->integer[OP_dp4a]
               : NULL;
}

static row select_row(const struct inst *inst, const struct fast_functions *f)
{
    bool to_accumulator = inst->opcode == OP_mul && inst->destination.is_accumulator &&
                          inst->destination.type != TYPE_F;

    switch (inst->opcode) {
    case OP_cmp:
        return select_compare(inst, f);
    case OP_sel:
        return select_selection(inst, f);
    case OP_add:
        if (inst->condition != CONDITION_NONE)
            return select_add_condition(inst, f);
        return select_arithmetic(inst, f);
    case OP_mov:
        return inst->condition == CONDITION_NONE ? select_mov(inst, f) : NULL;
    case OP_math:
        return inst->condition == CONDITION_NONE ? select_math(inst, f) : NULL;
    case OP_dp4a:
        return inst->condition == CONDITION_NONE ? select_products(inst, f) : NULL;
    case OP_macl:
    case OP_addc:
    case OP_subb:
        return inst->condition == CONDITION_NONE ? select_wide(inst, f) : NULL;
    default:
        if (inst->condition != CONDITION_NONE)
            return NULL;
        return to_accumulator ? select_wide(inst, f) : select_arithmetic(inst, f);
    }
}

execute_function fast_select(struct inst *inst, const struct fast_functions *functions)
{
    bool carries = inst->opcode == OP_addc || inst->opcode == OP_subb;

    if (inst->saturate || (inst->writes_accumulator && !carries) || !note_destination(inst) ||
        !note_sources(inst))
        return NULL;
    row functions_of_widths = select_row(inst, functions);
    return functions_of_widths ? functions_of_widths[width_index(inst)] : NULL;
}
