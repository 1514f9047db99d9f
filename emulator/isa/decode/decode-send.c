#include "isa/decode/decode.h"
#include "isa/decode/program.h"

struct send_descriptors send_of(const struct vesim_device *device, const struct inst *inst,
                                uint32_t descriptor, uint32_t extended)
{
    return (struct send_descriptors){
        .function_id = inst->function_id,
        .lanes = inst->lanes,
        .grf_bytes = (uint8_t)device->grf_bytes,
        .payload1_registers = inst->payload1_registers,
        .gathers = inst->gathers,
        .descriptor = descriptor,
        .extended = extended,
        .offset_bits = inst->offset_bits,
        .generalized = inst->generalized,
        .returns = !inst->destination.is_null,
        .payload0_registers = inst->payload0_registers,
        .response_registers = inst->response_registers,
        .scalar = {inst->scalar[0], inst->scalar[1]},
        .descriptor_high = inst->descriptor_high,
    };
}

/* Xe2 has the bits in the extended descriptor, or beside a register that holds that one. */
static uint32_t offset_bits(const struct decoder *d, uint32_t extended)
{
    uint32_t bits = 0;

    if (d->device->architecture < VESIM_XE2)
        return 0;
    if (d->inst->extended_descriptor_register < 0)
        return extended;
    if (d->iga->kv_get_send_exdesc_immoff)
        d->iga->kv_get_send_exdesc_immoff(d->view, d->pc, &bits);
    return bits;
}

/* The number of the shared function. */
static uint8_t decode_function(const struct decoder *d)
{
    /* the library numbers shared functions by enumeration; see its SFID */
    static const uint8_t functions[] = {0,
                                        0,
                                        SFID_SAMPLER,
                                        SFID_GATEWAY,
                                        4,
                                        5,
                                        6,
                                        SFID_THREAD_SPAWNER,
                                        8,
                                        SFID_DATA_CACHE_RO,
                                        SFID_DATA_CACHE_0,
                                        11,
                                        SFID_DATA_CACHE_1,
                                        0,
                                        SFID_SLM,
                                        SFID_UNTYPED,
                                        0,
                                        0,
                                        SFID_TYPED};
    uint32_t function = 0;

    d->iga->kv_get_subfunction(d->view, d->pc, &function);
    return function < sizeof(functions) ? functions[function] : SFID_NULL;
}

void decode_send(struct decoder *d)
{
    struct inst *inst = d->inst;
    uint32_t extended = 0, descriptor = 0;

    d->iga->kv_get_send_descs(d->view, d->pc, &extended, &descriptor);
    uint8_t xr = 0xff, xs = 0xff, dr = 0xff, ds = 0xff;
    d->iga->kv_get_send_indirect_descs(d->view, d->pc, &xr, &xs, &dr, &ds);
    /* dwords of a0, which has 8 */
    inst->descriptor_register = dr == 0xff ? -1 : (int8_t)(ds & 7);
    inst->extended_descriptor_register = xr == 0xff ? -1 : (int8_t)(xs & 7);
    inst->extended_offset = d->device->architecture >= VESIM_XE2 ||
                            d->iga->kv_has_inst_opt(d->view, d->pc, IGA_OPTION_EXBSO);
    inst->descriptor = dr == 0xff ? descriptor : 0;
    inst->extended_descriptor = xr == 0xff ? extended : 0;
    inst->function_id = decode_function(d);
    uint32_t payload0 = 0, payload1 = 0, response = 0;
    d->iga->kv_get_message_len(d->view, d->pc, &payload0, &payload1, &response);
    inst->payload1_registers = (uint8_t)(payload1 <= 31 ? payload1 : 0);
    inst->pipe = PIPE_SEND;
    inst->offset_bits = offset_bits(d, extended);
    const struct send_descriptors send =
        send_of(d->device, inst, inst->descriptor, inst->extended_descriptor);
    if (inst->descriptor_register < 0 && inst->extended_descriptor_register < 0)
        inst->has_message = message_decode(&inst->message, &send) == 0;
    inst->message.payload1_registers = inst->payload1_registers;
}

/* The byte of s0 from which on a descriptor is, or -1. */
static int8_t decode_scalar(const struct decoder *d,
                            int32_t (*get)(const kernel_view *, int32_t, uint32_t *, uint32_t *))
{
    uint32_t present = 0, byte = 0;

    if (!get || get(d->view, d->pc, &present, &byte) || !present)
        return -1;
    return byte <= SCALAR_BYTES - sizeof(uint64_t) ? (int8_t)byte : -1;
}

void decode_sendg(struct decoder *d)
{
    struct inst *inst = d->inst;
    uint64_t descriptor = 0;
    uint32_t payload0 = 0, payload1 = 0, response = 0;

    inst->opcode = inst->opcode == OP_sendg ? OP_send : OP_sendc;
    inst->pipe = PIPE_SEND;
    inst->function_id = decode_function(d);
    inst->generalized = true;
    inst->scalar[0] = decode_scalar(d, d->iga->kv_get_sendg_ind_desc0);
    inst->scalar[1] = decode_scalar(d, d->iga->kv_get_sendg_ind_desc1);
    d->iga->kv_get_message_len(d->view, d->pc, &payload0, &payload1, &response);
    inst->payload0_registers = (uint8_t)(payload0 <= 31 ? payload0 : 0);
    inst->payload1_registers = (uint8_t)(payload1 <= 31 ? payload1 : 0);
    inst->response_registers = (uint8_t)(response <= 31 ? response : 0);
    if (!d->iga->kv_get_sendg_desc || d->iga->kv_get_sendg_desc(d->view, d->pc, &descriptor))
        return;
    inst->descriptor = (uint32_t)descriptor;
    inst->descriptor_high = (uint32_t)(descriptor >> 32);
    const struct send_descriptors send = send_of(d->device, inst, inst->descriptor, 0);
    inst->has_message = message_decode(&inst->message, &send) == 0;
    inst->message.payload1_registers = inst->payload1_registers;
}
