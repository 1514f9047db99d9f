/* What steps through a set that is too large for a cache find in it, by how the cache replaces
 * lines and how many it fetches ahead. */
#ifndef VEBENCH_LATENCY_WALK_H
#define VEBENCH_LATENCY_WALK_H

#include "math/bootstrap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct walked_cache {
    uint32_t ways;
    uint32_t percent; /* of the lines that give way, so many are any of their set, the others the
                         least recently used */
    uint32_t ahead;   /* lines that it fetches behind one that it misses */
};

/* Steps round and round through a set. */
struct walk {
    double times;  /* as large as the cache; more than 64 as 64 */
    uint32_t jump; /* lines that each step goes up, round by round; 0: in random order */
};

/* The share of steps that find their line, of so many that are looked at, or a few more, after as
 * many others. NaN when out of memory. */
double walk_share(const struct walk *walk, const struct walked_cache *cache, uint32_t steps);

/* Steps that tell a share within WALK_TOLD. */
#define WALK_STEPS 24000u
#define WALK_TOLD  0.015

/* These shares for each percentage, 0 to 100: every fifth is looked at, and between two of them
 * they lie on a line. */
enum { WALK_PERCENTAGES = 101 };
struct walk_shares {
    double of[WALK_PERCENTAGES];
};
void walk_find_shares(struct walk_shares *shares, const struct walk *walk,
                      const struct walked_cache *cache);

/* The time of a step that misses, where steps take `time` in the mean and the share `kept` of them
 * takes `within`. */
double walk_miss(double time, double within, double kept);

/* Times of a step through three sets in random order, in one unit: one that the cache holds, one
 * that is somewhat too large for it, and one that is far too large, with what is kept of these
 * two. */
struct replacement_times {
    double within;
    struct interval beyond, far;
    struct walk_shares kept_beyond, kept_far;
};

/* The percentage that explains the times best, and all that explain them. False where none does. */
bool walk_find_replacement(const struct replacement_times *times, double *percent,
                           struct interval *interval);

/* A step's time through a set that is too large for the cache, by jumps. */
struct jump_time {
    struct walk walk;
    double time;
};

/* The most lines ahead that are looked for, and how many times are taken, and needed. */
#define WALK_AHEAD_MOST  8u
#define WALK_JUMPS_MOST  16u
#define WALK_JUMPS_LEAST 3u

/* What explains times by jumps best, and the ranges of what explains them: lines fetched ahead, and
 * the time of a miss in the unit of the steps'. */
struct walk_ahead {
    double lines, miss;
    struct interval lines_range, miss_range;
};

/* Where a hit takes `within` (NaN: nobody knows). False where nothing explains the times, or there
 * are fewer of them than WALK_JUMPS_LEAST. */
bool walk_find_ahead(const struct jump_time *times, size_t count, double within, uint32_t ways,
                     struct walk_ahead *found);

#endif
