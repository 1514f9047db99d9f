/* The messages that the load/store unit serves at once: those of shared local memory, and loads of
 * one line that the first level holds. Inline, as most messages are of these. */
#ifndef VESIM_LOAD_STORE_HIT_H
#define VESIM_LOAD_STORE_HIT_H

#include "timing/cycles.h"
#include "timing/load-store.h"

/* Takes some of the unit's shares, or all, for `cycles` from `now` on; returns the cycle at which
 * it has them. Those that fit beside one another have theirs in the same cycle. */
static inline uint64_t load_store_take(struct load_store *unit, uint64_t shares, uint64_t cycles,
                                       uint64_t now)
{
    uint64_t all = unit->shares.all;

    if (unit->taken && (unit->taken + shares > all || now >= unit->end)) {
        unit->free = unit->end;
        unit->taken = 0;
    }
    uint64_t start = later(now, unit->free);

    if (unit->taken == 0)
        unit->free = unit->end = start;
    unit->end = later(unit->end, start + cycles);
    unit->taken += shares;
    if (unit->taken >= all) {
        unit->free = unit->end;
        unit->taken = 0;
    }
    return start;
}

/* The same, of the port that takes a line. */
static inline uint64_t load_store_take_line(struct load_store *unit, uint64_t now)
{
    return load_store_take(unit, unit->shares.line, unit->device->l1_line_interval, now);
}

/* Whether the first level may hold the message's lines. */
static inline bool load_store_caches(const struct load_store *unit, const struct message *message)
{
    return message->kind == MESSAGE_LOAD && message->cached_l1 && unit->l1.sets;
}

/* The line that the first level has for the message, or NULL. */
static inline struct cache_line *load_store_known(struct load_store *unit,
                                                  const struct message *message, uint64_t line)
{
    return load_store_caches(unit, message) ? cache_find(&unit->l1, line) : NULL;
}

/* Cycles of a message whose lines the first level holds: longer if it compares the lanes'
 * addresses. */
static inline uint64_t load_store_hit_latency(const struct vesim_device *device,
                                              const struct message *message)
{
    return device->l1_hit_latency + (message->lanes > 1 ? device->l1_lanes_latency : 0);
}

/* When a line that the first level holds is ready for a request of cycle `start`. */
static inline uint64_t load_store_hit_line(struct load_store *unit, const struct message *message,
                                           const struct cache_line *known, uint64_t start)
{
    count(&unit->counters, COUNTER_l1_hit_lines, 1);
    return later(start + load_store_hit_latency(unit->device, message), known->ready);
}

/* The first level serves a message of one line, which it holds, at once; what load_store_pass()
 * would do for it. */
static inline struct message_times load_store_hit(struct load_store *unit,
                                                  const struct message *message,
                                                  const struct cache_line *known, uint64_t now)
{
    uint64_t start = load_store_take_line(unit, now), end = start + unit->device->l1_line_interval;
    uint64_t done = load_store_hit_line(unit, message, known, start);

    return (struct message_times){start, end, message->returns ? later(start + 1, done) : end,
                                  done};
}

/* Shares of the unit that a message takes: those of its banks or, with conflicts, all. */
static inline uint64_t load_store_slm_shares(const struct load_store *unit,
                                             const struct message_access *access)
{
    return access->slm.cycles > 1 ? unit->shares.all : access->slm.banks * unit->shares.bank;
}

/* Counts a cycle for as many messages as fit into one. */
static inline void load_store_count_busy(struct load_store *unit,
                                         const struct message_access *access)
{
    uint64_t shares = access->slm.cycles * load_store_slm_shares(unit, access);

    while (unit->slm_spare < shares) {
        count(&unit->counters, COUNTER_slm_busy_cycles, 1);
        unit->slm_spare += unit->shares.all;
    }
    unit->slm_spare -= shares;
}

static inline void load_store_count_slm(struct load_store *unit,
                                        const struct message_access *access)
{
    count(&unit->counters, COUNTER_slm_messages, 1);
    count(&unit->counters, COUNTER_slm_bytes, access->bytes);
    load_store_count_busy(unit, access);
    if (access->slm.cycles <= 1)
        return;
    uint64_t row = unit->device->slm_banks * 4, even = (access->bytes + row - 1) / row;
    if (even == 0)
        even = 1;
    if (access->slm.cycles > even) /* lanes that share a dword can take less than that */
        count(&unit->counters, COUNTER_slm_conflict_cycles, access->slm.cycles - even);
}

/* Cycles that a message to shared local memory takes longer behind one of another kind. */
static inline uint64_t load_store_slm_turn(struct load_store *unit, const struct message *message)
{
    bool turns = unit->slm_kind != message->kind;

    unit->slm_kind = message->kind;
    return turns ? unit->device->slm_turn_interval : 0;
}

/* Lets the cycles pass that the unit loses between messages of two engines. */
static inline void load_store_turn(struct load_store *unit, uint32_t ve, uint64_t now)
{
    if (ve == unit->last_engine)
        return;
    unit->last_engine = ve;
    unit->turn_percent += unit->device->l1_engine_turn;
    if (unit->turn_percent < 100)
        return;
    load_store_take(unit, unit->shares.all, unit->turn_percent / 100, now);
    unit->turn_percent %= 100;
}

/* When a message of engine `ve` reaches the unit by an altered rule: so long after the last one of
 * the pair that the engine belongs to. */
static inline uint64_t load_store_pass_pair(struct load_store *unit, uint32_t ve, uint64_t now)
{
    uint64_t turn = unit->device->rules.pair_turn;

    if (turn == 0)
        return now;
    uint64_t start = later(now, unit->pair_free[ve / 2]);
    unit->pair_free[ve / 2] = start + turn;
    return start;
}

static inline struct message_times load_store_slm(struct load_store *unit,
                                                  const struct message *message,
                                                  const struct message_access *access, uint64_t now)
{
    uint64_t start = later(now, unit->free), cycles = access->slm.cycles;

    if (cycles) {
        cycles += load_store_slm_turn(unit, message);
        start = load_store_take(unit, load_store_slm_shares(unit, access), cycles, now);
    }
    if (unit->counting)
        load_store_count_slm(unit, access);
    uint64_t latency =
        message->lanes > 16 ? unit->device->slm_latency_simd32 : unit->device->slm_latency;
    uint64_t done = start + latency + cycles - 1;
    return (struct message_times){
        .accepted = start, .source = start + cycles, .destination = done, .visible = done};
}

static inline void load_store_count(struct load_store *unit, const struct message *message,
                                    const struct message_access *access, uint64_t now)
{
    uint32_t kind = message->kind - (uint32_t)MESSAGE_LOAD; /* the same order */

    _Static_assert(MESSAGE_ATOMIC - MESSAGE_LOAD == COUNTER_atomic_messages - COUNTER_load_messages,
                   "");
    _Static_assert(MESSAGE_ATOMIC - MESSAGE_LOAD == COUNTER_atomic_lines - COUNTER_load_lines, "");
    count(&unit->counters, COUNTER_load_messages + kind, 1);
    count(&unit->counters, COUNTER_queue_cycles, later(now, unit->free) - now);
    if (message->base == BASE_SLM)
        return;
    count(&unit->counters, COUNTER_load_lines + kind, access->line_count);
    count(&unit->counters, COUNTER_global_bytes, access->bytes);
}

/* A load, store or atomic of vector engine `ve` that reaches the unit at cycle `now`, having
 * touched `access`. If any of its lines is on its way, `visible` and, if it returns something,
 * `destination` are TIME_PENDING, and the last of the messages in `mshr` is this one, without its
 * thread, group and token. If the unit cannot take it, `accepted` and `source` are so too. */
static inline struct message_times load_store_access(struct load_store *unit,
                                                     const struct message *message,
                                                     const struct message_access *access,
                                                     uint32_t ve, uint64_t now)
{
    struct cache_line *known = NULL;

    if (unit->counting)
        load_store_count(unit, message, access, now);
    now = load_store_pass_pair(unit, ve, now);
    load_store_turn(unit, ve, now);
    if (message->base == BASE_SLM)
        return load_store_slm(unit, message, access, now);
    if (access->line_count == 1 && unit->held_count == 0)
        known = load_store_known(unit, message, access->lines[0]);
    if (known)
        return known->ready & LINE_PENDING
                   ? load_store_join(unit, message, access->lines[0], known, now)
                   : load_store_hit(unit, message, known, now);
    return load_store_pass(unit, message, access, ve, now);
}

#endif
