#include "isa/compile/messages.h"

#include <stddef.h>

#include "isa/compile/lanes.h"
#include "isa/fast/message-form.h"
#include "isa/message/access.h"
#include "isa/message/memory-access.h"

/* Memory that a message may access: where offset 0 is, and how many bytes there are. */
struct area {
    LLVMValueRef host, bytes;
};

/* A message in the making. Offsets are vectors of 32 or, without a surface, 64 bits. */
struct sending {
    struct emitter *e;
    const struct inst *inst;
    unsigned lanes;
    LLVMBasicBlockRef general; /* does it the general way */
};

bool message_is_own(const struct inst *inst)
{
    return inst->has_message && !inst->end_of_thread &&
           (message_moves_memory(&inst->message) || inst->message.kind == MESSAGE_FENCE);
}

bool message_is_signal(const struct inst *inst)
{
    return inst->has_message && !inst->end_of_thread && inst->message.kind == MESSAGE_BARRIER;
}

/* Whether vectors can move it: a dword for each of 8, 16 or 32 lanes. */
static bool moves_dwords(const struct inst *inst)
{
    const struct message *m = &inst->message;

    return (m->kind == MESSAGE_LOAD || m->kind == MESSAGE_STORE) && message_moves_elements(m) &&
           message_names_memory(m) && m->element_bytes == 4 && m->shape.components == 1 &&
           (m->lanes == 8 || m->lanes == 16 || m->lanes == 32) && inst->lanes >= m->lanes &&
           m->base != BASE_STATELESS && inst->predicate == PREDICATE_NONE &&
           memory_registers_fit(inst) &&
           (m->kind == MESSAGE_STORE || inst->destination.offset + m->lanes * 4u <= ARF_NULL);
}

static LLVMValueRef member(const struct emitter *e, LLVMTypeRef type, LLVMValueRef base,
                           size_t offset)
{
    return emit_load(e, type, base, emit_i64(e, offset), 4, false);
}

/* Goes on if the condition holds, else does the message the general way. */
static void require(const struct sending *s, LLVMValueRef condition)
{
    LLVMBasicBlockRef next = emit_block(s->e, "");

    llvm.BuildCondBr(s->e->builder, condition, next, s->general);
    emit_continue_at(s->e, next);
}

/* Whether all bits of a vector are set. */
static LLVMValueRef all_of(const struct emitter *e, LLVMValueRef vector)
{
    LLVMValueRef bits = emit_bits(e, vector);
    LLVMValueRef none = llvm.ConstNull(llvm.TypeOf(bits));

    return llvm.BuildICmp(e->builder, LLVMIntEQ, bits, llvm.BuildNot(e->builder, none, ""), "");
}

static LLVMValueRef first_of(const struct emitter *e, LLVMValueRef vector)
{
    return llvm.BuildExtractElement(e->builder, vector, emit_i32(e, 0), "");
}

/* Each lane's offset is that of the lane before, and 4. */
static LLVMValueRef is_run(const struct sending *s, LLVMValueRef offsets)
{
    const struct emitter *e = s->e;
    LLVMValueRef first = first_of(e, offsets), steps[MAX_LANES];

    for (unsigned lane = 0; lane < s->lanes; lane++)
        steps[lane] = llvm.ConstInt(llvm.TypeOf(first), lane * UINT64_C(4), false);
    LLVMValueRef expected = llvm.BuildAdd(e->builder, emit_splat(e, first, s->lanes),
                                          llvm.ConstVector(steps, s->lanes), "");
    return all_of(e, llvm.BuildICmp(e->builder, LLVMIntEQ, offsets, expected, ""));
}

/* The run from `first` on (i64) lies within the area. `first` is below 2^63. */
static LLVMValueRef is_within(const struct sending *s, LLVMValueRef first, LLVMValueRef bytes)
{
    LLVMValueRef end =
        llvm.BuildAdd(s->e->builder, first, emit_i64(s->e, s->lanes * UINT64_C(4)), "");

    return llvm.BuildICmp(s->e->builder, LLVMIntULE, end, bytes, "");
}

static struct area area_of_surface(const struct sending *s)
{
    const struct emitter *e = s->e;
    size_t at = offsetof(struct message_access, surfaces) +
                s->inst->message.surface * sizeof(struct surface);
    LLVMValueRef access = emit_thread_member(e, e->pointer, offsetof(struct thread, access));

    return (struct area){member(e, e->pointer, access, at + offsetof(struct surface, host)),
                         member(e, e->i64, access, at + offsetof(struct surface, reach))};
}

static struct area area_of_slm(const struct sending *s)
{
    const struct emitter *e = s->e;
    LLVMValueRef bytes = emit_thread_member(e, e->i32, offsetof(struct thread, slm_bytes));

    return (struct area){emit_thread_member(e, e->pointer, offsetof(struct thread, slm)),
                         llvm.BuildZExt(e->builder, bytes, e->i64, "")};
}

/* Offsets of 32 bits in a surface or shared local memory. Returns that of the first lane, with the
 * checks before it. */
static LLVMValueRef find_offset(const struct sending *s, struct area area)
{
    struct emitter *e = s->e;
    LLVMValueRef offsets = emit_read(e, s->inst->source[0].offset, s->lanes);

    if (s->inst->message.base == BASE_SLM)
        offsets =
            llvm.BuildAnd(e->builder, offsets, emit_splat_i32(e, SLM_ADDRESS_MASK, s->lanes), "");
    LLVMValueRef first = first_of(e, offsets), run = is_run(s, offsets);
    /* offsets that wrap are no run */
    LLVMValueRef straight =
        llvm.BuildICmp(e->builder, LLVMIntULT, first, emit_i32(e, UINT32_MAX - s->lanes * 4), "");
    first = llvm.BuildZExt(e->builder, first, e->i64, "");
    run = llvm.BuildAnd(e->builder, run, straight, "");
    require(s, llvm.BuildAnd(e->builder, run, is_within(s, first, area.bytes), ""));
    return first;
}

/* Addresses of 64 bits, in the mapping that the instruction found the last time. */
static LLVMValueRef find_in_mapping(const struct sending *s, struct area *area)
{
    struct emitter *e = s->e;
    size_t at = offsetof(struct message_access, mappings) +
                s->inst->pc / 8 % ACCESS_MAPPINGS * sizeof(struct mapping *);
    LLVMValueRef access = emit_thread_member(e, e->pointer, offsetof(struct thread, access));
    LLVMValueRef mapping = member(e, e->pointer, access, at);
    LLVMValueRef number = llvm.BuildPtrToInt(e->builder, mapping, e->i64, "");

    require(s, llvm.BuildICmp(e->builder, LLVMIntNE, number, emit_i64(e, 0), ""));
    LLVMValueRef addresses =
        llvm.BuildBitCast(e->builder, emit_read(e, s->inst->source[0].offset, s->lanes * 2),
                          emit_vector(e->i64, s->lanes), "");
    LLVMValueRef first =
        llvm.BuildSub(e->builder, first_of(e, addresses),
                      member(e, e->i64, mapping, offsetof(struct mapping, address)), "");
    first = llvm.BuildAnd(e->builder, first, emit_i64(e, GPU_ADDRESS_MASK), "");
    *area = (struct area){member(e, e->pointer, mapping, offsetof(struct mapping, host)),
                          member(e, e->i64, mapping, offsetof(struct mapping, size))};
    require(s,
            llvm.BuildAnd(e->builder, is_run(s, addresses), is_within(s, first, area->bytes), ""));
    return first;
}

/* Others may work on the memory at the same time: what is volatile is neither left out, nor done
 * twice, nor done in another order. */
static void move(const struct sending *s, LLVMValueRef host, LLVMValueRef offset)
{
    struct emitter *e = s->e;
    const struct inst *inst = s->inst;

    if (inst->message.kind == MESSAGE_LOAD)
        emit_write(e, inst->destination.offset, s->lanes,
                   emit_load(e, emit_vector(e->i32, s->lanes), host, offset, 1, true));
    else
        emit_store(e, emit_read(e, inst->source[1].offset, s->lanes), host, offset, 1, true);
    emit_flush(e);
    emit_forget(e);
}

static void emit_run(struct sending *s)
{
    struct emitter *e = s->e;
    struct area area;
    LLVMValueRef offset;
    LLVMBasicBlockRef next = emit_block(e, "next");

    s->general = emit_block(e, "general");
    emit_flush(e);
    LLVMValueRef mask = emit_active_mask(e, s->inst);
    if (mask) {
        LLVMValueRef bits = emit_bits(e, mask);
        LLVMValueRef all = llvm.ConstInt(llvm.TypeOf(bits), UINT32_MAX >> (32 - s->lanes), false);

        require(s, llvm.BuildICmp(e->builder, LLVMIntEQ, llvm.BuildAnd(e->builder, bits, all, ""),
                                  all, ""));
    }
    if (s->inst->message.base == BASE_FLAT) {
        offset = find_in_mapping(s, &area);
    } else {
        area = s->inst->message.base == BASE_SLM ? area_of_slm(s) : area_of_surface(s);
        offset = find_offset(s, area);
    }
    move(s, area.host, offset);
    llvm.BuildBr(e->builder, next);
    emit_continue_at(e, s->general);
    emit_interpret(e, s->inst);
    llvm.BuildBr(e->builder, next);
    emit_continue_at(e, next);
}

void emit_message(struct emitter *e, const struct inst *inst)
{
    struct sending sending = {.e = e, .inst = inst, .lanes = inst->message.lanes};

    if (inst->message.kind == MESSAGE_FENCE) {
        emit_flush(e); /* without the clock, a fence has nothing to do */
        emit_forget(e);
    } else if (moves_dwords(inst)) {
        emit_run(&sending);
    } else {
        emit_interpret(e, inst);
    }
}
