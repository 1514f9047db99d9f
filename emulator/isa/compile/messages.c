#include "isa/compile/messages.h"

#include "isa/compile/block-messages.h"
#include "isa/compile/lane-messages.h"
#include "isa/message/transfer.h"

bool message_is_own(const struct inst *inst)
{
    return inst->has_message && !inst->end_of_thread &&
           (message_moves_memory(&inst->message) || inst->message.kind == MESSAGE_FENCE);
}

bool message_is_signal(const struct inst *inst)
{
    return inst->has_message && !inst->end_of_thread && inst->message.kind == MESSAGE_BARRIER;
}

void emit_message(struct emitter *e, const struct inst *inst)
{
    if (inst->message.kind == MESSAGE_FENCE) {
        emit_flush(e); /* without the clock, a fence has nothing to do */
        emit_forget(e);
    } else if (message_moves_lanes(inst)) {
        emit_lane_message(e, inst);
    } else if (message_moves_block(inst)) {
        emit_block_message(e, inst);
    } else {
        emit_interpret(e, inst);
    }
}
