/* What a worker is doing and its deadline: written by the worker, read by the process that waits
 * for it, through shared memory, so that reporting every launch costs the worker no system call. */
#ifndef VEBENCH_WATCH_H
#define VEBENCH_WATCH_H

#include <stdint.h>

enum watch_stage {
    WATCH_START,        /* loads the driver, opens the device */
    WATCH_IDLE,         /* waits for an order */
    WATCH_COMPILATION,  /* of a module, by the driver */
    WATCH_SETUP,        /* memory and its contents, kernels */
    WATCH_COMMAND,      /* waits for a command of the user */
    WATCH_CALIBRATION,  /* launches that find how many iterations to time */
    WATCH_TIMING,       /* launches that are timed */
    WATCH_COUNTING,     /* launches with counters of the hardware */
    WATCH_VERIFICATION, /* checks outputs against a host reference */
    WATCH_END,          /* frees everything */
};

struct watch;

/* A shared page of its own; create it before the fork. NULL: out of memory. */
struct watch *watch_create(void);
void watch_destroy(struct watch *watch);

/* The functions below accept NULL, which means that nobody watches. */

/* Begins another stage, which may take up to `limit_ns` from now. Returns the previous stage. */
enum watch_stage watch_enter(struct watch *watch, enum watch_stage stage, uint64_t limit_ns);
/* Begins another step of the same stage. */
void watch_extend(struct watch *watch, uint64_t limit_ns);

enum watch_stage watch_stage(const struct watch *watch);
/* Nanoseconds until the limit, by CLOCK_MONOTONIC; negative once it has passed. */
int64_t watch_left_ns(const struct watch *watch);
/* The limit of the current step, as it was given. */
uint64_t watch_limit_ns(const struct watch *watch);

/* "compilation" and so on. */
const char *watch_stage_name(enum watch_stage stage);

#endif
