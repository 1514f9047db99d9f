/* Device figures from the bandwidths of the memory families. The capacities of the caches have been
 * determined before. */
#include "predict/family-figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parameters with PREFIX, and the range of working sets to search. */
struct set_search {
    const char *prefix;
    double least, most; /* in bytes, of the working sets that count */
};

/* Finds the highest of those parameters. */
static bool find_bandwidth(const struct figure_input *input, struct figure_estimate *e,
                           const struct set_search *search)
{
    size_t length = strlen(search->prefix);
    bool found = false;

    for (size_t i = 0; i < input->model->parameter_count; i++) {
        const struct parameter *p = &input->model->parameter[i];

        if (strncmp(p->name, search->prefix, length) != 0)
            continue;
        double bytes = strtod(p->name + length, NULL);
        if (bytes < search->least || bytes > search->most || (found && p->value <= e->value))
            continue;
        found = figure_value(input, e, p->name);
    }
    /* The parameter is in bytes per cycle, not in cycles. */
    figure_scale(e, found ? 1.0 / input->cycles : 1.0);
    return found;
}

/* The reciprocal of the lines per cycle of one Xe-core. */
static bool measure_l1_line_interval(const struct figure_input *input, struct figure_estimate *e)
{
    static const struct set_search search = {"bandwidth.core.set", 0.0, INFINITY};
    double line = (double)input->device->line_bytes;

    if (!find_bandwidth(input, e, &search) || !(e->range.low > 0.0))
        return false;
    e->value = line / e->value;
    e->range = (struct interval){line / e->range.high, line / e->range.low};
    return true;
}

/* Each Xe-core goes through its part of the set. The L3 holds nothing of it only if a single part
 * exceeds its capacity, whichever Xe-core is ahead of the others. */
static bool measure_memory_bandwidth(const struct figure_input *input, struct figure_estimate *e)
{
    const struct set_search search = {
        "bandwidth.device.set", figure_xe_cores(input) * (double)input->device->l3_bytes, INFINITY};

    if (!find_bandwidth(input, e, &search))
        return false;
    figure_scale(e, (double)input->device->core_clock / 1000.0);
    return true;
}

/* The measured bandwidth is already what is achieved, so the efficiency is 1. */
static bool measure_memory_efficiency(const struct figure_input *input, struct figure_estimate *e)
{
    if (!measure_memory_bandwidth(input, e))
        return false;
    e->value = 100.0;
    e->range = (struct interval){100.0, 100.0};
    return true;
}

/* Lines per cycle that the L3 supplies from a set that certainly fits into it, with no first level
 * in front. If that is all the Xe-cores can request, there may be more banks. */
static bool measure_l3_banks(const struct figure_input *input, struct figure_estimate *e)
{
    const struct vesim_device *device = input->device;
    struct set_search search = {"bandwidth.device.set", 0.0, 0.0};
    double asked = figure_xe_cores(input) / (double)device->l1_line_interval;
    struct figure_estimate capacity;

    if (device->l1_bytes || !figure_found(input, VESIM_FIGURE_l3_bytes, &capacity))
        return false;
    search.most = capacity.range.low;
    if (!find_bandwidth(input, e, &search))
        return false;
    figure_scale(e, 1.0 / (double)device->line_bytes);
    e->is_bound = e->value > 0.9 * asked;
    if (e->is_bound) {
        e->value = round(e->value);
        e->range = (struct interval){e->value, INFINITY};
    }
    return true;
}

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_l1_line_interval, measure_l1_line_interval},
    {VESIM_FIGURE_memory_bandwidth, measure_memory_bandwidth},
    {VESIM_FIGURE_memory_efficiency, measure_memory_efficiency},
    {VESIM_FIGURE_l3_banks, measure_l3_banks},
};

const struct family_figures family_bandwidth_figures = {rules, sizeof(rules) / sizeof(rules[0])};
