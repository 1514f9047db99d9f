/* What stays in a cache of a set that is too large for it, by how the cache replaces lines. */
#ifndef VEBENCH_LATENCY_REPLACEMENT_H
#define VEBENCH_LATENCY_REPLACEMENT_H

#include "math/bootstrap.h"

#include <stdbool.h>
#include <stdint.h>

enum { REPLACEMENT_SHARES = 101 };

/* A share of steps for each percentage, 0 to 100, of lines that give way at random instead of by
 * least recent use. */
struct kept {
    double share[REPLACEMENT_SHARES];
};

/* Walks round and round through a set that is `times` as large as a cache of `ways` find so many of
 * their lines in it. */
void replacement_kept(struct kept *kept, double times, uint32_t ways);

/* The time of a step that misses, where steps take `time` in the mean and the share `kept` of them
 * takes `within`. */
double replacement_miss(double time, double within, double kept);

/* Times of a step through three sets, in one unit: one that the cache holds, one that is somewhat
 * too large for it, and one that is far too large, with what is kept of these two. */
struct replacement_times {
    double within;
    struct interval beyond, far;
    struct kept kept_beyond, kept_far;
};

/* The percentage that explains the times best, and all that explain them. False where none does. */
bool replacement_find(const struct replacement_times *times, double *percent,
                      struct interval *interval);

#endif
