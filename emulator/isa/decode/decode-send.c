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
    uint32_t function = 0;
    d->iga->kv_get_subfunction(d->view, d->pc, &function);
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
    inst->function_id = function < sizeof(functions) ? functions[function] : SFID_NULL;
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
