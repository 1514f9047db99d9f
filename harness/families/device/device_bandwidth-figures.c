/* Device figures from the parameters of family `device_bandwidth`: what the L3 does with stores.
 * Through a set that it holds, all Xe-cores store far faster than what is behind it moves lines,
 * unless each store goes on to that. Through one that is too large, they store as fast as that
 * moves lines, or half as fast if each line is fetched before it is written. Where loads and stores
 * alternate, banks lose time that they do not lose in loads or stores alone. */
#include "families/device/device_bandwidth-figures.h"

#include "model/parameter-name.h"

#include <math.h>

#define FAMILY DEVICE_BANDWIDTH_FAMILY

/* Rates over that of what is behind the L3. Of memory it is not known how much of its peak it
 * reaches: a rate below SAME may be its own, one from ABOVE on is not. */
#define SAME  1.35
#define ABOVE 1.6

/* So much do loads reach that memory limits, and no more if they find nothing in the L3. */
#define LOADS_LEAST 0.6
#define LOADS_MOST  1.1

#define KIB_BYTES   1024.0

/* Sets that the L3 certainly holds, and that it does not. */
static struct interval sets_within(const struct vesim_device *device)
{
    return (struct interval){0.0, (double)device->l3_bytes / 2.0};
}

static struct interval sets_beyond(const struct vesim_device *device)
{
    return (struct interval){SETS_BEYOND * (double)device->l3_bytes, INFINITY};
}

/* Launches that fill the device, and those of one work-group. */
enum reach { ALL, ONE_GROUP };

static enum reach reach_of(const struct parameter *p)
{
    return p->most_threads ? ONE_GROUP : ALL;
}

/* The most bytes per cycle of a variant; 0 where none was measured. `e` has the parameter. */
static double most_of(const struct figure_input *input, const char *variant, enum reach reach,
                      struct interval sets, struct figure_estimate *e)
{
    static const unsigned sizes[] = {8, 16, 32};
    double most = 0.0;

    for (size_t i = 0; i < input->model->parameter_count; i++) {
        const struct parameter *p = &input->model->parameter[i];
        struct figure_estimate one;

        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
            if (!parameter_is_of(p, FAMILY, variant, sizes[s]) || reach_of(p) != reach ||
                p->working_sets.low < sets.low || p->working_sets.high > sets.high ||
                !figure_value(input, &one, p->name) ||
                KIB_BYTES / (one.value * input->cycles) <= most)
                continue;
            *e = one;
            most = KIB_BYTES / (one.value * input->cycles);
        }
    }
    return most;
}

/* Bytes per cycle that whatever is behind the L3 moves, as far as is known. */
static double behind_l3(const struct vesim_device *device)
{
    double memory = figure_memory_lines(device) * (double)device->line_bytes;

    return device->llc_bytes
               ? fmax(memory, (double)device->line_bytes / (double)device->llc_interval)
               : memory;
}

/* 1 where no more than what is behind the L3 moves it, 0 where that cannot. */
static bool decide(struct figure_estimate *e, double rate, double behind)
{
    if (rate >= ABOVE * behind)
        figure_exact(e, 0.0);
    else if (rate > 0.0 && rate <= SAME * behind)
        figure_exact(e, 1.0);
    else
        return false;
    return true;
}

/* Of sets that are too large, too, no stores are faster than what is behind the L3 if all go on to
 * that. */
static bool measure_write_through(const struct figure_input *input, struct figure_estimate *e)
{
    static const struct interval any = {0.0, INFINITY};
    double behind = behind_l3(input->device);

    if (most_of(input, "write", ALL, any, e) >= ABOVE * behind) {
        figure_exact(e, 0.0);
        return true;
    }
    return decide(e, most_of(input, "write", ALL, sets_within(input->device), e), behind);
}

/* Lines that are fetched behind one that a store misses move as well, whether or not that one is
 * fetched. */
static bool fetches_no_more(const struct figure_input *input)
{
    struct figure_estimate ahead;

    return figure_found(input, VESIM_FIGURE_l3_prefetch_lines, &ahead) && ahead.range.high < 1.0;
}

/* Whether stores reach memory as fast as it moves lines, even if they find theirs in the L3. */
static bool passes_on(const struct figure_input *input)
{
    struct figure_estimate through;

    return !figure_found(input, VESIM_FIGURE_l3_write_through, &through) || through.value > 0.0;
}

/* With a fetch, twice as much moves as is stored. What stores tell depends on loads of such sets: a
 * few threads do not load as fast as memory moves lines, and their stores may be slow without a
 * fetch. Loads are faster where the L3 keeps much of the sets, or where threads that are ahead of
 * others come back to what it has of theirs. Stores are then faster as well or, if they are passed
 * on, as fast with a fetch as without. */
static bool measure_store_fetch(const struct figure_input *input, struct figure_estimate *e)
{
    struct interval beyond = sets_beyond(input->device);
    struct figure_estimate other;
    double behind = behind_l3(input->device);
    double stored = most_of(input, "write", ALL, beyond, e);
    double loaded = most_of(input, "read", ALL, beyond, &other);

    if (fmax(stored, loaded) > SAME * behind || loaded < LOADS_LEAST * behind ||
        !decide(e, 2.0 * stored, behind))
        return false;
    return e->value == 0.0 ? loaded <= LOADS_MOST * behind || !passes_on(input)
                           : fetches_no_more(input);
}

const char *const device_bandwidth_loads[] = {"read", NULL};
const char *const device_bandwidth_stores_alone[] = {"write", NULL};
const char *const device_bandwidth_turns[] = {"copy", "triad", NULL};

static bool find_stores(const struct figure_input *input, enum reach reach,
                        struct figure_estimate *e)
{
    double stored = most_of(input, "write", reach, sets_within(input->device), e);

    if (!(stored > 0.0) || !(e->range.low > 0.0))
        return false;
    figure_invert(e, stored * e->value / (double)input->device->line_bytes);
    return true;
}

bool device_bandwidth_stores(const struct figure_input *input, struct figure_estimate *e)
{
    return find_stores(input, ALL, e);
}

bool device_bandwidth_stores_of_group(const struct figure_input *input, struct figure_estimate *e)
{
    return find_stores(input, ONE_GROUP, e);
}

#define RUN "vebench run " FAMILY " --axis subgroup_size="

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_l3_write_through, measure_write_through, FAMILY, RUN "16 --axis working_set=L/2"},
    {VESIM_FIGURE_l3_store_fetch, measure_store_fetch, FAMILY,
     RUN "16 --axis workgroup_count=T/16 --axis working_set=8L"},
};

const struct family_figures family_device_bandwidth_figures = {rules,
                                                               sizeof(rules) / sizeof(rules[0])};
