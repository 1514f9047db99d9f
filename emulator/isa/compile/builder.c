#include "isa/compile/builder.h"

#include <stddef.h>
#include <stdlib.h>

#include "isa/compile/arithmetic.h"
#include "isa/compile/flow.h"
#include "isa/compile/messages.h"

/* More do not make a block faster, only later. */
enum { INSTRUCTIONS_MAX = 192 };

/* A block in the making. */
struct building {
    const struct stretch *stretch;
    struct emitter emitter;
    LLVMBasicBlockRef body;
    LLVMValueRef executed; /* i64, at the beginning of the body */
    uint32_t index;        /* of the instruction to translate next */
    uint32_t count;        /* instructions translated */
    uint32_t last_point;   /* count at the last point at which a turn may end; 0: none */
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

/* Goes on at the current instruction, outside the block. */
static void leave(struct building *b, bool turn_may_end)
{
    struct emitter *e = &b->emitter;

    emit_flush(e);
    emit_set_thread_member(e, emit_i32(e, b->index), offsetof(struct thread, index));
    leave_with(b, emit_i32(e, b->index * 2 + !turn_may_end));
}

/* The same if the condition does not hold. */
static void leave_unless(struct building *b, LLVMValueRef condition)
{
    struct emitter *e = &b->emitter;
    LLVMBasicBlockRef next = emit_block(e, ""), exit = emit_block(e, "exit");
    struct held_registers held = e->held;

    llvm.BuildCondBr(e->builder, condition, next, exit);
    emit_continue_at(e, exit);
    leave(b, false);
    e->held = held;
    emit_continue_at(e, next);
}

/* The instruction has been translated. */
static void advance(struct building *b)
{
    const struct inst *inst = current(b);
    uint32_t lanes = UINT32_MAX >> (32 - inst->lanes);

    if (!inst->no_mask)
        b->block->lanes |= lanes << inst->first_lane;
    b->count++;
    b->index++;
}

static void add_plain(struct building *b)
{
    const struct inst *inst = current(b);

    if (!inst->does_nothing && !emit_arithmetic(&b->emitter, inst, &b->block->has_usual_mode))
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
    b->last_point = b->count;
}

static void add_passed(struct building *b)
{
    leave_unless(b, emit_passes(&b->emitter, current(b)));
    emit_channel_enables(&b->emitter);
    advance(b);
    b->last_point = b->count;
}

/* Ends the block with a branch to its beginning. */
static void close_loop(struct building *b)
{
    struct emitter *e = &b->emitter;
    const struct inst *inst = current(b);
    LLVMBasicBlockRef again = emit_block(e, "again"), exit = emit_block(e, "exit");
    LLVMValueRef loops = emit_loops(e, inst, b->stretch->first);

    b->count++;
    b->block->reach = b->last_point;
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
    emit_continue_at(e, exit);
    LLVMValueRef index = emit_thread_member(e, e->i32, offsetof(struct thread, index));
    leave_with(b, llvm.BuildShl(e->builder, index, emit_i32(e, 1), ""));
}

/* Translates the current instruction; false if the block has ended. */
static bool add(struct building *b)
{
    const struct inst *inst = current(b);

    if (inst->is_plain) {
        add_plain(b);
        if (keeps_mode(inst))
            return true;
        leave(b, false);
        return false;
    }
    if (!b->stretch->is_plain && !inst->reads_clock && inst->is_shared && message_is_own(inst)) {
        add_message(b);
        return true;
    }
    enum flow_use use = !b->stretch->is_plain && inst->is_flow && !inst->reads_clock
                            ? flow_use(inst, b->stretch->first)
                            : FLOW_LEAVES;
    if (use == FLOW_PASSES) {
        add_passed(b);
        return true;
    }
    if (use == FLOW_LOOPS)
        close_loop(b);
    else
        leave(b, false);
    return false;
}

/* Types, parameters and the blocks that every function has. */
static void begin(struct building *b)
{
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
    LLVMTypeRef parameters[] = {e->pointer, e->pointer, e->i64};
    e->function =
        llvm.AddFunction(e->module, "block", llvm.FunctionType(e->i32, parameters, 3, false));
    llvm.AddTargetDependentFunctionAttr(e->function, "target-cpu", llvm.cpu);
    llvm.AddTargetDependentFunctionAttr(e->function, "target-features", llvm.features);
    e->thread = llvm.GetParam(e->function, 0);

    LLVMBasicBlockRef entry = emit_block(e, "entry");
    b->body = emit_block(e, "body");
    e->fault = emit_block(e, "fault");
    emit_continue_at(e, e->fault);
    llvm.BuildRet(e->builder, emit_i32(e, UINT32_MAX));
    emit_continue_at(e, entry);
    LLVMValueRef executed =
        emit_load(e, e->i64, llvm.GetParam(e->function, 1), emit_i64(e, 0), 8, false);
    llvm.BuildBr(e->builder, b->body);
    emit_continue_at(e, b->body);
    b->executed = llvm.BuildPhi(e->builder, e->i64, "");
    llvm.AddIncoming(b->executed, &executed, &entry, 1);
    if (!b->stretch->all_active)
        e->active = emit_thread_member(e, e->i32, offsetof(struct thread, active));
}

/* Has the host's code made of the module, which is not needed afterwards. */
static int generate(const struct emitter *e, struct built_block *built)
{
    struct LLVMMCJITCompilerOptions options;
    LLVMModuleRef module = NULL;
    char *error = NULL;

    llvm.InitializeMCJITCompilerOptions(&options, sizeof(options));
    options.OptLevel = 1;
    if (llvm.CreateMCJITCompilerForModule(&built->engine, e->module, &options, sizeof(options),
                                          &error)) {
        llvm.DisposeMessage(error);
        llvm.DisposeModule(e->module);
        return -1;
    }
    uint64_t address = llvm.GetFunctionAddress(built->engine, "block");
    built->block.run = (block_function)(uintptr_t)address;
    if (!llvm.RemoveModule(built->engine, e->module, &module, &error))
        llvm.DisposeModule(module);
    return address ? 0 : -1;
}

int block_build(const struct stretch *stretch, struct built_block *built)
{
    struct building b = {.stretch = stretch, .index = stretch->first, .block = &built->block};
    bool goes_on = true;

    *built = (struct built_block){.end = stretch->first};
    begin(&b);
    while (goes_on && b.count < INSTRUCTIONS_MAX)
        goes_on = add(&b);
    if (goes_on)
        leave(&b, false);
    built->end = b.index;
    built->block.reach = b.last_point;
    if (!stretch->all_active)
        built->block.lanes = 0;
    llvm.DisposeBuilder(b.emitter.builder);
    int status = b.count ? generate(&b.emitter, built) : -1;
    if (!b.count)
        llvm.DisposeModule(b.emitter.module);
    llvm.ContextDispose(b.emitter.context);
    return status;
}

void block_release(struct built_block *built)
{
    if (built->engine)
        llvm.DisposeExecutionEngine(built->engine);
    built->engine = NULL;
}
