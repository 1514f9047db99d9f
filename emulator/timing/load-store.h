/* The load/store unit of an Xe-core (LSC on Xe-HPG, dataport before): first-level cache and shared
 * local memory behind one queue. Times are GPU clock cycles. */
#ifndef VESIM_LOAD_STORE_H
#define VESIM_LOAD_STORE_H

#include "isa/decode/message.h"
#include "isa/message/access.h"
#include "timing/cache.h"
#include "timing/counters.h"
#include "timing/mshr.h"
#include "vesim/vesim.h"

/* Messages that wait for a register: at most one per vector engine, whose port it occupies. */
#define LOAD_STORE_MAX_HELD 32

/* Pairs of an Xe-core's vector engines. */
#define LOAD_STORE_MAX_PAIRS (LOAD_STORE_MAX_HELD / 2)

/* A message that the unit could not take: all its miss registers are busy, for a time not known
 * yet. */
struct held_message {
    struct message message;
    uint32_t number; /* of its entry in `mshr` */
    uint32_t ve;     /* vector engine that sent it */
    uint32_t line_count;
    uint64_t *lines; /* NULL, and below: owned */
    uint8_t *passes;
    bool partial; /* see struct passage */
};

struct load_store {
    const struct vesim_device *device;
    struct cache l1;
    struct cache tlb;         /* a line is a page, ready when its walk is over */
    struct cache l1_tlb;      /* before it, the same; empty if what it lacks takes no time */
    unsigned line_page_shift; /* from a line's number to its page's */
    uint64_t free;            /* cycle from which the unit accepts the next line or bank access */
    uint64_t end;             /* of those that it accepted at that cycle, */
    uint64_t taken;           /* which take so many shares of it: less than all */
    struct load_store_shares {
        uint64_t all;  /* of the unit: its ports times the banks */
        uint64_t line; /* that a line takes: a port */
        uint64_t bank; /* that a bank of shared local memory takes */
    } shares;
    uint32_t turn_percent;      /* of a cycle, lost between engines since the last whole one */
    uint32_t last_engine;       /* whose message it took last */
    enum message_kind slm_kind; /* what shared local memory did last */
    uint64_t pair_free[LOAD_STORE_MAX_PAIRS]; /* of engines: when it may send, by an altered rule */
    uint64_t slm_spare; /* shares of counted busy cycles that no message has taken */
    struct mshr mshr;
    struct held_message held[LOAD_STORE_MAX_HELD]; /* a queue, a ring */
    uint32_t held_first, held_count;
    bool failed;   /* out of memory */
    bool counting; /* otherwise, the counters are not complete */
    struct counters counters;
};

/* When the stages of a message complete. TIME_PENDING: not known before the L3 has served it. */
struct message_times {
    uint64_t accepted;    /* the unit has accepted it: its vector engine may send another */
    uint64_t source;      /* its operands have been read: their registers may be overwritten */
    uint64_t destination; /* its result is in the registers */
    uint64_t visible;     /* what it wrote is visible, as far as a fence has to ensure */
};

int load_store_init(struct load_store *unit, const struct vesim_device *device);
void load_store_release(struct load_store *unit);

/* The part of load_store_access() (load-store-hit.h) for a load of one line, `known`, that is on
 * its way to the first level; what load_store_pass() would do for it. */
struct message_times load_store_join(struct load_store *unit, const struct message *message,
                                     uint64_t line, const struct cache_line *known, uint64_t now);

/* The part of load_store_access() (load-store-hit.h) for messages of which a line may have to come
 * from the L3: the same contract. */
struct message_times load_store_pass(struct load_store *unit, const struct message *message,
                                     const struct message_access *access, uint32_t ve,
                                     uint64_t now);

/* Cycles for which `dwords` dwords in a row, no more than there are banks, keep the unit busy in
 * shared local memory: a part of one, if others fit beside them. */
static inline double load_store_row_cycles(const struct vesim_device *device, uint64_t dwords)
{
    uint32_t banks = (uint32_t)device->slm_banks;

    return (double)banks_of_row(dwords, banks) / banks;
}

/* Takes over what the L3 has served: frees registers, and sets the time of lines in flight to the
 * first level. */
void load_store_settle(struct load_store *unit);

/* Takes the first message that had to wait, if a register is free for it at a known cycle. Returns
 * its number, engine and times; false if there is none. */
bool load_store_take_held(struct load_store *unit, uint32_t *number, uint32_t *ve,
                          struct message_times *times);

/* Drops everything held and in flight. */
void load_store_clear(struct load_store *unit);

/* Drops all translations. */
void load_store_invalidate_tlb(struct load_store *unit);

/* A kernel begins that uses shared local memory, or one that does not: it takes its part of the
 * first level. */
void load_store_share(struct load_store *unit, bool slm);

/* A fence at `now` of a thread whose earlier accesses are all visible at `slm_visible` and
 * `global_visible`; returns when its reply is there: if `global_visible` is TIME_PENDING and
 * matters, TIME_PENDING, and the last of the messages in `mshr` is this one, with in `destination`
 * the time at which it began to wait. */
uint64_t load_store_fence(struct load_store *unit, const struct message *message,
                          uint64_t slm_visible, uint64_t global_visible, uint64_t now);

#endif
