/* What an encoding says beside the operation: predicate, flags, scoreboard. */
#include "isa/decode/decode.h"

bool opcode_is_flow(enum opcode opcode)
{
    switch (opcode) {
    case OP_brc:
    case OP_brd:
    case OP_break:
    case OP_call:
    case OP_calla:
    case OP_cont:
    case OP_else:
    case OP_endif:
    case OP_goto:
    case OP_halt:
    case OP_if:
    case OP_jmpi:
    case OP_join:
    case OP_ret:
    case OP_while:
        return true;
    default:
        return false;
    }
}

void decode_predication(struct decoder *d)
{
    const struct iga *iga = d->iga;
    struct inst *inst = d->inst;

    inst->condition = (uint8_t)iga->kv_get_flag_modifier(d->view, d->pc);
    if (inst->condition == 8)
        inst->condition = CONDITION_OVERFLOW;
    else if (inst->condition == 9)
        inst->condition = CONDITION_UNORDERED;
    inst->predicate_inverse = iga->kv_get_is_inverse_predicate(d->view, d->pc);
    int32_t flag = iga->kv_get_flag_register(d->view, d->pc);
    int32_t sub = iga->kv_get_flag_sub_register(d->view, d->pc);
    inst->flag = (uint8_t)((flag > 0 ? flag & 3 : 0) * 2 + (sub > 0 ? sub & 1 : 0));

    uint32_t predicate = iga->kv_get_predicate(d->view, d->pc);
    inst->predicate_group = inst->lanes;
    switch (predicate) {
    case IGA_PREDICATE_NONE:
        inst->predicate = PREDICATE_NONE;
        break;
    case IGA_PREDICATE_SEQUENTIAL:
        inst->predicate = PREDICATE_LANE;
        break;
    case IGA_PREDICATE_ANYV:
        inst->predicate = PREDICATE_ANYV;
        break;
    case IGA_PREDICATE_ALLV:
        inst->predicate = PREDICATE_ALLV;
        break;
    case IGA_PREDICATE_ANY:
        inst->predicate = PREDICATE_ANY;
        break;
    case IGA_PREDICATE_ALL:
        inst->predicate = PREDICATE_ALL;
        break;
    default: { /* ANY2H, ALL2H, ANY4H, … */
        unsigned step = predicate - IGA_PREDICATE_ANY2H;

        inst->predicate = step % 2 ? PREDICATE_ALL : PREDICATE_ANY;
        inst->predicate_group = (uint8_t)(2u << (step / 2));
    }
    }
}

void decode_scoreboard(struct decoder *d)
{
    struct iga_scoreboard info = {0};

    if (!d->iga->kv_get_swsb_info(d->view, d->pc, d->target->scoreboard_mode, &info))
        return;
    struct scoreboard_info *to = &d->inst->scoreboard;
    static const uint8_t pipes[] = {
        [IGA_NO_DISTANCE] = DISTANCE_NONE,     [IGA_DISTANCE] = DISTANCE_OWN,
        [IGA_DISTANCE_ALL] = DISTANCE_ALL,     [IGA_DISTANCE_FLOAT] = DISTANCE_FLOAT,
        [IGA_DISTANCE_INT] = DISTANCE_INTEGER, [IGA_DISTANCE_LONG] = DISTANCE_LONG,
        [IGA_DISTANCE_MATH] = DISTANCE_MATH,
    };
    if (info.distance_type > IGA_NO_DISTANCE && info.distance_type <= IGA_DISTANCE_MATH) {
        to->distance_pipe = pipes[info.distance_type];
        to->distance = (uint8_t)(info.distance & 7);
    }
    to->token_use = (uint8_t)(info.token_type & 3);
    to->token = (uint8_t)(info.token & 31);
}
