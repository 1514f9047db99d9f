/* The host's monotonic clock. */
#ifndef VEBENCH_MONOTONIC_H
#define VEBENCH_MONOTONIC_H

#include <time.h>

/* Seconds since some point in the past. */
static inline double monotonic_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
