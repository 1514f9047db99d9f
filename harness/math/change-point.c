#include "math/change-point.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOISE_LEAST 0.01 /* relative: smaller differences within a level are ignored */
#define NOISE_MOST  0.05 /* where steps are blurred, differences between sizes are not noise */
#define LEVEL_RATIO 1.15 /* least ratio of two levels worth telling apart */
#define LEVEL_WIDTH 1.5  /* least ratio of its last size to its first */
#define LEVEL_RISE  1.05 /* greatest rise of its values per doubling of the size */
#define RAMP_SHARE  0.8  /* of a step's rise, what sizes beyond it show at least */

/* A size, with the median of its values. */
struct stair {
    double size, log_value;
    size_t first, count; /* among the sorted points */
};

/* A level while the partition is being made: stairs first to last. */
struct point_span {
    size_t first, last;
    double log_value;
    size_t count; /* stairs in it, except those taken for steps */
};

struct partition {
    struct staircase_point *points; /* sorted by size, then value */
    struct stair *stairs;
    size_t stair_count;
    double *least;           /* [stair_count + 1], cost of the stairs before this one */
    size_t *begin;           /* [stair_count + 1], where the last part of that partition begins */
    bool *ends_level;        /* [stair_count + 1], whether that part is a level */
    double noise;            /* relative */
    struct point_span *span; /* [stair_count], levels found */
    size_t span_count;
};

static int compare_points(const void *left, const void *right)
{
    const struct staircase_point *a = left, *b = right;
    int order = (a->size > b->size) - (a->size < b->size);

    return order ? order : (a->value > b->value) - (a->value < b->value);
}

static void gather_stairs(struct partition *p, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct stair *stair = &p->stairs[p->stair_count];

        if (i == 0 || p->points[i].size != p->points[i - 1].size)
            *stair = (struct stair){.size = p->points[i].size, .first = i};
        stair->count++;
        if (i + 1 < count && p->points[i + 1].size == p->points[i].size)
            continue;
        size_t middle = stair->first + stair->count / 2;
        stair->log_value = log(p->points[middle].value);
        if (stair->count % 2 == 0)
            stair->log_value = (stair->log_value + log(p->points[middle - 1].value)) / 2.0;
        p->stair_count++;
    }
}

/* Takes the median difference between neighbours as noise: it lies within a level unless most of
 * the staircase is steps. */
static void estimate_noise(struct partition *p)
{
    size_t count = p->stair_count - 1;

    for (size_t i = 0; i < count; i++)
        p->least[i] = fabs(p->stairs[i + 1].log_value - p->stairs[i].log_value);
    /* A median absolute deviation is 1 / 1.4826 of a standard deviation; that of a difference is
     * sqrt(2) times as large. */
    p->noise = count ? 1.4826 / sqrt(2.0) * stats_select_quantile(p->least, count, 0.5) : 0.0;
    p->noise = fmin(fmax(p->noise, NOISE_LEAST), NOISE_MOST);
}

/* Sums over the stairs of a candidate level, for its mean, scatter and slope. */
struct level_sums {
    double count, away, squares;      /* of the values, relative to the last one */
    double octaves, product, squared; /* of the sizes, relative to the last one */
};

static void sum_stair(struct level_sums *s, const struct stair *stair, const struct stair *last)
{
    double away = stair->log_value - last->log_value, octaves = log2(stair->size / last->size);

    s->count += 1.0;
    s->away += away;
    s->squares += away * away;
    s->octaves += octaves;
    s->product += octaves * away;
    s->squared += octaves * octaves;
}

/* A level is wide and flat: flatness alone would also admit two neighbours within a step. */
static bool may_be_level(const struct level_sums *s, const struct stair *first,
                         const struct stair *last)
{
    double spread = s->squared - s->octaves * s->octaves / s->count;
    double rise = s->product - s->octaves * s->away / s->count;

    return last->size >= LEVEL_WIDTH * first->size && rise <= log(LEVEL_RISE) * spread;
}

static void consider_split(struct partition *p, size_t begin, size_t end, double cost, bool level)
{
    if (p->least[begin] + cost < p->least[end]) {
        p->least[end] = p->least[begin] + cost;
        p->begin[end] = begin;
        p->ends_level[end] = level;
    }
}

/* Each end takes the cheapest way to get there: one more stair of a step, or a level from any
 * earlier begin. */
static void partition(struct partition *p)
{
    double level_penalty = 2.0 * log((double)p->stair_count + 1.0) + 1.0;
    double step_penalty = 0.75 * level_penalty;

    p->least[0] = 0.0;
    for (size_t end = 1; end <= p->stair_count; end++) {
        const struct stair *last = &p->stairs[end - 1];
        struct level_sums sums = {0};

        p->least[end] = INFINITY;
        consider_split(p, end - 1, end, step_penalty, false);
        for (size_t begin = end; begin-- > 0;) {
            sum_stair(&sums, &p->stairs[begin], last);
            double deviation = fmax(0.0, sums.squares - sums.away * sums.away / sums.count) /
                               (p->noise * p->noise);
            if (may_be_level(&sums, &p->stairs[begin], last))
                consider_split(p, begin, end, level_penalty + deviation, true);
        }
    }
}

static void collect_spans(struct partition *p)
{
    for (size_t end = p->stair_count; end > 0; end = p->begin[end]) {
        struct point_span *span = &p->span[p->span_count];

        if (!p->ends_level[end])
            continue;
        *span = (struct point_span){.first = p->begin[end], .last = end - 1};
        span->count = span->last - span->first + 1;
        for (size_t i = span->first; i <= span->last; i++)
            span->log_value += p->stairs[i].log_value / (double)span->count;
        p->span_count++;
    }
    /* They were found from the back. */
    for (size_t i = 0; i < p->span_count / 2; i++) {
        struct point_span swapped = p->span[i];

        p->span[i] = p->span[p->span_count - 1 - i];
        p->span[p->span_count - 1 - i] = swapped;
    }
}

/* Joins the two closest neighbours until each level lies far enough above the one before. What
 * falls is not a level but noise about one. */
static void merge_spans(struct partition *p)
{
    while (p->span_count > 1) {
        size_t closest = 0;
        double least = INFINITY;

        for (size_t i = 0; i + 1 < p->span_count; i++) {
            double distance = p->span[i + 1].log_value - p->span[i].log_value;

            if (distance < least) {
                least = distance;
                closest = i;
            }
        }
        if (least >= log(LEVEL_RATIO))
            return;
        struct point_span *a = &p->span[closest];
        struct point_span *b = a + 1;
        a->log_value = (a->log_value * (double)a->count + b->log_value * (double)b->count) /
                       (double)(a->count + b->count);
        a->count += b->count;
        a->last = b->last;
        p->span_count--;
        memmove(b, b + 1, (p->span_count - closest - 1) * sizeof(*b));
    }
}

/* Levels are clear if most sizes lie near the level they belong to. */
static bool is_clear(const struct partition *p)
{
    size_t near = 0;

    for (size_t i = 0; i < p->span_count; i++) {
        for (size_t k = p->span[i].first; k <= p->span[i].last; k++)
            near += fabs(p->stairs[k].log_value - p->span[i].log_value) < log(LEVEL_RATIO);
    }
    return 2 * near > p->stair_count;
}

/* The points of a level, for resampling. */
struct level_points {
    const struct staircase_point *points;
    size_t count;
    double *values; /* [count] */
};

static double median(double *values, size_t count)
{
    return stats_select_quantile(values, count, 0.5);
}

static bool draw_level(struct prng *prng, double *values, void *context)
{
    struct level_points *level = context;

    for (size_t i = 0; i < level->count; i++) {
        const struct staircase_point *point =
            &level->points[prng_below(prng, (uint32_t)level->count)];

        level->values[i] = point->value + point->sd * bootstrap_normal(prng);
    }
    values[0] = median(level->values, level->count);
    return true;
}

static enum status describe_level(const struct partition *p, const struct point_span *span,
                                  uint64_t seed, double *values, struct staircase_level *level,
                                  struct error *error)
{
    const struct stair *first = &p->stairs[span->first], *last = &p->stairs[span->last];
    struct level_points points = {&p->points[first->first],
                                  last->first + last->count - first->first, values};

    for (size_t i = 0; i < points.count; i++)
        values[i] = points.points[i].value;
    *level = (struct staircase_level){
        .value = median(values, points.count),
        .points = points.count,
        .first_size = first->size,
        .last_size = last->size,
        .next_size = span->last + 1 < p->stair_count ? last[1].size : INFINITY,
    };
    enum status status = bootstrap_intervals(draw_level, &points, 1, seed, &level->interval, error);
    bootstrap_widen(&level->interval, level->value, points.count - 1);
    return status;
}

/* Of a set that is too large for a cache, the share that the cache does not hold takes the next
 * level's time, even where a hash of addresses spreads the step: at twice the capacity, half. Where
 * the first size from there on falls short of that, no capacity explains the rise. */
static bool is_ramp(const struct partition *p, const struct point_span *span)
{
    double low = exp(span->log_value), high = exp(span[1].log_value);
    double most = p->stairs[span->last + 1].size; /* its capacity is less */
    size_t i = span->last + 1;

    while (i < span[1].first && p->stairs[i].size < 2.0 * most)
        i++;
    double share = (exp(p->stairs[i].log_value) - low) / (high - low);
    return share < RAMP_SHARE * (1.0 - most / p->stairs[i].size);
}

static enum status allocate_partition(struct partition *p, size_t count, struct error *error)
{
    p->points = calloc(count, sizeof(*p->points));
    p->stairs = calloc(count, sizeof(*p->stairs));
    p->least = calloc(count + 1, sizeof(*p->least));
    p->begin = calloc(count + 1, sizeof(*p->begin));
    p->ends_level = calloc(count + 1, sizeof(*p->ends_level));
    p->span = calloc(count, sizeof(*p->span));
    if (!p->points || !p->stairs || !p->least || !p->begin || !p->ends_level || !p->span)
        return error_out_of_memory(error);
    return STATUS_OK;
}

static void release(struct partition *p)
{
    free(p->points);
    free(p->stairs);
    free(p->least);
    free(p->begin);
    free(p->ends_level);
    free(p->span);
}

static enum status check(const struct staircase_point *points, size_t count, struct error *error)
{
    if (count == 0)
        return error_set(error, STATUS_FAILED, "there are no points");
    for (size_t i = 0; i < count; i++) {
        if (!(points[i].size > 0.0 && isfinite(points[i].size) && points[i].value > 0.0 &&
              isfinite(points[i].value)))
            return error_set(error, STATUS_FAILED,
                             "a size of %g with a value of %g: both have to be above 0",
                             points[i].size, points[i].value);
    }
    return STATUS_OK;
}

enum status staircase_levels(const struct staircase_point *points, size_t count, uint64_t seed,
                             struct staircase_level *levels, size_t *level_count,
                             struct error *error)
{
    struct partition p = {0};
    enum status status = check(points, count, error);

    *level_count = 0;
    if (status != STATUS_OK)
        return status;
    status = allocate_partition(&p, count, error);
    if (status == STATUS_OK) {
        memcpy(p.points, points, count * sizeof(*points));
        qsort(p.points, count, sizeof(*p.points), compare_points);
        gather_stairs(&p, count);
        estimate_noise(&p);
        partition(&p);
        collect_spans(&p);
        merge_spans(&p);
        if (p.span_count > STAIRCASE_LEVELS_MAX || !is_clear(&p))
            status = error_set(error, STATUS_FAILED,
                               "no clear levels: a level takes at least two sizes of about the "
                               "same value, and most of the %zu sizes have to be on one",
                               p.stair_count);
    }
    for (size_t i = 0; status == STATUS_OK && i < p.span_count; i++) {
        /* `least` is no longer needed, and has room for one number per point. */
        status = describe_level(&p, &p.span[i], seed, p.least, &levels[i], error);
        if (i + 1 < p.span_count && is_ramp(&p, &p.span[i]))
            levels[i].ramp_end = p.stairs[p.span[i + 1].first].size;
        *level_count += status == STATUS_OK;
    }
    release(&p);
    return status;
}
