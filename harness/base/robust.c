#include "base/robust.h"

#include "base/stats.h"

#include <math.h>

/* Standard deviation of a normal distribution divided by its median absolute deviation. */
#define SD_OF_MAD 1.4826

/* Where the biweight's weight reaches zero, in standard deviations: six times the median absolute
 * deviation. */
#define BIWEIGHT_REACH (6.0 / SD_OF_MAD)
/* The scale estimated from few values is itself uncertain, and a short reach would reject good
 * values. With this, 95 of 100 intervals of normal values contain the true value from five values
 * on (simulated). */
#define REACH_OF_FEW    4.0
#define BIWEIGHT_STEPS  20
#define FEWEST_TO_JUDGE 5u

/* Groups count as separate if their means differ by this many of their own standard deviations. The
 * best split of a single normal distribution reaches 2.6, of a uniform one 3.5. */
#define APART          5.0
#define SMALLEST_GROUP 0.1
#define CLEAR          0.1 /* of their distance must be free of values */

double robust_slope(const double *x, const double *y, size_t count)
{
    double slopes[ROBUST_POINTS_MAX * (ROBUST_POINTS_MAX - 1) / 2];
    size_t pairs = 0;

    for (size_t i = 0; i < count && i < ROBUST_POINTS_MAX; i++) {
        for (size_t j = 0; j < i; j++)
            slopes[pairs++] = (y[i] - y[j]) / (x[i] - x[j]);
    }
    stats_sort(slopes, pairs);
    return stats_quantile(slopes, pairs, 0.5);
}

double robust_curvature(const double *y, size_t count, double *sd_factor)
{
    double n = (double)count, centre = (n + 1.0) / 2.0, spread = (n * n - 1.0) / 12.0;
    double sum = 0.0, squares = 0.0;

    /* The contrast is orthogonal to constants and to straight lines. */
    for (size_t i = 0; count >= 3 && i < count; i++) {
        double p = (double)(i + 1) - centre, weight = p * p - spread;

        sum += weight * y[i];
        squares += weight * weight;
    }
    if (sd_factor)
        *sd_factor = squares > 0.0 ? 1.0 / sqrt(squares) : 0.0;
    return squares > 0.0 ? sum / squares : 0.0;
}

/* Distance from the middle within which a value has weight. `sorted` ascending; `room` for `count`
 * doubles. */
static double reach_of(const double *sorted, size_t count, double least_sd, double *room)
{
    double median = stats_quantile(sorted, count, 0.5);

    for (size_t i = 0; i < count; i++)
        room[i] = fabs(sorted[i] - median);
    stats_sort(room, count);
    return BIWEIGHT_REACH * (1.0 + REACH_OF_FEW / (double)count) *
           fmax(least_sd, SD_OF_MAD * stats_quantile(room, count, 0.5));
}

size_t robust_wild(double *values, size_t count, double least_sd, double *room)
{
    size_t wild = 0;

    if (count < FEWEST_TO_JUDGE)
        return 0;
    stats_sort(values, count);
    double reach = reach_of(values, count, least_sd, room);
    double median = stats_quantile(values, count, 0.5);
    for (size_t i = 0; i < count; i++)
        wild += fabs(values[i] - median) > reach;
    return wild;
}

size_t robust_degrees(size_t count)
{
    if (count < FEWEST_TO_JUDGE)
        return count ? count - 1 : 0;
    return (size_t)(0.7 * ((double)count - 1.0));
}

static struct robust_mean plain_mean(double *values, size_t count)
{
    struct distribution d = stats_describe(values, count);
    struct robust_mean mean = {d.mean, d.stddev / sqrt((double)count), robust_degrees(count), 0};

    return mean;
}

/* Squared distance from `centre`, in units of the reach. */
static double distance(double value, double centre, double reach)
{
    double u = (value - centre) / reach;

    return u * u;
}

static double biweight(const double *values, size_t count, double reach)
{
    double centre = stats_quantile(values, count, 0.5);

    for (unsigned step = 0; step < BIWEIGHT_STEPS; step++) {
        double sum = 0.0, weights = 0.0;

        for (size_t i = 0; i < count; i++) {
            double u2 = fmin(1.0, distance(values[i], centre, reach));
            double weight = (1.0 - u2) * (1.0 - u2);

            sum += weight * (values[i] - centre);
            weights += weight;
        }
        /* The median of an even count may lie between two groups, near neither. */
        if (!(weights > 0.0))
            break;
        centre += sum / weights;
    }
    return centre;
}

struct robust_mean robust_mean(double *values, size_t count, double least_sd, double *room)
{
    struct robust_mean mean = {NAN, NAN, 0, 0};
    double influence = 0.0, slope = 0.0, n = (double)count;

    if (count < FEWEST_TO_JUDGE)
        return plain_mean(values, count);
    stats_sort(values, count);
    double reach = reach_of(values, count, least_sd, room);
    if (!(reach > 0.0))
        return plain_mean(values, count);
    mean.mean = biweight(values, count, reach);
    for (size_t i = 0; i < count; i++) {
        double u2 = distance(values[i], mean.mean, reach);
        double off = values[i] - mean.mean;

        if (u2 >= 1.0) {
            mean.set_aside++;
            continue;
        }
        influence += off * off * pow(1.0 - u2, 4.0);
        slope += (1.0 - u2) * (1.0 - 5.0 * u2);
    }
    /* Far from normal the slope says little; at least a third of the values count. */
    mean.standard_error = sqrt(influence * n / (n - 1.0)) / fmax(slope, n / 3.0);
    mean.degrees = robust_degrees(count);
    return mean;
}

double robust_ci95_half(const struct robust_mean *mean, double systematic_sd)
{
    return hypot(stats_t975(mean->degrees) * mean->standard_error, STATS_Z975 * systematic_sd);
}

bool robust_two_modes(double *values, size_t count, double least_gap, struct two_modes *modes)
{
    size_t smallest = (size_t)ceil(SMALLEST_GROUP * (double)count);
    double sum = 0.0, squares = 0.0, low = 0.0, low_squares = 0.0, best = HUGE_VAL;
    size_t split = 0;

    if (smallest < 2)
        smallest = 2;
    stats_sort(values, count);
    for (size_t i = 0; i < count; i++) {
        /* Relative to the first value, to avoid cancellation. */
        sum += values[i] - values[0];
        squares += (values[i] - values[0]) * (values[i] - values[0]);
    }
    for (size_t k = 1; k + smallest <= count; k++) {
        double off = values[k - 1] - values[0], n = (double)k, m = (double)(count - k);

        low += off;
        low_squares += off * off;
        double within =
            low_squares - low * low / n + (squares - low_squares) - (sum - low) * (sum - low) / m;
        if (k < smallest || within >= best)
            continue;
        best = within;
        split = k;
        modes->low = values[0] + low / n;
        modes->high = values[0] + (sum - low) / m;
        modes->share = fmin(n, m) / (double)count;
    }
    double gap = split > 0 ? modes->high - modes->low : 0.0;
    return gap > least_gap && gap > APART * sqrt(fmax(best, 0.0) / (double)count) &&
           values[split] - values[split - 1] > CLEAR * gap;
}
