/* The device's last-level cache and the memory behind it, shared by all Xe-cores. Times are GPU
 * clock cycles. */
#ifndef VESIM_CLOCK_MEMORY_H
#define VESIM_CLOCK_MEMORY_H

#include "device/device.h"
#include "timing/cache.h"
#include "timing/counters.h"

#define MEMORY_MAX_BANKS 64

struct memory_clock {
    const struct device *device;
    struct cache l3;
    struct modulus bank_of;               /* a line */
    uint64_t bank_free[MEMORY_MAX_BANKS]; /* cycle from which a bank takes the next line */
    uint64_t channel_free;                /* the same of the memory channels, in 1/1024 cycles */
    uint64_t line_cost;                   /* of one line on the channels, in 1/1024 cycles */
    struct counters counters;
};

int memory_clock_init(struct memory_clock *memory, const struct device *device);
void memory_clock_release(struct memory_clock *memory);

/* A line asked for at cycle `now`; returns when its data is there. */
uint64_t memory_read_line(struct memory_clock *memory, uint64_t line, uint64_t now);

/* A line written at `now`; returns when the write is acknowledged: visible to all Xe-cores. */
uint64_t memory_write_line(struct memory_clock *memory, uint64_t line, uint64_t now);

/* A line on which atomics work at `now`, in `passes` (from 1) of operations on different elements
 * each; returns when the old values are there. */
uint64_t memory_atomic_line(struct memory_clock *memory, uint64_t line, uint64_t now,
                            uint32_t passes);

/* Writes the whole cache back from `now` on; returns when that is done. */
uint64_t memory_write_back(struct memory_clock *memory, uint64_t now);

/* Bytes that pass the channels, from `now` on, without the cache; returns when they have. */
uint64_t memory_stream(struct memory_clock *memory, uint64_t bytes, uint64_t now);

#endif
