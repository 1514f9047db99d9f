/* Descriptors of sendg, the messages of Xe3P ("efficient 64-bit addressing"). They have 42 to 47
 * bits, all of them in the instruction; what they need beyond, such as the base of addresses or the
 * address of a surface state, is in the scalar register s0. Fields after intel-graphics-compiler's
 * decoder of the same (visa/iga/IGALibrary/Backend/Messages/E64). */
#include "isa/decode/lsc.h"

/* The gateway's operations, bits 5:0. */
enum { GATEWAY_END = 0, GATEWAY_SIGNAL = 4, GATEWAY_SIGNAL_NAMED = 5 };

/* How the bits 15:14 of a message to global memory address it. */
enum { ADDRESS_UNSIGNED_32, ADDRESS_SIGNED_32, ADDRESS_64, ADDRESS_SURFACE };

static uint32_t sendg_field(const struct send_descriptors *send, unsigned shift, unsigned bits)
{
    const uint64_t all = send->descriptor | (uint64_t)send->descriptor_high << 32;

    return (uint32_t)(all >> shift) & ((1u << bits) - 1);
}

static int32_t sendg_signed_field(const struct send_descriptors *send, unsigned shift,
                                  unsigned bits)
{
    return (int32_t)(sendg_field(send, shift, bits) << (32 - bits)) >> (32 - bits);
}

static int sendg_gateway(struct message *message, const struct send_descriptors *send)
{
    switch (sendg_field(send, 0, 6)) {
    case GATEWAY_END:
        message->kind = MESSAGE_END_OF_THREAD;
        return 0;
    case GATEWAY_SIGNAL: /* the payload is r0 as the thread got it */
    case GATEWAY_SIGNAL_NAMED:
        message->kind = MESSAGE_BARRIER;
        message->whole_group = sendg_field(send, 0, 6) == GATEWAY_SIGNAL;
        return 0;
    default:
        return -1;
    }
}

static int sendg_fence(struct message *message, const struct send_descriptors *send)
{
    message->kind = MESSAGE_FENCE;
    message->scope = (uint8_t)sendg_field(send, 11, 3);
    message->flush = lsc_fence_flush(sendg_field(send, 8, 3));
    message->slm_fence = send->function_id == SFID_SLM;
    message->global_fence = send->function_id == SFID_UNTYPED;
    message->typed_fence = send->function_id == SFID_TYPED;
    return 0;
}

/* The qword of s0 that the message names. */
static void sendg_scalar(struct message *message, const struct send_descriptors *send)
{
    message->has_scalar = send->scalar[0] >= 0;
    if (message->has_scalar)
        message->scalar_byte = (uint8_t)send->scalar[0];
}

static int sendg_address(struct message *message, const struct send_descriptors *send)
{
    const uint32_t type = sendg_field(send, 14, 2);

    message->address_bytes = 4;
    sendg_scalar(message, send);
    if (send->function_id == SFID_SLM) {
        message->base = BASE_SLM;
        return type == 0 ? 0 : -1;
    }
    switch (type) {
    case ADDRESS_SURFACE:
        message->base = BASE_SCALAR_STATE;
        message->surface = (uint8_t)sendg_field(send, 22, 5);
        return message->has_scalar ? 0 : -1;
    case ADDRESS_64:
        message->base = BASE_SCALAR;
        message->address_bytes = 8;
        return 0;
    default:
        message->base = BASE_SCALAR;
        message->signed_address = type == ADDRESS_SIGNED_32;
        return 0;
    }
}

/* Addresses count bytes, or elements of this or that size; the offset in the instruction counts
 * elements without their components. */
static int sendg_offsets(struct message *message, const struct send_descriptors *send)
{
    const uint32_t scale = sendg_field(send, 44, 2);
    const uint32_t bytes = message->element_bytes * (uint32_t)message->vector
                           << (scale ? scale - 1 : 0);
    const int32_t elements = message->base == BASE_SCALAR_STATE ? sendg_signed_field(send, 27, 17)
                                                                : sendg_signed_field(send, 22, 22);

    message->immediate_offset = elements * message->element_bytes;
    if (scale) {
        if (bytes & (bytes - 1))
            return -1;
        message->scale_shift = (uint8_t)__builtin_ctz(bytes);
    }
    if (message->base == BASE_SCALAR && message->address_bytes == 8 && !message->has_scalar &&
        !scale)
        message->base = BASE_FLAT;
    return 0;
}

static int sendg_block_2d(struct message *message, const struct send_descriptors *send)
{
    const uint32_t size = sendg_field(send, 11, 3);

    if (send->function_id != SFID_UNTYPED || sendg_field(send, 14, 2) != ADDRESS_64 || size > 3 ||
        send->scalar[0] >= 0)
        return -1;
    message->block_2d = (struct message_block_2d){.present = true,
                                                  .transforms = sendg_field(send, 9, 1),
                                                  .transposes = sendg_field(send, 10, 1),
                                                  .x = (int16_t)sendg_signed_field(send, 22, 12),
                                                  .y = (int16_t)sendg_signed_field(send, 34, 12)};
    return lsc_set_block_2d(message, size);
}

static int sendg_typed(struct message *message, const struct send_descriptors *send)
{
    const bool narrow = sendg_field(send, 14, 2) != 0; /* coordinates or channels of 16 bits */
    const bool moved = sendg_field(send, 30, 12) != 0; /* added to the coordinates */

    sendg_scalar(message, send);
    if (!message->has_scalar || narrow || moved)
        return -1;
    message->cached_l1 = false;
    message->base = BASE_IMAGE_SCALAR;
    message->surface = (uint8_t)sendg_field(send, 22, 5);
    message->level = 3;
    return typed_set_quad(message, sendg_field(send, 7, 4), send->gathers);
}

/* An image by its surface state, which s0 names, and where it is sampled another qword of s0 for
 * the samplers. */
static int sendg_sampler(struct message *message, const struct send_descriptors *send)
{
    const bool narrow = sendg_field(send, 14, 2) != 0; /* coordinates or channels of 16 bits */
    const bool more = sendg_field(send, 20, 2) != 0;   /* feedback and residency */
    const bool moved = sendg_field(send, 30, 12) != 0; /* added to the coordinates */

    sendg_scalar(message, send);
    if (!message->has_scalar || narrow || more || moved)
        return -1;
    message->base = BASE_IMAGE_SCALAR;
    message->surface = (uint8_t)sendg_field(send, 22, 5);
    message->sampler = (uint8_t)sendg_field(send, 27, 3);
    if (typed_set_sample(message, sendg_field(send, 0, 6), sendg_field(send, 7, 4),
                         send->payload0_registers + (unsigned)send->payload1_registers))
        return -1;
    if (message->texels == TEXEL_SAMPLE && send->scalar[1] < 0)
        return -1;
    message->sampler_byte = (uint8_t)(send->scalar[1] < 0 ? 0 : send->scalar[1]);
    return 0;
}

static int sendg_access(struct message *message, const struct send_descriptors *send)
{
    const uint32_t opcode = sendg_field(send, 0, 6);
    const bool quad = opcode == LSC_LOAD_QUAD || opcode == LSC_STORE_QUAD;
    /* The same bits as in other descriptors of these functions, from other places. */
    const struct lsc_data data = {.size = sendg_field(send, 11, 3),
                                  .vector =
                                      quad ? sendg_field(send, 7, 4) : sendg_field(send, 7, 3),
                                  .quad = quad,
                                  .transposed = !quad && sendg_field(send, 10, 1)};

    if (sendg_address(message, send) || lsc_set_data(message, &data))
        return -1;
    return sendg_offsets(message, send);
}

static int sendg_lsc(struct message *message, const struct send_descriptors *send)
{
    const uint32_t opcode = sendg_field(send, 0, 6);
    const uint32_t cache = sendg_field(send, 16, 4); /* 2 to 5: past the first level */

    if (opcode == LSC_FENCE)
        return sendg_fence(message, send);
    if (lsc_set_kind(message, opcode))
        return -1;
    message->cached_l1 = message->kind == MESSAGE_LOAD && (cache < 2 || cache > 5);
    if (opcode == LSC_LOAD_BLOCK_2D || opcode == LSC_STORE_BLOCK_2D)
        return sendg_block_2d(message, send);
    if (send->function_id == SFID_TYPED)
        return opcode == LSC_LOAD_QUAD || opcode == LSC_STORE_QUAD ? sendg_typed(message, send)
                                                                   : -1;
    return sendg_access(message, send);
}

int message_decode_sendg(struct message *message, const struct send_descriptors *send)
{
    switch (send->function_id) {
    case SFID_GATEWAY:
        return sendg_gateway(message, send);
    case SFID_SAMPLER:
        return sendg_sampler(message, send);
    case SFID_SLM:
    case SFID_UNTYPED:
    case SFID_TYPED:
        return sendg_lsc(message, send);
    default:
        return -1;
    }
}
