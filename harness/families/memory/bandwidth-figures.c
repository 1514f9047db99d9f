/* Device figures from the bandwidths of the memory families, and of atomics. The capacities of the
 * caches and the interval of atomics have been determined before. */
#include "families/atomics/atomics-figures.h"
#include "families/device/device_bandwidth-figures.h"
#include "families/latency/latency-figures.h"
#include "families/memory/bandwidth-model.h"

#include <math.h>

#define ELEMENT_BYTES 4.0 /* of global_add_u32 */

/* A rate this near to what something else allows may be that. */
#define ELSEWHERE 0.9

/* Rates of banks are those of a whole number of them within this share. */
#define NEAR_BANKS 0.03

/* Parameters of a scope, and the range of working sets to search. */
struct set_search {
    enum bandwidth_scope scope;
    double least, most; /* in bytes, of the working sets that count */
};

/* Finds the highest of those parameters. */
static bool find_bandwidth(const struct figure_input *input, struct figure_estimate *e,
                           const struct set_search *search)
{
    bool found = false;

    for (size_t i = 0; i < input->model->parameter_count; i++) {
        const struct parameter *p = &input->model->parameter[i];
        double bytes = p->working_sets.low;

        if (bandwidth_find(input->model, search->scope, bytes) != p || bytes < search->least ||
            bytes > search->most || (found && p->value <= e->value))
            continue;
        found = figure_value(input, e, p->name);
    }
    /* The parameter is in bytes per cycle, not in cycles. */
    figure_scale(e, found ? 1.0 / input->cycles : 1.0);
    return found;
}

/* The time in which one Xe-core takes a line at each port. What it gets from sets that the first
 * level does not hold may be less than it could take. */
static bool measure_l1_line_interval(const struct figure_input *input, struct figure_estimate *e)
{
    static const struct set_search any = {BANDWIDTH_CORE, 0.0, INFINITY};
    const struct set_search nearest = {BANDWIDTH_CORE, 0.0, (double)input->device->l1_bytes};
    double line = (double)(input->device->line_bytes * input->device->l1_ports);
    bool is_near = find_bandwidth(input, e, &nearest);

    if ((!is_near && !find_bandwidth(input, e, &any)) || !(e->range.low > 0.0))
        return false;
    figure_invert(e, line);
    e->is_bound = input->device->l1_bytes && !is_near;
    if (e->is_bound)
        e->range.low = 0.0;
    return true;
}

/* Each Xe-core goes through its part of the set. The L3 holds nothing of it only if a single part
 * exceeds its capacity, whichever Xe-core is ahead of the others. */
static bool measure_memory_bandwidth(const struct figure_input *input, struct figure_estimate *e)
{
    const struct set_search search = {
        BANDWIDTH_DEVICE, figure_xe_cores(input) * (double)input->device->l3_bytes, INFINITY};

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

/* Nor does anything else take of it what has not been measured. */
static bool measure_processor_traffic(const struct figure_input *input, struct figure_estimate *e)
{
    if (!measure_memory_bandwidth(input, e))
        return false;
    e->value = 0.0;
    e->range = (struct interval){0.0, 0.0};
    return true;
}

/* A count that is at least the value, because something else may be what limits the rate. */
static void make_least(struct figure_estimate *e)
{
    e->is_bound = true;
    e->value = round(e->value);
    e->range = (struct interval){e->value, INFINITY};
}

/* Takes another estimate of the same figure if it says more: an exact one, or a higher bound. */
static bool take_better(struct figure_estimate *e, bool found, const struct figure_estimate *other,
                        bool other_found)
{
    if (other_found && (!found || (e->is_bound && (!other->is_bound || other->value > e->value))))
        *e = *other;
    return found || other_found;
}

/* The lines per cycle that loads of one Xe-core get from smaller sets: what it can ask for. 0: not
 * known. */
static double lines_from_nearer(const struct figure_input *input, double most)
{
    const struct set_search nearer = {BANDWIDTH_CORE_LOAD, 0.0, most - 1.0};
    struct figure_estimate e;

    return find_bandwidth(input, &e, &nearer) ? e.value / (double)input->device->line_bytes : 0.0;
}

/* How many times a latency the last line of a message may take: lines lie evenly over the spread.
 */
static double last_of_message(const struct figure_input *input, double latency)
{
    struct figure_estimate spread;

    return figure_found(input, VESIM_FIGURE_l3_latency_spread, &spread)
               ? 1.0 + spread.value / 2.0 / latency
               : 1.0;
}

/* The registers that loads occupy which a level serves, by Little's law: its latency times the
 * lines per cycle that one Xe-core gets from it. They may be more where a message waits for the
 * last of its lines, and where these are all that it can ask for, or `limit` lines. */
static bool find_registers(const struct figure_input *input, struct figure_estimate *e,
                           enum vesim_figure_index latency, const struct set_search *search,
                           double limit)
{
    struct figure_estimate time;

    if (!figure_found(input, latency, &time) || !find_bandwidth(input, e, search))
        return false;
    double lines = e->value / (double)input->device->line_bytes;
    double spread = hypot((e->range.high - e->range.low) / e->value,
                          (time.range.high - time.range.low) / time.value);

    e->value = lines * time.value;
    e->range.low = e->value * (1.0 - spread / 2.0);
    e->range.high = e->value * (1.0 + spread / 2.0) * last_of_message(input, time.value);
    if (lines > ELSEWHERE * fmin(limit, lines_from_nearer(input, search->least)))
        make_least(e);
    return true;
}

/* From the L3 where few registers hold up the loads, else from memory. */
static bool measure_l1_mshrs(const struct figure_input *input, struct figure_estimate *e)
{
    const struct vesim_device *device = input->device;
    double memory = figure_memory_lines(device);
    struct figure_estimate first = {.range = {0.0, 0.0}}, last, more;

    if ((device->l1_bytes && !figure_found(input, VESIM_FIGURE_l1_bytes, &first)) ||
        !figure_found(input, VESIM_FIGURE_l3_bytes, &last))
        return false;
    const struct set_search in_l3 = {BANDWIDTH_CORE_LOAD, first.range.high, last.range.low};
    const struct set_search beyond = {BANDWIDTH_CORE_LOAD, last.range.high, INFINITY};
    bool found = find_registers(input, e, VESIM_FIGURE_l3_hit_latency, &in_l3, INFINITY);
    bool more_found = find_registers(input, &more, VESIM_FIGURE_memory_latency, &beyond, memory);

    return take_better(e, found, &more, more_found);
}

/* The lines per cycle that all Xe-cores can store, each as many as one that was measured alone, or
 * one an interval. */
static double lines_stored(const struct figure_input *input)
{
    struct figure_estimate alone;
    double most = (double)input->device->l1_ports / (double)input->device->l1_line_interval;

    if (device_bandwidth_stores_of_group(input, &alone))
        most = fmin(most, alone.value);
    return figure_xe_cores(input) * most;
}

/* The lines per cycle that they can ask for: no more than their registers hold over the L3's
 * latency. 0: not known. */
static double lines_asked(const struct figure_input *input)
{
    struct figure_estimate registers, latency;

    if (!figure_found(input, VESIM_FIGURE_l1_mshrs, &registers) ||
        !figure_found(input, VESIM_FIGURE_l3_hit_latency, &latency))
        return 0.0;
    return fmin(lines_stored(input), figure_xe_cores(input) * registers.range.low / latency.value);
}

/* There may be more banks where the Xe-cores ask for no more, or memory takes these lines as fast:
 * an L3 may pass on all that is stored. */
static void bound_by_others(const struct figure_input *input, struct figure_estimate *e,
                            double asked)
{
    if (e->value > ELSEWHERE * asked || ELSEWHERE * e->value < figure_memory_lines(input->device))
        make_least(e);
}

/* The banks of the L3, each of which serves a line a cycle: lines per cycle in a set that certainly
 * fits, of stores, which no first level holds back, or of anything where there is no first level.
 */
static bool find_banks_of_lines(const struct figure_input *input, struct figure_estimate *e)
{
    const struct vesim_device *device = input->device;
    struct set_search search = {device->l1_bytes ? BANDWIDTH_DEVICE_STORE : BANDWIDTH_DEVICE, 0.0,
                                0.0};
    struct figure_estimate capacity;

    if (!figure_found(input, VESIM_FIGURE_l3_bytes, &capacity))
        return false;
    search.most = capacity.range.low;
    if (!find_bandwidth(input, e, &search))
        return false;
    figure_scale(e, 1.0 / (double)device->line_bytes);
    bound_by_others(input, e, device->l1_bytes ? lines_stored(input) : lines_asked(input));
    return true;
}

/* The same, of more threads. */
static bool find_banks_of_stores(const struct figure_input *input, struct figure_estimate *e)
{
    bool found = device_bandwidth_stores(input, e);

    if (found)
        bound_by_others(input, e, lines_stored(input));
    return found;
}

/* The same from atomics: a bank serves those of a line one after another. */
static bool find_banks_of_atomics(const struct figure_input *input, struct figure_estimate *e)
{
    struct figure_estimate interval;

    if (!figure_found(input, VESIM_FIGURE_atomic_interval, &interval) ||
        !atomics_of_device(input, e))
        return false;
    double of_a_line = (double)input->device->line_bytes / ELEMENT_BYTES;
    bool is_least = e->value > ELSEWHERE * of_a_line * lines_asked(input);
    figure_scale(e, interval.value);
    if (is_least)
        make_least(e);
    return true;
}

/* Banks come as a power of two, or three times one. */
static double whole_banks_from(double least)
{
    double power = exp2(ceil(log2(least)));

    return power * 0.75 >= least ? power * 0.75 : power;
}

/* Where the rate is that of so many banks as there are, these are what limits it; else something
 * else may. */
static void take_whole_banks(struct figure_estimate *e)
{
    double banks = whole_banks_from(e->value * (1.0 - NEAR_BANKS));

    if (!e->is_bound && banks <= e->value * (1.0 + NEAR_BANKS)) {
        figure_exact(e, banks);
        return;
    }
    e->is_bound = true;
    e->value = banks;
    e->range = (struct interval){banks, INFINITY};
}

/* Whatever else holds up some of these rows, there are banks enough for the fastest. */
static bool measure_l3_banks(const struct figure_input *input, struct figure_estimate *e)
{
    static bool (*const find[])(const struct figure_input *, struct figure_estimate *) = {
        find_banks_of_lines, find_banks_of_stores, find_banks_of_atomics};
    bool found = false;

    for (size_t i = 0; i < sizeof(find) / sizeof(find[0]); i++) {
        struct figure_estimate other;

        if (!find[i](input, &other) || (found && other.value <= e->value))
            continue;
        *e = other;
        found = true;
    }
    if (found)
        take_whole_banks(e);
    return found;
}

/* Stores of single elements to lines of their own, from the whole device, in a set that the L3
 * holds. */
static bool find_partial_stores(const struct figure_input *input, struct figure_estimate *e)
{
    const struct vesim_device *device = input->device;
    const struct set_search search = {BANDWIDTH_DEVICE_PARTIAL, 0.0, (double)device->l3_bytes};

    if (!find_bandwidth(input, e, &search))
        return false;
    figure_scale(e, 1.0 / ELEMENT_BYTES);
    return true;
}

/* What such a store keeps a bank for: the banks, if these are known, over the lines per cycle.
 * Where that is more than the base thinks possible, something else holds these stores up as well.
 */
static bool measure_partial_store(const struct figure_input *input, struct figure_estimate *e)
{
    struct figure_estimate banks;

    if (!figure_found(input, VESIM_FIGURE_l3_banks, &banks) || banks.is_bound ||
        !find_partial_stores(input, e) || !(e->range.low > 0.0))
        return false;
    e->value = banks.value / e->value;
    e->range = (struct interval){banks.range.low / e->range.high, banks.range.high / e->range.low};
    e->is_bound = e->range.low > (double)input->most[VESIM_FIGURE_partial_store_interval];
    if (e->is_bound)
        e->range.low = 0.0;
    return true;
}

#define FAMILY "memory_32"
#define RUN    "vebench run " FAMILY " --axis subgroup_size=16 --axis stride=1 "
#define OF_ALL RUN "--axis workgroup_size=256,512 --axis workgroup_count=C --axis working_set=64L"

/* Those that occupy the most registers. */
static const char *const wide_loads[] = {"load_vec4", NULL};

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_l1_line_interval, measure_l1_line_interval, FAMILY,
     RUN "--axis workgroup_size=128,256,512"},
    {VESIM_FIGURE_l3_latency_spread, latency_measure_l3_spread, "latency", LATENCY_SPREAD_SWEEP},
    {VESIM_FIGURE_memory_bandwidth, measure_memory_bandwidth, FAMILY, OF_ALL},
    {VESIM_FIGURE_memory_efficiency, measure_memory_efficiency, FAMILY, OF_ALL},
    {VESIM_FIGURE_processor_traffic, measure_processor_traffic, FAMILY, OF_ALL},
    {VESIM_FIGURE_l1_mshrs, measure_l1_mshrs, FAMILY,
     RUN "--variant load_vec4 --axis workgroup_size=512,1024 --axis working_set=512K,2L",
     wide_loads},
    {VESIM_FIGURE_memory_row_miss, NULL, "latency", LATENCY_SCATTERED_SWEEP, latency_scattered,
     .many_groups = true},
    {VESIM_FIGURE_memory_row_miss, NULL, DEVICE_BANDWIDTH_FAMILY, LOADS_OF_DEVICE,
     device_bandwidth_loads, .sets = SETS_BEYOND_L3, .moved_by_others = true},
    {VESIM_FIGURE_l3_store_fetch, NULL, DEVICE_BANDWIDTH_FAMILY, STORES_OF_THREADS,
     device_bandwidth_stores_alone, .single_threads = true},
    {VESIM_FIGURE_l3_banks, measure_l3_banks, "atomics", ATOMICS_OF_DEVICE},
    {VESIM_FIGURE_l3_banks, NULL, "atomics", ATOMICS_OF_DEVICE, atomics_each_own,
     .many_groups = true},
    {VESIM_FIGURE_l1_mshrs, NULL, DEVICE_BANDWIDTH_FAMILY, NULL, device_bandwidth_loads,
     .depends_on = VESIM_FIGURE_l3_banks},
    {VESIM_FIGURE_l3_banks, NULL, DEVICE_BANDWIDTH_FAMILY, LOADS_OF_L3, device_bandwidth_loads,
     .depends_on = VESIM_FIGURE_l1_mshrs},
    {VESIM_FIGURE_l3_turn_interval, NULL, DEVICE_BANDWIDTH_FAMILY, TURNS_OF_DEVICE,
     device_bandwidth_turns, .sets = SETS_HELD_BY_L3, .depends_on = VESIM_FIGURE_l3_banks},
    {VESIM_FIGURE_memory_write_queue, NULL, DEVICE_BANDWIDTH_FAMILY, COPIES_OF_DEVICE,
     device_bandwidth_turns, .sets = SETS_BEYOND_L3, .moved_by_others = true},
    {VESIM_FIGURE_partial_store_interval, measure_partial_store, FAMILY,
     "vebench run " FAMILY " --variant store_strided --axis subgroup_size=16 --axis stride=16 "
     "--axis workgroup_size=128,256 --axis workgroup_count=C --axis working_set=2M"},
};

const struct family_figures family_bandwidth_figures = {rules, sizeof(rules) / sizeof(rules[0])};
