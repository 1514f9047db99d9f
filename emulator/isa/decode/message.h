/* A message to a shared function in plain terms: what LSC descriptors (Xe-HPG) and dataport
 * descriptors (Gen12LP; Xe-HPG still takes some) ask for, decoded to one form. */
#ifndef VESIM_MESSAGE_H
#define VESIM_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Shared functions, by the numbers of the encoding (PRM, "Shared functions - messages"). */
enum sfid {
    SFID_NULL = 0,
    SFID_SAMPLER = 2,
    SFID_GATEWAY = 3,
    SFID_THREAD_SPAWNER = 7,
    SFID_DATA_CACHE_RO = 9,
    SFID_DATA_CACHE_0 = 10,
    SFID_DATA_CACHE_1 = 12,
    SFID_TYPED = 13,   /* tgm */
    SFID_SLM = 14,     /* slm */
    SFID_UNTYPED = 15, /* ugm */
};

enum message_kind {
    MESSAGE_NONE,
    MESSAGE_LOAD,
    MESSAGE_STORE,
    MESSAGE_ATOMIC,
    MESSAGE_FENCE,
    MESSAGE_BARRIER, /* signal the gateway */
    MESSAGE_END_OF_THREAD,
};

/* Binding table indices that name no surface; of the first, an image's state is in the extended
 * descriptor. */
enum {
    SURFACE_BINDLESS = 252,
    SURFACE_STATELESS = 253,
    SURFACE_SLM = 254,
    SURFACE_STATELESS_COHERENT = 255
};

/* What an address is relative to. */
enum address_base {
    BASE_FLAT,      /* 64-bit GPU virtual address */
    BASE_STATELESS, /* 32-bit offset from the general state base */
    BASE_SURFACE,   /* offset into the surface of a binding table entry */
    BASE_BINDLESS,  /* offset into a surface whose state the extended descriptor names, from the
                       bindless surface state base, */
    BASE_STATE,     /* or from the surface state base */
    BASE_SCALAR,    /* Xe3P: 64-bit GPU virtual address, of a base in s0, if any, and an offset */
    BASE_SCALAR_STATE, /* Xe3P: offset into a surface whose state's GPU address is in s0 */
    BASE_SLM,          /* offset into the work-group's shared local memory */
    BASE_SCRATCH,      /* offset into the thread's own scratch space */
    /* Coordinates of a texel, of an image whose surface state is */
    BASE_IMAGE,          /* that of a binding table entry, */
    BASE_IMAGE_BINDLESS, /* named by the extended descriptor, from the bindless surface state base
                          */
    BASE_IMAGE_STATE,    /* or from the surface state base */
    BASE_IMAGE_SCALAR,   /* Xe3P: at the GPU address in s0 */
};

/* How a message for images finds its texels. */
enum texel_access {
    TEXEL_TYPED,  /* by integers; what is out of bounds reads 0 */
    TEXEL_LOAD,   /* the same, by the sampler, which applies no sampler state */
    TEXEL_SAMPLE, /* by floats, as the sampler state says */
    TEXEL_COUNT,  /* none: reads how many the image has in each dimension, and how many levels */
};

enum { NO_PARAMETER = 0xff };

enum atomic_operation {
    ATOMIC_INCREMENT,
    ATOMIC_DECREMENT,
    ATOMIC_LOAD,
    ATOMIC_STORE,
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_REVERSE_SUB,
    ATOMIC_SMIN,
    ATOMIC_SMAX,
    ATOMIC_UMIN,
    ATOMIC_UMAX,
    ATOMIC_COMPARE_EXCHANGE,
    ATOMIC_EXCHANGE,
    ATOMIC_FADD,
    ATOMIC_FSUB,
    ATOMIC_FMIN,
    ATOMIC_FMAX,
    ATOMIC_FCOMPARE_EXCHANGE,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_PREDECREMENT,
};

enum fence_flush {
    FENCE_FLUSH_NONE,
    FENCE_FLUSH_EVICT,      /* write dirty lines back and drop all */
    FENCE_FLUSH_INVALIDATE, /* drop clean lines */
    FENCE_FLUSH_OTHER,      /* discard, clean, L3: nothing to do in a write-through first level */
};

enum fence_scope { FENCE_GROUP, FENCE_LOCAL, FENCE_TILE, FENCE_GPU, FENCE_ALL_GPUS, FENCE_SYSTEM };

/* The layout of a load, store or atomic in registers and in memory. */
struct transfer_shape {
    uint8_t kind;           /* enum message_kind */
    uint8_t lanes;          /* 1 for a block */
    uint8_t components;     /* for each lane, those that are transferred; all elements of a block */
    uint8_t component_mask; /* of the elements behind an address; 0 for a block, which takes all */
    uint8_t element_bytes;  /* in memory, and in a register */
    uint8_t register_bytes;
    uint8_t atomic;         /* enum atomic_operation */
    bool returns;           /* an atomic returns the old value */
    uint16_t step;          /* register bytes from a component to the next */
    uint16_t payload_bytes; /* that it takes from registers besides the addresses */
    /* Of images, known when the message executes: */
    uint8_t texel;   /* number of the texels' format (isa/message/texel.h); 0: plain elements */
    uint16_t select; /* which channels of a texel are loaded: genxml Shader Channel Select, 3 bits
                        for each of alpha, blue, green and red, from bit 0 on; 0: as they are */
};

/* Xe2: the message loads or stores a block of rows of a surface. The payload says which
 * (isa/message/block-2d-access.c). */
struct message_block_2d {
    bool present;
    bool transposes; /* columns become rows in registers */
    bool transforms; /* bytes or words of one column, from rows one below the other, fill a dword */
    int16_t x, y;    /* elements and rows added to the payload's coordinates */
};

struct message {
    uint8_t kind;           /* enum message_kind */
    uint8_t grf_bytes;      /* of a general register of the device */
    uint8_t base;           /* enum address_base */
    uint8_t address_bytes;  /* 2, 4 or 8 */
    uint8_t lanes;          /* addresses in the payload; 1 for a block */
    uint8_t element_bytes;  /* in memory */
    uint8_t register_bytes; /* in a register: 4 for bytes and words that take a dword there */
    uint8_t vector;         /* elements per address (components, or consecutive for a block) */
    uint8_t component_mask; /* components that are transferred, where the message can skip some */
    bool block;             /* one address, `vector` elements to consecutive register bytes */
    bool by_dword;          /* block: a channel that does not execute keeps its dword of memory */
    bool header_offset;     /* block: the address is dword 2 of the header in source 0 */
    bool has_header;        /* lanes' addresses begin one register later */
    uint8_t header_scale;   /* header_offset: bytes per unit of that dword */
    bool slm_fence, global_fence, typed_fence;
    bool whole_group;   /* Xe3P: signals barrier 0 for all threads; else the payload names them */
    bool cached_l1;     /* may be held in the first level */
    bool returns;       /* writes a destination, if only to signal completion */
    uint8_t atomic;     /* enum atomic_operation */
    uint8_t flush;      /* enum fence_flush */
    uint8_t scope;      /* enum fence_scope */
    uint8_t surface;    /* BASE_SURFACE, BASE_IMAGE: binding table index; BASE_SCALAR_STATE,
                           BASE_IMAGE_SCALAR: surface states from the one at the address in s0 */
    uint8_t texels;     /* BASE_IMAGE...: enum texel_access */
    uint8_t parameters; /* BASE_IMAGE...: coordinates and the level of detail, in the payload */
    uint8_t level;      /* which of them is the level of detail; NO_PARAMETER: none */
    uint8_t sampler;    /* TEXEL_SAMPLE: index of the sampler state */
    int32_t immediate_offset; /* bytes added to each address */
    uint8_t scale_shift; /* Xe3P: addresses in the payload count units of 1 << scale_shift bytes; */
    bool signed_address; /* those of 32 bits are signed; */
    bool has_scalar;     /* s0 has a base, or the address of a state, */
    uint8_t scalar_byte; /* in the qword from this byte on, */
    uint8_t sampler_byte; /* and of TEXEL_SAMPLE the address of sampler states in another */
    struct message_block_2d block_2d;
    uint8_t payload0_registers, payload1_registers, response_registers;
    /* Derived from the above for loads, stores and atomics. */
    struct transfer_shape shape;
    bool may_run;        /* with adjacent addresses, its bytes are contiguous in registers too */
    uint16_t first, end; /* bytes from an address to the first that is transferred behind it, and to
                            the end of the last */
    uint16_t address_bytes_sent, bytes_received; /* in whole registers */
};

/* What a send instruction says of its message. */
struct send_descriptors {
    uint8_t function_id; /* enum sfid */
    uint8_t lanes;
    uint8_t grf_bytes; /* of a general register of the device */
    uint8_t payload1_registers;
    bool gathers;     /* the payload's registers are all in payload 0, addresses first */
    bool generalized; /* sendg of Xe3P: the following, too */
    bool returns;     /* it has a destination */
    uint8_t payload0_registers;
    uint8_t response_registers;
    int8_t scalar[2];         /* first bytes of the qwords of s0 that it names; -1: none */
    uint32_t descriptor_high; /* bits 63:32 of its descriptor */
    uint32_t descriptor, extended;
    uint32_t
        offset_bits; /* Xe2: where an LSC message has the bits of its immediate offset; 0 before */
};

/* Returns 0, or -1 if the model does not know the message. */
int message_decode(struct message *message, const struct send_descriptors *send);

/* Bits of a descriptor, from `shift` on. */
static inline uint32_t message_field(uint32_t descriptor, unsigned shift, unsigned bits)
{
    return descriptor >> shift & ((1u << bits) - 1);
}

/* The families of messages, each in a file of its own; same contract. The typed ones are those of
 * the dataport and of the LSC that access images. */
int message_decode_lsc(struct message *message, const struct send_descriptors *send);
int message_decode_dataport(struct message *message, const struct send_descriptors *send);
int message_decode_typed_dataport(struct message *message, const struct send_descriptors *send);
int message_decode_typed_lsc(struct message *message, const struct send_descriptors *send);
int message_decode_sampler(struct message *message, const struct send_descriptors *send);

/* All of sendg, which has descriptors of its own; same contract. */
int message_decode_sendg(struct message *message, const struct send_descriptors *send);

/* Whether the message reads or writes memory, unlike fences, barriers and the end of a thread. */
static inline bool message_moves_memory(const struct message *message)
{
    return message->kind == MESSAGE_LOAD || message->kind == MESSAGE_STORE ||
           message->kind == MESSAGE_ATOMIC;
}

/* What an address of the payload says, in bytes from the base. */
static inline uint64_t message_offset(const struct message *message, uint64_t address)
{
    if (message->signed_address)
        address = (uint64_t)(int64_t)(int32_t)address;
    return (address << message->scale_shift) + (uint64_t)(int64_t)message->immediate_offset;
}

/* Whether the message accesses texels of an image. */
static inline bool message_is_of_image(const struct message *message)
{
    return message->base >= BASE_IMAGE;
}

/* How many operands an atomic takes from the payload. */
unsigned atomic_operands(enum atomic_operation operation);

#endif
