/* Family `latency`: how the L3 replaces lines, what it fetches ahead and what a miss takes, from
 * chases through sets that are too large for it. */
#include "families/latency/latency-figures.h"

#include "families/latency/latency-model.h"
#include "families/latency/latency-walk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A set that is so many times as large as the last-level cache tells how that replaces lines, and
 * another one that is larger still what a miss takes. A smaller one keeps more, but takes long to
 * settle; a level that begins further out does not tell what is left of a set of its own. */
#define BEYOND       1.5
#define BEYOND_LEAST 1.1
#define BEYOND_MOST  2.25
#define LEVEL_MOST   1.75

/* Working sets around the last-level cache in chases of one kind. */
struct around_l3 {
    const struct parameter *within, *beyond, *far;
};

static bool is_nearer(double times, const struct parameter *than, double l3)
{
    return !than || fabs(times - BEYOND) < fabs(than->working_sets.low / l3 - BEYOND);
}

/* A set that the last-level cache holds, and the first level does not. */
static bool is_within(const struct parameter *p, const struct vesim_device *device)
{
    return p->working_sets.high >= 2.0 * (double)device->l1_bytes &&
           p->working_sets.high < (double)device->l3_bytes;
}

/* A level tells more than a set by itself, which is all that there is where times rise steadily,
 * and of these the largest most. */
static bool is_better_within(const struct parameter *p, const struct parameter *than)
{
    bool is_level = p->level > 0;

    if (!than || is_level != (than->level > 0))
        return !than || is_level;
    return p->working_sets.high > than->working_sets.high;
}

static void look_around(struct around_l3 *around, const struct parameter *p,
                        const struct vesim_device *device)
{
    double l3 = (double)device->l3_bytes, times = p->working_sets.low / l3;

    if (device->llc_bytes && p->working_sets.high > (double)device->llc_bytes)
        return; /* part of what misses is not in the processor's cache either */
    if (is_within(p, device) && is_better_within(p, around->within))
        around->within = p;
    if (times >= BEYOND_LEAST && times <= (p->level ? LEVEL_MOST : BEYOND_MOST) &&
        is_nearer(times, around->beyond, l3))
        around->beyond = p;
    if (p->working_sets.high > BEYOND_MOST * l3 &&
        (!around->far || p->working_sets.high < around->far->working_sets.high))
        around->far = p;
}

static bool find_around(const struct figure_input *input, struct around_l3 *around)
{
    *around = (struct around_l3){NULL, NULL, NULL};
    for (size_t i = 0; i < input->model->parameter_count; i++) {
        const struct parameter *p = &input->model->parameter[i];

        if (strcmp(p->term, "latency") == 0 && p->working_sets.low > 0.0 &&
            parameter_is_of(p, LATENCY_FAMILY, "global_uniform", 16))
            look_around(around, p, input->device);
    }
    return around->within && around->beyond && around->far;
}

/* A set of so many bytes, as a multiple of the last-level cache. */
static double times_l3(const struct figure_input *input, double bytes)
{
    return bytes / (double)input->device->l3_bytes;
}

/* The middle of a parameter's working sets, bytes. */
static double middle_set(const struct parameter *p)
{
    return sqrt(p->working_sets.low * p->working_sets.high);
}

/* Times of all sets of a level, of which one may be as far off as the worst. */
static struct interval with_worst(const struct parameter *p)
{
    double worst = fabs(p->worst_residual);

    return (struct interval){fmin(p->interval.low, p->value - worst),
                             fmax(p->interval.high, p->value + worst)};
}

/* A walk in random order through a set of so many bytes. */
static struct walk random_walk(const struct figure_input *input, double bytes)
{
    return (struct walk){.times = times_l3(input, bytes)};
}

/* The last-level cache, as far as it is known without its replacement. */
static struct walked_cache l3_of(const struct figure_input *input)
{
    return (struct walked_cache){.ways = (uint32_t)input->device->l3_ways,
                                 .ahead = (uint32_t)input->device->l3_prefetch_lines};
}

/* Lines that a step goes up: farther, and the few sets that are walked tell nothing. */
#define JUMP_MOST 64.0

/* The chase whose steps go up, if it is through a set that is too large for the L3, and that what
 * is behind it holds. */
static bool take_jump(const struct figure_input *input, const struct parameter *p,
                      struct jump_time *jump)
{
    const struct vesim_device *device = input->device;
    double lines = p->stride / (double)device->line_bytes;

    if (strcmp(p->term, LATENCY_UP) != 0 || !(lines <= JUMP_MOST) || fmod(lines, 1.0) != 0.0 ||
        !parameter_is_of(p, LATENCY_FAMILY, "global_uniform", 16))
        return false;
    jump->walk.times = times_l3(input, p->working_sets.low);
    jump->walk.jump = (uint32_t)lines;
    jump->time = p->value;
    return jump->walk.times >= BEYOND &&
           (!device->llc_bytes || p->working_sets.high <= (double)device->llc_bytes);
}

const struct parameter *latency_up_in_l3(const struct figure_input *input, const char *variant)
{
    struct level_bytes bytes = latency_level_bytes(input->device, 2);

    for (size_t i = 0; i < input->model->parameter_count; i++) {
        const struct parameter *p = &input->model->parameter[i];

        if (strcmp(p->term, LATENCY_UP) == 0 && p->stride <= (double)input->device->line_bytes &&
            p->working_sets.low >= 2.0 * bytes.nearer && latency_serves(&bytes, &p->working_sets) &&
            parameter_is_of(p, LATENCY_FAMILY, variant, 16))
            return p;
    }
    return NULL;
}

/* What the chases whose steps go up tell. */
static bool find_ahead(const struct figure_input *input, struct figure_estimate *e,
                       struct walk_ahead *found)
{
    struct jump_time times[WALK_JUMPS_MOST];
    const struct parameter *within = latency_up_in_l3(input, "global_uniform");
    struct around_l3 around;
    size_t count = 0;

    if (!within) {
        find_around(input, &around);
        within = around.within;
    }
    for (size_t i = 0; i < input->model->parameter_count && count < WALK_JUMPS_MOST; i++) {
        const struct parameter *p = &input->model->parameter[i];

        if (take_jump(input, p, &times[count]) && count++ == 0)
            snprintf(e->parameter, sizeof(e->parameter), "%s", p->name);
    }
    return walk_find_ahead(times, count, within ? within->value : NAN,
                           (uint32_t)input->device->l3_ways, found);
}

bool latency_measure_l3_prefetch(const struct figure_input *input, struct figure_estimate *e)
{
    struct walk_ahead found;

    if (!find_ahead(input, e, &found))
        return false;
    e->value = found.lines;
    e->range = found.lines_range;
    return true;
}

/* Two sets of one kind of chase that the L3 does not hold, and a hit's time. */
struct beyond_l3 {
    struct replacement_times times; /* without what is kept */
    struct walk beyond, far;
    const char *name; /* of the parameter that tells most */
};

static bool find_random_chases(const struct figure_input *input, struct beyond_l3 *chases)
{
    struct around_l3 around;

    if (!find_around(input, &around))
        return false;
    chases->times.within = around.within->value;
    chases->times.beyond = with_worst(around.beyond);
    chases->times.far = around.far->interval;
    chases->beyond = random_walk(input, around.beyond->working_sets.low);
    chases->far = random_walk(input, middle_set(around.far));
    chases->name = around.beyond->name;
    return true;
}

/* A set that is a little too large keeps the most of it if lines are replaced at random. Steps so
 * far up meet nothing that has been fetched ahead. */
#define LITTLE_MOST 1.4
#define JUMP_LEAST  (2.0 * WALK_AHEAD_MOST)

/* The chase with the same steps up through a set that is far too large for the L3. */
static const struct parameter *farther_up(const struct figure_input *input,
                                          const struct parameter *near)
{
    for (size_t i = 0; i < input->model->parameter_count; i++) {
        const struct parameter *p = &input->model->parameter[i];
        struct jump_time jump;

        if (take_jump(input, p, &jump) && p->stride == near->stride)
            return p;
    }
    return NULL;
}

static bool take_chases_up(const struct figure_input *input, const struct parameter *near,
                           struct beyond_l3 *chases)
{
    double times = times_l3(input, near->working_sets.low);
    double lines = near->stride / (double)input->device->line_bytes;

    if (strcmp(near->term, LATENCY_UP) != 0 || !(lines >= JUMP_LEAST && lines <= JUMP_MOST) ||
        !(times >= BEYOND_LEAST && times <= LITTLE_MOST) ||
        !parameter_is_of(near, LATENCY_FAMILY, "global_uniform", 16))
        return false;
    const struct parameter *within = latency_up_in_l3(input, "global_uniform");
    const struct parameter *far = farther_up(input, near);
    if (!within || !far)
        return false;
    chases->times.within = within->value;
    chases->times.beyond = near->interval;
    chases->times.far = far->interval;
    chases->beyond = (struct walk){times, (uint32_t)lines};
    chases->far = (struct walk){times_l3(input, far->working_sets.low), (uint32_t)lines};
    chases->name = near->name;
    return true;
}

/* Chases whose steps go up tell more than those in random order, which find what has been fetched
 * ahead. */
static bool find_chases(const struct figure_input *input, struct beyond_l3 *chases)
{
    for (size_t i = 0; i < input->model->parameter_count; i++) {
        if (take_chases_up(input, &input->model->parameter[i], chases))
            return true;
    }
    return find_random_chases(input, chases);
}

/* What the times say if the L3 has so many ways. Extends the estimate's range. */
static bool find_replacement(struct beyond_l3 *chases, const struct walked_cache *l3,
                             struct figure_estimate *e)
{
    struct interval range;

    walk_find_shares(&chases->times.kept_beyond, &chases->beyond, l3);
    walk_find_shares(&chases->times.kept_far, &chases->far, l3);
    if (!walk_find_replacement(&chases->times, &e->value, &range))
        return false;
    e->range.low = fmin(e->range.low, range.low);
    e->range.high = fmax(e->range.high, range.high);
    return true;
}

/* What stays depends on the ways: with as many as there may be, with half of those that the base
 * assumes and, last, as the value is that with these. */
bool latency_measure_l3_random(const struct figure_input *input, struct figure_estimate *e)
{
    enum { OWN = 2, WAYS };
    const uint32_t own = (uint32_t)input->device->l3_ways;
    const uint32_t ways[WAYS] = {(uint32_t)input->most[VESIM_FIGURE_l3_ways],
                                 (own + 1) / 2, [OWN] = own};
    struct walked_cache l3 = l3_of(input);
    struct beyond_l3 chases;
    bool found = false;

    if (!find_chases(input, &chases))
        return false;
    e->range = (struct interval){INFINITY, 0.0};
    for (size_t i = ways[0] > own ? 0 : OWN; i < WAYS; i++) {
        l3.ways = ways[i];
        found |= find_replacement(&chases, &l3, e);
    }
    snprintf(e->parameter, sizeof(e->parameter), "%s", chases.name);
    return found;
}

/* What an L3 that replaces so many per cent at random keeps of the farthest sets. */
static double kept_of_far(const struct figure_input *input, const struct around_l3 *around,
                          double percent)
{
    const struct walk walk = random_walk(input, middle_set(around->far));
    struct walked_cache l3 = l3_of(input);

    l3.percent = (uint32_t)percent;
    return walk_share(&walk, &l3, WALK_STEPS);
}

bool latency_measure_beyond_kept(const struct figure_input *input, struct figure_estimate *e)
{
    struct figure_estimate random;
    struct around_l3 around;

    if (input->device->llc_bytes || !figure_found(input, VESIM_FIGURE_l3_random, &random) ||
        !(random.value > 0.0 || input->device->l3_prefetch_lines) || !find_around(input, &around) ||
        !figure_value(input, e, around.far->name))
        return false;
    const struct interval times = e->range;
    const double within = around.within->value;
    const double kept[] = {kept_of_far(input, &around, random.range.low),
                           kept_of_far(input, &around, random.range.high)};
    e->value = walk_miss(e->value, within, kept_of_far(input, &around, random.value));
    /* By the set's size it keeps more or less if more lines are replaced at random. */
    e->range = (struct interval){e->value, e->value};
    for (unsigned end = 0; end < 2; end++) {
        double low = walk_miss(times.low, within, kept[end]);
        double high = walk_miss(times.high, within, kept[end]);

        e->range.low = fmin(e->range.low, fmin(low, high));
        e->range.high = fmax(e->range.high, fmax(low, high));
    }
    figure_scale(e, input->cycles);
    latency_take_load(e);
    return true;
}

bool latency_measure_by_jumps(const struct figure_input *input, struct figure_estimate *e)
{
    struct walk_ahead found;

    if (input->device->llc_bytes || !find_ahead(input, e, &found))
        return false;
    e->value = found.miss;
    e->range = found.miss_range;
    figure_scale(e, input->cycles);
    latency_take_load(e);
    return true;
}
