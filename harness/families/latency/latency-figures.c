/* Device figures from the parameters of family `latency`: latencies and capacities of memory. */
#include "families/latency/latency-figures.h"

#include "families/latency/latency-model.h"
#include "families/latency/latency-variants.h"

#include <math.h>
#include <string.h>

/* The loop's share in one of the 32 steps of a chase: its 3 to 28 cycles add 0.1 to 0.9 to each. */
#define LOOP_SHARE 0.45

void latency_take_load(struct figure_estimate *e)
{
    figure_shift(e, -1.0 - LOOP_SHARE);
}

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

struct level_bytes latency_level_bytes(const struct vesim_device *device, unsigned from_end)
{
    double l1 = (double)device->l1_bytes, l3 = (double)device->l3_bytes;

    if (from_end == 1)
        return (struct level_bytes){fmax(l3, (double)device->llc_bytes), INFINITY};
    return from_end == 2 ? (struct level_bytes){l1, l3} : (struct level_bytes){0.0, l1};
}

bool latency_serves(const struct level_bytes *bytes, const struct interval *sets)
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
    struct level_bytes bytes = latency_level_bytes(input->device, from_end);

    for (unsigned level = 1; find_level(input, e, false, level, place); level++) {
        const struct parameter *p = latency_of(input, place);

        if (p && latency_serves(&bytes, &p->working_sets))
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
        latency_take_load(e);
    return found;
}

static bool measure_level(const struct figure_input *input, struct figure_estimate *e,
                          unsigned from_end)
{
    struct level_place place;

    return find_from_end(input, e, from_end, &place);
}

static bool measure_memory_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return latency_measure_beyond_kept(input, e) || measure_level(input, e, 1) ||
           latency_measure_by_jumps(input, e);
}

static bool measure_l3_latency(const struct figure_input *input, struct figure_estimate *e)
{
    if (measure_level(input, e, 2))
        return true;
    const struct parameter *up = latency_up_in_l3(input, "global_uniform");
    if (!up || !figure_value(input, e, up->name))
        return false;
    figure_scale(e, input->cycles);
    latency_take_load(e);
    return true;
}

/* A load that the first level answers, in chases by a method. */
static bool find_in_l1(const struct figure_input *input, struct figure_estimate *e,
                       const char *method)
{
    const struct level_bytes bytes = latency_level_bytes(input->device, levels_of(input->device));
    const struct variant *variant =
        variant_by(LATENCY_FAMILY, &latency_variants[LATENCY_GLOBAL], method);

    if (!input->device->l1_bytes || !variant)
        return false;
    for (size_t i = 0; i < input->model->parameter_count; i++) {
        const struct parameter *p = &input->model->parameter[i];

        if (strcmp(p->term, "latency") == 0 && latency_serves(&bytes, &p->working_sets) &&
            parameter_is_of(p, LATENCY_FAMILY, variant->name, 16) &&
            figure_value(input, e, p->name)) {
            figure_scale(e, input->cycles);
            return true;
        }
    }
    return false;
}

/* A message that names one address is answered without a comparison of its lanes'. */
static bool measure_l1_lanes(const struct figure_input *input, struct figure_estimate *e)
{
    struct figure_estimate scalar;

    if (!find_in_l1(input, e, "uniform") || !find_in_l1(input, &scalar, "scalar"))
        return false;
    figure_combine(e, -1.0, &scalar);
    e->value = fmax(e->value, 0.0);
    return true;
}

/* Without a first level the figure is that of the L3. With one, the comparison of the lanes'
 * addresses, of messages that have them, is a figure of its own. */
static bool measure_l1_latency(const struct figure_input *input, struct figure_estimate *e)
{
    struct level_place place;

    if (find_in_l1(input, e, "scalar")) {
        latency_take_load(e);
        return true;
    }
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

static bool measure_l1_tlb_entries(const struct figure_input *input, struct figure_estimate *e)
{
    const struct parameter *reach =
        parameter_find(input->model, LATENCY_FAMILY, "global_uniform", 16, LATENCY_L1_TLB_REACH);

    if (!reach || !figure_value(input, e, reach->name))
        return false;
    figure_scale(e, 1.0 / (double)input->device->tlb_page_bytes);
    return true;
}

/* A set that misses no page says that a miss takes no time if it is far larger than any first TLB
 * that the device may have. */
#define LARGER 2.0

static bool measure_l1_tlb_miss(const struct figure_input *input, struct figure_estimate *e)
{
    const struct parameter *miss =
        parameter_find(input->model, LATENCY_FAMILY, "global_uniform", 16, LATENCY_L1_TLB_MISS);
    const struct parameter *reach =
        parameter_find(input->model, LATENCY_FAMILY, "global_uniform", 16, LATENCY_L1_TLB_REACH);
    double most =
        (double)input->most[VESIM_FIGURE_l1_tlb_entries] * (double)input->device->tlb_page_bytes;

    if (!miss || (!reach && miss->working_sets.high < LARGER * most) ||
        !figure_value(input, e, miss->name))
        return false;
    figure_scale(e, input->cycles);
    return true;
}

const char *const latency_scattered[] = {"global_divergent", NULL};
static const char *const in_a_set[] = {"global_one_lane", NULL};

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_slm_latency, measure_slm_latency, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l1_lanes_latency, measure_l1_lanes, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l1_hit_latency, measure_l1_latency, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l3_hit_latency, measure_l3_latency, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l3_prefetch_lines, latency_measure_l3_prefetch, LATENCY_FAMILY,
     LATENCY_SWEEP " --variant global_uniform --axis working_set=L/2,2L --axis jump=0,1,2,4,16"},
    {VESIM_FIGURE_l3_random, latency_measure_l3_random, LATENCY_FAMILY,
     LATENCY_SWEEP " --variant global_uniform --axis working_set=L/2,9L/8,2L --axis jump=1,16"},
    {VESIM_FIGURE_memory_latency, measure_memory_latency, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l1_bytes, measure_l1_bytes, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l3_bytes, measure_l3_bytes, LATENCY_FAMILY, LATENCY_SWEEP},
    {VESIM_FIGURE_l1_ways, NULL, LATENCY_FAMILY, LATENCY_IN_A_SET_SWEEP, in_a_set,
     .stride = LATENCY_IN_A_SET_STRIDE},
    {VESIM_FIGURE_l1_tlb_entries, measure_l1_tlb_entries, LATENCY_FAMILY, LATENCY_L1_TLB_SWEEP},
    {VESIM_FIGURE_l1_tlb_miss_latency, measure_l1_tlb_miss, LATENCY_FAMILY, LATENCY_L1_TLB_SWEEP},
    {VESIM_FIGURE_tlb_entries, measure_tlb_entries, LATENCY_FAMILY, LATENCY_PAGES_SWEEP},
    {VESIM_FIGURE_tlb_miss_latency, measure_tlb_miss, LATENCY_FAMILY, LATENCY_PAGES_SWEEP},
};

const struct family_figures family_latency_figures = {rules, sizeof(rules) / sizeof(rules[0])};
