/* Which function executes an instruction: one of those for all operands, or one of the fast path's.
 */
#include "isa/select/select.h"

#include "isa/execute/execute.h"
#include "isa/fast/fast-block.h"
#include "isa/fast/fast-message.h"
#include "isa/fast/fast.h"
#include "isa/message/send.h"

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

static execute_function select_general(const struct inst *inst)
{
    execute_function (*const files[])(const struct inst *) = {
        move_select,  integer_select, bits_select, compare_select,
        float_select, macro_select,   math_select, dpas_select,
    };

    if (operand_is_instruction_pointer(&inst->destination))
        return execute_unknown; /* a jump by writing the instruction pointer */
    if (inst->opcode == OP_nop || inst->opcode == OP_sync || has_no_effect(inst))
        return execute_nothing; /* what they wait for is the clock's matter */
    if (inst->opcode == OP_send || inst->opcode == OP_sendc)
        return execute_send;
    execute_function flow = flow_select(inst);
    if (flow)
        return flow;
    if (inst_has_unknown_type(inst))
        return execute_unknown;
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

/* What the fast path has for a host. */
struct fast_path {
    const struct fast_functions *functions;
    execute_function (*select_message)(const struct inst *inst);
};

static const struct fast_path plain = {&fast_plain, fast_message_select_plain},
                              avx2 = {&fast_avx2, fast_message_select_avx2};

static execute_function select_fast(struct inst *inst, enum vesim_lanes lanes)
{
    bool wide = lanes == VESIM_LANES_BEST && __builtin_cpu_supports("avx2") &&
                __builtin_cpu_supports("fma");
    const struct fast_path *path = wide ? &avx2 : &plain;

    if (lanes == VESIM_LANES_GENERAL)
        return NULL;
    if (inst->opcode != OP_send && inst->opcode != OP_sendc)
        return fast_select(inst, path->functions);
    execute_function block = fast_block_select(inst);
    return block ? block : path->select_message(inst);
}

void inst_select(struct inst *inst, enum vesim_lanes lanes)
{
    bool reads_pointer = false;

    for (unsigned i = 0; i < inst->source_count; i++)
        reads_pointer |= operand_is_instruction_pointer(&inst->source[i]);
    execute_function fast = select_fast(inst, lanes);
    inst->general = select_general(inst);
    inst->does_nothing = inst->general == execute_nothing && !reads_pointer;
    inst->execute = reads_pointer ? execute_reading_pointer : fast ? fast : inst->general;
}
