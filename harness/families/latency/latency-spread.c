/* Family `latency`: how far apart the latencies of lines from the L3 are. */
#include "families/latency/latency-figures.h"

#include "families/latency/latency-model.h"

#include <math.h>

/* By how much a step is longer if each lane has an address of its own. */
static bool find_divergence(const struct figure_input *input, const struct parameter *uniform,
                            const struct parameter *divergent, struct figure_estimate *e)
{
    struct figure_estimate one;

    if (!uniform || !divergent || !figure_value(input, &one, uniform->name) ||
        !figure_value(input, e, divergent->name))
        return false;
    figure_combine(e, -1.0, &one);
    figure_scale(e, input->cycles);
    return true;
}

static const struct parameter *first_level(const struct figure_input *input, const char *variant)
{
    return latency_level(input->model, variant, 16, 1, "latency");
}

#define LANES       16
#define SPREAD_MOST 1024.0

/* Lines that wait for one another at a bank look like so much of a spread. */
#define SPREAD_OF_WAITS 3.0

/* How much later than a line in the mean the last of one for each lane is there, if these are sent
 * one after another until `sent`, and their times are spread evenly over `spread`. */
static double last_line(double sent, double spread)
{
    enum { STEPS = 512 };
    double first = -spread / 2.0, end = sent + spread / 2.0, step = (end - first) / STEPS;
    double mean = first;

    for (unsigned i = 0; i < STEPS; i++) {
        double time = first + (i + 0.5) * step, all = 1.0;

        for (unsigned lane = 0; lane < LANES; lane++) {
            double after = time - sent * lane / (LANES - 1.0) + spread / 2.0;

            all *= fmin(fmax(after / spread, 0.0), 1.0);
        }
        mean += (1.0 - all) * step;
    }
    return mean;
}

/* The spread with which the last line is so much later. */
static double spread_of(double sent, double later)
{
    double low = 0.0, high = SPREAD_MOST;

    if (later <= sent)
        return 0.0;
    while (high - low > 0.01) {
        double middle = (low + high) / 2.0;

        *(last_line(sent, middle) < later ? &low : &high) = middle;
    }
    return high;
}

/* A step by an address for each lane waits for the last of their lines. When that is sent, the
 * first level tells or, where there is none, the rate at which lines are taken. */
bool latency_measure_l3_spread(const struct figure_input *input, struct figure_estimate *e)
{
    const struct vesim_device *device = input->device;
    double sent = (LANES / (double)device->l1_ports - 1.0) * (double)device->l1_line_interval;
    struct figure_estimate l1;

    if (device->l1_bytes && find_divergence(input, first_level(input, "global_uniform"),
                                            first_level(input, "global_divergent"), &l1))
        sent = fmax(l1.value, 0.0);
    if (!find_divergence(input, latency_up_in_l3(input, "global_uniform"),
                         latency_up_in_l3(input, "global_divergent"), e))
        return false;
    e->value = spread_of(sent, e->value);
    e->range = (struct interval){fmax(spread_of(sent, e->range.low) - SPREAD_OF_WAITS, 0.0),
                                 spread_of(sent, e->range.high)};
    return true;
}
