#include "isa/compile/sending.h"

#include <stddef.h>

#include "isa/fast/message-form.h"
#include "isa/message/access.h"
#include "isa/message/memory-access.h"

bool sending_can_move(const struct inst *inst, uint32_t bytes)
{
    const struct message *m = &inst->message;

    return (m->kind == MESSAGE_LOAD || m->kind == MESSAGE_STORE) && message_names_memory(m) &&
           m->base != BASE_SCALAR && inst->predicate == PREDICATE_NONE &&
           memory_registers_fit(inst) &&
           (m->kind == MESSAGE_STORE || inst->destination.offset + bytes <= ARF_NULL);
}

struct sending sending_begin(struct emitter *e, const struct inst *inst)
{
    emit_flush(e);
    return (struct sending){
        .e = e, .inst = inst, .general = emit_block(e, "general"), .next = emit_block(e, "next")};
}

void sending_done(const struct sending *s)
{
    emit_flush(s->e);
    emit_forget(s->e);
    llvm.BuildBr(s->e->builder, s->next);
}

void sending_end(const struct sending *s)
{
    emit_continue_at(s->e, s->general);
    emit_interpret(s->e, s->inst);
    llvm.BuildBr(s->e->builder, s->next);
    emit_continue_at(s->e, s->next);
}

void sending_require(const struct sending *s, LLVMValueRef condition)
{
    LLVMBasicBlockRef next = emit_block(s->e, "");

    llvm.BuildCondBr(s->e->builder, condition, next, s->general);
    emit_continue_at(s->e, next);
}

static LLVMValueRef member(const struct emitter *e, LLVMTypeRef type, LLVMValueRef base,
                           size_t offset)
{
    return emit_load(e, type, base, emit_i64(e, offset), 4, false);
}

static LLVMValueRef access_of(const struct emitter *e)
{
    return emit_thread_member(e, e->pointer, offsetof(struct thread, access));
}

struct area sending_surface(const struct sending *s)
{
    const struct emitter *e = s->e;
    size_t at = offsetof(struct message_access, surfaces) +
                s->inst->message.surface * sizeof(struct surface);
    LLVMValueRef access = access_of(e);

    return (struct area){member(e, e->pointer, access, at + offsetof(struct surface, host)),
                         member(e, e->i64, access, at + offsetof(struct surface, reach))};
}

struct area sending_slm(const struct sending *s)
{
    const struct emitter *e = s->e;
    LLVMValueRef bytes = emit_thread_member(e, e->i32, offsetof(struct thread, slm_bytes));

    return (struct area){emit_thread_member(e, e->pointer, offsetof(struct thread, slm)),
                         llvm.BuildZExt(e->builder, bytes, e->i64, "")};
}

struct area sending_mapping(const struct sending *s, LLVMValueRef address, LLVMValueRef *offset)
{
    const struct emitter *e = s->e;
    size_t at = offsetof(struct message_access, mappings) +
                s->inst->pc / 8 % ACCESS_MAPPINGS * sizeof(struct mapping *);
    LLVMValueRef mapping = member(e, e->pointer, access_of(e), at);
    LLVMValueRef number = llvm.BuildPtrToInt(e->builder, mapping, e->i64, "");

    sending_require(s, llvm.BuildICmp(e->builder, LLVMIntNE, number, emit_i64(e, 0), ""));
    LLVMValueRef begin = member(e, e->i64, mapping, offsetof(struct mapping, address));
    LLVMValueRef space = emit_thread_member(e, e->pointer, offsetof(struct thread, space));
    LLVMValueRef wide = member(e, e->i64, space, offsetof(struct address_space, wide));
    LLVMValueRef mask = llvm.BuildOr(e->builder, wide, emit_i64(e, GPU_ADDRESS_MASK), "");
    *offset = llvm.BuildAnd(e->builder, llvm.BuildSub(e->builder, address, begin, ""), mask, "");
    return (struct area){member(e, e->pointer, mapping, offsetof(struct mapping, host)),
                         member(e, e->i64, mapping, offsetof(struct mapping, size))};
}

LLVMValueRef sending_is_within(const struct sending *s, LLVMValueRef offset, uint32_t bytes,
                               struct area area)
{
    LLVMValueRef end = llvm.BuildAdd(s->e->builder, offset, emit_i64(s->e, bytes), "");

    return llvm.BuildICmp(s->e->builder, LLVMIntULE, end, area.bytes, "");
}
