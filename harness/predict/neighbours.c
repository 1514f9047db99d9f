#include "predict/neighbours.h"

#include "base/stats.h"
#include "base/text.h"

#include <math.h>

double launch_distance(const struct launch_size *a, const struct launch_size *b)
{
    double lanes = log2(a->lanes / b->lanes), squares = lanes * lanes;

    for (size_t i = 0; i < 3; i++) {
        double local = log2(a->local[i] / b->local[i]), count = log2(a->count[i] / b->count[i]);

        squares += local * local + count * count;
    }
    return fmax(sqrt(squares), 1.0);
}

double neighbour_ratio(const struct neighbour *neighbour)
{
    return neighbour->measured / neighbour->predicted;
}

bool neighbours_tell(const struct neighbours *neighbours)
{
    return neighbours->count >= NEIGHBOURS_ENOUGH &&
           text_same(neighbours->mechanism, neighbours->at[0].mechanism);
}

/* By how much the logarithm of the ratio may differ from the nearest's, for each doubling. */
static double step_of(const struct neighbours *neighbours)
{
    const struct neighbour *nearest = &neighbours->at[0];
    double correction = fabs(log(neighbour_ratio(nearest))), squares = 0.0, most = 0.0;

    for (size_t i = 1; i < neighbours->count; i++) {
        const struct neighbour *other = &neighbours->at[i];
        double step = log(neighbour_ratio(other) / neighbour_ratio(nearest)) /
                      sqrt(launch_distance(&other->size, &nearest->size));

        squares += step * step;
        most = fmax(most, fabs(step));
    }
    if (!neighbours_tell(neighbours))
        return fmax(correction, most);
    size_t steps = neighbours->count - 1;
    return stats_t975(steps) * sqrt(squares / (double)steps);
}

void neighbours_widen(const struct neighbours *neighbours, struct prediction_interval *interval)
{
    const struct neighbour *nearest = &neighbours->at[0];
    double differs = step_of(neighbours) * sqrt(launch_distance(&neighbours->size, &nearest->size));

    interval_widen(interval, hypot(log(nearest->measured / nearest->low), differs),
                   hypot(log(nearest->high / nearest->measured), differs));
}
