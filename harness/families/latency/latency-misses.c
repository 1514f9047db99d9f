/* Family `latency`: what a page costs that the TLB does not hold, from chases over nodes that have
 * a page each, round and round. Of these a TLB that gives way by age holds all or, over its size,
 * none: a step takes the whole miss. They need few lines, which leaves a cache room for those that
 * a device fetches ahead, and no clear levels: what a step takes without the miss is that of nodes
 * side by side in as many lines. */
#include "families/latency/latency-model.h"

#include <math.h>

/* Nodes farther apart have a page each: drivers map local memory by pages of 64 KB, at the least.
 */
#define PAGE_MOST 65536.0

/* What nodes side by side take in as many lines is known within this share. */
#define KNOWN_WITHIN 0.1

struct misses {
    const struct fit *fit;
    const struct row_set *rows; /* nodes that have a page each or, to narrow, several to a page */
    const struct row_set *near; /* nodes side by side */
    double held;                /* the largest set that misses no page; 0: none */
    double first_set, last_set; /* the smallest and the largest that misses; INFINITY and 0: none */
    double first, last;         /* what a step takes longer in these two, cycles or ns */
    double error;               /* half of the first one's 95 % interval */
};

bool latency_has_page_each(const struct record *r)
{
    return latency_stride(r) > PAGE_MOST;
}

/* A step of nodes side by side in about so many bytes: the nearest set's. NaN without any. */
static double step_in(const struct misses *misses, double bytes)
{
    double least = INFINITY, step = NAN;

    for (size_t i = 0; i < misses->near->count; i++) {
        double off = fabs(log(latency_working_set(misses->fit, misses->near, i) / bytes));

        if (off < least) {
            least = off;
            step = misses->near->y[i];
        }
    }
    return step;
}

/* What a step of nodes side by side takes in as many lines as a row has. */
static double step_of(const struct misses *misses, size_t i)
{
    return step_in(misses,
                   latency_line_bytes(&misses->fit->records->record[misses->rows->index[i]]));
}

/* What a step of the row takes longer. */
static double miss_in(const struct misses *misses, size_t i)
{
    return misses->rows->y[i] - step_of(misses, i);
}

static void look_at(struct misses *misses, size_t i)
{
    double set = latency_working_set(misses->fit, misses->rows, i);
    double step = step_of(misses, i), miss = miss_in(misses, i);

    if (miss <= LATENCY_MISSED * step) {
        misses->held = fmax(misses->held, set);
    } else if (miss > LATENCY_MISSED * step) {
        if (set < misses->first_set) {
            misses->first_set = set;
            misses->first = miss;
            misses->error = 2.0 * hypot(misses->rows->sd[i], KNOWN_WITHIN / 2.0 * step);
        }
        if (set > misses->last_set) {
            misses->last_set = set;
            misses->last = miss;
        }
    }
}

/* If a miss takes so many times as long in the largest set as in the smallest that has any, the
 * smallest missed a first TLB alone, and found its pages in the one behind it. */
#define SECOND_LEAST 2.0

static bool has_second(const struct misses *misses)
{
    return misses->last_set > misses->first_set && misses->last >= SECOND_LEAST * misses->first;
}

/* The largest set whose pages the second TLB holds, and the smallest whose pages it does not. */
static struct interval second_reach(const struct misses *misses)
{
    struct interval reach = {misses->first_set, misses->last_set};

    for (size_t i = 0; i < misses->rows->count; i++) {
        double set = latency_working_set(misses->fit, misses->rows, i);

        if (SECOND_LEAST * miss_in(misses, i) <= misses->last)
            reach.low = fmax(reach.low, set);
        else
            reach.high = fmin(reach.high, set);
    }
    return reach;
}

/* How much more it may be. Of a TLB that gives way at random some steps find their page: the more,
 * the more of the set it holds. */
static double more_of(const struct misses *misses)
{
    if (misses->last_set > misses->first_set)
        return fmax(misses->last - misses->first, 0.0);
    return misses->held > 0.0
               ? misses->first / (1.0 - misses->held / misses->first_set) - misses->first
               : 0.0;
}

bool latency_find_misses(const struct fit *fit, const struct row_set *rows,
                         const struct row_set *near, struct latency_miss *miss)
{
    struct misses misses = {.fit = fit, .rows = rows, .near = near, .first_set = INFINITY};

    for (size_t i = 0; i < rows->count; i++)
        look_at(&misses, i);
    if (!(misses.last_set > 0.0))
        return false;
    if (has_second(&misses)) {
        miss->value = misses.last;
        miss->interval = (struct interval){misses.last - misses.first - misses.error,
                                           misses.last + misses.error};
        miss->reach = second_reach(&misses);
        miss->has_first = true;
        return true;
    }
    miss->has_first = false;
    miss->value = misses.first;
    miss->interval = (struct interval){fmax(misses.first - misses.error, 0.0),
                                       misses.first + fmax(misses.error, more_of(&misses))};
    miss->reach = (struct interval){misses.held, misses.first_set};
    return true;
}

/* The share of steps that miss is known within this one of it: nodes are not visited quite at
 * random, and sets of ways run over before all is full. */
#define SHARE_WITHIN 0.1

/* A first level answers without a translation. Lines are behind it if a step takes so many times as
 * long as the shortest. */
#define BEHIND_LEAST 1.5

static double shortest_step(const struct row_set *near)
{
    double least = INFINITY;

    for (size_t i = 0; i < near->count; i++)
        least = fmin(least, near->y[i]);
    return least;
}

static bool is_behind_first_level(const struct misses *misses, size_t i)
{
    return step_of(misses, i) >= BEHIND_LEAST * shortest_step(misses->near);
}

/* What each step may take longer for another reason, such as a first TLB that no row has told of:
 * no more than those of the row that takes least. */
static double longer_in_all(const struct misses *misses)
{
    double least = INFINITY;

    for (size_t i = 0; i < misses->rows->count; i++) {
        if (is_behind_first_level(misses, i))
            least = fmin(least, fmax(miss_in(misses, i), 0.0));
    }
    return least;
}

/* For each line that is missed, caches may fetch so many less one; more has not been seen. */
#define LINES_AHEAD 4.0

/* May a step of the row take longer since lines that were fetched ahead have displaced nodes? Not
 * where nodes side by side in as many lines as both take no longer either. */
static bool is_displaced(const struct misses *misses, size_t i)
{
    double bytes = latency_line_bytes(&misses->fit->records->record[misses->rows->index[i]]);

    return !(step_in(misses, LINES_AHEAD * bytes) <= (1.0 + KNOWN_WITHIN) * step_of(misses, i));
}

/* By how many steps of the row miss: of a set W, those to 1 - reach / W of its pages. */
static struct interval reach_by_row(const struct misses *misses, size_t i,
                                    const struct latency_miss *miss, double in_all)
{
    double set = latency_working_set(misses->fit, misses->rows, i);
    double longer = miss_in(misses, i), error = KNOWN_WITHIN * step_of(misses, i);
    double least =
        (1.0 - SHARE_WITHIN) * (longer - in_all - error) / (miss->interval.high - in_all);
    double most = (1.0 + SHARE_WITHIN) * (longer + error) / miss->interval.low;

    return (struct interval){set * (1.0 - fmax(most, 0.0)),
                             least > 0.0 ? set * (1.0 - least) : INFINITY};
}

void latency_narrow_reach(struct latency_miss *miss, const struct fit *fit,
                          const struct row_set *rows, const struct row_set *near,
                          const struct latency_others *others)
{
    const struct misses misses = {.fit = fit, .rows = rows, .near = near};
    double in_all = others->knows_first ? 0.0 : longer_in_all(&misses);
    struct interval reach = miss->reach;

    if (miss->has_first || !(miss->interval.low > in_all))
        return;
    for (size_t i = 0; i < rows->count; i++) {
        if (!is_behind_first_level(&misses, i))
            continue;
        const struct interval own = reach_by_row(&misses, i, miss, in_all);
        reach.low = fmax(reach.low, own.low);
        if (!others->fetches_ahead || !is_displaced(&misses, i))
            reach.high = fmin(reach.high, own.high);
    }
    /* Where they do not agree, steps may also take longer for another reason; shorter they take for
     * this one alone. */
    if (!(reach.low < reach.high))
        reach.high = miss->reach.high;
    if (reach.low < reach.high)
        miss->reach = reach;
}
