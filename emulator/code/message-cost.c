#include "code/message-cost.h"

#include "timing/load-store.h"

enum vesim_message message_class(const struct inst *inst)
{
    const struct message *message = &inst->message;
    bool slm = message->base == BASE_SLM, scratch = message->base == BASE_SCRATCH;

    if (!inst->has_message)
        return VESIM_MESSAGE_OTHER;
    switch (message->kind) {
    case MESSAGE_LOAD:
        return slm ? VESIM_MESSAGE_SLM_LOAD : scratch ? VESIM_MESSAGE_SCRATCH : VESIM_MESSAGE_LOAD;
    case MESSAGE_STORE:
        return slm       ? VESIM_MESSAGE_SLM_STORE
               : scratch ? VESIM_MESSAGE_SCRATCH
                         : VESIM_MESSAGE_STORE;
    case MESSAGE_ATOMIC:
        return slm ? VESIM_MESSAGE_SLM_ATOMIC : VESIM_MESSAGE_ATOMIC;
    case MESSAGE_FENCE:
        return VESIM_MESSAGE_FENCE;
    case MESSAGE_BARRIER:
        return VESIM_MESSAGE_BARRIER;
    default:
        return VESIM_MESSAGE_OTHER;
    }
}

/* Bytes of memory that it touches. How large a 2-D block is, only its payload says: at most what
 * its registers hold. */
static uint64_t bytes_of(const struct message *message)
{
    if (message->block_2d.present)
        return (uint64_t)message->grf_bytes *
               (message->response_registers + message->payload1_registers);
    unsigned elements = message->block ? message->vector : message->shape.components;

    return (uint64_t)message->lanes * elements * message->element_bytes;
}

static uint64_t parts(uint64_t bytes, uint64_t part)
{
    return bytes > part ? (bytes + part - 1) / part : 1;
}

static struct message_cost slm_cost(const struct message *message,
                                    const struct vesim_device *device)
{
    uint64_t bytes = bytes_of(message), cycles = parts(bytes, device->slm_banks * 4);
    double busy = cycles > 1 ? (double)cycles : load_store_row_cycles(device, parts(bytes, 4));
    uint64_t latency = message->lanes > 16 ? device->slm_latency_simd32 : device->slm_latency;

    return (struct message_cost){0, busy, cycles, latency + cycles - 1};
}

static struct message_cost global_cost(const struct message *message,
                                       const struct vesim_device *device)
{
    uint64_t interval = device->l1_line_interval,
             lines = parts(bytes_of(message), device->line_bytes);
    uint64_t cycles = parts(lines, device->l1_ports) * interval;
    double busy = (double)(lines * interval) / (double)device->l1_ports;
    bool near = message->kind == MESSAGE_LOAD && message->cached_l1 && device->l1_bytes;
    uint64_t lanes = message->lanes > 1 ? device->l1_lanes_latency : 0;
    uint64_t latency = near ? device->l1_hit_latency + lanes : device->l3_hit_latency;

    return (struct message_cost){0, busy, cycles,
                                 message->returns ? latency + cycles - interval : cycles};
}

static uint64_t fence_latency(const struct message *message, const struct vesim_device *device)
{
    return message->slm_fence     ? device->slm_fence_latency
           : message->typed_fence ? device->typed_fence_latency
                                  : device->lsc_fence_latency;
}

static struct message_cost cost_of(const struct inst *inst, const struct vesim_device *device)
{
    const struct message *message = &inst->message;

    switch (message_class(inst)) {
    case VESIM_MESSAGE_LOAD:
    case VESIM_MESSAGE_STORE:
    case VESIM_MESSAGE_ATOMIC:
    case VESIM_MESSAGE_SCRATCH:
        return global_cost(message, device);
    case VESIM_MESSAGE_SLM_LOAD:
    case VESIM_MESSAGE_SLM_STORE:
    case VESIM_MESSAGE_SLM_ATOMIC:
        return slm_cost(message, device);
    case VESIM_MESSAGE_FENCE:
        return (struct message_cost){0, 1, 1, fence_latency(message, device)};
    case VESIM_MESSAGE_BARRIER:
        return (struct message_cost){0, (double)device->gateway_interval, 1, 1};
    default:
        return (struct message_cost){0, 0, 1, device->other_send_latency};
    }
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

struct message_cost message_cost(const struct inst *inst, const struct vesim_device *device)
{
    struct message_cost cost = cost_of(inst, device);
    uint64_t payload =
        (uint64_t)inst->message.payload0_registers + inst->message.payload1_registers;

    cost.port_cycles = larger(device->send_arbitration, payload);
    cost.source_latency = larger(cost.source_latency, device->send_source_latency + payload);
    return cost;
}
