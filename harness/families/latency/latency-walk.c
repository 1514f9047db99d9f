#include "families/latency/latency-walk.h"

#include "base/prng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets of the cache that is walked: a prime, so that any jump comes to all of them, one after the
 * other, as it does where blocks of lines are spread over sets by chance. */
enum { SETS = 127, WAYS_MOST = 64 /* as vesim/figures.def has it */ };

/* An explanation holds if no time is off by more than this share, or than twice what the best one
 * leaves; that may be off by AT_MOST. */
#define EXPLAINED 0.03
#define AT_MOST   0.1

/* Percentages of the shortest step that a hit may take, where that is not known. */
enum { HIT_LEAST = 10, HIT_MOST = 80, HIT_STEP = 2 };

/* Percentages that are looked at for all of them. */
#define PERCENT_FINE 5u

/* Percentages that are tried together with the lines ahead, and the steps for each. */
#define PERCENT_STEP 25u
#define AHEAD_STEPS  4000u

/* A set of the cache: the lines in it, the most recently used first. */
struct set {
    uint32_t used;
    uint32_t line[WAYS_MOST];
};

struct cache {
    struct walked_cache as;
    struct set set[SETS];
    struct prng prng;
};

static uint32_t way_of(const struct set *set, uint32_t line)
{
    uint32_t way = 0;

    while (way < set->used && set->line[way] != line)
        way++;
    return way;
}

static void put_first(struct set *set, uint32_t way, uint32_t line)
{
    memmove(&set->line[1], &set->line[0], way * sizeof(set->line[0]));
    set->line[0] = line;
}

static void insert(struct cache *cache, struct set *set, uint32_t line)
{
    uint32_t ways = cache->as.ways, way = set->used;

    if (set->used < ways)
        set->used++;
    else
        way = prng_below(&cache->prng, 100) < cache->as.percent ? prng_below(&cache->prng, ways)
                                                                : ways - 1;
    put_first(set, way, line);
}

/* Reads a line. Whether it was there. */
static bool read_line(struct cache *cache, uint32_t line)
{
    struct set *set = &cache->set[line % SETS];
    uint32_t way = way_of(set, line);

    if (way < set->used) {
        put_first(set, way, line);
        return true;
    }
    insert(cache, set, line);
    for (uint32_t next = line + 1; next <= line + cache->as.ahead; next++) {
        set = &cache->set[next % SETS];
        if (way_of(set, next) == set->used)
            insert(cache, set, next);
    }
    return false;
}

/* Of a larger set nothing stays, however the cache replaces lines. */
#define TIMES_MOST 64.0

/* One more than a multiple of the jump, as the nodes of a chase. */
static uint32_t lines_of(const struct walk *walk, const struct walked_cache *cache)
{
    double times = fmin(walk->times, TIMES_MOST);
    uint32_t lines = (uint32_t)fmax(round(times * SETS * cache->ways), 2.0);

    return walk->jump > 1 ? (lines - 1) / walk->jump * walk->jump + 1 : (lines - 1) | 1u;
}

double walk_share(const struct walk *walk, const struct walked_cache *cache, uint32_t steps)
{
    struct cache walked = {.as = *cache};
    uint32_t lines = lines_of(walk, cache), found = 0;
    size_t *order = calloc(lines, sizeof(*order));

    if (!order)
        return NAN;
    steps = (steps + lines - 1) / lines * lines; /* whole rounds */
    prng_seed(&walked.prng, cache->percent);
    if (walk->jump)
        for (uint32_t i = 0; i < lines; i++)
            order[i] = (uint64_t)i * walk->jump % lines;
    else
        prng_permutation(&walked.prng, order, lines);
    for (uint32_t step = 0; step < 2 * steps; step++) {
        bool is_there = read_line(&walked, (uint32_t)order[step % lines]);

        found += step >= steps && is_there;
    }
    free(order);
    return (double)found / steps;
}

void walk_find_shares(struct walk_shares *shares, const struct walk *walk,
                      const struct walked_cache *cache)
{
    struct walked_cache one = *cache;

    for (one.percent = 0; one.percent < WALK_PERCENTAGES; one.percent += PERCENT_FINE)
        shares->of[one.percent] = walk_share(walk, &one, WALK_STEPS);
    for (uint32_t i = 0; i < WALK_PERCENTAGES; i++) {
        uint32_t beyond = i % PERCENT_FINE;
        const double *low = &shares->of[i - beyond];

        if (beyond)
            shares->of[i] = low[0] + (low[PERCENT_FINE] - low[0]) * beyond / PERCENT_FINE;
    }
}

double walk_miss(double time, double within, double kept)
{
    return (time - kept * within) / (1.0 - kept);
}

/* The share of steps that find their line where they take `time`, if of the far set `kept` is. */
static double share_of(double time, double within, double far, double kept)
{
    return 1.0 - (time - within) / (walk_miss(far, within, kept) - within);
}

bool walk_find_replacement(const struct replacement_times *t, double *percent,
                           struct interval *interval)
{
    double beyond = (t->beyond.low + t->beyond.high) / 2.0, far = (t->far.low + t->far.high) / 2.0;
    double best = INFINITY;

    *interval = (struct interval){INFINITY, 0.0};
    for (size_t i = 0; t->far.low > t->within && i < WALK_PERCENTAGES; i++) {
        double own = t->kept_beyond.of[i], kept = t->kept_far.of[i];
        double low = share_of(t->beyond.high, t->within, t->far.low, kept);
        double high = share_of(t->beyond.low, t->within, t->far.high, kept);
        double off = fabs(own - fmax(share_of(beyond, t->within, far, kept), 0.0));

        if (!(own >= low - WALK_TOLD && own <= high + WALK_TOLD))
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

/* An explanation of the times: lines ahead, a time of a miss, and how far off a time is at most, as
 * a share. */
struct explanation {
    uint32_t lines;
    double miss, error;
};

enum {
    HITS = (HIT_MOST - HIT_LEAST) / HIT_STEP + 1,
    EXPLANATIONS = (WALK_AHEAD_MOST + 1) * (100 / PERCENT_STEP + 1) * HITS
};

struct explanations {
    size_t count;
    struct explanation of[EXPLANATIONS];
};

/* The explanation where the shares of the steps are found and hits take `within`, by the time of a
 * miss that is least off in the mean. */
static void explain(struct explanations *all, uint32_t lines, const struct jump_time *times,
                    const double *share, size_t count, double within)
{
    double product = 0.0, square = 0.0, error = 0.0;

    for (size_t i = 0; i < count; i++) {
        double missed = (1.0 - share[i]) / times[i].time;

        product += missed * (1.0 - share[i] * within / times[i].time);
        square += missed * missed;
    }
    double miss = product / square;
    for (size_t i = 0; i < count; i++) {
        double time = share[i] * within + (1.0 - share[i]) * miss;

        error = fmax(error, fabs(time / times[i].time - 1.0));
    }
    if (miss > within)
        all->of[all->count++] = (struct explanation){lines, miss, error};
}

static double least_time(const struct jump_time *times, size_t count)
{
    double least = INFINITY;

    for (size_t i = 0; i < count; i++)
        least = fmin(least, times[i].time);
    return least;
}

/* If the cache is so. A hit whose time is not known takes some share of the shortest step. */
static void explain_by(struct explanations *all, const struct walked_cache *cache,
                       const struct jump_time *times, size_t count, double within)
{
    double share[WALK_JUMPS_MOST], least = least_time(times, count);

    for (size_t i = 0; i < count; i++)
        share[i] = walk_share(&times[i].walk, cache, AHEAD_STEPS);
    if (!isnan(within))
        explain(all, cache->ahead, times, share, count, within);
    for (unsigned percent = HIT_LEAST; isnan(within) && percent <= HIT_MOST; percent += HIT_STEP)
        explain(all, cache->ahead, times, share, count, percent / 100.0 * least);
}

/* Explanations are as good as each other if their errors differ by no more than this. */
#define AS_GOOD 0.002

/* Of those that are as good as the best the first, which replaces the fewest lines at random. */
static const struct explanation *best_of(const struct explanations *all)
{
    const struct explanation *best = all->of;
    double least = INFINITY;

    for (size_t i = 0; i < all->count; i++)
        least = fmin(least, all->of[i].error);
    while (best < all->of + all->count && best->error > least + AS_GOOD)
        best++;
    return all->count ? best : NULL;
}

static void extend(struct interval *interval, double value)
{
    interval->low = fmin(interval->low, value);
    interval->high = fmax(interval->high, value);
}

bool walk_find_ahead(const struct jump_time *times, size_t count, double within, uint32_t ways,
                     struct walk_ahead *found)
{
    struct explanations all = {0};

    for (uint32_t lines = 0; count >= WALK_JUMPS_LEAST && lines <= WALK_AHEAD_MOST; lines++) {
        for (uint32_t percent = 0; percent <= 100; percent += PERCENT_STEP)
            explain_by(&all, &(struct walked_cache){ways, percent, lines}, times, count, within);
    }
    const struct explanation *best = best_of(&all);
    if (!best || best->error > AT_MOST)
        return false;
    *found = (struct walk_ahead){best->lines, best->miss, {INFINITY, 0.0}, {INFINITY, 0.0}};
    for (size_t i = 0; i < all.count; i++) {
        if (all.of[i].error > fmax(EXPLAINED, 2.0 * best->error))
            continue;
        extend(&found->lines_range, all.of[i].lines);
        /* Times are few, and so off by more than they leave. */
        extend(&found->miss_range, all.of[i].miss * (1.0 - 2.0 * all.of[i].error));
        extend(&found->miss_range, all.of[i].miss * (1.0 + 2.0 * all.of[i].error));
    }
    return true;
}
