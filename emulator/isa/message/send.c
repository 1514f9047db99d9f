/* send: from an instruction to the message that its shared function executes. */
#include "isa/message/send.h"

#include "isa/message/block-2d-access.h"
#include "isa/message/image-access.h"
#include "isa/message/memory-access.h"

/* A descriptor in a0 is only known when the instruction executes. */
static int read_descriptors(struct thread *thread, const struct inst *inst,
                            uint32_t *extended_descriptor)
{
    uint32_t descriptor = inst->descriptor;

    *extended_descriptor = inst->extended_descriptor;
    if (inst->descriptor_register >= 0)
        descriptor = thread_read32(thread, ARF_ADDRESS + (uint32_t)inst->descriptor_register * 4);
    if (inst->extended_descriptor_register >= 0)
        *extended_descriptor =
            thread_read32(thread, ARF_ADDRESS + (uint32_t)inst->extended_descriptor_register * 4);
    thread->message = &inst->message;
    if (inst->has_message)
        return 0;
    struct message *message = &thread->dynamic_message;
    const struct send_descriptors send =
        send_of(thread->program->device, inst, descriptor, *extended_descriptor);
    if (message_decode(message, &send))
        return thread_fault(thread, inst, "message that the model does not know (descriptor 0x%x)",
                            descriptor);
    message->payload1_registers = inst->payload1_registers;
    thread->message = message;
    return 0;
}

/* Puts the registers of the payload one after another. */
static int gather_payload(struct thread *thread, const struct inst *inst)
{
    const uint8_t *list = thread->registers + ARF_SCALAR + inst->gathers_from;
    const uint32_t grf_bytes = (uint32_t)thread->program->device->grf_bytes;
    const uint32_t count = thread->message->payload0_registers;

    if (count > GATHERED_MAX || inst->gathers_from + count > SCALAR_BYTES)
        return thread_fault(thread, inst, "gathers more than %d registers", GATHERED_MAX);
    for (uint32_t i = 0; i < count; i++)
        memcpy(thread->registers + ARF_GATHERED + i * grf_bytes,
               thread->registers + list[i] * grf_bytes, grf_bytes);
    return 0;
}

int execute_send(struct thread *thread, const struct inst *inst)
{
    uint32_t extended_descriptor;

    if (read_descriptors(thread, inst, &extended_descriptor) ||
        (inst->gathers && gather_payload(thread, inst)))
        return -1;
    const struct message *message = thread->message;
    if (inst->end_of_thread && message->kind != MESSAGE_END_OF_THREAD)
        return thread_fault(thread, inst, "thread ends with a message that does not end it");
    switch (message->kind) {
    case MESSAGE_LOAD:
    case MESSAGE_STORE:
    case MESSAGE_ATOMIC:
        if (inst->source[0].kind != OPERAND_REGISTER ||
            (inst->destination.kind != OPERAND_REGISTER && message->returns))
            return thread_fault(thread, inst, "message with no registers");
        if (message_is_of_image(message))
            return image_access(thread, inst, message, extended_descriptor,
                                thread_write_mask(thread, inst));
        if (message->block_2d.present)
            return block_2d_access(thread, inst, message, thread_write_mask(thread, inst));
        return memory_access(thread, inst, message, extended_descriptor,
                             thread_write_mask(thread, inst));
    default:
        /* Fences and barriers affect timing and the work-group; see gpu/messages.c. A fence's reply
         * carries no data, but is written. */
        return 0;
    }
}
