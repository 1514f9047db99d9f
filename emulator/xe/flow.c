/* Control flow over lanes that may part. A lane that does not execute waits at an instruction
 * (thread->lane_index); whenever the thread gets there by a flow instruction, it goes on. That is
 * the "PcIP" scheme of the PRM ("SIMD flow control"): a lane is enabled where its own instruction
 * pointer is the thread's. */
#include "xe/execute.h"

bool opcode_is_flow(enum opcode opcode)
{
    switch (opcode) {
    case OP_break:
    case OP_cont:
    case OP_else:
    case OP_endif:
    case OP_goto:
    case OP_halt:
    case OP_if:
    case OP_jmpi:
    case OP_join:
    case OP_while:
        return true;
    default:
        return false;
    }
}

/* Lets the lanes in `lanes` wait at instruction `index`. */
static void park(struct thread *thread, uint32_t lanes, int32_t index)
{
    for (unsigned lane = 0; lane < MAX_LANES; lane++)
        if (lanes >> lane & 1)
            thread->lane_index[lane] = index;
    thread->active &= ~lanes;
}

/* The dispatched lanes that wait at instruction `index`. */
static uint32_t waiting_at(const struct thread *thread, int32_t index)
{
    uint32_t lanes = 0, waiting = thread->dispatched & ~thread->active;
    for (unsigned lane = 0; lane < MAX_LANES; lane++)
        if (waiting >> lane & 1 && thread->lane_index[lane] == index)
            lanes |= 1u << lane;
    return lanes;
}

/* Goes on at instruction `index` with the lanes that are active or wait there. */
static int go_to(struct thread *thread, const struct inst *inst, int32_t index)
{
    if (index < 0 || (uint32_t)index >= thread->program->count)
        return thread_fault(thread, inst, "branch to no instruction");
    thread->active |= waiting_at(thread, index);
    thread->index = (uint32_t)index;
    return 0;
}

/* The lanes of the thread for which the instruction's predicate holds, of those that execute. */
static uint32_t taken_lanes(const struct thread *thread, const struct inst *inst)
{
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

/* join, endif: lanes that wait here go on; with none, to the next such place. */
static int execute_join(struct thread *thread, const struct inst *inst)
{
    thread->active |= waiting_at(thread, inst->next - 1);
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
    uint32_t others = waiting_at(thread, inst->next);
    return go_to(thread, inst, others ? inst->next : inst->jip_index);
}

/* while: lanes whose predicate holds go back to the loop's start; the rest wait behind it, as do
 * those that broke out; lanes that continue wait at the while itself. */
static int execute_while(struct thread *thread, const struct inst *inst)
{
    thread->active |= waiting_at(thread, inst->next - 1);
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

static int execute_halt(struct thread *thread, const struct inst *inst)
{
    uint32_t taken = taken_lanes(thread, inst);
    park(thread, taken, inst->uip_index);
    return go_to(thread, inst, thread->active ? inst->next : inst->jip_index);
}

/* jmpi: the whole thread, by the first lane's predicate. */
static int execute_jmpi(struct thread *thread, const struct inst *inst)
{
    bool taken = thread_predicate(thread, inst) & 1;
    return go_to(thread, inst, taken ? inst->jip_index : inst->next);
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
    case OP_halt:
        return execute_halt;
    case OP_jmpi:
        return execute_jmpi;
    default:
        return NULL;
    }
}
