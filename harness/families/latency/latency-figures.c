/* Device figures from the parameters of family `latency`: latencies and capacities of memory. */
#include "families/latency/latency-model.h"
#include "families/latency/latency-variants.h"
#include "families/latency/latency-walk.h"
#include "predict/family-figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The loop's share in one of the 32 steps of a chase: its 3 to 28 cycles add 0.1 to 0.9 to each. */
#define LOOP_SHARE 0.45

/* The chases that a level was found in. */
struct level_place {
    const struct variant *variant;
    unsigned subgroup_size, level;
};

/* Finds the level in chases in which all lanes of the sub-group follow one chain, or one lane does;
 * tries sub-group sizes in the order that puts one message per step first. False if none has it. */
static bool find_level(const struct figure_input *input, struct figure_estimate *e, bool is_local,
                       unsigned level, struct level_place *place)
{
    static const char *const methods[] = {"uniform", "one_lane", "scalar"};
    static const unsigned sizes[] = {16, 8, 32};
    char term[VARIANT_NAME_BYTES];

    latency_level_term(term, level, "latency");
    for (size_t m = 0; m < sizeof(methods) / sizeof(methods[0]); m++) {
        const struct variant *variant = variant_by(
            LATENCY_FAMILY, &latency_variants[is_local ? LATENCY_SLM : LATENCY_GLOBAL], methods[m]);

        for (size_t s = 0; variant && s < sizeof(sizes) / sizeof(sizes[0]); s++) {
            *place = (struct level_place){variant, sizes[s], level};
            if (figure_time(input, e, LATENCY_FAMILY, variant->name, sizes[s], term))
                return true;
        }
    }
    return false;
}

static bool measure_slm_latency(const struct figure_input *input, struct figure_estimate *e)
{
    struct level_place place;

    if (!find_level(input, e, true, 1, &place))
        return false;
    figure_shift(e, -LOOP_SHARE);
    return true;
}

static unsigned levels_of(const struct vesim_device *device)
{
    return device->l1_bytes ? 3 : 2;
}

/* Bytes that a level of the device holds, and that the next nearer one does, counted from the far
 * end: 1 is memory, 2 the L3. */
struct level_bytes {
    double nearer, own;
};

static struct level_bytes bytes_of(const struct vesim_device *device, unsigned from_end)
{
    double l1 = (double)device->l1_bytes, l3 = (double)device->l3_bytes;

    if (from_end == 1)
        return (struct level_bytes){fmax(l3, (double)device->llc_bytes), INFINITY};
    return from_end == 2 ? (struct level_bytes){l1, l3} : (struct level_bytes){0.0, l1};
}

/* Whether nothing but the level serves the sets: more than the nearer one holds, of which the
 * largest is certainly too large for it, and no more than half of what it holds itself. */
static bool serves(const struct level_bytes *bytes, const struct interval *sets)
{
    return sets->low > bytes->nearer && sets->high >= 2.0 * bytes->nearer &&
           sets->high <= bytes->own / 2.0;
}

static const struct parameter *latency_of(const struct figure_input *input,
                                          const struct level_place *place)
{
    return latency_level(input->model, place->variant->name, place->subgroup_size, place->level,
                         "latency");
}

/* The level whose working sets are those, where the ladder has other levels than the device: it
 * rises steadily somewhere, or has a step that the device is not known for. */
static bool find_by_sets(const struct figure_input *input, struct figure_estimate *e,
                         unsigned from_end, struct level_place *place)
{
    struct level_bytes bytes = bytes_of(input->device, from_end);

    for (unsigned level = 1; find_level(input, e, false, level, place); level++) {
        const struct parameter *p = latency_of(input, place);

        if (p && serves(&bytes, &p->working_sets))
            return true;
    }
    return false;
}

/* The sets of what should be memory may all be in the processor's cache. */
static bool may_be_cached(const struct figure_input *input, const struct level_place *place)
{
    const struct parameter *p = latency_of(input, place);

    return p && p->working_sets.high > 0.0 &&
           p->working_sets.high <= (double)input->device->llc_bytes;
}

/* A level of global memory, counted from the far end: 1 is memory, 2 the L3. If as many are found
 * as the device has, their order tells which is which, otherwise the sizes of their working sets. A
 * step is the load plus the cycle in which the next one is issued. */
static bool find_from_end(const struct figure_input *input, struct figure_estimate *e,
                          unsigned from_end, struct level_place *place)
{
    unsigned levels = levels_of(input->device);
    struct figure_estimate beyond;

    if (from_end > levels)
        return false;
    bool is_complete = find_level(input, &beyond, false, levels, place) &&
                       !find_level(input, &beyond, false, levels + 1, place);
    bool found = is_complete ? find_level(input, e, false, levels + 1 - from_end, place)
                             : find_by_sets(input, e, from_end, place);
    found = found && (from_end > 1 || !may_be_cached(input, place));
    if (found)
        figure_shift(e, -1.0 - LOOP_SHARE);
    return found;
}

static bool measure_level(const struct figure_input *input, struct figure_estimate *e,
                          unsigned from_end)
{
    struct level_place place;

    return find_from_end(input, e, from_end, &place);
}

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

static bool measure_l3_prefetch(const struct figure_input *input, struct figure_estimate *e)
{
    struct jump_time times[WALK_JUMPS_MOST];
    struct around_l3 around;
    size_t count = 0;

    find_around(input, &around);
    for (size_t i = 0; i < input->model->parameter_count && count < WALK_JUMPS_MOST; i++) {
        const struct parameter *p = &input->model->parameter[i];

        if (take_jump(input, p, &times[count]) && count++ == 0)
            snprintf(e->parameter, sizeof(e->parameter), "%s", p->name);
    }
    return walk_find_ahead(times, count, around.within ? around.within->value : NAN,
                           (uint32_t)input->device->l3_ways, &e->value, &e->range);
}

static bool measure_l3_random(const struct figure_input *input, struct figure_estimate *e)
{
    const struct walked_cache l3 = l3_of(input);
    struct replacement_times times;
    struct around_l3 around;

    if (!find_around(input, &around))
        return false;
    const struct walk beyond = random_walk(input, around.beyond->working_sets.low);
    const struct walk far = random_walk(input, middle_set(around.far));
    times.within = around.within->value;
    times.beyond = with_worst(around.beyond);
    times.far = around.far->interval;
    walk_find_shares(&times.kept_beyond, &beyond, &l3);
    walk_find_shares(&times.kept_far, &far, &l3);
    snprintf(e->parameter, sizeof(e->parameter), "%s", around.beyond->name);
    return walk_find_replacement(&times, &e->value, &e->range);
}

/* What a miss takes where steps take `time` through sets of which an L3 that replaces so many per
 * cent at random keeps a part. */
static double without_kept(const struct figure_input *input, const struct around_l3 *around,
                           double time, double percent)
{
    const struct walk walk = random_walk(input, middle_set(around->far));
    struct walked_cache l3 = l3_of(input);

    l3.percent = (uint32_t)percent;
    return walk_miss(time, around->within->value, walk_share(&walk, &l3, WALK_STEPS));
}

/* Where the last-level cache keeps a part even of the farthest sets, no level may be found, and
 * what is kept is no part of the latency. */
static bool measure_memory_latency(const struct figure_input *input, struct figure_estimate *e)
{
    struct figure_estimate random;
    struct around_l3 around;

    if (input->device->llc_bytes || !figure_found(input, VESIM_FIGURE_l3_random, &random) ||
        !(random.value > 0.0 || input->device->l3_prefetch_lines) || !find_around(input, &around) ||
        !figure_value(input, e, around.far->name))
        return measure_level(input, e, 1);
    e->value = without_kept(input, &around, e->value, random.value);
    e->range.low = without_kept(input, &around, e->range.low, random.range.low);
    e->range.high = without_kept(input, &around, e->range.high, random.range.high);
    figure_scale(e, input->cycles);
    figure_shift(e, -1.0 - LOOP_SHARE);
    return true;
}

static bool measure_l3_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_level(input, e, 2);
}

/* Without a first level the figure is that of the L3. With one, the comparison of the lanes'
 * addresses, of messages that have them, is a figure of its own. */
static bool measure_l1_latency(const struct figure_input *input, struct figure_estimate *e)
{
    struct level_place place;

    if (!find_from_end(input, e, levels_of(input->device), &place))
        return false;
    const struct latency_variant *chase = place.variant->own;

    if (input->device->l1_bytes && !chase->is_one_address)
        figure_shift(e, -(double)input->device->l1_lanes_latency);
    return true;
}

/* A capacity is known only to lie between two sizes, so the value is their geometric mean. */
static bool measure_capacity(const struct figure_input *input, struct figure_estimate *e,
                             unsigned from_end)
{
    struct level_place place;

    if (!find_from_end(input, e, from_end, &place))
        return false;
    const struct parameter *capacity = latency_level(input->model, place.variant->name,
                                                     place.subgroup_size, place.level, "capacity");
    if (!capacity || !figure_value(input, e, capacity->name))
        return false;
    e->value = sqrt(e->range.low * e->range.high);
    e->is_bound = true;
    return true;
}

static bool measure_l3_bytes(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_capacity(input, e, 2);
}

static bool measure_l1_bytes(const struct figure_input *input, struct figure_estimate *e)
{
    return input->device->l1_bytes && measure_capacity(input, e, 3);
}

/* A TLB's entry is a page or, where nodes lie further apart, a node's. */
static bool measure_tlb_entries(const struct figure_input *input, struct figure_estimate *e)
{
    const struct parameter *reach =
        parameter_find(input->model, LATENCY_FAMILY, "global_uniform", 16, "pages.reach");
    double page = (double)input->device->tlb_page_bytes;

    if (!(page > 0.0) || !reach || !figure_value(input, e, reach->name))
        return false;
    figure_scale(e, 1.0 / fmax(page, reach->stride));
    e->is_bound = true;
    return true;
}

static bool measure_tlb_miss(const struct figure_input *input, struct figure_estimate *e)
{
    return figure_time(input, e, LATENCY_FAMILY, "global_uniform", 16, "pages.miss");
}

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_slm_latency, measure_slm_latency, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l1_hit_latency, measure_l1_latency, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l3_hit_latency, measure_l3_latency, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l3_prefetch_lines, measure_l3_prefetch, LATENCY_FAMILY,
     LATENCY_SWEEP " --variant global_uniform --axis working_set=L/2,2L --axis jump=0,1,2,4,16"},
    {VESIM_FIGURE_l3_random, measure_l3_random, LATENCY_FAMILY,
     LATENCY_SWEEP " --variant global_uniform --axis working_set=L/2,3L/2,3L"},
    {VESIM_FIGURE_memory_latency, measure_memory_latency, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l1_bytes, measure_l1_bytes, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l3_bytes, measure_l3_bytes, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_tlb_entries, measure_tlb_entries, LATENCY_FAMILY, LATENCY_PAGES_SWEEP},
    {VESIM_FIGURE_tlb_miss_latency, measure_tlb_miss, LATENCY_FAMILY, LATENCY_PAGES_SWEEP},
};

const struct family_figures family_latency_figures = {rules, sizeof(rules) / sizeof(rules[0])};
