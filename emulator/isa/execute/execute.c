#include "isa/execute/execute.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa/fast/fast-block.h"
#include "isa/fast/fast-message.h"
#include "isa/fast/fast.h"

int thread_fault(struct thread *thread, const struct inst *inst, const char *format, ...)
{
    char what[160], text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    program_disassemble(thread->program, inst->pc, text, sizeof(text));
    snprintf(thread->fault->text, sizeof(thread->fault->text),
             "%s: kernel at 0x%llx, instruction at +0x%x: %s", what,
             (unsigned long long)thread->program->address, inst->pc, text);
    return -1;
}

/* One bit for each lane of the thread: any (or all) flag bits set in its aligned group of lanes.
 * The group may be wider than the instruction that asks. */
static uint32_t join_groups(uint32_t bits, unsigned group, bool any)
{
    if (group == 0 || group > MAX_LANES)
        group = MAX_LANES;
    uint32_t result = 0, ones = group >= 32 ? UINT32_MAX : (1u << group) - 1;
    for (unsigned lane = 0; lane < MAX_LANES; lane += group) {
        uint32_t part = bits >> lane & ones;
        if (any ? part != 0 : part == ones)
            result |= ones << lane;
    }
    return result;
}

uint32_t thread_joined_predicate(const struct thread *thread, const struct inst *inst)
{
    uint64_t flags = thread_flags(thread);
    uint32_t f0 = (uint32_t)(flags >> inst->first_lane);
    uint32_t f1 = (uint32_t)(flags >> (32 + inst->first_lane));
    uint32_t bits = f0 & f1;
    if (inst->predicate == PREDICATE_ANYV)
        bits = f0 | f1;
    else if (inst->predicate != PREDICATE_ALLV)
        bits = join_groups((uint32_t)(flags >> (inst->flag * 16)), inst->predicate_group,
                           inst->predicate == PREDICATE_ANY) >>
               inst->first_lane;
    return inst->predicate_inverse ? ~bits : bits;
}

static int execute_nothing(struct thread *thread, const struct inst *inst)
{
    (void)thread;
    (void)inst;
    return 0;
}

static int execute_unknown(struct thread *thread, const struct inst *inst)
{
    return thread_fault(thread, inst, "instruction that the model does not know");
}

static bool same_lanes(const struct operand *a, const struct operand *b)
{
    return a->kind == OPERAND_REGISTER && b->kind == OPERAND_REGISTER && a->offset == b->offset &&
           a->type == b->type && a->shape == SHAPE_CONTIGUOUS && b->shape == SHAPE_CONTIGUOUS &&
           !a->negate && !a->absolute;
}

/* Instructions that are there for the clock alone: a mov to null, which waits for its source, and a
 * choice between a register and itself, for that register. */
static bool has_no_effect(const struct inst *inst)
{
    const struct operand *to = &inst->destination;
    if (inst->writes_accumulator || inst->saturate)
        return false;
    if (inst->opcode == OP_mov)
        return to->is_null && inst->condition == CONDITION_NONE &&
               inst->source[0].kind == OPERAND_REGISTER;
    return (inst->opcode == OP_csel || inst->opcode == OP_sel) &&
           !type_is_float((enum type)to->type) && same_lanes(&inst->source[0], to) &&
           same_lanes(&inst->source[1], to);
}

execute_function execute_select(const struct inst *inst)
{
    execute_function (*const files[])(const struct inst *) = {
        flow_select,    move_select,  integer_select, bits_select,
        compare_select, float_select, math_select,    dpas_select,
    };
    if (operand_lies_in(&inst->destination, ARF_IP, ARF_TDR))
        return execute_unknown; /* a jump by writing the instruction pointer */
    if (inst->opcode == OP_nop || inst->opcode == OP_sync || has_no_effect(inst))
        return execute_nothing; /* what they wait for is the clock's matter */
    if (inst->opcode == OP_send || inst->opcode == OP_sendc)
        return execute_send;
    if (inst->condition == CONDITION_OVERFLOW) { /* only integers know theirs */
        execute_function execute = integer_select(inst);
        return execute ? execute : execute_unknown;
    }
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        execute_function execute = files[i](inst);
        if (execute)
            return execute;
    }
    return execute_unknown;
}

/* The fast ways of a host. */
struct fast_ways {
    const struct fast_functions *functions;
    execute_function (*select_message)(const struct inst *inst);
};

static const struct fast_ways *fast_ways(void)
{
    static const struct fast_ways plain = {&fast_plain, fast_message_select_plain},
                                  avx2 = {&fast_avx2, fast_message_select_avx2}, none = {0};
    static const struct fast_ways *ways;
    if (!ways) {
        const char *lanes = getenv("VESIM_LANES");
        if (lanes && strcmp(lanes, "general") == 0)
            ways = &none;
        else if ((lanes && strcmp(lanes, "plain") == 0) || !__builtin_cpu_supports("avx2") ||
                 !__builtin_cpu_supports("fma"))
            ways = &plain;
        else
            ways = &avx2;
    }
    return ways;
}

execute_function execute_select_fast(struct inst *inst)
{
    const struct fast_ways *ways = fast_ways();
    if (!ways->functions)
        return NULL;
    if (inst->opcode != OP_send && inst->opcode != OP_sendc)
        return fast_select(inst, ways->functions);
    execute_function block = fast_block_select(inst);
    return block ? block : ways->select_message(inst);
}
