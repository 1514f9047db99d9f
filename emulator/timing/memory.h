/* The device's last-level cache and the memory behind it, shared by all Xe-cores. Times are GPU
 * clock cycles. Each bank serves lines in the order of their arrival, and the memory channels in
 * the order in which banks miss. Nothing is reserved ahead of that order: a line's time is known
 * once nothing can come before it.
 *
 * Lines on their way back to memory wait in a queue of two halves: when one is full, the channels
 * write all of it, and the other one takes what comes meanwhile. A line that finds no room keeps
 * its way of the cache, and with it the request that wants the way, until there is some. */
#ifndef VESIM_CLOCK_MEMORY_H
#define VESIM_CLOCK_MEMORY_H

#include "timing/cache.h"
#include "timing/counters.h"
#include "timing/memory-traffic.h"
#include "vesim/vesim.h"

#define MEMORY_MAX_BANKS 64
#define MEMORY_OPEN_ROWS 64

/* A request for a line. */
struct memory_request {
    uint64_t line;
    uint64_t time;         /* its arrival; later, when its bank takes it */
    uint64_t order;        /* order among those that banks take in the same cycle */
    uint32_t core, number; /* the requesting Xe-core and its miss */
    uint8_t kind;          /* MESSAGE_LOAD, _STORE or _ATOMIC */
    uint8_t passes;        /* of an atomic: its lanes on this line; of a store: its cycles in the
                              bank; at least 1 */
};

/* A channel that takes one line after another. */
struct lane {
    uint64_t free;      /* when it is free, in 1/1024 cycles */
    uint64_t line_cost; /* time per line, in 1/1024 cycles; 0: there is no such lane */
    uint64_t turn;      /* time lost when it changes direction, in 1/1024 cycles */
    bool writes;        /* the last line was written */
};

/* Lines that a lane has to write. */
struct write_queue {
    struct lane *lane;
    uint32_t half;     /* lines of each half, at least 1 */
    uint32_t lines;    /* in the half that is filled */
    unsigned filled;   /* which that is */
    uint64_t empty[2]; /* when the last line of a half has left it, in 1/1024 cycles */
};

/* To memory that is elsewhere. */
struct memory_link {
    struct lane in, out;       /* without a cost per line: there is no such link */
    struct write_queue writes; /* across it */
    uint64_t latency;          /* of a load, cycles */
    uint64_t dirty;            /* lines of that memory that the L3 has to return */
};

struct memory_clock {
    const struct vesim_device *device;
    unsigned stack; /* whose memory is near */
    struct cache l3;
    struct modulus banks;
    uint64_t bank_free[MEMORY_MAX_BANKS]; /* cycle from which a bank takes the next line */
    uint8_t bank_kind[MEMORY_MAX_BANKS];  /* of the line that it took last */
    struct cache llc;                     /* of the processor, behind an integrated GPU's L3 */
    struct lane ring;                     /* to that cache, and through it to memory */
    struct lane channels;                 /* to memory */
    uint64_t open_row[MEMORY_OPEN_ROWS];  /* the rows that it has open */
    uint64_t row_cost;                    /* time for another one to open, in 1/1024 cycles */
    struct write_queue writes;            /* to memory */
    struct memory_link host;              /* of a card, to the host's memory */
    struct memory_link peer;              /* to that of the other stack */
    struct memory_request *queue; /* waiting for their banks: a heap with the next one first */
    uint32_t queued, queue_room;
    uint64_t arrived; /* requests so far */
    uint64_t spread;  /* cycles over which latencies are spread, half of them below the mean */
    struct counters counters;
};

/* No line is there sooner after it has arrived, cycles. */
uint64_t memory_least_latency(const struct vesim_device *device);

int memory_clock_init(struct memory_clock *memory, const struct vesim_device *device);
void memory_clock_release(struct memory_clock *memory);

/* A line is about to arrive: what is known of it is brought near. */
void memory_expect(const struct memory_clock *memory, uint64_t line);

/* A line arrives at its bank. To be called in the order of the requests' times. Returns true, with
 * the cycle at which its data is there (a store: it is acknowledged, visible to all Xe-cores) in
 * `done`, if its bank takes it at once; else it is queued. */
bool memory_arrive(struct memory_clock *memory, struct memory_request *request, uint64_t *done);

/* When a bank takes the next queued line; UINT64_MAX if none is queued. */
static inline uint64_t memory_next(const struct memory_clock *memory)
{
    return memory->queued ? memory->queue[0].time : UINT64_MAX;
}

/* Takes that line off the queue into `request`: its bank works on it. To be called when every line
 * has arrived that arrives before. Returns when it is done. */
uint64_t memory_serve(struct memory_clock *memory, struct memory_request *request);

/* Empties the queue. */
void memory_clear(struct memory_clock *memory);

/* Writes back the whole cache from `now` on; returns when it is done. */
uint64_t memory_write_back(struct memory_clock *memory, uint64_t now);

/* Moves traffic past the cache from `now` on; returns when it is done. */
uint64_t memory_stream(struct memory_clock *memory, const struct memory_traffic *traffic,
                       uint64_t now);

#endif
