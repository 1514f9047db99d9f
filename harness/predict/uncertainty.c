#include "predict/uncertainty.h"

#include <math.h>
#include <string.h>

/* A figure of which half the interval is less than this share of its value is known exactly. */
#define EXACT      0.005

#define DRAWS_SEED UINT64_C(15)

/* Times count in the cycles of this clock; its own interval is that of the host's reading. The
 * other figures here say what the machine is, not how long anything takes. */
static bool is_of_time(size_t index)
{
    switch (index) {
    case VESIM_FIGURE_pci_device:
    case VESIM_FIGURE_pci_revision:
    case VESIM_FIGURE_core_clock:
    case VESIM_FIGURE_timestamp_frequency:
    case VESIM_FIGURE_local_memory:
    case VESIM_FIGURE_system_memory:
        return false;
    default:
        return true;
    }
}

/* A cache finds its sets by bits of the address. */
static bool makes_sets(uint64_t lines, double ways)
{
    uint64_t whole = (uint64_t)ways, sets = lines / whole;

    return lines % whole == 0 && (sets & (sets - 1)) == 0;
}

/* The lines of the cache whose ways the figure is; 0 where it is none of ways. */
static uint64_t lines_of(size_t index, const struct vesim_device *device)
{
    uint64_t bytes = index == VESIM_FIGURE_l1_ways ? device->l1_bytes : device->l3_bytes;

    return uncertainty_is_of_ways(index) ? bytes / device->line_bytes : 0;
}

/* Narrows the range of ways to those that make sets, if any do. */
static void keep_sets(struct uncertain_figure *figure, const struct vesim_device *device)
{
    uint64_t lines = lines_of(figure->index, device);
    double low = fmax(ceil(figure->low), 1.0), high = floor(figure->high);

    while (lines && low <= high && !makes_sets(lines, low))
        low += 1.0;
    while (lines && low <= high && !makes_sets(lines, high))
        high -= 1.0;
    if (!lines || low > high)
        return;
    figure->lines = lines;
    figure->low = low;
    figure->high = high;
}

void uncertainty_find(struct uncertainty *uncertainty, const struct figures *figures)
{
    uncertainty->count = uncertainty->fine_count = 0;
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        const struct interval *range = &figures->figure[i].interval;
        struct uncertain_figure figure = {i, !figures->figure[i].measured, range->low, range->high,
                                          0};
        double half = (range->high - range->low) / 2.0;

        if (!is_of_time(i) || !isfinite(half) || !(half > 0.0))
            continue;
        keep_sets(&figure, &figures->description.device);
        if (llround(figure.low) != llround(figure.high))
            uncertainty->figure[uncertainty->count++] = figure;
        else if (!figure.lines && half > EXACT * figures->figure[i].value)
            uncertainty->fine[uncertainty->fine_count++] = figure;
    }
}

const struct uncertain_figure *uncertainty_of(const struct uncertainty *uncertainty, size_t index)
{
    for (size_t i = 0; i < uncertainty->count; i++) {
        if (uncertainty->figure[i].index == index)
            return &uncertainty->figure[i];
    }
    return NULL;
}

bool uncertainty_is_power_of_two(size_t figure)
{
    return figure == VESIM_FIGURE_slm_banks || figure == VESIM_FIGURE_l3_banks ||
           figure == VESIM_FIGURE_group_batch;
}

bool uncertainty_is_of_ways(size_t figure)
{
    return figure == VESIM_FIGURE_l1_ways || figure == VESIM_FIGURE_l3_ways;
}

/* Of the ways in the range that make sets, each has as much of it. */
static double ways_at(const struct uncertain_figure *figure, double share)
{
    size_t count = 0;

    for (double value = figure->low; value <= figure->high; value += 1.0)
        count += makes_sets(figure->lines, value);
    size_t before = (size_t)(share * (double)count);
    double ways = figure->low; /* which makes sets, as keep_sets() has it */
    while (before > 0)
        before -= makes_sets(figure->lines, ways += 1.0);
    return ways;
}

/* The whole number that is `share`, 0 to below 1, of the way from `low` to `high`: of powers of
 * two, where there are any, each has as much of the way. */
static double whole_at(size_t index, double share, double low, double high)
{
    double first = ceil(log2(low)), powers = floor(log2(high)) - first + 1.0;

    if (uncertainty_is_power_of_two(index) && powers >= 1.0)
        return exp2(first + floor(share * powers));
    return fmin(floor(low + share * (high - low + 1.0)), high);
}

void uncertainty_draw(struct uncertainty_draws *draws, const struct uncertainty *uncertainty,
                      size_t count)
{
    struct prng prng;

    prng_seed(&prng, DRAWS_SEED);
    for (size_t f = 0; f < uncertainty->count; f++) {
        const struct uncertain_figure *figure = &uncertainty->figure[f];
        double low = ceil(figure->low - 0.5), high = floor(figure->high + 0.5);
        size_t order[UNCERTAINTY_DRAWS];

        prng_permutation(&prng, order, count);
        for (size_t d = 0; d < count; d++) {
            double within = (double)prng_below(&prng, 1u << 20) / (double)(1u << 20);
            double share = ((double)order[d] + within) / (double)count;

            draws->value[d][f] =
                figure->lines ? ways_at(figure, share) : whole_at(figure->index, share, low, high);
        }
    }
}
