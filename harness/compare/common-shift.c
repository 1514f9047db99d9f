/* What all rows of a run have in common: a clock, most likely. */
#include "base/stats.h"
#include "compare/compare-runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Among fewer rows the middle one may be just what changed. */
#define ROWS_LEAST 20

/* The share of the rows that has to follow. */
#define FOLLOWERS_LEAST 0.75

/* No row differs by more from run to run if nothing has changed. */
#define SCATTER_MOST 0.05

/* Standard deviations of a normal distribution: of a median in those of a mean, and one in median
 * absolute deviations. */
#define MEDIAN_ERROR     1.2533
#define MEDIAN_DEVIATION 1.4826

/* Is it a time above zero in all runs? */
static bool is_complete(const struct compare_runs *runs, const struct record *const *row)
{
    for (size_t r = 0; r < compare_run_count(runs); r++) {
        if (!row[r] || !(row[r]->ci95_lo_ns > 0.0) || !(row[r]->ns_mean > 0.0))
            return false;
    }
    return true;
}

static double mean_log(const struct record *const *row, size_t count)
{
    double sum = 0.0;

    for (size_t r = 0; r < count; r++)
        sum += log(row[r]->ns_mean);
    return sum / (double)count;
}

/* log(new / base), of the means of logarithms. */
static double log_change(const struct compare_runs *runs, const struct record *const *row)
{
    return mean_log(row + runs->base, runs->new) - mean_log(row, runs->base);
}

/* Half of the interval that the rows' own intervals give log_change(). */
static double half_within(const struct compare_runs *runs, const struct record *const *row)
{
    double sum = 0.0;

    for (size_t r = 0; r < compare_run_count(runs); r++) {
        double count = (double)(r < runs->base ? runs->base : runs->new);
        double half = record_half_interval(row[r]) / row[r]->ns_mean / count;

        sum += half * half;
    }
    return sqrt(sum);
}

/* Does the row agree with the shift? Where its interval leaves out how runs differ, it is enough to
 * be near it, and nearer to it than to no change. */
static bool follows(const struct compare_runs *runs, const struct record *const *row, double shift,
                    double threshold)
{
    double change = log_change(runs, row), off = fabs(change - shift);

    return off <= threshold || off <= half_within(runs, row) ||
           off < fmin(fabs(change), SCATTER_MOST);
}

/* The median of the run's rows, each as the logarithm of its ratio to the mean of all runs. */
static double level_of(const struct compare_runs *runs, const struct record *const *const *rows,
                       size_t count, size_t run, double *room)
{
    for (size_t i = 0; i < count; i++)
        room[i] = log(rows[i][run]->ns_mean) - mean_log(rows[i], compare_run_count(runs));
    return stats_select_quantile(room, count, 0.5);
}

/* The standard error that the scatter of rows gives the median of their changes. */
static double error_of_rows(const struct compare_runs *runs,
                            const struct record *const *const *rows, size_t count, double shift,
                            double *room)
{
    for (size_t i = 0; i < count; i++)
        room[i] = fabs(log_change(runs, rows[i]) - shift);
    return MEDIAN_ERROR * MEDIAN_DEVIATION * stats_select_quantile(room, count, 0.5) /
           sqrt((double)count);
}

static double mean_of(const double *values, size_t count)
{
    double sum = 0.0;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* The square of the standard error that the scatter of runs within their side gives the shift. */
static double square_of_runs(const struct compare_runs *runs, const double *levels,
                             const double means[2])
{
    double squares = 0.0;

    for (size_t r = 0; r < compare_run_count(runs); r++) {
        double off = levels[r] - means[r >= runs->base];

        squares += off * off;
    }
    return squares / (double)(compare_run_count(runs) - 2) *
           (1.0 / (double)runs->base + 1.0 / (double)runs->new);
}

/* Judges the shift by whichever scatters more, runs or rows; with one run a side by the rows. */
static void judge_common(struct common_shift *shift, const struct compare_runs *runs,
                         const double *levels, const double means[2])
{
    bool several = compare_run_count(runs) > 2;
    double value = means[1] - means[0], error = shift->row_error;
    size_t degrees = several ? compare_run_count(runs) - 2 : shift->rows - 1;

    if (several)
        error = sqrt(fmax(error * error, square_of_runs(runs, levels, means)));
    double half = stats_t975(degrees) * error;
    shift->change = expm1(value);
    shift->low = expm1(value - half);
    shift->high = expm1(value + half);
    shift->probability = stats_chance(value, error, (double)degrees);
}

static void find(struct compare_runs *runs, const struct record *const *const *rows, size_t count,
                 double threshold, double *room, struct common_shift *shift)
{
    double levels[COMPARE_RUNS_MAX], means[2];
    size_t followers = 0;

    for (size_t r = 0; r < compare_run_count(runs); r++)
        levels[r] = level_of(runs, rows, count, r, room);
    means[0] = mean_of(levels, runs->base);
    means[1] = mean_of(levels + runs->base, runs->new);
    for (size_t i = 0; i < count; i++)
        followers += follows(runs, rows[i], means[1] - means[0], threshold);
    if ((double)followers < FOLLOWERS_LEAST * (double)count)
        return;
    shift->is_common = true;
    shift->rows = count;
    shift->row_error = error_of_rows(runs, rows, count, means[1] - means[0], room);
    judge_common(shift, runs, levels, means);
    for (size_t r = 0; r < compare_run_count(runs); r++)
        runs->run[r].factor = exp(levels[r] - means[0]);
}

enum status compare_find_shift(struct compare_runs *runs, double threshold,
                               struct common_shift *shift, struct error *error)
{
    const struct record *const **rows = calloc(runs->row_count + 1, sizeof(*rows));
    double *room = calloc(runs->row_count + 1, sizeof(*room));
    size_t count = 0;

    memset(shift, 0, sizeof(*shift));
    if (rows && room) {
        for (size_t i = 0; i < runs->row_count; i++) {
            if (is_complete(runs, compare_row(runs, i)))
                rows[count++] = compare_row(runs, i);
        }
        if (count >= ROWS_LEAST)
            find(runs, rows, count, threshold, room, shift);
    }
    enum status status = rows && room ? STATUS_OK : error_out_of_memory(error);
    free(rows);
    free(room);
    return status;
}
