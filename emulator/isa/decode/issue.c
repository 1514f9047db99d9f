#include "isa/decode/issue.h"

static uint8_t waits_of(const struct inst *inst)
{
    unsigned waits = 0;

    if (inst->scoreboard.token_use == TOKEN_SOURCE)
        waits |= WAITS_SOURCE;
    else if (inst->scoreboard.token_use != TOKEN_NONE) /* a token is set again once it is free */
        waits |= WAITS_RESULT;
    if (inst->flags_read)
        waits |= WAITS_FLAG;
    if (inst->accumulators_read)
        waits |= WAITS_ACCUMULATOR;
    if (inst->reads_address)
        waits |= WAITS_ADDRESS;
    if (inst->opcode == OP_sync && inst->function == SYNC_ALLRD)
        waits |= WAITS_ALL_READ;
    if (inst->opcode == OP_sync && inst->function == SYNC_ALLWR)
        waits |= WAITS_ALL_WRITTEN;
    return (uint8_t)waits;
}

static uint8_t marks_of(const struct inst *inst)
{
    unsigned marks = 0;

    if (inst->scoreboard.token_use == TOKEN_SET)
        marks |= MARKS_TOKEN;
    if (inst->flags_written)
        marks |= MARKS_FLAG;
    if (inst->accumulators_written)
        marks |= MARKS_ACCUMULATOR;
    if (inst->writes_address)
        marks |= MARKS_ADDRESS;
    return (uint8_t)marks;
}

static void set_distance(struct issue *issue, const struct inst *inst, bool single_pipe)
{
    static const uint8_t named[] = {[DISTANCE_FLOAT] = PIPE_FLOAT,
                                    [DISTANCE_INTEGER] = PIPE_INTEGER,
                                    [DISTANCE_LONG] = PIPE_LONG,
                                    [DISTANCE_MATH] = PIPE_MATH};
    uint8_t of = inst->scoreboard.distance_pipe;
    unsigned distance = inst->scoreboard.distance & DISTANCE_LONGEST;

    if (single_pipe) {
        issue->distance = distance;
        return;
    }
    if (of == DISTANCE_ALL && distance) {
        issue->distance = distance;
        issue->waits |= WAITS_PIPES;
        return;
    }
    /* a distance with no pipe named counts in the instruction's own */
    uint8_t pipe = of == DISTANCE_NONE || of == DISTANCE_OWN ? inst->pipe : named[of];
    if (pipe >= PIPE_MATH) /* they end out of order: those have tokens */
        return;
    issue->distance = distance;
    issue->distance_ring = pipe & RING_MASK;
}

/* Whether what the instruction does, or finds, depends on other vector engines. Most syncs wait for
 * their own thread's messages; one that waits at a barrier ends at the same cycle whether or not
 * the last thread's signal is known already. */
static bool needs_others(const struct inst *inst)
{
    return inst->is_shared && (inst->opcode != OP_sync || inst->function == SYNC_HOST);
}

static uint8_t needs_of(const struct inst *inst)
{
    bool is_step = !inst->is_plain || inst->opcode == OP_sync || inst->pipe >= PIPE_SEND;
    bool is_send_alone = inst->pipe == PIPE_SEND && !inst->reads_clock && !inst->is_last;

    return (uint8_t)((needs_others(inst) ? NEEDS_OTHERS : 0) | (is_step ? NEEDS_STEP : 0) |
                     (is_send_alone ? NEEDS_SEND_ALONE : 0));
}

struct issue issue_of(const struct inst *inst, bool single_pipe)
{
    uint8_t needs = needs_of(inst);
    struct issue issue = {
        .latency = inst->latency,
        .occupancy = inst->occupancy,
        .port = inst->port,
        .ring = inst->pipe >= PIPE_MATH ? RING_OTHERS
                : single_pipe           ? 0
                                        : inst->pipe,
        .waits = waits_of(inst),
        .marks = marks_of(inst),
        .needs = needs,
        .joins = !(needs & NEEDS_STEP) && inst->scoreboard.token_use == TOKEN_NONE,
        .token = inst->scoreboard.token & (TOKENS - 1),
        .flags_read = inst->flags_read,
        .flags_written = inst->flags_written,
        .accumulators_read = inst->accumulators_read,
        .accumulators_written = inst->accumulators_written,
    };

    set_distance(&issue, inst, single_pipe);
    return issue;
}

void issue_find_rows(struct issue *issues, uint32_t count)
{
    for (uint32_t first = 0, end; first < count; first = end + 1) {
        for (end = first; end < count && !(issues[end].needs & NEEDS_STEP);)
            end++;
        for (uint32_t i = first; end - first >= ROW_SHORTEST && i < end; i++)
            issues[i].in_row = 1;
    }
}
