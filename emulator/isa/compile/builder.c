#include "isa/compile/builder.h"

#include <stddef.h>
#include <stdlib.h>

#include "isa/compile/arithmetic.h"
#include "isa/compile/flow.h"
#include "isa/compile/messages.h"
#include "isa/compile/object.h"

/* More do not make a block faster, only later. */
enum { INSTRUCTIONS_MAX = 192 };

/* A block in the making. */
struct building {
    const struct stretch *stretch;
    struct emitter emitter;
    LLVMBasicBlockRef entry, body;
    LLVMValueRef executed; /* i64, at the beginning of the body */
    LLVMValueRef limit;    /* i64: only below that it goes on over branches */
    uint32_t index;        /* of the instruction to translate next */
    uint32_t count;        /* instructions translated */
    uint32_t last_point;   /* count at the last point at which a turn may end; 0: none */
    bool has_branched;     /* it goes on behind a branch, */
    bool has_gone_back;    /* and behind one to before its beginning */
    bool is_cut;           /* all threads go on behind its last instruction */
    struct block *block;
};

static const struct inst *current(const struct building *b)
{
    return &b->stretch->program->insts[b->index];
}

/* Instructions executed since the beginning of the turn. */
static LLVMValueRef count_executed(const struct building *b)
{
    const struct emitter *e = &b->emitter;

    return llvm.BuildAdd(e->builder, b->executed, emit_i64(e, b->count), "");
}

static void leave_with(struct building *b, LLVMValueRef result)
{
    struct emitter *e = &b->emitter;

    emit_store(e, count_executed(b), llvm.GetParam(e->function, 1), emit_i64(e, 0), 8, false);
    llvm.BuildRet(e->builder, result);
}

/* Goes on at an instruction outside the block. */
static void leave_to(struct building *b, uint32_t index, bool turn_may_end)
{
    struct emitter *e = &b->emitter;

    emit_flush(e);
    emit_set_thread_member(e, emit_i32(e, index), offsetof(struct thread, index));
    leave_with(b, emit_i32(e, index * 2 + !turn_may_end));
}

/* In front of the current instruction. */
static void leave(struct building *b)
{
    leave_to(b, b->index, false);
}

static void add_lanes(struct building *b)
{
    const struct inst *inst = current(b);
    uint32_t lanes = UINT32_MAX >> (32 - inst->lanes);

    if (!inst->no_mask)
        b->block->lanes |= lanes << inst->first_lane;
}

/* The instruction has been translated. */
static void advance(struct building *b)
{
    add_lanes(b);
    b->count++;
    b->index++;
}

/* A turn may end in front of the current instruction. */
static void note_point(struct building *b)
{
    b->last_point = b->count;
    if (!b->has_branched)
        b->block->reach = b->count;
}

static void add_plain(struct building *b)
{
    const struct inst *inst = current(b);

    if (!inst->does_nothing && !emit_arithmetic(&b->emitter, inst, &b->block->usual))
        emit_interpret(&b->emitter, inst);
    advance(b);
}

/* The modes in cr0 that blocks rely on stay the same. */
static bool keeps_mode(const struct inst *inst)
{
    return !operand_lies_in(&inst->destination, ARF_CR, ARF_NOTIFY);
}

static void add_message(struct building *b)
{
    emit_message(&b->emitter, current(b));
    advance(b);
    note_point(b);
}

/* Returns whether the block goes on: not if the thread waits. */
static bool add_signal(struct building *b)
{
    bool waits = program_waits_behind(b->stretch->program, current(b));

    emit_meet(&b->emitter, current(b));
    advance(b);
    note_point(b);
    if (!waits)
        return true;
    advance(b); /* it has been met together with the signal */
    leave_to(b, b->index, true);
    return false;
}

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
        leave_to(b, (uint32_t)index, true);
}

/* Leaves with an outcome if there is one: where the condition holds; and elsewhere in front of the
 * branch. */
static void leave_with_other(struct building *b, int32_t other, bool by_all)
{
    struct emitter *e = &b->emitter;

    if (other != NOWHERE) {
        LLVMBasicBlockRef taken = emit_block(e, "other"), parted = emit_block(e, "parted");

        llvm.BuildCondBr(e->builder, emit_is_taken(e, current(b), by_all), taken, parted);
        struct building copy = *b;
        emit_continue_at(e, taken);
        take_outcome(&copy, other, true);
        emit_continue_at(e, parted);
    }
    leave(b);
}

/* Whether the block can go on behind the current branch: lanes stay together, and no turn ends up
 * to its last point. */
static LLVMValueRef emit_goes_on(const struct building *b)
{
    const struct emitter *e = &b->emitter;
    LLVMValueRef in_turn = llvm.BuildICmp(e->builder, LLVMIntULT, b->executed, b->limit, "");

    return llvm.BuildAnd(e->builder, emit_together(e), in_turn, "");
}

/* A branch with an outcome that the block follows, `index`. */
static void add_branch(struct building *b, const struct outcomes *outcomes, int32_t index)
{
    struct emitter *e = &b->emitter;
    LLVMBasicBlockRef together = emit_block(e, "together"), apart = emit_block(e, "apart"),
                      next = emit_block(e, ""), rest = emit_block(e, "rest");
    bool by_all = index == outcomes->all;
    struct held_registers held = e->held;

    llvm.BuildCondBr(e->builder, emit_goes_on(b), together, apart);
    emit_continue_at(e, apart);
    leave_with_other(b, NOWHERE, false);
    emit_continue_at(e, together);
    e->held = held;
    llvm.BuildCondBr(e->builder, emit_is_taken(e, current(b), by_all), next, rest);
    held = e->held; /* with the flags, perhaps */
    emit_continue_at(e, rest);
    leave_with_other(b, by_all ? outcomes->none : outcomes->all, !by_all);
    e->held = held;
    emit_continue_at(e, next);
    add_lanes(b);
    take_outcome(b, index, false);
    b->has_branched = true;
    b->has_gone_back |= index < (int32_t)b->stretch->first;
    b->index = (uint32_t)index;
    note_point(b);
}

/* sync.bar: another thread may have its turn. */
static void add_wait(struct building *b)
{
    emit_meet(&b->emitter, current(b));
    advance(b);
    leave_to(b, b->index, true);
}

/* Ends the block with a branch to its beginning. */
static void close_loop(struct building *b)
{
    struct emitter *e = &b->emitter;
    const struct inst *inst = current(b);
    LLVMBasicBlockRef again = emit_block(e, "again"), exit = emit_block(e, "exit");
    LLVMValueRef loops = emit_loops(e, inst, b->stretch->first);

    b->count++;
    LLVMValueRef executed = count_executed(b);
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
    leave_with(b, llvm.BuildShl(e->builder, index, emit_i32(e, 1), ""));
}

static bool add_flow(struct building *b)
{
    const struct outcomes outcomes = flow_outcomes(b->stretch->program, current(b));
    int32_t first = (int32_t)b->stretch->first, followed = followed_outcome(b, &outcomes);

    if (flow_target(current(b)) == first) {
        close_loop(b);
        return false;
    }
    if (followed == NOWHERE) {
        leave(b);
        return false;
    }
    add_branch(b, &outcomes, followed);
    return true;
}

/* Translates an instruction that may affect others, or the flow of control; false if the block has
 * ended. */
static bool add_special(struct building *b)
{
    const struct inst *inst = current(b);
    bool is_last = b->index + 1 == b->stretch->program->count;

    if (inst->is_flow && !inst->reads_clock)
        return add_flow(b);
    if (inst->reads_clock || !inst->is_shared || is_last) {
        leave(b);
    } else if (message_is_own(inst)) {
        add_message(b);
        return true;
    } else if (b->stretch->meet && message_is_signal(inst)) {
        return add_signal(b);
    } else if (b->stretch->meet && inst_is_wait(inst)) {
        add_wait(b);
    } else {
        leave(b);
    }
    return false;
}

/* Translates the current instruction; false if the block has ended. */
static bool add(struct building *b)
{
    const struct inst *inst = current(b);
    bool is_alone = b->stretch->scope != COMPILE_ALL;

    if (b->stretch->scope == COMPILE_AHEAD && b->count &&
        !b->stretch->program->issues[b->index].joins) {
        leave(b);
        return false;
    }
    if (inst->is_plain) {
        add_plain(b);
        if (keeps_mode(inst))
            return true;
        b->is_cut = !is_alone;
        leave(b);
        return false;
    }
    if (!is_alone)
        return add_special(b);
    leave(b);
    return false;
}

/* Types, parameters and the blocks that every function has. */
static void begin(struct building *b)
{
    static const float one = 1;
    struct emitter *e = &b->emitter;

    e->context = llvm.ContextCreate();
    e->module = llvm.ModuleCreateWithNameInContext("block", e->context);
    e->builder = llvm.CreateBuilderInContext(e->context);
    e->i8 = llvm.Int8TypeInContext(e->context);
    e->i16 = llvm.Int16TypeInContext(e->context);
    e->i32 = llvm.Int32TypeInContext(e->context);
    e->i64 = llvm.Int64TypeInContext(e->context);
    e->f32 = llvm.FloatTypeInContext(e->context);
    e->f64 = llvm.DoubleTypeInContext(e->context);
    e->pointer = llvm.PointerType(e->i8, 0);
    e->addresses[ADDRESS_INSTS] = (uintptr_t)b->stretch->program->insts;
    e->addresses[ADDRESS_MEET] = (uintptr_t)b->stretch->meet;
    e->addresses[ADDRESS_ONE] = (uintptr_t)&one;
    object_add_table(e);
    LLVMTypeRef parameters[] = {e->pointer, e->pointer, e->i64};
    e->function = llvm.AddFunction(e->module, OBJECT_FUNCTION,
                                   llvm.FunctionType(e->i32, parameters, 3, false));
    llvm.AddTargetDependentFunctionAttr(e->function, "target-cpu", llvm.cpu);
    llvm.AddTargetDependentFunctionAttr(e->function, "target-features", llvm.features);
    e->thread = llvm.GetParam(e->function, 0);

    b->entry = emit_block(e, "entry");
    b->body = emit_block(e, "body");
    e->fault = emit_block(e, "fault");
    emit_continue_at(e, e->fault);
    llvm.BuildRet(e->builder, emit_i32(e, UINT32_MAX));
    emit_continue_at(e, b->body);
    b->executed = llvm.BuildPhi(e->builder, e->i64, "");
    b->limit = llvm.BuildPhi(e->builder, e->i64, "");
    if (!b->stretch->all_active)
        e->active = emit_thread_member(e, e->i32, offsetof(struct thread, active));
}

/* The way in. The limit keeps the last point that the block can reach within the turn. */
static void enter(struct building *b)
{
    struct emitter *e = &b->emitter;
    LLVMValueRef end = llvm.GetParam(e->function, 2), distance = emit_i64(e, b->last_point);

    emit_continue_at(e, b->entry);
    LLVMValueRef executed =
        emit_load(e, e->i64, llvm.GetParam(e->function, 1), emit_i64(e, 0), 8, false);
    LLVMValueRef is_far = llvm.BuildICmp(e->builder, LLVMIntUGT, end, distance, "");
    LLVMValueRef limit = llvm.BuildSelect(
        e->builder, is_far, llvm.BuildSub(e->builder, end, distance, ""), emit_i64(e, 0), "");
    llvm.BuildBr(e->builder, b->body);
    llvm.AddIncoming(b->executed, &executed, &b->entry, 1);
    llvm.AddIncoming(b->limit, &limit, &b->entry, 1);
}

/* Where there are registers of 512 bits, they save instructions. But taking one apart, or putting
 * two halves together, takes as long as adding; a block that does so often is faster with halves
 * alone.
 */
static void choose_width(const struct building *b)
{
    static const char *const names[] = {"prefer-vector-width", "min-legal-vector-width"};

    if (b->emitter.joints * 8 > b->count)
        for (unsigned i = 0; i < 2; i++)
            llvm.AddTargetDependentFunctionAttr(b->emitter.function, names[i], "256");
}

int block_build(const struct stretch *stretch, struct built_block *built)
{
    struct building b = {.stretch = stretch, .index = stretch->first, .block = &built->block};
    bool goes_on = true;

    *built = (struct built_block){.end = stretch->first};
    begin(&b);
    while (goes_on && b.count < INSTRUCTIONS_MAX)
        goes_on = add(&b);
    if (goes_on) {
        leave(&b);
        b.is_cut = !b.has_branched;
    }
    enter(&b);
    choose_width(&b);
    built->end = b.index;
    built->goes_on = b.is_cut;
    if (!stretch->all_active)
        built->block.lanes = 0;
    llvm.DisposeBuilder(b.emitter.builder);
    int status = b.count ? object_build(&b.emitter, stretch->folder, built) : -1;
    llvm.DisposeModule(b.emitter.module);
    llvm.ContextDispose(b.emitter.context);
    return status;
}

void block_release(struct built_block *built)
{
    if (built->object)
        object_release(built->object);
    built->object = NULL;
}
