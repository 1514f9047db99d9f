/* Lanes of an instruction as host vectors: its sources, which lanes write, and its results. */
#ifndef VESIM_COMPILE_LANES_H
#define VESIM_COMPILE_LANES_H

#include "isa/compile/emit.h"

/* Source `n`, 32 bits for each lane, with the modifiers that integers, bits and floats give it. The
 * fast path has prepared the instruction (isa/fast/fast.h). */
LLVMValueRef emit_source(struct emitter *e, const struct inst *inst, unsigned n);
LLVMValueRef emit_integer(struct emitter *e, const struct inst *inst, unsigned n);
LLVMValueRef emit_logic(struct emitter *e, const struct inst *inst, unsigned n);
LLVMValueRef emit_float(struct emitter *e, const struct inst *inst, unsigned n);

/* The same as emit_float(), but which NaN a NaN is may differ. */
LLVMValueRef emit_real(struct emitter *e, const struct inst *inst, unsigned n);

/* The result of a simple operation on one or two vectors of integers, of shifts by less than their
 * bits; NULL if the opcode is another. */
LLVMValueRef emit_operation(const struct emitter *e, enum opcode opcode, LLVMValueRef x,
                            LLVMValueRef y);

static inline bool opcode_is_shift(enum opcode opcode)
{
    return opcode == OP_shl || opcode == OP_shr || opcode == OP_asr;
}

/* Whether the instruction's predicate and condition are in flags that are held, and are each lane's
 * own. */
bool lanes_have_flags(const struct inst *inst);

/* A vector of bits: the predicate of each lane; the lanes that write, NULL if all do; and those
 * that would without a predicate. */
LLVMValueRef emit_predicate(struct emitter *e, const struct inst *inst);
LLVMValueRef emit_write_mask(struct emitter *e, const struct inst *inst);
LLVMValueRef emit_active_mask(struct emitter *e, const struct inst *inst);

/* Writes dwords from byte `offset` of the register file on, or to the destination, for the lanes in
 * `mask`; NULL: all. */
void emit_masked_write(struct emitter *e, uint32_t offset, unsigned lanes, LLVMValueRef value,
                       LLVMValueRef mask);
void emit_result(struct emitter *e, const struct inst *inst, LLVMValueRef value, LLVMValueRef mask);

/* Sets the flags of the lanes in `mask` to the bits of a vector. */
void emit_condition(struct emitter *e, const struct inst *inst, LLVMValueRef bits,
                    LLVMValueRef mask);

/* The bits of a vector as a number as wide as it has lanes. */
LLVMValueRef emit_bits(const struct emitter *e, LLVMValueRef vector);

/* Whether no bit of a vector is set. */
LLVMValueRef emit_is_none(const struct emitter *e, LLVMValueRef vector);

#endif
