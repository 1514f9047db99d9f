/* The host's monotonic clock. */
#ifndef VEBENCH_MONOTONIC_H
#define VEBENCH_MONOTONIC_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some point in the past. */
static inline uint64_t monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Seconds since some point in the past. */
static inline double monotonic_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
