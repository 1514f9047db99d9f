/* Descriptors of the load/store cache (LSC) of Xe-HPG: shared functions ugm, slm and tgm. Fields
 * after the PRM's "LSC message descriptor" and intel-graphics-compiler's decoder of the same. */
#include "isa/decode/lsc.h"

uint8_t lsc_fence_flush(uint32_t field)
{
    static const uint8_t flushes[8] = {FENCE_FLUSH_NONE,  FENCE_FLUSH_EVICT, FENCE_FLUSH_INVALIDATE,
                                       FENCE_FLUSH_OTHER, FENCE_FLUSH_OTHER, FENCE_FLUSH_OTHER,
                                       FENCE_FLUSH_NONE,  FENCE_FLUSH_NONE};

    return flushes[field & 7];
}

static int decode_lsc_fence(struct message *message, unsigned function_id, uint32_t descriptor)
{
    message->kind = MESSAGE_FENCE;
    message->scope = descriptor >> 9 & 7;
    message->flush = lsc_fence_flush(descriptor >> 12);
    message->slm_fence = function_id == SFID_SLM;
    message->global_fence = function_id == SFID_UNTYPED;
    message->typed_fence = function_id == SFID_TYPED;
    return 0;
}

static int decode_address(struct message *message, unsigned function_id, uint32_t descriptor,
                          uint32_t extended_descriptor)
{
    static const uint8_t address_bytes[4] = {0, 2, 4, 8};

    message->address_bytes = address_bytes[descriptor >> 7 & 3];
    if (!message->address_bytes)
        return -1;
    if (function_id == SFID_SLM) {
        message->base = BASE_SLM;
        return 0;
    }
    switch (descriptor >> 29 & 3) {
    case LSC_FLAT:
        message->base = message->address_bytes == 8 ? BASE_FLAT : BASE_STATELESS;
        return 0;
    case LSC_BINDING_TABLE:
        message->base = BASE_SURFACE;
        message->surface = (uint8_t)(extended_descriptor >> 24);
        if (message->surface == SURFACE_STATELESS_COHERENT || message->surface == SURFACE_STATELESS)
            message->base = BASE_STATELESS;
        return 0;
    case LSC_BINDLESS:
        message->base = BASE_BINDLESS;
        return 0;
    default:
        message->base = BASE_STATE;
        return 0;
    }
}

int lsc_set_data(struct message *message, const struct lsc_data *data)
{
    static const struct {
        uint8_t memory, registers;
    } sizes[8] = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {1, 4}, {2, 4}, {0, 0}, {0, 0}};
    static const uint8_t vectors[8] = {1, 2, 3, 4, 8, 16, 32, 64};

    message->element_bytes = sizes[data->size & 7].memory;
    message->register_bytes = sizes[data->size & 7].registers;
    if (!message->element_bytes)
        return -1;
    if (data->quad) {
        message->vector = 4;
        message->component_mask = data->vector & 15;
        return 0;
    }
    message->vector = vectors[data->vector & 7];
    message->component_mask = 0xff;
    message->block = data->transposed;
    if (message->block)
        message->lanes = 1;
    return message->block || message->vector <= 8 ? 0 : -1;
}

/* LSC opcode 8 and up. */
static const uint8_t atomic_operations[] = {
    ATOMIC_INCREMENT,
    ATOMIC_DECREMENT,
    ATOMIC_LOAD,
    ATOMIC_STORE,
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_SMIN,
    ATOMIC_SMAX,
    ATOMIC_UMIN,
    ATOMIC_UMAX,
    ATOMIC_COMPARE_EXCHANGE,
    ATOMIC_FADD,
    ATOMIC_FSUB,
    ATOMIC_FMIN,
    ATOMIC_FMAX,
    ATOMIC_FCOMPARE_EXCHANGE,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
};

/* `bits` from `low` on, as a signed number of `count` bits. */
static int32_t signed_field(uint32_t bits, unsigned low, unsigned count)
{
    return (int32_t)(bits << (32 - low - count)) >> (32 - count);
}

/* Xe2 (PRM, extended descriptors of the LSC by type of address). */
static int32_t immediate_offset(unsigned address_type, uint32_t bits)
{
    switch (address_type) {
    case LSC_FLAT:
        return signed_field(bits, 12, 20);
    case LSC_BINDING_TABLE:
        return signed_field(bits, 12, 12);
    default: /* 31:19 are 16:4 of it, 15:12 the rest */
        return signed_field(bits >> 19 << 4 | (bits >> 12 & 15), 0, 17);
    }
}

int lsc_set_block_2d(struct message *message, uint32_t size)
{
    const struct message_block_2d *block = &message->block_2d;
    const bool load = message->kind == MESSAGE_LOAD;

    message->base = BASE_FLAT;
    message->element_bytes = message->register_bytes = (uint8_t)(1u << size);
    message->lanes = 1;
    if (block->transposes)
        return load && !block->transforms && message->element_bytes >= 4 ? 0 : -1;
    return !block->transforms || (load && message->element_bytes <= 2) ? 0 : -1;
}

/* Xe2: a block of rows, of a surface that the payload describes. */
static int decode_block_2d(struct message *message, const struct send_descriptors *send)
{
    bool flat = (send->descriptor >> 29 & 3) == LSC_FLAT;
    unsigned size = send->descriptor >> 9 & 7;

    if (send->function_id != SFID_UNTYPED || !flat || send->grf_bytes < 64 || size > 3)
        return -1;
    message->block_2d =
        (struct message_block_2d){.present = true,
                                  .transforms = send->descriptor >> 7 & 1,
                                  .transposes = send->descriptor >> 15 & 1,
                                  .x = (int16_t)signed_field(send->offset_bits, 12, 10),
                                  .y = (int16_t)signed_field(send->offset_bits, 22, 10)};
    return lsc_set_block_2d(message, size);
}

static bool is_load(uint32_t opcode)
{
    return opcode == LSC_LOAD || opcode == LSC_LOAD_QUAD || opcode == LSC_LOAD_BLOCK_2D;
}

static bool is_store(uint32_t opcode)
{
    return opcode == LSC_STORE || opcode == LSC_STORE_QUAD || opcode == LSC_STORE_BLOCK_2D;
}

int lsc_set_kind(struct message *message, uint32_t opcode)
{
    if (is_load(opcode)) {
        message->kind = MESSAGE_LOAD;
    } else if (is_store(opcode)) {
        message->kind = MESSAGE_STORE;
    } else if (opcode >= LSC_ATOMIC_FIRST && opcode <= LSC_ATOMIC_LAST) {
        message->kind = MESSAGE_ATOMIC;
        message->atomic = atomic_operations[opcode - LSC_ATOMIC_FIRST];
    } else {
        return -1;
    }
    return 0;
}

int message_decode_lsc(struct message *message, const struct send_descriptors *send)
{
    uint32_t descriptor = send->descriptor, opcode = descriptor & 63;
    const bool quad = opcode == LSC_LOAD_QUAD || opcode == LSC_STORE_QUAD;
    const struct lsc_data data = {.size = descriptor >> 9,
                                  .vector = descriptor >> 12,
                                  .quad = quad,
                                  .transposed = descriptor >> 15 & 1};

    if (opcode == LSC_FENCE)
        return decode_lsc_fence(message, send->function_id, descriptor);
    if (lsc_set_kind(message, opcode))
        return -1;
    uint32_t cache = descriptor >> 17 & 7; /* 1, 2: past the first level */
    message->cached_l1 = message->kind == MESSAGE_LOAD && cache != 1 && cache != 2;
    if (opcode == LSC_LOAD_BLOCK_2D || opcode == LSC_STORE_BLOCK_2D)
        return decode_block_2d(message, send);
    if (send->function_id == SFID_TYPED)
        return message_decode_typed_lsc(message, send);
    if (decode_address(message, send->function_id, descriptor, send->extended))
        return -1;
    message->immediate_offset = immediate_offset(descriptor >> 29 & 3, send->offset_bits);
    return lsc_set_data(message, &data);
}
