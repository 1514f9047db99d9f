#include "families/latency/latency-replacement.h"

#include "base/prng.h"

#include <math.h>
#include <string.h>

/* The walks that are looked at have so many steps, after as many others. */
#define STEPS 8000u

/* What so many steps tell a share by. */
#define TOLD 0.01

enum { WAYS_MOST = 64 };

/* A set of the cache: the lines in it, the most recently used first. */
struct set {
    uint32_t ways, used;
    uint32_t line[WAYS_MOST];
};

/* Reads a line. Whether it was there. */
static bool read_line(struct set *set, uint32_t line, uint32_t percent, struct prng *prng)
{
    uint32_t way = 0;

    while (way < set->used && set->line[way] != line)
        way++;
    bool is_there = way < set->used;
    if (!is_there && set->used < set->ways)
        set->used++;
    else if (!is_there)
        way = prng_below(prng, 100) < percent ? prng_below(prng, set->ways) : set->ways - 1;
    memmove(&set->line[1], &set->line[0], way * sizeof(set->line[0]));
    set->line[0] = line;
    return is_there;
}

double replacement_share(double times, uint32_t ways, uint32_t percent)
{
    struct set set = {.ways = ways < WAYS_MOST ? ways : WAYS_MOST};
    uint32_t lines = (uint32_t)fmax(lround(times * set.ways), 1.0), found = 0;
    struct prng prng;

    prng_seed(&prng, percent);
    for (uint32_t step = 0; step < 2 * STEPS; step++) {
        bool is_there = read_line(&set, step % lines, percent, &prng);

        found += step >= STEPS && is_there;
    }
    return (double)found / STEPS;
}

void replacement_kept(struct kept *kept, double times, uint32_t ways)
{
    for (uint32_t percent = 0; percent < REPLACEMENT_SHARES; percent++)
        kept->share[percent] = replacement_share(times, ways, percent);
}

double replacement_miss(double time, double within, double kept)
{
    return (time - kept * within) / (1.0 - kept);
}

/* The share of steps that find their line where they take `time`, if of the far set `kept` is. */
static double share_of(double time, double within, double far, double kept)
{
    return 1.0 - (time - within) / (replacement_miss(far, within, kept) - within);
}

bool replacement_find(const struct replacement_times *t, double *percent, struct interval *interval)
{
    double beyond = (t->beyond.low + t->beyond.high) / 2.0, far = (t->far.low + t->far.high) / 2.0;
    double best = INFINITY;

    *interval = (struct interval){INFINITY, 0.0};
    for (size_t i = 0; t->far.low > t->within && i < REPLACEMENT_SHARES; i++) {
        double own = t->kept_beyond.share[i], kept = t->kept_far.share[i];
        double low = share_of(t->beyond.high, t->within, t->far.low, kept);
        double high = share_of(t->beyond.low, t->within, t->far.high, kept);
        double off = fabs(own - fmax(share_of(beyond, t->within, far, kept), 0.0));

        if (!(own >= low - TOLD && own <= high + TOLD))
            continue;
        interval->low = fmin(interval->low, (double)i);
        interval->high = (double)i;
        if (off >= best)
            continue;
        best = off;
        *percent = (double)i;
    }
    return isfinite(best);
}
