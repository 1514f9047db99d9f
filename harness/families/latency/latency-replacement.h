/* What stays in a cache of a set that is too large for it, by how the cache replaces lines. */
#ifndef VEBENCH_LATENCY_REPLACEMENT_H
#define VEBENCH_LATENCY_REPLACEMENT_H

#include "math/bootstrap.h"

#include <stdbool.h>
#include <stdint.h>

/* Of steps round and round through a set that is `times` as large as a cache of `ways`, the share
 * that find their line in it, where `percent` of the lines that give way are any of their set and
 * the others the least recently used. */
double replacement_share(double times, uint32_t ways, uint32_t percent);

/* These shares for each percentage, 0 to 100. */
enum { REPLACEMENT_SHARES = 101 };
struct kept {
    double share[REPLACEMENT_SHARES];
};
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
