/* A plan of what goes wrong with the emulated GPU and when, for tests of programs that have to
 * survive it. Here are the plan's text and its clockwork; what happens is done where it happens: by
 * the kernel driver (kmd), the command streamer (streamer), the timestamp counter. */
#ifndef VESIM_FAULTS_H
#define VESIM_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault_kind {
    /* At a submission. */
    FAULT_DEVICE_LOST, /* it and all later ones of the process are refused with EIO */
    FAULT_HANG,        /* it never ends */
    FAULT_PAGE_FAULT,  /* it ends as if it had touched unmapped memory */
    FAULT_WRONG_LANE,  /* in each of its kernels a lane starts with the work-item id of another */
    /* At an allocation. */
    FAULT_OUT_OF_MEMORY, /* ENOMEM */
    /* Of the timestamp counter, from a time on. */
    FAULT_TIMESTAMP_WRAP, /* wraps, in its 32 bits and in its 36 */
    FAULT_CLOCK_RAMP,     /* the core clock starts at half and nears the whole with 5 ms */
    FAULT_CLOCK_STEP,     /* halves for good */
    FAULT_DRIFT,          /* everything gets 10 % slower every second */
    FAULT_NOISE,          /* timestamps are up to 1 us late, each by its own */
    FAULT_THROTTLING,     /* half the clock in 10 ms of each 50 ms */
    FAULT_SLOW_DEVICE,    /* everything takes twenty times as long */
    FAULT_KINDS
};

/* When a fault of a kind strikes; of submissions and allocations by their number from 1, counted
 * over the process that reads the plan and all it forks; of the clock by GPU time. */
struct fault_when {
    bool planned;
    uint64_t first, last; /* numbers, both included */
    uint64_t from_ns;     /* since power-on */
};

struct faults {
    struct fault_when when[FAULT_KINDS];
    uint64_t *counts; /* by kind, in memory that is shared over fork(2) */
};

/* "KIND[:WHEN]", separated by commas. WHEN is N, N-M or N+ for submissions and allocations (without
 * it: 1), and a time such as 2ms or 500us for the clock (without it: 0). Returns 0, or -1 with a
 * message. */
int faults_parse(struct faults *faults, const char *text, char *error, size_t error_size);

/* An event that a fault of the kind may strike at: does it? Safe from any thread. NULL: no plan. */
bool faults_strike(const struct faults *faults, enum fault_kind kind);

/* The time that the timestamp counter shows at `ns` of GPU time; never falls. */
double faults_time(const struct faults *faults, double ns);
/* Where the counter, of `hz`, begins for the wrap to come when it is planned; 0: none is. */
uint64_t faults_ticks(const struct faults *faults, uint64_t hz);

#endif
