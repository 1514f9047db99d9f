/* What a worker is doing, and until when it should have done it: written by the worker, read by the
 * process that waits for it, over memory that they share. So the worker tells of every launch
 * without a system call beside it. */
#ifndef VEBENCH_WATCH_H
#define VEBENCH_WATCH_H

#include <stdint.h>

enum watch_stage {
    WATCH_START,        /* loads the driver, opens the device */
    WATCH_IDLE,         /* waits for an order */
    WATCH_COMPILATION,  /* of a module, by the driver */
    WATCH_SETUP,        /* memory and its contents, kernels */
    WATCH_CALIBRATION,  /* launches that find how many iterations to time */
    WATCH_TIMING,       /* launches that are timed */
    WATCH_VERIFICATION, /* outputs against a host reference */
    WATCH_END,          /* everything is freed */
};

struct watch;

/* A page of its own, to be made before the fork; NULL: no memory. */
struct watch *watch_create(void);
void watch_destroy(struct watch *watch);

/* The functions below take NULL: nobody watches. */

/* Another stage begins, and may take until `limit_ns` from now. Returns the one before. */
enum watch_stage watch_enter(struct watch *watch, enum watch_stage stage, uint64_t limit_ns);
/* Another step of the same stage. */
void watch_extend(struct watch *watch, uint64_t limit_ns);

enum watch_stage watch_stage(const struct watch *watch);
/* Nanoseconds until the limit, by CLOCK_MONOTONIC; negative: it is past. */
int64_t watch_left_ns(const struct watch *watch);
/* The limit of the present step, as it was given. */
uint64_t watch_limit_ns(const struct watch *watch);

/* "compilation" and so on. */
const char *watch_stage_name(enum watch_stage stage);

#endif
