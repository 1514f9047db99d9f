/* Shared by the decoder's files. Each turns a part of an instruction, as Intel's decoder describes
 * it, into fields of struct inst. */
#ifndef VESIM_DECODE_H
#define VESIM_DECODE_H

#include "isa/decode/iga.h"
#include "isa/decode/program.h"
#include "vesim/vesim.h"

/* How the instructions of an architecture are encoded. */
struct decode_target {
    uint32_t platform;        /* enum iga_platform */
    uint32_t scoreboard_mode; /* enum iga_scoreboard_mode */
    uint32_t flags;           /* flag registers, of 32 bits */
};

/* The state of decoding one program. */
struct decoder {
    const struct iga *iga;
    kernel_view *view;
    const struct vesim_device *device;
    const struct inst_binder *binder; /* may be NULL */
    const struct decode_target *target;
    int32_t pc;
    struct inst *inst;
};

/* Whether an instruction changes the instruction pointer or the active lanes. */
bool opcode_is_flow(enum opcode opcode);

/* Destination and sources. -1 if one lies outside its register file. */
int decode_operands(struct decoder *d);

/* Predicate, condition and flag register. */
void decode_predication(struct decoder *d);

/* What to wait for, as the encoding says. */
void decode_scoreboard(struct decoder *d);

/* A send's descriptors and, where they are immediate, its message. */
void decode_send(struct decoder *d);

/* The same of sendg, which becomes a send with a descriptor of another kind. */
void decode_sendg(struct decoder *d);

/* The pipe, and the registers that the hardware interlocks. Called last, as it uses what the others
 * found. */
void decode_interlocks(struct decoder *d);

#endif
