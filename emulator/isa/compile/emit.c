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

LLVMValueRef emit_intrinsic(const struct emitter *e, const char *name, LLVMTypeRef type,
                            LLVMValueRef *arguments, unsigned count)
{
    unsigned id = llvm.LookupIntrinsicID(name, strlen(name)), types = type ? 1 : 0;
    LLVMValueRef function = llvm.GetIntrinsicDeclaration(e->module, id, &type, types);

    return llvm.BuildCall2(e->builder, llvm.IntrinsicGetType(e->context, id, &type, types),
                           function, arguments, count, "");
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

/* Of the thread's bytes, where a byte of the register file is. */
static uint32_t register_offset(uint32_t offset)
{
    return (uint32_t)offsetof(struct thread, registers) + offset;
}

static uint32_t accumulator_offset(unsigned first)
{
    return (uint32_t)(offsetof(struct thread, accumulator) + first * sizeof(int64_t));
}

static bool overlaps(const struct held *held, uint32_t offset, uint32_t bytes)
{
    return held->offset < offset + bytes && offset < held->offset + held->bytes;
}

static bool lies_within(const struct held *held, uint32_t offset, uint32_t bytes)
{
    return held->offset >= offset && held->offset + held->bytes <= offset + bytes;
}

static void write_back(struct emitter *e, struct held *held)
{
    if (held->dirty)
        emit_set_thread_member(e, held->value, held->offset);
    held->dirty = false;
}

/* Gets the bytes into the thread. */
static void write_back_range(struct emitter *e, uint32_t offset, uint32_t bytes)
{
    for (unsigned i = 0; i < e->held.count; i++)
        if (overlaps(&e->held.runs[i], offset, bytes))
            write_back(e, &e->held.runs[i]);
}

/* Holds nothing of the bytes any more. What is about to be overwritten need not be written. */
static void drop_range(struct emitter *e, uint32_t offset, uint32_t bytes)
{
    for (unsigned i = 0; i < e->held.count;) {
        struct held *held = &e->held.runs[i];

        if (!overlaps(held, offset, bytes)) {
            i++;
            continue;
        }
        if (!lies_within(held, offset, bytes))
            write_back(e, held);
        *held = e->held.runs[--e->held.count];
    }
}

static void hold(struct emitter *e, uint32_t offset, uint32_t bytes, LLVMValueRef value, bool dirty)
{
    drop_range(e, offset, bytes);
    if (e->held.count == HELD_MAX) {
        emit_flush(e);
        e->held.count = 0;
    }
    e->held.runs[e->held.count++] =
        (struct held){.offset = offset, .bytes = bytes, .value = value, .dirty = dirty};
}

/* Dwords of a run. */
static LLVMValueRef extract(struct emitter *e, struct held *held, uint32_t offset, unsigned lanes)
{
    uint32_t at = offset - held->offset, bytes = lanes * 4;
    bool is_half = bytes * 2 == held->bytes && at % bytes == 0;

    if (bytes == held->bytes)
        return held->value;
    if (is_half && held->halves[at / bytes])
        return held->halves[at / bytes];
    LLVMValueRef value =
        emit_part(e, held->value, llvm.GetUndef(llvm.TypeOf(held->value)), at / 4, lanes);
    if (is_half) {
        held->halves[at / bytes] = value;
        e->joints++;
    }
    return value;
}

static struct held *find_around(struct emitter *e, uint32_t offset, uint32_t bytes)
{
    for (unsigned i = 0; i < e->held.count; i++) {
        struct held *held = &e->held.runs[i];

        if (offset >= held->offset && offset + bytes <= held->offset + held->bytes &&
            (offset - held->offset) % 4 == 0)
            return held;
    }
    return NULL;
}

/* Whether the bytes are best read as two halves: some have been written as such, and by way of the
 * thread they would come late, because the host waits until narrow stores are done before it loads
 * all of what they wrote at once. */
static bool has_halves(const struct emitter *e, uint32_t offset, uint32_t bytes)
{
    bool is_written = false;

    if (bytes < 64)
        return false;
    for (unsigned i = 0; i < e->held.count; i++) {
        const struct held *held = &e->held.runs[i];

        if (!overlaps(held, offset, bytes))
            continue;
        if (!lies_within(held, offset, bytes / 2) &&
            !lies_within(held, offset + bytes / 2, bytes / 2))
            return false;
        is_written |= held->dirty;
    }
    return is_written;
}

static LLVMValueRef read_dwords(struct emitter *e, uint32_t offset, unsigned lanes)
{
    struct held *held = find_around(e, offset, lanes * 4);

    if (held)
        return extract(e, held, offset, lanes);
    if (has_halves(e, offset, lanes * 4)) {
        LLVMValueRef low = read_dwords(e, offset, lanes / 2);

        e->joints++;
        return emit_part(e, low, read_dwords(e, offset + lanes * 2, lanes / 2), 0, lanes);
    }
    write_back_range(e, offset, lanes * 4);
    LLVMValueRef value = emit_thread_member(e, emit_vector(e->i32, lanes), offset);
    hold(e, offset, lanes * 4, value, false);
    return value;
}

LLVMValueRef emit_read(struct emitter *e, uint32_t offset, unsigned lanes)
{
    return read_dwords(e, register_offset(offset), lanes);
}

void emit_write(struct emitter *e, uint32_t offset, unsigned lanes, LLVMValueRef value)
{
    hold(e, register_offset(offset), lanes * 4, value, true);
}

LLVMValueRef emit_accumulator(struct emitter *e, unsigned first, unsigned lanes)
{
    LLVMValueRef value = read_dwords(e, accumulator_offset(first), lanes * 2);

    return llvm.BuildBitCast(e->builder, value, emit_vector(e->i64, lanes), "");
}

void emit_set_accumulator(struct emitter *e, unsigned first, unsigned lanes, LLVMValueRef value)
{
    value = llvm.BuildBitCast(e->builder, value, emit_vector(e->i32, lanes * 2), "");
    hold(e, accumulator_offset(first), lanes * 8, value, true);
}

static struct held *find_held(struct emitter *e, uint32_t offset, uint32_t bytes)
{
    for (unsigned i = 0; i < e->held.count; i++)
        if (e->held.runs[i].offset == offset && e->held.runs[i].bytes == bytes)
            return &e->held.runs[i];
    return NULL;
}

void emit_keep_real(struct emitter *e, uint32_t offset, unsigned lanes, LLVMValueRef real)
{
    struct held *held = find_held(e, register_offset(offset), lanes * 4);

    if (held)
        held->real = real;
}

LLVMValueRef emit_read_real(struct emitter *e, uint32_t offset, unsigned lanes)
{
    const struct held *held = find_held(e, register_offset(offset), lanes * 4);

    return held ? held->real : NULL;
}

void emit_keep_factors(struct emitter *e, unsigned lanes, LLVMValueRef a, LLVMValueRef b)
{
    struct held *held = find_held(e, accumulator_offset(0), lanes * 8);

    if (held) {
        held->factors[0] = a;
        held->factors[1] = b;
    }
}

bool emit_has_factors(struct emitter *e, unsigned lanes, LLVMValueRef a, LLVMValueRef b)
{
    const struct held *held = find_held(e, accumulator_offset(0), lanes * 8);

    return held && held->factors[0] == a && held->factors[1] == b;
}

LLVMValueRef emit_read_words(struct emitter *e, uint32_t offset, unsigned lanes)
{
    write_back_range(e, register_offset(offset), lanes * 2);
    return emit_load(e, emit_vector(e->i16, lanes), e->thread, emit_i64(e, register_offset(offset)),
                     2, false);
}

LLVMValueRef emit_flags(struct emitter *e)
{
    if (!e->held.flags)
        e->held.flags = emit_thread_member(e, e->i64, register_offset(ARF_FLAG));
    return e->held.flags;
}

void emit_set_flags(struct emitter *e, LLVMValueRef flags)
{
    e->held.flags = flags;
    e->held.flags_dirty = true;
}

void emit_flush(struct emitter *e)
{
    for (unsigned i = 0; i < e->held.count; i++)
        write_back(e, &e->held.runs[i]);
    if (e->held.flags_dirty)
        emit_set_thread_member(e, e->held.flags, register_offset(ARF_FLAG));
    e->held.flags_dirty = false;
}

void emit_forget(struct emitter *e)
{
    e->held = (struct held_registers){.count = 0};
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
