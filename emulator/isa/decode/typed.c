/* Descriptors of messages for images: typed ones of the dataport (Gen12LP, Xe-HPG) and of the LSC
 * (Xe2), and those of the sampler. Fields after the PRM's "Typed
 * surface read/write", "LSC typed" and "Sampling engine message descriptor", and
 * intel-graphics-compiler's decoder. */
#include "isa/decode/lsc.h"

enum { DWORD_BYTES = 4 };

/* Bits 16:12 of the sampler's descriptor. */
enum sampler_operation {
    SAMPLE_L = 0x02,
    SAMPLE_LD = 0x07,
    SAMPLE_RESINFO = 0x0a,
    SAMPLE_LZ = 0x18,
    SAMPLE_LD_LZ = 0x1a,
};

static void name_image(struct message *message, unsigned index)
{
    message->surface = (uint8_t)index;
    message->base = index == SURFACE_BINDLESS ? BASE_IMAGE_BINDLESS : BASE_IMAGE;
}

/* Channels are dwords in registers whatever the texels are in memory. */
static void set_channels(struct message *message, uint32_t mask)
{
    message->address_bytes = message->element_bytes = message->register_bytes = DWORD_BYTES;
    message->vector = 4;
    message->component_mask = (uint8_t)mask;
}

/* Registers that hold a dword for each lane. */
static unsigned registers_of_lanes(const struct message *message)
{
    return ((unsigned)message->lanes * DWORD_BYTES + message->grf_bytes - 1) / message->grf_bytes;
}

/* Counts the parameters that fill this many registers. */
static int set_parameters(struct message *message, unsigned registers, unsigned most)
{
    unsigned each = registers_of_lanes(message);

    message->parameters = (uint8_t)(registers / each);
    return registers % each || message->parameters < 1 || message->parameters > most ? -1 : 0;
}

static unsigned channels(const struct message *message)
{
    return (unsigned)__builtin_popcount(message->component_mask);
}

int message_decode_typed_dataport(struct message *message, const struct send_descriptors *send)
{
    uint32_t descriptor = send->descriptor;
    unsigned registers = message->payload0_registers + send->payload1_registers, others = 0;

    name_image(message, message_field(descriptor, 0, 8));
    message->texels = TEXEL_TYPED;
    message->lanes = 8;
    message->has_header = message_field(descriptor, 19, 1);
    set_channels(message, ~message_field(descriptor, 8, 4) & 15); /* set bits are skipped */
    if (message->kind == MESSAGE_STORE)
        others = channels(message) * registers_of_lanes(message);
    others += message->has_header;
    message->level = 3;
    if (!channels(message) || registers < others)
        return -1;
    return set_parameters(message, registers - others, 4);
}

int message_decode_typed_lsc(struct message *message, const struct send_descriptors *send)
{
    static const uint8_t bases[4] = {0, BASE_IMAGE_BINDLESS, BASE_IMAGE_STATE, BASE_IMAGE};
    uint32_t descriptor = send->descriptor, opcode = message_field(descriptor, 0, 6);
    unsigned type = message_field(descriptor, 29, 2);

    if ((opcode != LSC_LOAD_QUAD && opcode != LSC_STORE_QUAD) || type == LSC_FLAT ||
        message_field(descriptor, 7, 2) != 2 ||
        message_field(descriptor, 9, 3) != 2) /* dwords throughout */
        return -1;
    message->cached_l1 = false;
    message->base = bases[type];
    message->surface = (uint8_t)(send->extended >> 24);
    message->level = 3;
    return typed_set_quad(message, message_field(descriptor, 12, 4), send->gathers);
}

int typed_set_quad(struct message *message, uint32_t mask, bool gathers)
{
    unsigned registers = message->payload0_registers, texels = 0;

    message->texels = TEXEL_TYPED;
    set_channels(message, mask);
    if (message->kind == MESSAGE_STORE && gathers)
        texels = channels(message) * registers_of_lanes(message);
    if (!channels(message) || registers < texels)
        return -1;
    return set_parameters(message, registers - texels, 4);
}

/* Where the level of detail is: lod u v r; u v lod r, which Xe2 puts elsewhere. Layers of arrays
 * are the coordinate behind the others on all: so Intel's compiler passes them. */
static int find_level(struct message *message, unsigned operation, unsigned grf_bytes)
{
    message->level = NO_PARAMETER;
    if (operation == SAMPLE_LD_LZ || operation == SAMPLE_LZ)
        return 0;
    if (grf_bytes > 32 && operation == SAMPLE_LD)
        return -1;
    message->level = operation == SAMPLE_LD ? 2 : 0;
    return 0;
}

static int find_texels(struct message *message, unsigned operation)
{
    switch (operation) {
    case SAMPLE_LD:
    case SAMPLE_LD_LZ:
        message->texels = TEXEL_LOAD;
        return 0;
    case SAMPLE_L:
    case SAMPLE_LZ:
        message->texels = TEXEL_SAMPLE;
        return 0;
    case SAMPLE_RESINFO:
        message->texels = TEXEL_COUNT;
        return 0;
    default:
        return -1;
    }
}

int typed_set_sample(struct message *message, unsigned operation, uint32_t mask, unsigned registers)
{
    if (find_texels(message, operation))
        return -1;
    message->kind = MESSAGE_LOAD;
    set_channels(message, mask);
    if (!mask || find_level(message, operation, message->grf_bytes) ||
        registers < message->has_header)
        return -1;
    return set_parameters(message, registers - message->has_header, 4);
}

int message_decode_sampler(struct message *message, const struct send_descriptors *send)
{
    uint32_t descriptor = send->descriptor, operation = message_field(descriptor, 12, 5);
    unsigned mode = message_field(descriptor, 17, 2);
    bool narrow_reply = message_field(descriptor, 30, 1);

    if (narrow_reply || (mode != 1 && mode != 2))
        return -1;
    message->has_header = message_field(descriptor, 19, 1);
    name_image(message, message_field(descriptor, 0, 8));
    message->sampler = (uint8_t)message_field(descriptor, 8, 4);
    message->lanes = (uint8_t)(send->grf_bytes / DWORD_BYTES * mode);
    unsigned replies = message->response_registers / registers_of_lanes(message);
    return typed_set_sample(message, operation, (1u << (replies < 4 ? replies : 4)) - 1,
                            message->payload0_registers + send->payload1_registers);
}
