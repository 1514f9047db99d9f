#include "isa/decode/message.h"

#include "isa/decode/inst.h"
#include "memory/round-up.h"

/* Fields that every descriptor has (PRM, "Message descriptor"). */
enum { RESPONSE_SHIFT = 20, PAYLOAD_SHIFT = 25 };

/* The gateway's functions, bits 2:0 of its descriptor; bit 4 with end of thread on Xe-HPG. */
enum { GATEWAY_SIGNAL_BARRIER = 4, GATEWAY_END_OF_THREAD = 0x10 };

static int decode_gateway(struct message *message, uint32_t descriptor)
{
    uint32_t function = descriptor & 0xff;

    if (function == GATEWAY_SIGNAL_BARRIER)
        message->kind = MESSAGE_BARRIER;
    else if (function == GATEWAY_END_OF_THREAD)
        message->kind = MESSAGE_END_OF_THREAD;
    else
        return -1;
    return 0;
}

/* Registers are whole: a run of lanes takes full registers. */
static uint16_t round_to_register(const struct message *m, unsigned bytes)
{
    return (uint16_t)round_up(bytes, m->grf_bytes);
}

static void describe_components(struct message *m)
{
    struct transfer_shape *shape = &m->shape;
    unsigned elements = m->kind == MESSAGE_ATOMIC ? 1 : m->vector;

    m->end = (uint16_t)(elements * m->element_bytes);
    shape->components = (uint8_t)elements;
    shape->step = m->register_bytes;
    if (m->block) /* one address, elements that follow one another in registers too */
        return;
    shape->step = round_to_register(m, (unsigned)m->lanes * m->register_bytes);
    shape->component_mask =
        (uint8_t)(elements == 1 ? 1 : m->component_mask & ((1u << elements) - 1));
    shape->components = (uint8_t)__builtin_popcount(shape->component_mask);
    if (shape->component_mask) {
        m->first = (uint16_t)(__builtin_ctz(shape->component_mask) * m->element_bytes);
        m->end = (uint16_t)((32 - __builtin_clz(shape->component_mask)) * m->element_bytes);
    }
}

unsigned atomic_operands(enum atomic_operation operation)
{
    switch (operation) {
    case ATOMIC_INCREMENT:
    case ATOMIC_DECREMENT:
    case ATOMIC_PREDECREMENT:
    case ATOMIC_LOAD:
        return 0;
    case ATOMIC_COMPARE_EXCHANGE:
    case ATOMIC_FCOMPARE_EXCHANGE:
        return 2;
    default:
        return 1;
    }
}

/* What memory_access() needs whenever the message is sent. */
static void describe(struct message *m)
{
    struct transfer_shape *shape = &m->shape;

    shape->kind = m->kind;
    shape->lanes = m->lanes;
    shape->element_bytes = m->element_bytes;
    shape->register_bytes = m->register_bytes;
    shape->atomic = m->atomic;
    shape->returns = m->returns;
    if (m->block_2d.present) { /* the payload, of one register, says the rest */
        m->address_bytes_sent = m->grf_bytes;
        return;
    }
    describe_components(m);
    unsigned operands = m->kind == MESSAGE_LOAD ? 0 : shape->components;
    if (m->kind == MESSAGE_ATOMIC)
        operands = atomic_operands((enum atomic_operation)m->atomic);
    shape->payload_bytes = round_to_register(m, operands * shape->step);
    if (m->kind == MESSAGE_LOAD)
        m->bytes_received = round_to_register(m, (unsigned)shape->components * shape->step);
    else if (m->kind == MESSAGE_ATOMIC && m->returns)
        m->bytes_received = shape->step;
    /* A block has one address, in the header where there is one. */
    if (!m->block || !m->has_header)
        m->address_bytes_sent =
            (uint16_t)round_to_register(m, (unsigned)m->lanes * m->address_bytes);
    if (m->has_header)
        m->address_bytes_sent = (uint16_t)(m->address_bytes_sent + m->grf_bytes);
    m->may_run = m->kind != MESSAGE_ATOMIC && m->element_bytes == m->register_bytes &&
                 (m->block || shape->component_mask == 1);
}

static int decode(struct message *message, const struct send_descriptors *send)
{
    if (send->generalized)
        return message_decode_sendg(message, send);
    switch (send->function_id) {
    case SFID_GATEWAY:
        return decode_gateway(message, send->descriptor);
    case SFID_THREAD_SPAWNER: /* its only use in compute: to end the thread */
        message->kind = MESSAGE_END_OF_THREAD;
        return 0;
    case SFID_SAMPLER:
        return message_decode_sampler(message, send);
    case SFID_SLM:
    case SFID_UNTYPED:
    case SFID_TYPED:
        return message_decode_lsc(message, send);
    case SFID_DATA_CACHE_0:
    case SFID_DATA_CACHE_1:
        return message_decode_dataport(message, send);
    default:
        return -1;
    }
}

int message_decode(struct message *message, const struct send_descriptors *send)
{
    *message = (struct message){
        .grf_bytes = send->grf_bytes,
        .payload0_registers = send->descriptor >> PAYLOAD_SHIFT & 15,
        .response_registers = send->descriptor >> RESPONSE_SHIFT & 31,
        .lanes = send->lanes,
        .vector = 1,
        .component_mask = 1,
    };
    message->returns = message->response_registers != 0;
    if (send->generalized) {
        message->payload0_registers = send->payload0_registers;
        message->response_registers = send->response_registers;
        message->returns = send->returns;
    }
    if (decode(message, send))
        return -1;
    if (message_moves_memory(message))
        describe(message);
    return 0;
}
