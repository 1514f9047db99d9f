/* Branches: where a block goes on behind them, and where it is left. */
#include <stddef.h>

#include "isa/compile/building.h"
#include "isa/compile/flow.h"

/* Of a branch's outcomes, that with which the block goes on; NOWHERE: neither. It goes on in the
 * order of the program; but behind a barrier, where threads begin together again and again, it goes
 * back once, so that one block leads from a barrier to the next. */
static int32_t followed_outcome(const struct building *b, const struct outcomes *outcomes)
{
    const struct stretch *stretch = b->stretch;
    int32_t all = outcomes->all, first = (int32_t)stretch->first, here = (int32_t)b->index;
    bool behind_barrier = first > 0 && inst_is_wait(&stretch->program->insts[first - 1]);

    if (all >= 0 && all < first && behind_barrier && !b->has_gone_back)
        return all;
    if (all == here + 1 || outcomes->none == here + 1)
        return here + 1;
    return all > here ? all : outcomes->none > here ? outcomes->none : NOWHERE;
}

/* Goes on behind a branch with its outcome, or leaves the block with the other. */
static void take_outcome(struct building *b, int32_t index, bool leaves)
{
    emit_channel_enables(&b->emitter);
    b->count++;
    if (leaves)
        building_leave_to(b, (uint32_t)index, true);
}

/* Leaves with an outcome if there is one, where the condition holds. */
static void leave_with_other(struct building *b, int32_t other, bool by_all,
                             LLVMBasicBlockRef otherwise)
{
    struct emitter *e = &b->emitter;
    struct building copy = *b;

    if (other == NOWHERE) {
        llvm.BuildBr(e->builder, otherwise);
        return;
    }
    LLVMBasicBlockRef taken = emit_block(e, "other");
    llvm.BuildCondBr(e->builder, emit_is_taken(e, building_current(b), by_all), taken, otherwise);
    emit_continue_at(e, taken);
    take_outcome(&copy, other, true);
}

/* No turn ends up to the block's last point. */
static LLVMValueRef is_in_turn(const struct building *b)
{
    return llvm.BuildICmp(b->emitter.builder, LLVMIntULT, b->executed, b->limit, "");
}

/* Executes the current branch by its function, as some lanes wait or part there, and leaves where
 * that leads. A block for any lanes goes on if that is `index`. */
static void add_parting(struct building *b, int32_t index, LLVMValueRef in_turn,
                        LLVMBasicBlockRef next)
{
    struct emitter *e = &b->emitter;
    LLVMValueRef found = emit_branch(e, building_current(b));
    struct building copy = *b;

    if (!b->stretch->all_active) {
        LLVMBasicBlockRef elsewhere = emit_block(e, "elsewhere");
        LLVMValueRef goes_on =
            llvm.BuildICmp(e->builder, LLVMIntEQ, found, emit_i32(e, (uint32_t)index), "");

        goes_on = llvm.BuildAnd(e->builder, goes_on, in_turn, "");
        llvm.BuildCondBr(e->builder, goes_on, next, elsewhere);
        emit_continue_at(e, elsewhere);
    }
    copy.count++;
    building_leave_with(&copy, llvm.BuildShl(e->builder, found, emit_i32(e, 1), ""));
}

/* Other lanes may be active from here on, where paths come together. */
static void begin_path(struct building *b)
{
    struct emitter *e = &b->emitter;

    emit_forget(e);
    e->active = emit_thread_member(e, e->i32, offsetof(struct thread, active));
}

/* A branch with an outcome that the block follows, `index`. */
static void add_branch(struct building *b, const struct outcomes *outcomes, int32_t index)
{
    struct emitter *e = &b->emitter;
    LLVMBasicBlockRef together = emit_block(e, "together"), straight = emit_block(e, "straight"),
                      rest = emit_block(e, "rest"), apart = emit_block(e, "apart"),
                      next = emit_block(e, "");
    bool by_all = index == outcomes->all;
    struct held_registers before = e->held;
    LLVMValueRef in_turn = is_in_turn(b);

    llvm.BuildCondBr(e->builder, llvm.BuildAnd(e->builder, emit_together(e), in_turn, ""), together,
                     apart);
    emit_continue_at(e, together);
    llvm.BuildCondBr(e->builder, emit_is_taken(e, building_current(b), by_all), straight, rest);
    struct held_registers held = e->held; /* with the flags, perhaps */
    emit_continue_at(e, rest);
    leave_with_other(b, by_all ? outcomes->none : outcomes->all, !by_all, apart);
    e->held = before;
    emit_continue_at(e, apart);
    add_parting(b, index, in_turn, next);
    e->held = held;
    emit_continue_at(e, straight);
    if (!b->stretch->all_active)
        emit_flush(e);
    llvm.BuildBr(e->builder, next);
    emit_continue_at(e, next);
    if (!b->stretch->all_active)
        begin_path(b);
    building_add_lanes(b);
    take_outcome(b, index, false);
    b->has_branched = true;
    b->has_gone_back |= index < (int32_t)b->stretch->first;
    b->index = (uint32_t)index;
    building_note_point(b);
}

/* Ends the block with a branch to its beginning. */
static void close_loop(struct building *b)
{
    struct emitter *e = &b->emitter;
    const struct inst *inst = building_current(b);
    LLVMBasicBlockRef again = emit_block(e, "again"), exit = emit_block(e, "exit");
    LLVMValueRef loops = emit_loops(e, inst, b->stretch->first);

    b->count++;
    LLVMValueRef executed = building_executed(b);
    LLVMValueRef reach = llvm.BuildAdd(e->builder, executed, emit_i64(e, b->block->reach), "");
    LLVMValueRef in_turn =
        llvm.BuildICmp(e->builder, LLVMIntULT, reach, llvm.GetParam(e->function, 2), "");
    loops = llvm.BuildAnd(e->builder, loops, in_turn, "");
    if (b->stretch->all_active) {
        LLVMValueRef lanes = emit_i32(e, b->block->lanes);
        LLVMValueRef active = emit_thread_member(e, e->i32, offsetof(struct thread, active));

        active = llvm.BuildAnd(e->builder, active, lanes, "");
        loops = llvm.BuildAnd(e->builder, loops,
                              llvm.BuildICmp(e->builder, LLVMIntEQ, active, lanes, ""), "");
    }
    llvm.BuildCondBr(e->builder, loops, again, exit);
    emit_continue_at(e, again);
    llvm.BuildBr(e->builder, b->body);
    llvm.AddIncoming(b->executed, &executed, &again, 1);
    llvm.AddIncoming(b->limit, &b->limit, &again, 1);
    emit_continue_at(e, exit);
    LLVMValueRef index = emit_thread_member(e, e->i32, offsetof(struct thread, index));
    building_leave_with(b, llvm.BuildShl(e->builder, index, emit_i32(e, 1), ""));
}

bool building_add_flow(struct building *b)
{
    const struct outcomes outcomes = flow_outcomes(b->stretch->program, building_current(b));
    int32_t first = (int32_t)b->stretch->first, followed = followed_outcome(b, &outcomes);

    if (flow_target(building_current(b)) == first) {
        close_loop(b);
        return false;
    }
    if (followed == NOWHERE) {
        building_leave(b);
        return false;
    }
    add_branch(b, &outcomes, followed);
    return true;
}
