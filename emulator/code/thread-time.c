/* The time of one thread that has a loop to itself: instructions issue in their order, each when
 * what it waits for is there. */
#include "code/code.h"
#include "code/message-cost.h"
#include "timing/scoreboard.h"

#include <stdlib.h>
#include <string.h>

/* Iterations before the one that counts: as many as results can be on their way over. */
enum { SETTLING = 16 };

/* Who made what the scoreboard keeps. */
struct makers {
    uint32_t in_order[RINGS][SCOREBOARD_DISTANCE];
    uint32_t token[TOKENS];
    uint32_t flags[FLAG_REGISTERS], accumulators[ACCUMULATOR_REGISTERS], address;
};

struct thread_time {
    const struct program *program;
    const struct vesim_device *device;
    struct scoreboard board;
    struct makers makers;
    uint64_t now;    /* the first cycle at which the next instruction may issue */
    uint64_t delay;  /* cycles since the last one for which it could not, */
    uint32_t before; /* because of this one: a branch, or a signal of a barrier */
    uint64_t port_free[PIPE_COUNT];
    uint32_t port_user[PIPE_COUNT];
    uint64_t signalled; /* the last signal of a barrier */
    uint32_t signal;
};

static uint32_t maker_by_distance(const struct thread_time *t, const struct issue *issue)
{
    bool any = issue->waits & WAITS_PIPES;
    unsigned first = any ? 0 : issue->distance_ring, end = any ? RING_OTHERS : first + 1;
    uint32_t maker = VESIM_NOBODY;
    uint64_t latest = 0;

    for (unsigned ring = first; ring < end; ring++) {
        unsigned at = (t->board.issued[ring] - issue->distance) % SCOREBOARD_DISTANCE;

        if (t->board.done[ring][at] >= latest) {
            latest = t->board.done[ring][at];
            maker = t->makers.in_order[ring][at];
        }
    }
    return maker;
}

static void take_later(uint64_t *latest, uint32_t *maker, uint64_t time, uint32_t who)
{
    if (time > *latest) {
        *latest = time;
        *maker = who;
    }
}

static uint32_t maker_of_register(const struct thread_time *t, const struct issue *issue)
{
    uint64_t latest = 0;
    uint32_t maker = VESIM_NOBODY;

    for (uint32_t i = 0; i < FLAG_REGISTERS; i++)
        if (issue->flags_read >> i & 1)
            take_later(&latest, &maker, t->board.flags[i], t->makers.flags[i]);
    for (uint32_t i = 0; i < ACCUMULATOR_REGISTERS; i++)
        if (issue->accumulators_read >> i & 1)
            take_later(&latest, &maker, t->board.accumulators[i], t->makers.accumulators[i]);
    if (issue->waits & WAITS_ADDRESS)
        take_later(&latest, &maker, t->board.address, t->makers.address);
    return maker;
}

/* sync.allrd, sync.allwr: the token that is the last to be free. */
static uint32_t maker_of_all(const struct thread_time *t, bool written)
{
    uint64_t latest = 0;
    uint32_t maker = VESIM_NOBODY;

    for (unsigned i = 0; i < TOKENS; i++) {
        uint64_t time = written ? t->board.tokens[i].destination : t->board.tokens[i].source;

        take_later(&latest, &maker, time, t->makers.token[i]);
    }
    return maker;
}

/* When the scoreboard lets it issue, and who held it up to then. */
static uint64_t dependencies(const struct thread_time *t, const struct issue *issue, uint32_t *whom)
{
    uint64_t ready = scoreboard_ready(&t->board, issue, t->now);
    struct issue alone = *issue; /* without the tokens of others */

    alone.waits &= (uint8_t) ~(WAITS_ALL_READ | WAITS_ALL_WRITTEN);
    switch (scoreboard_cause(&t->board, issue, t->now)) {
    case SCOREBOARD_CAUSE_DISTANCE:
        *whom = maker_by_distance(t, issue);
        break;
    case SCOREBOARD_CAUSE_TOKEN:
        *whom = t->makers.token[issue->token];
        break;
    case SCOREBOARD_CAUSE_REGISTER:
        *whom = maker_of_register(t, issue);
        break;
    default:
        break;
    }
    if (ready > scoreboard_ready(&t->board, &alone, t->now))
        *whom = maker_of_all(t, issue->waits & WAITS_ALL_WRITTEN);
    return ready;
}

static void retire_message(struct thread_time *t, const struct inst *inst, uint32_t index,
                           uint64_t issued)
{
    struct message_cost cost = message_cost(inst, t->device);

    t->port_free[PIPE_SEND] = issued + cost.port_cycles;
    if (message_class(inst) == VESIM_MESSAGE_BARRIER) {
        t->signalled = issued;
        t->signal = index;
    }
    if (inst->scoreboard.token_use == TOKEN_SET) {
        scoreboard_token(&t->board, inst->scoreboard.token, issued + cost.source_latency,
                         issued + cost.latency);
        t->makers.token[inst->scoreboard.token] = index;
    }
}

static void made_by(uint32_t *makers, uint32_t bits, uint32_t index)
{
    for (; bits; bits &= bits - 1)
        makers[__builtin_ctz(bits)] = index;
}

static void retire_in_pipe(struct thread_time *t, const struct inst *inst, uint32_t index,
                           uint64_t issued)
{
    const struct issue *record = &t->program->issues[index];

    t->port_free[inst->port] = issued + inst->occupancy;
    if (inst->scoreboard.token_use == TOKEN_SET) {
        scoreboard_token(&t->board, inst->scoreboard.token, issued + inst->occupancy,
                         issued + inst->latency);
        t->makers.token[inst->scoreboard.token] = index;
    }
    t->makers.in_order[record->ring][t->board.issued[record->ring] % SCOREBOARD_DISTANCE] = index;
    scoreboard_issue(&t->board, record, issued + inst->latency);
    scoreboard_set(t->board.flags, record->flags_written, issued + t->device->arf_latency);
    scoreboard_set(t->board.accumulators, record->accumulators_written,
                   issued + inst->occupancy - 1 + t->device->accumulator_latency);
    made_by(t->makers.flags, record->flags_written, index);
    made_by(t->makers.accumulators, record->accumulators_written, index);
    if (inst->writes_address) {
        t->board.address = issued + t->device->arf_latency;
        t->makers.address = index;
    }
}

/* Issues instruction `index`, whose predecessor was done with at `t->now`. */
static void issue(struct thread_time *t, uint32_t index, struct vesim_wait *wait)
{
    const struct inst *inst = &t->program->insts[index];
    uint32_t whom = t->before;
    uint64_t issued = dependencies(t, &t->program->issues[index], &whom);

    if (inst->pipe < PIPE_NONE && t->port_free[inst->port] > issued) {
        issued = t->port_free[inst->port];
        whom = t->port_user[inst->port];
    }
    wait->cycles = t->delay + issued - t->now;
    wait->whom = wait->cycles ? whom : VESIM_NOBODY;
    t->port_user[inst->port] = index;
    if (inst->pipe == PIPE_SEND)
        retire_message(t, inst, index, issued);
    else if (inst->pipe != PIPE_NONE)
        retire_in_pipe(t, inst, index, issued);
    t->now = issued + 1;
    t->delay = 0;
    t->before = VESIM_NOBODY;
}

/* The cycles by which a branch back, or a barrier, puts off what follows. */
static void put_off(struct thread_time *t, uint32_t index, bool is_last)
{
    const struct inst *inst = &t->program->insts[index];
    uint64_t until = t->now;

    if (inst->opcode == OP_sync && inst->function == SYNC_BAR && t->signal != VESIM_NOBODY) {
        until = t->signalled + t->device->barrier_latency;
        t->before = t->signal;
        t->signal = VESIM_NOBODY;
    } else if (is_last) {
        until = t->now - 1 + t->device->branch_latency;
        t->before = index;
    }
    if (until > t->now) {
        t->delay = until - t->now;
        t->now = until;
    }
}

static void iterate(struct thread_time *t, uint32_t first, uint32_t last, struct vesim_wait *waits)
{
    for (uint32_t i = first; i <= last; i++) {
        issue(t, i, &waits[i - first]);
        put_off(t, i, i == last);
    }
}

int vesim_code_thread_time(const struct vesim_code *code, size_t first, size_t last,
                           struct vesim_wait *waits, uint64_t *cycles)
{
    struct thread_time *t = aligned_alloc(alignof(struct thread_time), sizeof(*t));
    uint64_t before = 0;

    if (!t)
        return -1;
    *t = (struct thread_time){.program = code->program, .device = &code->device};
    t->before = t->signal = VESIM_NOBODY;
    memset(&t->makers, 0xff, sizeof(t->makers));
    for (unsigned i = 0; i <= SETTLING; i++) {
        before = t->now;
        iterate(t, (uint32_t)first, (uint32_t)last, waits);
    }
    *cycles = t->now - before;
    free(t);
    return 0;
}
