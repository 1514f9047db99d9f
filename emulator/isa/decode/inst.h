/* A decoded Xe instruction: everything the encoding says, in a form that executes without the
 * encoding. */
#ifndef VESIM_INST_H
#define VESIM_INST_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "isa/decode/message.h"

#define MAX_LANES 32

/* Mnemonics of the instructions that the model executes. The names are those of the assembler:
 * decode.c looks each up by its mnemonic. */
/* clang-format off */
#define XE_OPCODES(X) \
    X(add) X(add3) X(addc) X(and) X(asr) X(avg) X(bfe) X(bfi1) X(bfi2) X(bfn) X(bfrev) X(brc) \
    X(brd) X(break) X(call) X(calla) X(cbit) X(cmp) X(cmpn) X(cont) X(csel) X(dp4a) X(dpas) \
    X(else) X(endif) X(fbh) X(fbl) X(frc) X(goto) X(halt) X(if) X(jmpi) X(join) X(lzd) X(mac) X(mach) \
    X(macl) X(mad) X(madm) X(math) X(mov) X(movi) X(mul) X(mullh) X(nop) X(not) X(or) X(ret) X(rndd) X(rnde) \
    X(rndu) X(rndz) X(rol) X(ror) X(sel) X(send) X(sendc) X(sendg) X(sendgc) X(shl) X(shr) X(subb) X(sync) \
    X(while) X(xor)
/* clang-format on */

enum opcode {
    OP_unknown, /* the assembler knows it, this model does not */
#define X(name) OP_##name,
    XE_OPCODES(X)
#undef X
        OPCODE_COUNT
};

enum type {
    TYPE_UB,
    TYPE_B,
    TYPE_UW,
    TYPE_W,
    TYPE_UD,
    TYPE_D,
    TYPE_UQ,
    TYPE_Q,
    TYPE_HF,
    TYPE_F,
    TYPE_DF,
    TYPE_BF,
    TYPE_V,
    TYPE_UV,
    TYPE_VF, /* packed immediates */
    TYPE_U4,
    TYPE_S4,
    TYPE_U2,
    TYPE_S2, /* parts of a byte: of dpas alone */
    TYPE_NONE,
};

static inline bool type_is_float(enum type type)
{
    return type == TYPE_F || type == TYPE_HF || type == TYPE_DF || type == TYPE_BF ||
           type == TYPE_VF;
}

static inline bool type_is_signed(enum type type)
{
    return type == TYPE_B || type == TYPE_W || type == TYPE_D || type == TYPE_Q || type == TYPE_V ||
           type == TYPE_S4 || type == TYPE_S2;
}

static inline unsigned type_bytes(enum type type)
{
    static const uint8_t bytes[] = {
        [TYPE_UB] = 1, [TYPE_B] = 1,  [TYPE_UW] = 2, [TYPE_W] = 2,  [TYPE_UD] = 4,
        [TYPE_D] = 4,  [TYPE_UQ] = 8, [TYPE_Q] = 8,  [TYPE_HF] = 2, [TYPE_F] = 4,
        [TYPE_DF] = 8, [TYPE_BF] = 2, [TYPE_V] = 2,  [TYPE_UV] = 2, [TYPE_VF] = 4,
        [TYPE_U4] = 1, [TYPE_S4] = 1, [TYPE_U2] = 1, [TYPE_S2] = 1, [TYPE_NONE] = 0};

    return bytes[type];
}

static inline unsigned type_bits(enum type type)
{
    return type == TYPE_U4 || type == TYPE_S4   ? 4
           : type == TYPE_U2 || type == TYPE_S2 ? 2
                                                : 8 * type_bytes(type);
}

/* The register file of a thread as one array of bytes: the general registers first, then the
 * architecture registers, so that an operand is an offset. Architecture register sizes are
 * those of the PRM's "Register files" chapter, rounded up to hold a full SIMD32 access. */
enum {
    GRF_COUNT = 256,
    GRF_BYTES_MAX = 64,                     /* a program's device says how many it has: 32 or 64 */
    ARF_NULL = GRF_COUNT * GRF_BYTES_MAX,   /* reads as 0, writes are dropped */
    ARF_ADDRESS = ARF_NULL + 256,           /* a0: 16 words, on Xe3P 32 */
    ARF_ACC = ARF_ADDRESS + 64,             /* acc0 to acc7, each as long as a general register */
    ARF_FLAG = ARF_ACC + 8 * GRF_BYTES_MAX, /* f0.0 to f1.1, on Xe2 to f3.1: 16 bits each */
    ARF_CE = ARF_FLAG + 64,                 /* channel enables */
    ARF_SP = ARF_CE + 64,                   /* stack pointer */
    ARF_SR = ARF_SP + 64,     /* state: sr0.0 thread and core ids, sr0.2 dispatch mask */
    ARF_CR = ARF_SR + 64,     /* control: cr0.0 modes */
    ARF_NOTIFY = ARF_CR + 64, /* n0 */
    ARF_IP = ARF_NOTIFY + 64,
    ARF_TDR = ARF_IP + 64,
    ARF_TM = ARF_TDR + 64, /* timestamp */
    ARF_DBG = ARF_TM + 64,
    ARF_SCALAR = ARF_DBG + 64, /* s0 of Xe3: 32 bytes, of Xe3P all */
    SCALAR_BYTES = 64,
    ARF_MSG = ARF_SCALAR + SCALAR_BYTES, /* msg0: the Xe-core's number */
    ARF_GATHERED = ARF_MSG + 64,         /* no register: the payload of a message that names its
                                            registers in s0, one after another */
    GATHERED_MAX = 16,                   /* registers; a descriptor has 4 bits for them */
    ARF_SAMPLER = ARF_GATHERED + GATHERED_MAX * GRF_BYTES_MAX, /* nor this: what a sampler adds to
                                                                  the texels that it chose */
    ARF_SAMPLER_BYTES = 256,
    ARF_SYSTOLIC = ARF_SAMPLER + ARF_SAMPLER_BYTES, /* nor this: what a dpas has not written yet */
    REGISTER_FILE_BYTES = ARF_SYSTOLIC + 8 * GRF_BYTES_MAX,
};

enum operand_kind { OPERAND_NONE, OPERAND_REGISTER, OPERAND_IMMEDIATE, OPERAND_INDIRECT };

/* How a source's lanes lie in the register file, which decides how they are fetched. */
enum shape { SHAPE_SCALAR, SHAPE_CONTIGUOUS, SHAPE_STRIDED };

struct operand {
    uint8_t kind;  /* enum operand_kind */
    uint8_t type;  /* enum type */
    uint8_t shape; /* enum shape */
    bool negate;   /* logic instructions: complement */
    bool absolute;
    bool is_null;
    bool is_accumulator;
    bool vxh;                 /* OPERAND_INDIRECT: an address register for each row */
    uint8_t extended_by;      /* math macros: 1 + the number of the mme register; 0: nomme */
    uint32_t offset;          /* OPERAND_REGISTER: first byte in the register file;
                                 OPERAND_INDIRECT: of the address register */
    int32_t immediate_offset; /* OPERAND_INDIRECT: bytes added to the address register */
    uint8_t vertical_stride, width, horizontal_stride; /* elements; <V;W,H> */
    uint64_t immediate;                                /* OPERAND_IMMEDIATE: its bits */
    uint8_t packed_step; /* packed immediate: elements from one lane's to the next */
    uint32_t
        broadcast; /* OPERAND_IMMEDIATE with the same 32 bits in every lane: those bits, with */
    bool has_broadcast;              /* its sign extended */
    uint16_t lane_offset[MAX_LANES]; /* bytes from the first element to the lane's (sources, and
                                        destinations by their horizontal stride) */
};

/* Whether a direct operand begins in the given part of the register file. */
static inline bool operand_lies_in(const struct operand *operand, uint32_t first, uint32_t end)
{
    return operand->kind == OPERAND_REGISTER && operand->offset >= first && operand->offset < end;
}

static inline bool operand_is_instruction_pointer(const struct operand *operand)
{
    return operand_lies_in(operand, ARF_IP, ARF_TDR);
}

enum condition {
    CONDITION_NONE,
    CONDITION_EQ,
    CONDITION_NE,
    CONDITION_GT,
    CONDITION_GE,
    CONDITION_LT,
    CONDITION_LE,
    CONDITION_OVERFLOW,
    CONDITION_UNORDERED,
};

/* How a predicate combines flag bits; PREDICATE_LANE takes each lane's own. */
enum predicate {
    PREDICATE_NONE,
    PREDICATE_LANE,
    PREDICATE_ANY, /* any bit in the lane's group of predicate_group lanes */
    PREDICATE_ALL,
    PREDICATE_ANYV,
    PREDICATE_ALLV, /* the lane's bit in f0.0 and f1.0 */
};

enum sync_function { SYNC_NOP = 0, SYNC_ALLRD = 2, SYNC_ALLWR = 3, SYNC_BAR = 14, SYNC_HOST = 15 };

enum math_function {
    MATH_INV = 1,
    MATH_LOG,
    MATH_EXP,
    MATH_SQT,
    MATH_RSQT,
    MATH_SIN,
    MATH_COS,
    MATH_FDIV,
    MATH_POW,
    MATH_IDIV,
    MATH_IQOT,
    MATH_IREM,
    MATH_INVM,
    MATH_RSQTM,
    MATH_TANH, /* from here on of Xe3P */
    MATH_SIGMOID,
};

/* The pipes. Distances of the software scoreboard tell apart those before PIPE_MATH, which complete
 * in order; the others mark tokens. */
enum pipe {
    PIPE_FLOAT,
    PIPE_INTEGER,
    PIPE_LONG,
    PIPE_MATH,
    PIPE_SYSTOLIC,
    PIPE_SEND,
    PIPE_NONE,
    PIPE_COUNT
};

enum distance_pipe {
    DISTANCE_NONE,
    DISTANCE_OWN,
    DISTANCE_ALL,
    DISTANCE_FLOAT,
    DISTANCE_INTEGER,
    DISTANCE_LONG,
    DISTANCE_MATH
};
enum token_use { TOKEN_NONE, TOKEN_SET, TOKEN_SOURCE, TOKEN_DESTINATION };

/* What the encoding tells the software scoreboard to wait for, and to mark. */
struct scoreboard_info {
    uint8_t distance_pipe; /* enum distance_pipe */
    uint8_t distance;      /* 1 to 7; 0: none */
    uint8_t token_use;     /* enum token_use */
    uint8_t token;         /* 0 to 31 */
};

/* How the fast path finds the lanes of a source: as 32 bits each. Words are extended by their sign
 * or with zeros; "apart" are those in the low halves of dwords. */
enum fast_form {
    FORM_DWORDS, /* side by side */
    FORM_DWORD,  /* one for all lanes */
    FORM_VALUE,  /* the same in the instruction */
    FORM_SIGNED_WORDS,
    FORM_UNSIGNED_WORDS,
    FORM_SIGNED_WORDS_APART,
    FORM_UNSIGNED_WORDS_APART,
    FORM_SIGNED_WORD,
    FORM_UNSIGNED_WORD,
};

struct fast_source {
    uint8_t form;             /* enum fast_form */
    bool negate, absolute;    /* modifiers still to be applied; a value has them applied already */
    uint32_t offset_or_value; /* first byte in the register file, or FORM_VALUE */
};

struct thread;
struct inst;

/* Executes one instruction for all its lanes. Returns 0, or -1 with thread->fault set. */
typedef int (*execute_function)(struct thread *thread, const struct inst *inst);

/* In the order of use: what every execution reads, then what the clock reads, then the rest. */
struct inst {
    alignas(64) execute_function execute;
    int32_t next;       /* index of the following instruction */
    uint8_t opcode;     /* enum opcode */
    uint8_t lanes;      /* execution size, 1 to 32 */
    uint8_t first_lane; /* M0, M4, …: the thread's lane that the instruction's first lane is */
    uint8_t predicate;  /* enum predicate */
    uint8_t flag;       /* 16-bit flag sub-register: 0 f0.0, 1 f0.1, 2 f1.0, 3 f1.1 */
    uint8_t condition;  /* enum condition */
    bool predicate_inverse;
    bool no_mask;      /* (W): all lanes, active or not */
    bool reads_clock;  /* has the timestamp register as a source */
    bool is_flow;      /* changes the instruction pointer or the active lanes */
    bool is_shared;    /* acts on more than its own vector engine: messages, sync */
    bool is_plain;     /* none of these, and not the last: the next one follows unconditionally */
    bool is_last;      /* of its program, or of a function outside */
    bool does_nothing; /* without the clock */
    bool end_of_thread;
    uint8_t fast_container;    /* bytes from one element of the destination to the next, where
                                  the fast path needs them; 0: it has none */
    uint32_t fast_destination; /* first byte in the register file */
    struct fast_source fast[3];

    uint8_t pipe;      /* enum pipe */
    uint8_t port;      /* the pipe whose port it uses, another's where two share one */
    uint8_t occupancy; /* cycles for which it occupies the port */
    uint16_t latency;  /* cycles from issue until a dependent instruction may issue */
    struct scoreboard_info scoreboard;
    /* What the hardware interlocks, a bit for each flag of 16 bits, f0.0 to f3.1, and each
     * accumulator. */
    uint8_t flags_read, flags_written;
    uint8_t accumulators_read, accumulators_written;
    bool reads_address, writes_address;

    uint8_t bytes; /* 8 (compacted) or 16 */
    uint32_t pc;   /* bytes from the first instruction of the program */
    int32_t jip_index, uip_index;
    int32_t jip, uip;    /* flow: absolute pc, -1 if none */
    uint32_t trips;      /* that loop `loop` goes round */
    uint8_t loop;        /* flow: ends loop `loop` - 1 of loops_force(), 0: none */
    bool branch_control; /* goto.b and its kin */

    bool saturate;
    bool writes_accumulator; /* {AccWrEn} */
    uint8_t predicate_group; /* lanes, for any and all */
    uint8_t function;        /* math_function, sync_function, or the truth table of bfn */
    uint8_t systolic_depth, systolic_repeat; /* dpas */
    bool is_atomic;    /* dpas {Atomic}: nothing comes between it and the next instruction, */
    bool written_late; /* and that is a dpas, too, which reads its sources before this one writes */
    uint8_t source_count;

    bool has_message;           /* `message` is decoded: both descriptors are immediate */
    bool gathers;               /* the payload's registers are those that the bytes of s0 name, */
    uint8_t gathers_from;       /* from this one on */
    int8_t descriptor_register; /* a0 dword that holds the descriptor, -1: immediate */
    bool extended_offset;       /* ExBSO: bits 31:6 of that register are a surface state's offset.
                                   Otherwise bits 31:12 are its bits 25:6 */
    int8_t extended_descriptor_register;
    uint8_t function_id;          /* enum sfid */
    uint8_t payload1_registers;   /* registers of source 1, where the encoding says */
    uint32_t descriptor;          /* send */
    uint32_t extended_descriptor; /* send */
    uint32_t offset_bits;         /* send: as in struct send_descriptors, */
    bool generalized;             /* and these, of Xe3P */
    uint8_t payload0_registers, response_registers;
    int8_t scalar[2];
    uint32_t descriptor_high;
    struct message message;

    execute_function general; /* `execute` without the fast path */
    struct operand destination;
    struct operand source[3];
};

/* Whether an operand has a type that the decoder does not know, of which nobody knows the bytes.
 * Not asked of messages and branches, whose operands have none. */
static inline bool inst_has_unknown_type(const struct inst *inst)
{
    bool is_unknown = inst->destination.type == TYPE_NONE;

    for (unsigned i = 0; i < inst->source_count; i++)
        is_unknown |= inst->source[i].type == TYPE_NONE;
    return is_unknown;
}

/* Whether the instruction waits for a barrier. */
static inline bool inst_is_wait(const struct inst *inst)
{
    return inst->opcode == OP_sync && inst->function == SYNC_BAR;
}

#endif
