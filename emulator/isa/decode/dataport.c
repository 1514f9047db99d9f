/* Descriptors of the dataport (HDC): shared functions dc0 and dc1 of Gen12LP, which Xe-HPG takes
 * too. Fields after the PRM's "Dataport messages" and intel-graphics-compiler's decoder. */
#include "isa/decode/message.h"

enum dc0_type {
    DC0_OWORD_READ = 0x00,
    DC0_ALIGNED_READ = 0x01,
    DC0_DWORD_READ = 0x03,
    DC0_BYTE_READ = 0x04,
    DC0_FENCE = 0x07,
    DC0_OWORD_WRITE = 0x08,
    DC0_DWORD_WRITE = 0x0b,
    DC0_BYTE_WRITE = 0x0c,
    DC0_SCRATCH = 0x10, /* and above */
};

enum dc1_type {
    DC1_UNTYPED_READ = 0x01,
    DC1_ATOMIC = 0x02,
    DC1_TYPED_READ = 0x05,
    DC1_UNTYPED_WRITE = 0x09,
    DC1_TYPED_WRITE = 0x0d,
    DC1_A64_SCATTERED_READ = 0x10,
    DC1_A64_UNTYPED_READ = 0x11,
    DC1_A64_ATOMIC = 0x12,
    DC1_A64_BLOCK_READ = 0x14,
    DC1_A64_BLOCK_WRITE = 0x15,
    DC1_A64_UNTYPED_WRITE = 0x19,
    DC1_A64_SCATTERED_WRITE = 0x1a,
    DC1_FLOAT_ATOMIC = 0x1b,
    DC1_A64_FLOAT_ATOMIC = 0x1d,
};

static void decode_surface(struct message *message, uint32_t descriptor)
{
    message->surface = (uint8_t)message_field(descriptor, 0, 8);
    switch (message->surface) {
    case SURFACE_SLM:
        message->base = BASE_SLM;
        break;
    case SURFACE_STATELESS:
    case SURFACE_STATELESS_COHERENT:
        message->base = BASE_STATELESS;
        break;
    default:
        message->base = BASE_SURFACE;
        break;
    }
    message->address_bytes = 4;
}

/* Lanes by the 2-bit mode of untyped messages and the 1-bit mode of scattered ones. */
static uint8_t lanes_untyped(uint32_t descriptor)
{
    uint32_t mode = message_field(descriptor, 12, 2);

    return mode == 1 ? 16 : mode == 2 ? 8 : 0;
}

static uint8_t lanes_scattered(uint32_t descriptor, unsigned shift)
{
    return message_field(descriptor, shift, 1) ? 16 : 8;
}

/* Runs of 16- or 32-byte words from one address in the header. */
static int decode_block(struct message *message, uint32_t descriptor, bool hwords)
{
    static const uint8_t oword_bytes[8] = {16, 16, 32, 64, 128, 0, 0, 0};
    uint32_t count = message_field(descriptor, 8, 3);
    uint32_t bytes = hwords ? (count <= 3 ? 32u << count : 0) : oword_bytes[count];

    if (!hwords && count == 5)
        bytes = 256;
    if (bytes == 0 || (!hwords && count == 1)) /* the high half of a register: not used */
        return -1;
    message->block = true;
    message->has_header = true;
    message->header_offset = true;
    message->header_scale = 1;
    message->lanes = 1;
    message->element_bytes = message->register_bytes = 4;
    message->vector = (uint8_t)(bytes / 4);
    return 0;
}

static int decode_dataport_fence(struct message *message, uint32_t descriptor)
{
    message->kind = MESSAGE_FENCE;
    message->slm_fence = message_field(descriptor, 0, 8) == SURFACE_SLM;
    message->global_fence = !message->slm_fence;
    message->scope = message->slm_fence ? FENCE_GROUP : FENCE_GPU;
    message->flush = message_field(descriptor, 8, 1) ? FENCE_FLUSH_EVICT : FENCE_FLUSH_NONE;
    return 0;
}

static int decode_scratch(struct message *message, uint32_t descriptor)
{
    message->kind = message_field(descriptor, 17, 1) ? MESSAGE_STORE : MESSAGE_LOAD;
    message->base = BASE_SCRATCH;
    message->address_bytes = 4;
    message->block = message->has_header = true;
    message->cached_l1 = true;
    message->lanes = 1;
    message->element_bytes = message->register_bytes = 4;
    message->vector = (uint8_t)(8u << message_field(descriptor, 12, 2)); /* 1, 2, 4, 8 registers */
    message->by_dword = message->kind == MESSAGE_STORE && message_field(descriptor, 16, 1);
    message->immediate_offset = (int32_t)message_field(descriptor, 0, 12) * 32;
    return 0;
}

static int decode_dc0(struct message *message, uint32_t descriptor)
{
    static const uint8_t element_bytes[4] = {1, 2, 4, 0};
    uint32_t type = message_field(descriptor, 14, 5);

    if (type == DC0_FENCE)
        return decode_dataport_fence(message, descriptor);
    if (type >= DC0_SCRATCH)
        return decode_scratch(message, descriptor);
    decode_surface(message, descriptor);
    message->cached_l1 = true;
    message->has_header = message_field(descriptor, 19, 1);
    message->kind = type >= DC0_OWORD_WRITE ? MESSAGE_STORE : MESSAGE_LOAD;
    switch (type) {
    case DC0_OWORD_READ:
    case DC0_OWORD_WRITE:
        if (decode_block(message, descriptor, false))
            return -1;
        message->header_scale = 16; /* the header counts owords here, bytes in the aligned form */
        return 0;
    case DC0_ALIGNED_READ:
        return decode_block(message, descriptor, message_field(descriptor, 13, 1));
    case DC0_BYTE_READ:
    case DC0_BYTE_WRITE:
        message->element_bytes = element_bytes[message_field(descriptor, 10, 2)];
        message->register_bytes = 4;
        message->lanes = lanes_scattered(descriptor, 8);
        return message->element_bytes ? 0 : -1;
    case DC0_DWORD_READ:
    case DC0_DWORD_WRITE:
        message->element_bytes = message->register_bytes = 4;
        message->vector = (uint8_t)(1u << message_field(descriptor, 10, 2));
        message->component_mask = 0xff;
        message->lanes = lanes_scattered(descriptor, 8);
        return 0;
    default:
        return -1;
    }
}

static int decode_untyped(struct message *message, uint32_t descriptor)
{
    message->lanes = lanes_untyped(descriptor);
    message->element_bytes = message->register_bytes = 4;
    message->vector = 4;
    message->component_mask =
        (uint8_t)(~message_field(descriptor, 8, 4) & 15); /* set bits are skipped */
    return message->lanes ? 0 : -1;
}

static int decode_a64_scattered(struct message *message, uint32_t descriptor)
{
    static const uint8_t element_bytes[4] = {1, 2, 4, 0};
    uint32_t subtype = message_field(descriptor, 8, 2), size = message_field(descriptor, 10, 2);

    message->lanes = lanes_scattered(descriptor, 12);
    if (subtype == 0) {
        message->element_bytes = element_bytes[size];
        message->register_bytes = 4;
    } else if (subtype <= 2) {
        message->element_bytes = message->register_bytes = subtype == 1 ? 4 : 8;
        message->vector = (uint8_t)(1u << size);
        message->component_mask = 0xff;
    } else {
        return -1;
    }
    return message->element_bytes ? 0 : -1;
}

static int decode_integer_atomic(struct message *message, uint32_t descriptor)
{
    static const uint8_t operations[16] = {ATOMIC_COMPARE_EXCHANGE,
                                           ATOMIC_AND,
                                           ATOMIC_OR,
                                           ATOMIC_XOR,
                                           ATOMIC_EXCHANGE,
                                           ATOMIC_INCREMENT,
                                           ATOMIC_DECREMENT,
                                           ATOMIC_ADD,
                                           ATOMIC_SUB,
                                           ATOMIC_REVERSE_SUB,
                                           ATOMIC_SMAX,
                                           ATOMIC_SMIN,
                                           ATOMIC_UMAX,
                                           ATOMIC_UMIN,
                                           ATOMIC_COMPARE_EXCHANGE,
                                           ATOMIC_PREDECREMENT};
    uint32_t operation = message_field(descriptor, 8, 4);

    if (operation == 0) /* a 64-bit compare-and-exchange inside a 32-bit message */
        return -1;
    message->kind = MESSAGE_ATOMIC;
    message->atomic = operations[operation];
    return 0;
}

static int decode_float_atomic(struct message *message, uint32_t descriptor)
{
    static const uint8_t operations[8] = {
        0, ATOMIC_FMAX, ATOMIC_FMIN, ATOMIC_FCOMPARE_EXCHANGE, ATOMIC_FADD, 0, 0, 0};

    message->kind = MESSAGE_ATOMIC;
    message->atomic = operations[message_field(descriptor, 8, 3)];
    return message->atomic ? 0 : -1;
}

static int decode_dc1(struct message *message, uint32_t descriptor)
{
    uint32_t type = message_field(descriptor, 14, 5);
    bool a64 = type >= DC1_A64_SCATTERED_READ && type != DC1_FLOAT_ATOMIC;

    message->has_header = message_field(descriptor, 19, 1);
    message->cached_l1 = true;
    if (a64) {
        message->base = BASE_FLAT;
        message->address_bytes = 8;
    } else {
        decode_surface(message, descriptor);
    }
    switch (type) {
    case DC1_UNTYPED_READ:
    case DC1_A64_UNTYPED_READ:
        message->kind = MESSAGE_LOAD;
        return decode_untyped(message, descriptor);
    case DC1_UNTYPED_WRITE:
    case DC1_A64_UNTYPED_WRITE:
        message->kind = MESSAGE_STORE;
        return decode_untyped(message, descriptor);
    case DC1_A64_SCATTERED_READ:
    case DC1_A64_SCATTERED_WRITE:
        message->kind = type == DC1_A64_SCATTERED_READ ? MESSAGE_LOAD : MESSAGE_STORE;
        return decode_a64_scattered(message, descriptor);
    case DC1_A64_BLOCK_READ:
    case DC1_A64_BLOCK_WRITE:
        message->kind = type == DC1_A64_BLOCK_READ ? MESSAGE_LOAD : MESSAGE_STORE;
        if (decode_block(message, descriptor, message_field(descriptor, 11, 2) == 3))
            return -1;
        return 0;
    case DC1_ATOMIC:
        message->element_bytes = message->register_bytes = 4;
        message->lanes = message_field(descriptor, 12, 1) ? 8 : 16;
        return decode_integer_atomic(message, descriptor);
    case DC1_A64_ATOMIC: /* always 8 lanes; the mode bit says how wide the data is */
        message->element_bytes = message->register_bytes = message_field(descriptor, 12, 1) ? 8 : 4;
        message->lanes = 8;
        return decode_integer_atomic(message, descriptor);
    case DC1_FLOAT_ATOMIC:
    case DC1_A64_FLOAT_ATOMIC:
        message->element_bytes = message->register_bytes = 4;
        message->lanes = type == DC1_FLOAT_ATOMIC && !message_field(descriptor, 12, 1) ? 16 : 8;
        return decode_float_atomic(message, descriptor);
    default:
        return -1;
    }
}

int message_decode_dataport(struct message *message, const struct send_descriptors *send)
{
    uint32_t type = message_field(send->descriptor, 14, 5);

    if (send->function_id == SFID_DATA_CACHE_1 &&
        (type == DC1_TYPED_READ || type == DC1_TYPED_WRITE)) {
        message->kind = type == DC1_TYPED_READ ? MESSAGE_LOAD : MESSAGE_STORE;
        return message_decode_typed_dataport(message, send);
    }
    return send->function_id == SFID_DATA_CACHE_0 ? decode_dc0(message, send->descriptor)
                                                  : decode_dc1(message, send->descriptor);
}
