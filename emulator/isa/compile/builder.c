#include "isa/compile/builder.h"

#include <stddef.h>
#include <stdlib.h>

#include "isa/compile/arithmetic.h"
#include "isa/compile/building.h"
#include "isa/compile/messages.h"
#include "isa/compile/object.h"

/* More do not make a block faster, only later. */
enum { INSTRUCTIONS_MAX = 192 };

LLVMValueRef building_executed(const struct building *b)
{
    const struct emitter *e = &b->emitter;

    return llvm.BuildAdd(e->builder, b->executed, emit_i64(e, b->count), "");
}

void building_leave_with(struct building *b, LLVMValueRef result)
{
    struct emitter *e = &b->emitter;

    emit_store(e, building_executed(b), llvm.GetParam(e->function, 1), emit_i64(e, 0), 8, false);
    llvm.BuildRet(e->builder, result);
}

void building_leave_to(struct building *b, uint32_t index, bool turn_may_end)
{
    struct emitter *e = &b->emitter;

    emit_flush(e);
    emit_set_thread_member(e, emit_i32(e, index), offsetof(struct thread, index));
    building_leave_with(b, emit_i32(e, index * 2 + !turn_may_end));
}

void building_leave(struct building *b)
{
    building_leave_to(b, b->index, false);
}

void building_add_lanes(struct building *b)
{
    const struct inst *inst = building_current(b);
    uint32_t lanes = UINT32_MAX >> (32 - inst->lanes);

    if (!inst->no_mask)
        b->block->lanes |= lanes << inst->first_lane;
}

/* The instruction has been translated. */
static void advance(struct building *b)
{
    building_add_lanes(b);
    b->count++;
    b->index++;
}

void building_note_point(struct building *b)
{
    b->last_point = b->count;
    if (!b->has_branched)
        b->block->reach = b->count;
}

static void add_plain(struct building *b)
{
    const struct inst *inst = building_current(b);

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
    emit_message(&b->emitter, building_current(b));
    advance(b);
    building_note_point(b);
}

/* Returns whether the block goes on: not if the thread waits. */
static bool add_signal(struct building *b)
{
    bool waits = program_waits_behind(b->stretch->program, building_current(b));

    emit_meet(&b->emitter, building_current(b));
    advance(b);
    building_note_point(b);
    if (!waits)
        return true;
    advance(b); /* it has been met together with the signal */
    building_leave_to(b, b->index, true);
    return false;
}

/* sync.bar: another thread may have its turn. */
static void add_wait(struct building *b)
{
    emit_meet(&b->emitter, building_current(b));
    advance(b);
    building_leave_to(b, b->index, true);
}

/* Translates an instruction that may affect others, or the flow of control; false if the block has
 * ended. */
static bool add_special(struct building *b)
{
    const struct inst *inst = building_current(b);
    bool is_last = b->index + 1 == b->stretch->program->count;

    if (inst->is_flow && !inst->reads_clock)
        return building_add_flow(b);
    if (inst->reads_clock || !inst->is_shared || is_last) {
        building_leave(b);
    } else if (message_is_own(inst)) {
        add_message(b);
        return true;
    } else if (b->stretch->meet && message_is_signal(inst)) {
        return add_signal(b);
    } else if (b->stretch->meet && inst_is_wait(inst)) {
        add_wait(b);
    } else {
        building_leave(b);
    }
    return false;
}

/* Whether it depends on registers that the instruction can be executed at all. */
static bool may_fail(const struct inst *inst)
{
    bool may = inst->destination.kind == OPERAND_INDIRECT;

    for (unsigned i = 0; i < inst->source_count; i++)
        may |= inst->source[i].kind == OPERAND_INDIRECT;
    return may;
}

/* Whether blocks that threads run ahead of the clock end before the current instruction: one that
 * fails is executed again when it issues, and then those before it in its block would be, too. */
static bool ends_ahead(const struct building *b)
{
    return b->stretch->scope == COMPILE_AHEAD && b->count > 0 &&
           (!b->stretch->program->issues[b->index].joins || may_fail(building_current(b)));
}

/* Translates the current instruction; false if the block has ended. */
static bool add(struct building *b)
{
    const struct inst *inst = building_current(b);
    bool is_alone = b->stretch->scope != COMPILE_ALL;

    if (ends_ahead(b)) {
        building_leave(b);
        return false;
    }
    if (inst->is_plain) {
        add_plain(b);
        if (keeps_mode(inst))
            return true;
        b->is_cut = !is_alone;
        building_leave(b);
        return false;
    }
    if (!is_alone)
        return add_special(b);
    building_leave(b);
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
        building_leave(&b);
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
