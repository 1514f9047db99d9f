/* Host code for a block in the making. While instructions follow one another without a message or a
 * branch between them, what they leave in registers is held in host values, and written to the
 * thread's register file where somebody else may look. */
#ifndef VESIM_EMIT_H
#define VESIM_EMIT_H

#include "isa/compile/llvm.h"
#include "isa/thread/thread.h"

enum { HELD_MAX = 64, FLAG_BITS = 64 /* f0.0 to f1.1 */ };

/* A run of dwords of the thread, registers or the accumulator at full width, as a vector. */
struct held {
    uint32_t offset, bytes;
    LLVMValueRef value;
    LLVMValueRef halves[2];  /* of the value; NULL: nobody has read it */
    LLVMValueRef real;       /* the same as floats, but for which NaN a NaN is; NULL: not known */
    LLVMValueRef factors[2]; /* see emit_keep_factors() */
    bool dirty;              /* the thread has not got it yet */
};

/* What is held in host values. */
struct held_registers {
    struct held runs[HELD_MAX]; /* disjoint */
    unsigned count;
    LLVMValueRef flags; /* i64; NULL: not held */
    bool flags_dirty;
};

/* Addresses of this process that code refers to. */
enum address { ADDRESS_INSTS, ADDRESS_MEET, ADDRESS_ONE, ADDRESSES };

struct emitter {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef function;
    LLVMTypeRef i8, i16, i32, i64, f32, f64, pointer;
    LLVMValueRef thread;     /* first parameter */
    LLVMValueRef active;     /* i32: active lanes; NULL: all that instructions have */
    LLVMBasicBlockRef fault; /* returns -1 */
    struct held_registers held;
    unsigned joints; /* vectors taken apart or put together */
    uint64_t addresses[ADDRESSES];
    LLVMValueRef table; /* pointer: where the code finds them */
};

/* Types and constants. */
LLVMTypeRef emit_vector(LLVMTypeRef element, unsigned lanes);
LLVMValueRef emit_i32(const struct emitter *e, uint32_t value);
LLVMValueRef emit_i64(const struct emitter *e, uint64_t value);
LLVMValueRef emit_splat(const struct emitter *e, LLVMValueRef value, unsigned lanes);
LLVMValueRef emit_splat_i32(const struct emitter *e, uint32_t value, unsigned lanes);

/* `lanes` elements from element `first` on of two vectors, one behind the other. */
LLVMValueRef emit_part(const struct emitter *e, LLVMValueRef a, LLVMValueRef b, unsigned first,
                       unsigned lanes);

/* An operation of LLVM's by its name: for vectors of `type`, or NULL if it has only one. */
LLVMValueRef emit_intrinsic(const struct emitter *e, const char *name, LLVMTypeRef type,
                            LLVMValueRef *arguments, unsigned count);

/* A value of `type` at `base` + `offset` bytes; memory that others may change at any time if
 * `is_volatile`. */
LLVMValueRef emit_load(const struct emitter *e, LLVMTypeRef type, LLVMValueRef base,
                       LLVMValueRef offset, unsigned alignment, bool is_volatile);
void emit_store(const struct emitter *e, LLVMValueRef value, LLVMValueRef base, LLVMValueRef offset,
                unsigned alignment, bool is_volatile);

/* The same for the elements whose bit in `mask` is set; others are 0, and none of their memory is
 * accessed. It has any alignment. */
LLVMValueRef emit_masked_load(const struct emitter *e, LLVMTypeRef type, LLVMValueRef base,
                              LLVMValueRef offset, LLVMValueRef mask);
void emit_masked_store(const struct emitter *e, LLVMValueRef value, LLVMValueRef base,
                       LLVMValueRef offset, LLVMValueRef mask);

/* A member of the thread. */
LLVMValueRef emit_thread_member(const struct emitter *e, LLVMTypeRef type, size_t offset);
void emit_set_thread_member(const struct emitter *e, LLVMValueRef value, size_t offset);

/* An address of this process, as a pointer. */
LLVMValueRef emit_address(const struct emitter *e, enum address address);

/* A new basic block, and code going there. */
LLVMBasicBlockRef emit_block(const struct emitter *e, const char *name);
void emit_continue_at(struct emitter *e, LLVMBasicBlockRef block);

/* `lanes` dwords from byte `offset` of the register file. Dwords that nobody has written in between
 * are the same value. */
LLVMValueRef emit_read(struct emitter *e, uint32_t offset, unsigned lanes);
void emit_write(struct emitter *e, uint32_t offset, unsigned lanes, LLVMValueRef value);

/* For what was written there last, the floats that it comes from: arithmetic that makes one NaN of
 * all can go on with these, and need not wait for that. NULL where they are not known. */
void emit_keep_real(struct emitter *e, uint32_t offset, unsigned lanes, LLVMValueRef real);
LLVMValueRef emit_read_real(struct emitter *e, uint32_t offset, unsigned lanes);

/* The accumulator at full width, from element `first` on: i64. */
LLVMValueRef emit_accumulator(struct emitter *e, unsigned first, unsigned lanes);
void emit_set_accumulator(struct emitter *e, unsigned first, unsigned lanes, LLVMValueRef value);

/* `lanes` elements of the accumulator, from the first on, have been given dwords `a` times the
 * lower words of dwords `b`. And whether that is what they still hold. */
void emit_keep_factors(struct emitter *e, unsigned lanes, LLVMValueRef a, LLVMValueRef b);
bool emit_has_factors(struct emitter *e, unsigned lanes, LLVMValueRef a, LLVMValueRef b);

/* Elements of 1, 2, 4 or 8 bytes, side by side from byte `offset` of the register file on. They are
 * read from the thread, and written to it at once. */
LLVMValueRef emit_read_elements(struct emitter *e, uint32_t offset, unsigned bytes, unsigned lanes);
void emit_write_elements(struct emitter *e, uint32_t offset, unsigned bytes, unsigned lanes,
                         LLVMValueRef value);

/* f0.0 to f1.1 as one number. */
LLVMValueRef emit_flags(struct emitter *e);
void emit_set_flags(struct emitter *e, LLVMValueRef flags);

/* Writes what is held to the register file; what was clean stays held, and so does the rest. */
void emit_flush(struct emitter *e);

/* Holds nothing any more; to be flushed before. */
void emit_forget(struct emitter *e);

/* Executes the instruction by its function, or by the one for barriers, and goes on unless that
 * fails. */
void emit_interpret(struct emitter *e, const struct inst *inst);
void emit_meet(struct emitter *e, const struct inst *inst);

#endif
