#include "isa/compile/block-messages.h"

#include <stddef.h>

#include "isa/compile/lanes.h"
#include "isa/compile/sending.h"
#include "isa/message/memory-access.h"

enum { BLOCK_BYTES_MAX = 256 };

/* A power of two of dwords. */
bool message_moves_block(const struct inst *inst)
{
    const struct message *m = &inst->message;

    return m->block && m->may_run && m->end >= 4 && m->end <= BLOCK_BYTES_MAX &&
           (m->end & (m->end - 1)) == 0 && sending_can_move(inst, m->end);
}

/* A dword of the thread's registers, as i64. */
static LLVMValueRef dword(struct emitter *e, uint32_t offset)
{
    LLVMValueRef value =
        llvm.BuildExtractElement(e->builder, emit_read(e, offset, 1), emit_i32(e, 0), "");

    return llvm.BuildZExt(e->builder, value, e->i64, "");
}

static LLVMValueRef qword(struct emitter *e, uint32_t offset)
{
    return llvm.BuildBitCast(e->builder, emit_read(e, offset, 2), e->i64, "");
}

/* What memory_block_offset() finds. */
static LLVMValueRef block_offset(const struct sending *s)
{
    struct emitter *e = s->e;
    const struct message *m = &s->inst->message;
    uint32_t header = s->inst->source[0].offset,
             from = m->has_header && !m->header_offset ? header + m->grf_bytes : header;
    LLVMValueRef offset;

    if (m->address_bytes == 8)
        offset = qword(e, from);
    else if (m->header_offset)
        offset = llvm.BuildMul(e->builder, dword(e, header + 8), emit_i64(e, m->header_scale), "");
    else
        offset = dword(e, from);
    offset =
        llvm.BuildAdd(e->builder, offset, emit_i64(e, (uint64_t)(int64_t)m->immediate_offset), "");
    uint64_t mask = m->base == BASE_SLM     ? SLM_ADDRESS_MASK
                    : m->address_bytes == 8 ? UINT64_MAX
                                            : UINT32_MAX;
    return llvm.BuildAnd(e->builder, offset, emit_i64(e, mask), "");
}

/* What memory_stateless_base() finds. */
static LLVMValueRef stateless_base(const struct sending *s)
{
    struct emitter *e = s->e;
    LLVMValueRef walker = emit_thread_member(e, e->pointer, offsetof(struct thread, walker));
    LLVMValueRef base = emit_load(
        e, e->i64, walker, emit_i64(e, offsetof(struct walker, general_state_base)), 4, false);

    if (!s->inst->message.has_header)
        return base;
    LLVMValueRef buffer = llvm.BuildAnd(e->builder, dword(e, s->inst->source[0].offset + 20),
                                        emit_i64(e, ~UINT32_C(1023)), "");
    return llvm.BuildAdd(e->builder, base, buffer, "");
}

/* The area, and the block's offset in it. */
static struct area find_block(const struct sending *s, LLVMValueRef *offset)
{
    *offset = block_offset(s);
    switch (s->inst->message.base) {
    case BASE_SURFACE:
        return sending_surface(s);
    case BASE_SLM:
        return sending_slm(s);
    case BASE_STATELESS:
        return sending_mapping(s, llvm.BuildAdd(s->e->builder, stateless_base(s), *offset, ""),
                               offset);
    default:
        return sending_mapping(s, *offset, offset);
    }
}

/* All lanes that the instruction has are active: else some of a block's dwords may stay. */
static void require_all_lanes(const struct sending *s)
{
    LLVMValueRef mask = emit_active_mask(s->e, s->inst);

    if (!mask)
        return;
    sending_require(s, emit_is_none(s->e, llvm.BuildNot(s->e->builder, mask, "")));
}

void emit_block_message(struct emitter *e, const struct inst *inst)
{
    const struct sending s = sending_begin(e, inst);
    const uint32_t bytes = inst->message.end, dwords = bytes / 4;
    LLVMValueRef offset;

    require_all_lanes(&s);
    struct area area = find_block(&s, &offset);
    sending_require(&s, sending_is_within(&s, offset, bytes, area));
    if (inst->message.kind == MESSAGE_LOAD)
        emit_write(e, inst->destination.offset, dwords,
                   emit_load(e, emit_vector(e->i32, dwords), area.host, offset, 1, true));
    else
        emit_store(e, emit_read(e, inst->source[1].offset, dwords), area.host, offset, 1, true);
    sending_done(&s);
    sending_end(&s);
}
