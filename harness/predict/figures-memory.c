/* Figures of memory and its caches. */
#include "predict/figures-measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Of the 32 steps of a chase: a loop of 3 to 28 cycles around them adds from 0.1 to 0.9 to a step.
 */
#define LOOP_SHARE 0.45

/* Chases in which the sub-group's lanes follow one chain, or one lane does, by the sub-group size:
 * that of one message to a step first. */
static bool find_level(const struct figure_input *input, struct figure_estimate *e,
                       const char *memory, unsigned level)
{
    static const char *const variants[] = {"uniform", "one_lane", "scalar"};
    static const unsigned sizes[] = {16, 8, 32};

    for (size_t v = 0; v < COUNT(variants); v++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            if (figure_time(input, e, "latency.%s_%s.simd%u.level%u.latency", memory, variants[v],
                            sizes[s], level))
                return true;
        }
    }
    return false;
}

bool measure_slm_latency(const struct figure_input *input, struct figure_estimate *e)
{
    if (!find_level(input, e, "slm", 1))
        return false;
    figure_shift(e, -LOOP_SHARE);
    return true;
}

static unsigned levels_of(const struct device *device)
{
    return device->l1_bytes ? 3 : 2;
}

/* A level of global memory, counted from its end: 1 is memory, 2 the L3. Which level is which is
 * known only where there are as many as the device has. A step is the load, and the cycle in which
 * the next one is issued. */
static bool measure_level(const struct figure_input *input, struct figure_estimate *e,
                          unsigned from_end)
{
    unsigned levels = levels_of(input->device);
    struct figure_estimate beyond;

    if (from_end > levels || find_level(input, &beyond, "global", levels + 1) ||
        !find_level(input, &beyond, "global", levels) ||
        !find_level(input, e, "global", levels + 1 - from_end))
        return false;
    figure_shift(e, -1.0 - LOOP_SHARE);
    return true;
}

bool measure_memory_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_level(input, e, 1);
}

bool measure_l3_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_level(input, e, 2);
}

/* Where there is no first level the figure is that of the L3. */
bool measure_l1_latency(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_level(input, e, levels_of(input->device));
}

/* All that is known of a capacity is between which two sizes it lies; the middle is a geometric
 * one. */
static bool measure_capacity(const struct figure_input *input, struct figure_estimate *e,
                             unsigned from_end)
{
    char latency[MODEL_NAME_BYTES];

    if (!measure_level(input, e, from_end))
        return false;
    memcpy(latency, e->parameter, sizeof latency);
    *strrchr(latency, '.') = '\0';
    if (!figure_value(input, e, "%s.capacity", latency))
        return false;
    e->value = sqrt(e->range.low * e->range.high);
    e->is_bound = true;
    return true;
}

bool measure_l3_bytes(const struct figure_input *input, struct figure_estimate *e)
{
    return measure_capacity(input, e, 2);
}

bool measure_l1_bytes(const struct figure_input *input, struct figure_estimate *e)
{
    return input->device->l1_bytes && measure_capacity(input, e, 3);
}

/* Parameters PREFIX and the bytes of a working set. */
struct set_search {
    const char *prefix;
    double least, most; /* bytes of the sets that count */
};

/* The highest of those parameters. */
static bool find_bandwidth(const struct figure_input *input, struct figure_estimate *e,
                           const struct set_search *search)
{
    size_t length = strlen(search->prefix);
    bool found = false;

    for (size_t i = 0; i < input->model->parameter_count; i++) {
        const struct parameter *p = &input->model->parameter[i];
        double bytes;

        if (strncmp(p->name, search->prefix, length) != 0)
            continue;
        bytes = strtod(p->name + length, NULL);
        if (bytes < search->least || bytes > search->most || (found && p->value <= e->value))
            continue;
        found = figure_value(input, e, "%s", p->name);
    }
    /* Bytes in a cycle, not cycles. */
    figure_scale(e, found ? 1.0 / input->cycles : 1.0);
    return found;
}

/* Lines of one Xe-core in a cycle, upside down. */
bool measure_l1_line_interval(const struct figure_input *input, struct figure_estimate *e)
{
    static const struct set_search search = {"bandwidth.core.set", 0.0, INFINITY};
    double line = (double)input->device->line_bytes;

    if (!find_bandwidth(input, e, &search) || !(e->range.low > 0.0))
        return false;
    e->value = line / e->value;
    e->range = (struct interval){line / e->range.high, line / e->range.low};
    return true;
}

/* Each Xe-core goes through its part of the set. Only if a part alone is more than the L3 holds is
 * nothing found there, whichever Xe-core is ahead of the others. */
bool measure_memory_bandwidth(const struct figure_input *input, struct figure_estimate *e)
{
    const struct set_search search = {
        "bandwidth.device.set", figure_xe_cores(input) * (double)input->device->l3_bytes, INFINITY};

    if (!find_bandwidth(input, e, &search))
        return false;
    figure_scale(e, (double)input->device->core_clock / 1000.0);
    return true;
}

/* Lines that the L3 gives in a cycle from a set that it surely holds, where no first level is in
 * front of it. If that is all the Xe-cores can ask for, there may be more banks. */
bool measure_l3_banks(const struct figure_input *input, struct figure_estimate *e)
{
    const struct device *device = input->device;
    struct set_search search = {"bandwidth.device.set", 0.0, 0.0};
    double asked = figure_xe_cores(input) / (double)device->l1_line_interval;

    if (device->l1_bytes || !measure_capacity(input, e, 2))
        return false;
    search.most = e->range.low;
    *e = (struct figure_estimate){0};
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
