/* Control flow over lanes that may part. A lane that does not execute waits at an instruction
 * (thread->waiting); whenever the thread gets there by a flow instruction, it goes on. That is the
 * "PcIP" scheme of the PRM ("SIMD flow control"): a lane is enabled where its own instruction
 * pointer is the thread's. */
#include "isa/execute/execute.h"

#include "isa/decode/program-calls.h"

/* The lanes that wait at instruction `index`: their entry, or NULL. Few instructions at a time have
 * any.
 */
static struct waiting *find_waiting(struct thread *thread, int32_t index)
{
    for (uint32_t i = 0; i < thread->waiting_count; i++)
        if (thread->waiting[i].index == index)
            return &thread->waiting[i];
    return NULL;
}

/* Makes the executing lanes wait at instruction `index`. */
static void park(struct thread *thread, uint32_t lanes, int32_t index)
{
    if (!lanes)
        return;
    struct waiting *known = find_waiting(thread, index);
    if (!known) {
        known = &thread->waiting[thread->waiting_count++];
        *known = (struct waiting){.index = index};
    }
    known->lanes |= lanes;
    thread->active &= ~lanes;
}

/* Releases the lanes that wait at instruction `index`. */
static void unpark(struct thread *thread, int32_t index)
{
    struct waiting *known = find_waiting(thread, index);

    if (!known)
        return;
    thread->active |= known->lanes;
    *known = thread->waiting[--thread->waiting_count];
}

/* Continues at instruction `index` with the lanes that are active or wait there. */
static int go_to(struct thread *thread, const struct inst *inst, int32_t index)
{
    if (index < 0 || (uint32_t)index >= program_end(thread->program))
        return thread_fault(thread, inst, "branch to no instruction");
    unpark(thread, index);
    thread->index = (uint32_t)index;
    return 0;
}

/* Whether a loop with a forced count iterates once more. */
static bool goes_round(struct thread *thread, const struct inst *inst)
{
    uint32_t *rounds = &thread->rounds[inst->loop - 1];

    if (++*rounds < inst->trips)
        return true;
    *rounds = 0;
    return false;
}

/* The executing lanes for which the instruction's predicate holds. */
static uint32_t taken_lanes(struct thread *thread, const struct inst *inst)
{
    if (inst->loop)
        return goes_round(thread, inst) ? thread->active : 0;
    uint32_t predicate = thread_predicate(thread, inst) << inst->first_lane;
    return thread->active & predicate;
}

static int execute_goto(struct thread *thread, const struct inst *inst)
{
    uint32_t taken = taken_lanes(thread, inst);

    if (inst->branch_control) { /* backward: the lanes that jump run first */
        uint32_t stay = thread->active & ~taken;

        park(thread, stay, inst->next);
        return go_to(thread, inst, taken ? inst->uip_index : inst->jip_index);
    }
    park(thread, taken, inst->uip_index);
    return go_to(thread, inst, thread->active ? inst->next : inst->jip_index);
}

/* join, endif: lanes that wait here continue; if there are none, goes to the next such instruction.
 * */
static int execute_join(struct thread *thread, const struct inst *inst)
{
    unpark(thread, inst->next - 1);
    return go_to(thread, inst, thread->active ? inst->next : inst->jip_index);
}

static int execute_if(struct thread *thread, const struct inst *inst)
{
    uint32_t taken = taken_lanes(thread, inst);

    park(thread, thread->active & ~taken, inst->jip_index);
    return go_to(thread, inst, taken ? inst->next : inst->jip_index);
}

static int execute_else(struct thread *thread, const struct inst *inst)
{
    park(thread, thread->active, inst->uip_index >= 0 ? inst->uip_index : inst->jip_index);
    bool others = find_waiting(thread, inst->next) != NULL;
    return go_to(thread, inst, others ? inst->next : inst->jip_index);
}

/* while: lanes whose predicate holds go back to the loop's start; the rest wait behind it, as do
 * those that broke out; lanes that continue wait at the while itself. */
static int execute_while(struct thread *thread, const struct inst *inst)
{
    unpark(thread, inst->next - 1);
    uint32_t taken = taken_lanes(thread, inst);
    park(thread, thread->active & ~taken, inst->next);
    return go_to(thread, inst, taken ? inst->jip_index : inst->next);
}

static int execute_leave_iteration(struct thread *thread, const struct inst *inst)
{
    uint32_t taken = taken_lanes(thread, inst);
    int32_t loop_end = inst->uip_index;

    if (loop_end < 0)
        return thread_fault(thread, inst, "the loop has no end");
    /* UIP names the while: break waits behind it, cont at it */
    park(thread, taken, inst->opcode == OP_break ? loop_end + 1 : loop_end);
    return go_to(thread, inst, thread->active ? inst->next : inst->jip_index);
}

/* brc and halt: lanes that leave wait at UIP, which may be another of them; when all have, the
 * thread goes to JIP. */
static int execute_leave(struct thread *thread, const struct inst *inst)
{
    unpark(thread, inst->next - 1);
    uint32_t taken = taken_lanes(thread, inst);
    park(thread, taken, inst->uip_index);
    return go_to(thread, inst, thread->active ? inst->next : inst->jip_index);
}

/* The value of the instruction pointer at `pc` of the thread's program, which counts from the
 * instruction base. */
static uint32_t pointer_at(const struct thread *thread, uint32_t pc)
{
    return (uint32_t)(thread->program->address + pc - thread->walker->instruction_base);
}

/* The index of the instruction at an instruction pointer, -1 if it is none of the program. */
static int32_t pointed_to(const struct thread *thread, uint32_t pointer)
{
    uint32_t pc = pointer - pointer_at(thread, 0);
    int32_t index = program_index(thread->program, pc);

    return index >= 0 ? index : program_calls_index(thread->program->calls, pc);
}

/* The instruction at a distance, in bytes, from this one: an immediate or in a register. */
static int32_t branch_index(const struct thread *thread, const struct inst *inst)
{
    if (inst->source_count == 0 || inst->source[0].kind != OPERAND_REGISTER)
        return inst->jip_index;
    uint32_t distance = thread_read32(thread, inst->source[0].offset);
    return pointed_to(thread, pointer_at(thread, inst->pc) + distance);
}

/* jmpi: the whole thread, by the first lane's predicate. */
static int execute_jmpi(struct thread *thread, const struct inst *inst)
{
    bool taken = inst->loop ? goes_round(thread, inst) : (thread_predicate(thread, inst) & 1) != 0;

    return go_to(thread, inst, taken ? branch_index(thread, inst) : inst->next);
}

/* brd: the lanes that branch continue at the target; the others wait behind it. */
static int execute_branch_diverging(struct thread *thread, const struct inst *inst)
{
    uint32_t taken = taken_lanes(thread, inst);

    if (!taken)
        return go_to(thread, inst, inst->next);
    park(thread, thread->active & ~taken, inst->next);
    return go_to(thread, inst, branch_index(thread, inst));
}

int execute_reading_pointer(struct thread *thread, const struct inst *inst)
{
    thread_write32(thread, ARF_IP, pointer_at(thread, inst->pc));
    return inst->general(thread, inst);
}

/* The instruction pointer that a call goes to. */
static uint32_t called_pointer(const struct thread *thread, const struct inst *inst)
{
    bool in_register = inst->source_count && inst->source[0].kind == OPERAND_REGISTER;
    uint32_t value = in_register ? thread_read32(thread, inst->source[0].offset) : 0;

    if (inst->opcode == OP_calla)
        return in_register ? value : (uint32_t)inst->jip;
    return in_register ? pointer_at(thread, inst->pc) + value
                       : pointer_at(thread, (uint32_t)inst->jip);
}

/* The GPU address that a call goes to. Xe3P has no base for instructions: a register that names a
 * function has all bits of its address (intel-graphics-compiler, calla of a kernel with 64-bit
 * addressing). */
static uint64_t called_address(const struct thread *thread, const struct inst *inst,
                               uint32_t pointer)
{
    if (inst->opcode == OP_calla && inst->source_count &&
        inst->source[0].kind == OPERAND_REGISTER &&
        thread->program->device->architecture >= VESIM_XE3P)
        return address_cut(thread->space,
                           pointer | (uint64_t)thread_read32(thread, inst->source[0].offset + 4)
                                         << 32);
    return thread->walker->instruction_base + pointer;
}

/* The function's first instruction, of this module or another; -1 with the thread's fault set. */
static int32_t called_index(struct thread *thread, const struct inst *inst)
{
    uint32_t pointer = called_pointer(thread, inst);
    uint64_t address = called_address(thread, inst, pointer);
    int32_t index = pointed_to(thread, pointer);
    char why[80];

    if (index < 0)
        index = program_calls_find(thread->program, thread->space, address, why, sizeof(why));
    return index < 0 ? thread_fault(thread, inst, "call of code outside the kernel, at 0x%llx: %s",
                                    (unsigned long long)address, why)
                     : index;
}

/* call leaves where to go on and the active lanes in its destination, and goes to an immediate
 * target or to one in a register, relative to itself; calla's is absolute. Lanes that do not take
 * it wait behind it. */
static int execute_call(struct thread *thread, const struct inst *inst)
{
    const struct operand *to = &inst->destination;
    uint32_t taken = taken_lanes(thread, inst), callers = thread->active;

    if (to->kind != OPERAND_REGISTER || to->offset + 8 > thread_grf_end(thread))
        return thread_fault(thread, inst, "call without a register to return by");
    if (inst->no_mask && inst->predicate == PREDICATE_NONE)
        taken = callers;
    if (!taken)
        return 0;
    int32_t target = called_index(thread, inst);
    if (target < 0)
        return -1;
    thread_write32(thread, to->offset, pointer_at(thread, inst->pc + inst->bytes));
    thread_write32(thread, to->offset + 4, callers);
    park(thread, callers & ~taken, inst->next);
    return go_to(thread, inst, target);
}

/* ret: its lanes wait behind the call, and continue when all have arrived. */
static int execute_ret(struct thread *thread, const struct inst *inst)
{
    const struct operand *from = &inst->source[0];
    uint32_t taken = taken_lanes(thread, inst);

    if (from->kind != OPERAND_REGISTER || from->offset + 8 > thread_grf_end(thread))
        return thread_fault(thread, inst, "return without a register to return by");
    int32_t target = pointed_to(thread, thread_read32(thread, from->offset));
    uint32_t callers = thread_read32(thread, from->offset + 4);
    if (target < 0)
        return thread_fault(thread, inst, "return to code outside the kernel");
    park(thread, taken, target);
    if (thread->active)
        return go_to(thread, inst, inst->next);
    unpark(thread, target);
    park(thread, thread->active & ~callers, target); /* those of another call */
    thread->index = (uint32_t)target;
    return 0;
}

execute_function flow_select(const struct inst *inst)
{
    switch (inst->opcode) {
    case OP_goto:
        return execute_goto;
    case OP_join:
    case OP_endif:
        return execute_join;
    case OP_if:
        return execute_if;
    case OP_else:
        return execute_else;
    case OP_while:
        return execute_while;
    case OP_break:
    case OP_cont:
        return execute_leave_iteration;
    case OP_brc: /* of distances in registers, the decoder tells one */
        return inst->source[0].kind == OPERAND_REGISTER ? NULL : execute_leave;
    case OP_halt:
        return execute_leave;
    case OP_brd:
        return execute_branch_diverging;
    case OP_jmpi:
        return execute_jmpi;
    case OP_call:
    case OP_calla:
        return execute_call;
    case OP_ret:
        return execute_ret;
    default:
        return NULL;
    }
}
