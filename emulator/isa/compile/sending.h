/* A message in the making: it moves bytes of one area of memory, or is done the general way. */
#ifndef VESIM_COMPILE_SENDING_H
#define VESIM_COMPILE_SENDING_H

#include "isa/compile/emit.h"

struct sending {
    struct emitter *e;
    const struct inst *inst;
    LLVMBasicBlockRef general; /* does it the general way */
    LLVMBasicBlockRef next;    /* where it has been done */
};

/* Memory that a message may access: where offset 0 is, and how many bytes there are. */
struct area {
    LLVMValueRef host, bytes;
};

/* Whether the instruction loads or stores so many bytes of memory that it names, in registers that
 * there are. */
bool sending_can_move(const struct inst *inst, uint32_t bytes);

/* Begins with nothing left to write to the thread. */
struct sending sending_begin(struct emitter *e, const struct inst *inst);

/* The code so far has done the message. */
void sending_done(const struct sending *s);

/* The rest: the general way. */
void sending_end(const struct sending *s);

/* Goes on if the condition holds, else does the message the general way. */
void sending_require(const struct sending *s, LLVMValueRef condition);

/* An entry of the binding table, and shared local memory. */
struct area sending_surface(const struct sending *s);
struct area sending_slm(const struct sending *s);

/* The mapping that the instruction found the last time, if any, and the offset of an address in
 * it. */
struct area sending_mapping(const struct sending *s, LLVMValueRef address, LLVMValueRef *offset);

/* Whether so many bytes from an offset on (i64, below 2^63) lie within the area. */
LLVMValueRef sending_is_within(const struct sending *s, LLVMValueRef offset, uint32_t bytes,
                               struct area area);

#endif
