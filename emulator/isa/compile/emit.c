#include "isa/compile/emit.h"

#include <stddef.h>
#include <string.h>

LLVMTypeRef emit_vector(LLVMTypeRef element, unsigned lanes)
{
    return llvm.VectorType(element, lanes);
}

LLVMValueRef emit_i32(const struct emitter *e, uint32_t value)
{
    return llvm.ConstInt(e->i32, value, false);
}

LLVMValueRef emit_i64(const struct emitter *e, uint64_t value)
{
    return llvm.ConstInt(e->i64, value, false);
}

LLVMValueRef emit_splat(const struct emitter *e, LLVMValueRef value, unsigned lanes)
{
    LLVMTypeRef one = emit_vector(llvm.TypeOf(value), 1);
    LLVMValueRef first =
        llvm.BuildInsertElement(e->builder, llvm.GetUndef(one), value, emit_i32(e, 0), "");

    return llvm.BuildShuffleVector(e->builder, first, llvm.GetUndef(one),
                                   llvm.ConstNull(emit_vector(e->i32, lanes)), "");
}

LLVMValueRef emit_splat_i32(const struct emitter *e, uint32_t value, unsigned lanes)
{
    LLVMValueRef values[MAX_LANES];

    for (unsigned lane = 0; lane < lanes; lane++)
        values[lane] = emit_i32(e, value);
    return llvm.ConstVector(values, lanes);
}

LLVMValueRef emit_part(const struct emitter *e, LLVMValueRef a, LLVMValueRef b, unsigned first,
                       unsigned lanes)
{
    LLVMValueRef numbers[2 * MAX_LANES];

    for (unsigned lane = 0; lane < lanes; lane++)
        numbers[lane] = emit_i32(e, first + lane);
    return llvm.BuildShuffleVector(e->builder, a, b, llvm.ConstVector(numbers, lanes), "");
}

/* A call of one of LLVM's operations by its name, for types as it demands. */
static LLVMValueRef call(const struct emitter *e, const char *name, LLVMTypeRef *types,
                         unsigned type_count, LLVMValueRef *arguments, unsigned count)
{
    unsigned id = llvm.LookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = llvm.GetIntrinsicDeclaration(e->module, id, types, type_count);

    return llvm.BuildCall2(e->builder, llvm.IntrinsicGetType(e->context, id, types, type_count),
                           function, arguments, count, "");
}

LLVMValueRef emit_intrinsic(const struct emitter *e, const char *name, LLVMTypeRef type,
                            LLVMValueRef *arguments, unsigned count)
{
    return call(e, name, &type, type ? 1 : 0, arguments, count);
}

/* Bytes behind a pointer, as a pointer to `type`. */
static LLVMValueRef pointer_to(const struct emitter *e, LLVMTypeRef type, LLVMValueRef base,
                               LLVMValueRef offset)
{
    LLVMValueRef at = llvm.BuildGEP2(e->builder, e->i8, base, &offset, 1, "");

    return llvm.BuildBitCast(e->builder, at, llvm.PointerType(type, 0), "");
}

LLVMValueRef emit_load(const struct emitter *e, LLVMTypeRef type, LLVMValueRef base,
                       LLVMValueRef offset, unsigned alignment, bool is_volatile)
{
    LLVMValueRef value = llvm.BuildLoad2(e->builder, type, pointer_to(e, type, base, offset), "");

    llvm.SetAlignment(value, alignment);
    llvm.SetVolatile(value, is_volatile);
    return value;
}

void emit_store(const struct emitter *e, LLVMValueRef value, LLVMValueRef base, LLVMValueRef offset,
                unsigned alignment, bool is_volatile)
{
    LLVMValueRef store =
        llvm.BuildStore(e->builder, value, pointer_to(e, llvm.TypeOf(value), base, offset));

    llvm.SetAlignment(store, alignment);
    llvm.SetVolatile(store, is_volatile);
}

LLVMValueRef emit_masked_load(const struct emitter *e, LLVMTypeRef type, LLVMValueRef base,
                              LLVMValueRef offset, LLVMValueRef mask)
{
    LLVMValueRef at = pointer_to(e, type, base, offset);
    LLVMTypeRef types[] = {type, llvm.TypeOf(at)};

    return call(e, "llvm.masked.load", types, 2,
                (LLVMValueRef[]){at, emit_i32(e, 1), mask, llvm.ConstNull(type)}, 4);
}

void emit_masked_store(const struct emitter *e, LLVMValueRef value, LLVMValueRef base,
                       LLVMValueRef offset, LLVMValueRef mask)
{
    LLVMTypeRef type = llvm.TypeOf(value);
    LLVMValueRef at = pointer_to(e, type, base, offset);
    LLVMTypeRef types[] = {type, llvm.TypeOf(at)};

    call(e, "llvm.masked.store", types, 2, (LLVMValueRef[]){value, at, emit_i32(e, 1), mask}, 4);
}

LLVMValueRef emit_thread_member(const struct emitter *e, LLVMTypeRef type, size_t offset)
{
    return emit_load(e, type, e->thread, emit_i64(e, offset), 4, false);
}

void emit_set_thread_member(const struct emitter *e, LLVMValueRef value, size_t offset)
{
    emit_store(e, value, e->thread, emit_i64(e, offset), 4, false);
}

static LLVMValueRef address_of(const struct emitter *e, enum address address)
{
    return emit_load(e, e->i64, e->table, emit_i64(e, address * sizeof(uint64_t)), sizeof(uint64_t),
                     false);
}

LLVMValueRef emit_address(const struct emitter *e, enum address address)
{
    return llvm.BuildIntToPtr(e->builder, address_of(e, address), e->pointer, "");
}

static LLVMValueRef emit_inst(const struct emitter *e, const struct inst *inst)
{
    uint64_t offset = (uintptr_t)inst - e->addresses[ADDRESS_INSTS];
    LLVMValueRef at =
        llvm.BuildAdd(e->builder, address_of(e, ADDRESS_INSTS), emit_i64(e, offset), "");

    return llvm.BuildIntToPtr(e->builder, at, e->pointer, "");
}

/* The function that executes the instruction, as a number. */
static LLVMValueRef emit_function(const struct emitter *e, const struct inst *inst)
{
    return emit_load(e, e->i64, emit_inst(e, inst), emit_i64(e, offsetof(struct inst, execute)),
                     sizeof(execute_function), false);
}

LLVMBasicBlockRef emit_block(const struct emitter *e, const char *name)
{
    return llvm.AppendBasicBlockInContext(e->context, e->function, name);
}

void emit_continue_at(struct emitter *e, LLVMBasicBlockRef block)
{
    llvm.PositionBuilderAtEnd(e->builder, block);
}

static void execute(struct emitter *e, const struct inst *inst, LLVMValueRef address)
{
    LLVMTypeRef parameters[] = {e->pointer, e->pointer};
    LLVMTypeRef type = llvm.FunctionType(e->i32, parameters, 2, false);
    LLVMValueRef arguments[] = {e->thread, emit_inst(e, inst)};
    LLVMBasicBlockRef next = emit_block(e, "next");
    LLVMValueRef function = llvm.BuildIntToPtr(e->builder, address, llvm.PointerType(type, 0), "");

    emit_flush(e);
    emit_forget(e);
    LLVMValueRef failed = llvm.BuildCall2(e->builder, type, function, arguments, 2, "");
    failed = llvm.BuildICmp(e->builder, LLVMIntNE, failed, emit_i32(e, 0), "");
    llvm.BuildCondBr(e->builder, failed, e->fault, next);
    emit_continue_at(e, next);
}

void emit_interpret(struct emitter *e, const struct inst *inst)
{
    execute(e, inst, emit_function(e, inst));
}

void emit_meet(struct emitter *e, const struct inst *inst)
{
    execute(e, inst, address_of(e, ADDRESS_MEET));
}
