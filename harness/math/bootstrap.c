#include "math/bootstrap.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

enum status bootstrap_intervals(bootstrap_draw draw, void *context, size_t value_count,
                                uint64_t seed, struct interval *intervals, struct error *error)
{
    double *drawn = calloc(value_count * BOOTSTRAP_REPLICATES + 1, sizeof(*drawn));
    size_t count = 0;
    struct prng prng;

    if (!drawn)
        return error_out_of_memory(error);
    prng_seed(&prng, seed);
    for (size_t i = 0; i < BOOTSTRAP_REPLICATES; i++) {
        double values[BOOTSTRAP_VALUES_MAX];

        if (!draw(&prng, values, context))
            continue;
        for (size_t j = 0; j < value_count; j++)
            drawn[j * BOOTSTRAP_REPLICATES + count] = values[j];
        count++;
    }
    for (size_t j = 0; j < value_count && 2 * count >= BOOTSTRAP_REPLICATES; j++) {
        double *of_value = &drawn[j * BOOTSTRAP_REPLICATES];

        intervals[j].low = stats_select_quantile(of_value, count, 0.025);
        intervals[j].high = stats_select_quantile(of_value, count, 0.975);
    }
    free(drawn);
    if (2 * count < BOOTSTRAP_REPLICATES)
        return error_set(error, STATUS_FAILED, "most resamples of the rows give no estimate");
    return STATUS_OK;
}

double bootstrap_normal(struct prng *prng)
{
    /* In (0, 1], so that the logarithm is finite. */
    double radius = ((double)(prng_next(prng) >> 11) + 1.0) / 9007199254740992.0;
    double turn = (double)(prng_next(prng) >> 11) / 9007199254740992.0;

    return sqrt(-2.0 * log(radius)) * cos(2.0 * PI * turn);
}

void bootstrap_widen(struct interval *interval, double centre, size_t degrees)
{
    double factor = degrees ? stats_t975(degrees) / STATS_Z975 : 1.0;

    interval->low = centre - factor * (centre - interval->low);
    interval->high = centre + factor * (interval->high - centre);
}
