/* The load/store unit of an Xe-core: first-level cache and shared local memory behind one queue,
 * on Xe-HPG the LSC, before that the dataport. Times are GPU clock cycles. */
#ifndef VESIM_LOAD_STORE_H
#define VESIM_LOAD_STORE_H

#include "isa/decode/message.h"
#include "isa/message/access.h"
#include "timing/cache.h"
#include "timing/counters.h"
#include "timing/mshr.h"
#include "vesim/vesim.h"

/* Messages that wait for a register: one for each vector engine, whose port it keeps busy. */
#define LOAD_STORE_MAX_HELD 32

/* A message that the unit has not taken: all its miss registers are busy, and it is not known until
 * when. */
struct held_message {
    struct message message;
    uint32_t number; /* of its entry in `mshr` */
    uint32_t ve;     /* vector engine that has sent it */
    uint32_t line_count;
    uint64_t *lines; /* NULL, and below: owned */
    uint8_t *passes;
};

struct load_store {
    const struct vesim_device *device;
    struct cache l1;
    uint64_t free; /* cycle from which the unit takes the next line or bank access */
    struct mshr mshr;
    struct held_message held[LOAD_STORE_MAX_HELD]; /* a queue, a ring */
    uint32_t held_first, held_count;
    bool failed; /* out of memory */
    struct counters counters;
};

/* When a message's parts are done. TIME_PENDING: not known before the L3 has served them. */
struct message_times {
    uint64_t accepted;    /* the unit has begun with it: its vector engine may send another */
    uint64_t source;      /* its operands have been read: their registers may be overwritten */
    uint64_t destination; /* its result is in the registers */
    uint64_t visible;     /* what it wrote is seen by those whom a fence has to tell */
};

int load_store_init(struct load_store *unit, const struct vesim_device *device);
void load_store_release(struct load_store *unit);

/* A load, store or atomic of vector engine `ve` that reaches the unit at cycle `now`, having
 * touched `access`. If any of its lines is on its way, `visible` and, if it returns something,
 * `destination` are TIME_PENDING, and the last of the messages in `mshr` is this one, without its
 * thread, group and token. If the unit cannot take it, `accepted` and `source` are so too. */
struct message_times load_store_access(struct load_store *unit, const struct message *message,
                                       const struct message_access *access, uint32_t ve,
                                       uint64_t now);

/* Takes over what the L3 has served: registers are free again, lines that were on their way to the
 * first level have their time. */
void load_store_settle(struct load_store *unit);

/* Takes the first of the messages that had to wait, if a register is free for it at a cycle that is
 * known. Returns its number, its engine and times; false: none can be taken. */
bool load_store_take_held(struct load_store *unit, uint32_t *number, uint32_t *ve,
                          struct message_times *times);

/* Forgets what it holds and waits for. */
void load_store_clear(struct load_store *unit);

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
