/* What is held of the thread's registers in host values. */
#include <stddef.h>

#include "isa/compile/emit.h"

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

LLVMValueRef emit_read_elements(struct emitter *e, uint32_t offset, unsigned bytes, unsigned lanes)
{
    LLVMTypeRef element = llvm.IntTypeInContext(e->context, bytes * 8);

    write_back_range(e, register_offset(offset), lanes * bytes);
    return emit_load(e, emit_vector(element, lanes), e->thread,
                     emit_i64(e, register_offset(offset)), 1, false);
}

void emit_write_elements(struct emitter *e, uint32_t offset, unsigned bytes, unsigned lanes,
                         LLVMValueRef value)
{
    drop_range(e, register_offset(offset), lanes * bytes);
    emit_store(e, value, e->thread, emit_i64(e, register_offset(offset)), 1, false);
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
