/* The load/store unit of an Xe-core: first-level cache and shared local memory behind one queue,
 * on Xe-HPG the LSC, before that the dataport. Times are GPU clock cycles. */
#ifndef VESIM_LOAD_STORE_H
#define VESIM_LOAD_STORE_H

#include "device/device.h"
#include "isa/decode/message.h"
#include "isa/message/access.h"
#include "timing/cache.h"
#include "timing/counters.h"
#include "timing/memory.h"
#include "timing/pending.h"

struct load_store {
    const struct device *device;
    struct memory_clock *memory;
    struct cache l1;
    uint64_t free; /* cycle from which the unit takes the next line or bank access */
    bool defers;   /* what goes to the L3 is put into `pending`, for others to answer */
    struct pending pending;
    bool failed; /* out of memory for `pending` */
    struct counters counters;
};

/* When a message's parts are done. */
struct message_times {
    uint64_t source;      /* its operands have been read: their registers may be overwritten */
    uint64_t destination; /* its result is in the registers */
    uint64_t visible;     /* what it wrote is seen by those whom a fence has to tell */
};

int load_store_init(struct load_store *unit, const struct device *device,
                    struct memory_clock *memory);
void load_store_release(struct load_store *unit);

/* A load, store or atomic that reaches the unit at cycle `now`, having touched `access`. If any of
 * its lines is pending, `visible` and, if it returns something, `destination` are TIME_PENDING, and
 * the last of the pending messages is this one, without its thread, group and token. */
struct message_times load_store_access(struct load_store *unit, const struct message *message,
                                       const struct message_access *access, uint64_t now);

/* Takes the answers over: lines that were on their way to the first level have their time. The
 * pending lines and messages are gone. */
void load_store_settle(struct load_store *unit);

/* A fence at `now` of a thread whose earlier accesses are all visible at `slm_visible` and
 * `global_visible`; returns when its reply is there: if `global_visible` is TIME_PENDING and
 * matters, TIME_PENDING, and the last of the pending messages is this one, with in `destination`
 * the time at which it began to wait. */
uint64_t load_store_fence(struct load_store *unit, const struct message *message,
                          uint64_t slm_visible, uint64_t global_visible, uint64_t now);

#endif
