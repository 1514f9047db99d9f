#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

#define CHANGE_LEVEL 0.1

struct line_fit stats_fit_line(const double *x, const double *y, size_t count)
{
    struct line_fit fit = {NAN, NAN, NAN, 0.0};
    double mean_x = 0.0;
    double mean_y = 0.0;
    double sxy = 0.0;
    double syy = 0.0;
    double residual = 0.0;

    if (count < 2)
        return fit;
    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / (double)count;
        mean_y += y[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        fit.sxx += (x[i] - mean_x) * (x[i] - mean_x);
        sxy += (x[i] - mean_x) * (y[i] - mean_y);
        syy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    if (!(fit.sxx > 0.0))
        return fit;
    fit.slope = sxy / fit.sxx;
    fit.intercept = mean_y - fit.slope * mean_x;
    for (size_t i = 0; i < count; i++) {
        double off = y[i] - (fit.intercept + fit.slope * x[i]);

        residual += off * off;
    }
    fit.r_squared = syy > 0.0 ? 1.0 - residual / syy : 1.0;
    return fit;
}

double stats_slope_sd(double point_sd, double sxx)
{
    return point_sd / sqrt(sxx);
}

double stats_quantisation_sd(double tick)
{
    return tick / sqrt(6.0);
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

void stats_sort(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), compare_doubles);
}

double stats_quantile(const double *sorted, size_t count, double probability)
{
    if (count == 0)
        return NAN;
    double position = probability * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

static double middle_of(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

static void swap(double *a, double *b)
{
    double kept = *a;

    *a = *b;
    *b = kept;
}

/* Quickselect: moves the value that sorting would put at `wanted` there, with no larger ones before
 * it and no smaller ones after it (Hoare 1961, with values equal to the pivot kept apart). */
static void put_in_place(double *values, size_t count, size_t wanted)
{
    size_t low = 0, high = count;

    while (high - low > 1) {
        double pivot = middle_of(values[low], values[low + (high - low) / 2], values[high - 1]);
        size_t smaller = low, at = low, larger = high;

        while (at < larger) {
            if (values[at] < pivot)
                swap(&values[smaller++], &values[at++]);
            else if (values[at] > pivot)
                swap(&values[at], &values[--larger]);
            else
                at++;
        }
        if (wanted < smaller)
            high = smaller;
        else if (wanted >= larger)
            low = larger;
        else
            return;
    }
}

double stats_select_quantile(double *values, size_t count, double probability)
{
    double position = count ? probability * (double)(count - 1) : 0.0;
    size_t below = (size_t)position;

    if (count == 0)
        return NAN;
    put_in_place(values, count, below);
    if (below + 1 >= count)
        return values[below];
    double next = values[below + 1];
    for (size_t i = below + 2; i < count; i++)
        next = fmin(next, values[i]);
    return values[below] + (position - (double)below) * (next - values[below]);
}

struct distribution stats_describe(double *values, size_t count)
{
    struct distribution d = {count, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double squares = 0.0;

    if (count == 0)
        return d;
    stats_sort(values, count);
    d.min = values[0];
    d.max = values[count - 1];
    d.p05 = stats_quantile(values, count, 0.05);
    d.median = stats_quantile(values, count, 0.5);
    d.p95 = stats_quantile(values, count, 0.95);
    d.mean = 0.0;
    for (size_t i = 0; i < count; i++)
        d.mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - d.mean) * (values[i] - d.mean);
    if (count >= 2)
        d.stddev = sqrt(squares / (double)(count - 1));
    return d;
}

double stats_t975(size_t degrees)
{
    /* For the few degrees for which the expansion below is poor. */
    static const double table[] = {NAN,     12.7062, 4.30265, 3.18245, 2.77645, 2.57058,
                                   2.44691, 2.36462, 2.30600, 2.26216, 2.22814};
    double z2 = STATS_Z975 * STATS_Z975;

    if (degrees < sizeof(table) / sizeof(table[0]))
        return table[degrees];
    /* Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5). */
    double n = (double)degrees;
    double g1 = STATS_Z975 * (z2 + 1.0) / 4.0;
    double g2 = STATS_Z975 * (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / 96.0;
    double g3 = STATS_Z975 * (3.0 * z2 * z2 * z2 + 19.0 * z2 * z2 + 17.0 * z2 - 15.0) / 384.0;
    return STATS_Z975 + g1 / n + g2 / (n * n) + g3 / (n * n * n);
}

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by Lentz's
 * algorithm. */
static double beta_fraction(double a, double b, double x)
{
    enum { TERMS_MOST = 1000 };
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);

    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double f = d;
    for (int m = 1; m < TERMS_MOST; m++) {
        double n = 2.0 * m;
        double terms[] = {m * (b - m) * x / ((a + n - 1.0) * (a + n)),
                          -(a + m) * (a + b + m) * x / ((a + n) * (a + n + 1.0))};
        double change = 1.0;

        for (int i = 0; i < 2; i++) {
            d = 1.0 + terms[i] * d;
            d = 1.0 / (fabs(d) < tiny ? tiny : d);
            c = 1.0 + terms[i] / c;
            c = fabs(c) < tiny ? tiny : c;
            change *= d * c;
        }
        f *= change;
        if (fabs(change - 1.0) < 1e-14)
            break;
    }
    return f;
}

double stats_student(double t, double degrees)
{
    double a = degrees / 2.0, b = 0.5, x = degrees / (degrees + t * t);

    if (isinf(t))
        return 0.0;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1.0) / (a + b + 2.0))
        return front * beta_fraction(a, b, x) / a;
    return x >= 1.0 ? 1.0 : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

double stats_chance(double difference, double error, double degrees)
{
    if (error > 0.0)
        return stats_student(difference / error, degrees);
    return difference == 0.0 ? 1.0 : 0.0;
}

size_t stats_find_change(const double *values, size_t count)
{
    double n = (double)count, sum = 0.0, largest = 0.0;
    size_t before = 0;

    for (size_t i = 0; i < count; i++) {
        /* Pairs on the same side of the point cancel each other. */
        for (size_t j = 0; j < count; j++)
            sum += (values[j] > values[i]) - (values[j] < values[i]);
        if (fabs(sum) > largest) {
            largest = fabs(sum);
            before = i + 1;
        }
    }
    return 2.0 * exp(-6.0 * largest * largest / (n * n * n + n * n)) < CHANGE_LEVEL ? before : 0;
}

double stats_change_size(double *values, size_t count, size_t before)
{
    double weight = (double)before / (double)count;
    double first = stats_describe(values, before).median;
    double second = stats_describe(values + before, count - before).median;
    double mean = weight * first + (1.0 - weight) * second;

    return fmax(fabs(first - mean), fabs(second - mean)) / fabs(mean);
}
