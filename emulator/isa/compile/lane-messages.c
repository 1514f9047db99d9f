#include "isa/compile/lane-messages.h"

#include "isa/compile/lanes.h"
#include "isa/compile/sending.h"
#include "isa/fast/message-form.h"
#include "isa/message/memory-access.h"

/* What the lanes access. */
struct places {
    unsigned lanes;
    LLVMValueRef each;  /* lanes' offsets or, without a surface, addresses: 32 or 64 bits */
    LLVMValueRef mask;  /* lanes that take part; NULL: all */
    LLVMValueRef first; /* i64: offset of the first lane, whether it takes part or not, in: */
    struct area area;
};

/* A dword for each of 8, 16 or 32 lanes. */
bool message_moves_lanes(const struct inst *inst)
{
    const struct message *m = &inst->message;

    return message_moves_elements(m) && m->element_bytes == 4 && m->shape.components == 1 &&
           (m->lanes == 8 || m->lanes == 16 || m->lanes == 32) && inst->lanes >= m->lanes &&
           m->base != BASE_STATELESS && sending_can_move(inst, m->lanes * 4u);
}

/* The lanes that take part, as a vector of bits. */
static LLVMValueRef mask_of(const struct sending *s, unsigned lanes)
{
    LLVMValueRef mask = emit_active_mask(s->e, s->inst);

    return mask && lanes < s->inst->lanes ? emit_part(s->e, mask, mask, 0, lanes) : mask;
}

static LLVMValueRef first_of(const struct emitter *e, LLVMValueRef vector)
{
    return llvm.BuildExtractElement(e->builder, vector, emit_i32(e, 0), "");
}

/* Offsets of 32 bits in a surface or shared local memory. */
static void find_offsets(const struct sending *s, struct places *p)
{
    struct emitter *e = s->e;
    bool local = s->inst->message.base == BASE_SLM;

    p->each = emit_read(e, s->inst->source[0].offset, p->lanes);
    if (local)
        p->each =
            llvm.BuildAnd(e->builder, p->each, emit_splat_i32(e, SLM_ADDRESS_MASK, p->lanes), "");
    p->area = local ? sending_slm(s) : sending_surface(s);
    p->first = llvm.BuildZExt(e->builder, first_of(e, p->each), e->i64, "");
}

/* Addresses of 64 bits. */
static void find_addresses(const struct sending *s, struct places *p)
{
    struct emitter *e = s->e;

    p->each = llvm.BuildBitCast(e->builder, emit_read(e, s->inst->source[0].offset, p->lanes * 2),
                                emit_vector(e->i64, p->lanes), "");
    p->area = sending_mapping(s, first_of(e, p->each), &p->first);
}

/* Whether each lane that takes part is `step` behind the lane before it. */
static LLVMValueRef are_apart(const struct sending *s, const struct places *p, uint32_t step)
{
    const struct emitter *e = s->e;
    LLVMValueRef first = first_of(e, p->each), steps[MAX_LANES];

    for (unsigned lane = 0; lane < p->lanes; lane++)
        steps[lane] = llvm.ConstInt(llvm.TypeOf(first), lane * UINT64_C(1) * step, false);
    LLVMValueRef expected = llvm.BuildAdd(e->builder, emit_splat(e, first, p->lanes),
                                          llvm.ConstVector(steps, p->lanes), "");
    LLVMValueRef others = llvm.BuildICmp(e->builder, LLVMIntNE, p->each, expected, "");
    if (p->mask)
        others = llvm.BuildAnd(e->builder, others, p->mask, "");
    return emit_is_none(e, others);
}

/* Whether the lanes' dwords lie side by side within the area. Offsets that wrap are no run. */
static LLVMValueRef is_run(const struct sending *s, const struct places *p)
{
    const struct emitter *e = s->e;
    LLVMValueRef run = llvm.BuildAnd(e->builder, are_apart(s, p, 4),
                                     sending_is_within(s, p->first, p->lanes * 4, p->area), "");

    if (s->inst->message.base == BASE_FLAT)
        return run;
    LLVMValueRef last = emit_i64(e, UINT32_MAX - p->lanes * UINT64_C(4));
    return llvm.BuildAnd(e->builder, run,
                         llvm.BuildICmp(e->builder, LLVMIntULT, p->first, last, ""), "");
}

/* Whether all lanes load the same dword, the first one among them: nobody wants that of a lane
 * which takes no part. */
static LLVMValueRef is_one(const struct sending *s, const struct places *p)
{
    LLVMBuilderRef b = s->e->builder;
    LLVMValueRef one =
        llvm.BuildAnd(b, are_apart(s, p, 0), sending_is_within(s, p->first, 4, p->area), "");

    return p->mask ? llvm.BuildAnd(b, one, first_of(s->e, p->mask), "") : one;
}

static void set_destination(const struct sending *s, const struct places *p, LLVMValueRef value)
{
    emit_masked_write(s->e, s->inst->destination.offset, p->lanes, value, p->mask);
}

/* Others may work on the memory at the same time: what is volatile is neither left out, nor done
 * twice, nor done in another order. */
static void move_run(const struct sending *s, const struct places *p)
{
    struct emitter *e = s->e;
    LLVMTypeRef type = emit_vector(e->i32, p->lanes);

    if (s->inst->message.kind == MESSAGE_LOAD)
        set_destination(s, p,
                        p->mask ? emit_masked_load(e, type, p->area.host, p->first, p->mask)
                                : emit_load(e, type, p->area.host, p->first, 1, true));
    else if (p->mask)
        emit_masked_store(e, emit_read(e, s->inst->source[1].offset, p->lanes), p->area.host,
                          p->first, p->mask);
    else
        emit_store(e, emit_read(e, s->inst->source[1].offset, p->lanes), p->area.host, p->first, 1,
                   true);
}

static void load_one(const struct sending *s, const struct places *p)
{
    struct emitter *e = s->e;
    LLVMValueRef value = emit_load(e, e->i32, p->area.host, p->first, 1, true);

    set_destination(s, p, emit_splat(e, value, p->lanes));
}

void emit_lane_message(struct emitter *e, const struct inst *inst)
{
    const struct sending s = sending_begin(e, inst);
    struct places places = {.lanes = inst->message.lanes};
    LLVMBasicBlockRef run = emit_block(e, "run"), other = emit_block(e, "other");

    places.mask = mask_of(&s, places.lanes);
    if (inst->message.base == BASE_FLAT)
        find_addresses(&s, &places);
    else
        find_offsets(&s, &places);
    llvm.BuildCondBr(e->builder, is_run(&s, &places), run, other);
    struct held_registers held = e->held;
    emit_continue_at(e, run);
    move_run(&s, &places);
    sending_done(&s);
    emit_continue_at(e, other);
    e->held = held;
    if (inst->message.kind == MESSAGE_LOAD) {
        sending_require(&s, is_one(&s, &places));
        load_one(&s, &places);
        sending_done(&s);
    } else {
        llvm.BuildBr(e->builder, s.general);
    }
    sending_end(&s);
}
