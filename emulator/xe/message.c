#include "xe/message.h"

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

int message_decode(struct message *message, unsigned function_id, uint32_t descriptor,
                   uint32_t extended_descriptor, unsigned lanes)
{
    *message = (struct message){
        .payload0_registers = descriptor >> PAYLOAD_SHIFT & 15,
        .response_registers = descriptor >> RESPONSE_SHIFT & 31,
        .lanes = (uint8_t)lanes,
        .vector = 1,
        .component_mask = 1,
    };
    message->returns = message->response_registers != 0;
    switch (function_id) {
    case SFID_GATEWAY:
        return decode_gateway(message, descriptor);
    case SFID_THREAD_SPAWNER: /* its one use in compute: to end the thread */
        message->kind = MESSAGE_END_OF_THREAD;
        return 0;
    case SFID_SLM:
    case SFID_UNTYPED:
    case SFID_TYPED:
        return message_decode_lsc(message, function_id, descriptor, extended_descriptor, lanes);
    case SFID_DATA_CACHE_0:
    case SFID_DATA_CACHE_1:
        return message_decode_dataport(message, function_id, descriptor, extended_descriptor,
                                       lanes);
    default:
        return -1;
    }
}
