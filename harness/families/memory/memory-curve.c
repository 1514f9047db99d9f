#include "families/memory/memory-curve.h"

#include "math/bound-estimate.h"
#include "math/linear-intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_FLIGHTS 3 /* distinct q: two for the parameters, and one to check them */
#define MORE          "vebench run memory_32 --axis workgroup_size=S,4S,16S"

/* The fitted curve: a step takes `latency`, and `per_byte` for each byte. */
struct curve {
    bool overlaps; /* takes the larger of the two, else their sum */
    struct estimate_of_term {
        double value;
        struct interval interval;
        bool is_seen;
    } latency, per_byte;
    double squares; /* sum of squared relative residuals */
    double left_out;
    size_t worst_row;
    double worst_residual;
};

/* Rows of a curve in the form that the fits need. */
struct curve_rows {
    size_t count;
    const double *bytes, *time;
    double *design; /* [count][2] */
    double *weights, *sd;
};

static void fill(struct curve_rows *c, const struct row_set *rows, double *storage)
{
    double squares = 0.0;

    c->design = storage;
    c->weights = c->design + 2 * c->count;
    c->sd = c->weights + c->count;
    for (size_t i = 0; i < c->count; i++)
        squares += pow(rows->sd[i] / rows->y[i], 2.0);
    for (size_t i = 0; i < c->count; i++) {
        c->weights[i] = 1.0 / (c->time[i] * c->time[i]);
        /* Gives all rows the average relative error, so that one that happens to be exact does not
         * count for more. */
        c->sd[i] = c->time[i] * sqrt(squares / (double)c->count);
    }
}

static void judge(struct curve *curve, const struct curve_rows *c, const struct linear_fit *fit)
{
    double largest = -1.0;

    curve->squares = 0.0;
    curve->left_out = fit->left_out_rms;
    for (size_t i = 0; i < c->count; i++) {
        double away = fabs(fit->residual[i] / c->time[i]);

        curve->squares += away * away;
        if (away > largest) {
            largest = away;
            curve->worst_row = i;
            curve->worst_residual = fit->residual[i];
        }
    }
}

/* Fits latency and bytes, or one of them. STATUS_FAILED where the rows do not allow it. */
static enum status fit_terms(struct curve *curve, struct curve_rows *c, bool latency, bool per_byte,
                             uint64_t seed, struct error *error)
{
    size_t columns = (size_t)latency + per_byte;
    struct interval intervals[2];
    struct linear_fit fit;

    for (size_t i = 0; i < c->count; i++) {
        c->design[i * columns] = latency ? 1.0 : c->bytes[i];
        c->design[i * columns + columns - 1] = per_byte ? c->bytes[i] : 1.0;
    }
    enum status status = linear_fit(&fit, c->design, c->time, c->weights, c->count, columns, error);
    if (status != STATUS_OK)
        return status;
    status = linear_intervals(&fit, c->sd, seed, intervals, error);
    if (latency)
        curve->latency = (struct estimate_of_term){fit.coefficient[0], intervals[0], true};
    if (per_byte)
        curve->per_byte =
            (struct estimate_of_term){fit.coefficient[columns - 1], intervals[columns - 1], true};
    judge(curve, c, &fit);
    linear_fit_free(&fit);
    return status;
}

/* One after the other: the terms add up. Drops a term whose interval is not above 0. */
static enum status fit_successive(struct curve *curve, struct curve_rows *c, uint64_t seed,
                                  struct error *error)
{
    *curve = (struct curve){.overlaps = false};
    enum status status = fit_terms(curve, c, true, true, seed, error);
    if (status != STATUS_OK)
        return status;
    struct estimate_of_term latency = curve->latency;
    curve->per_byte.is_seen = curve->per_byte.interval.low > 0.0;
    curve->latency.is_seen = latency.interval.low > 0.0;
    if (!curve->per_byte.is_seen)
        return fit_terms(curve, c, true, false, seed, error);
    if (!curve->latency.is_seen) {
        status = fit_terms(curve, c, false, true, seed, error);
        curve->latency.value = fmax(latency.value, 0.0);
        curve->latency.interval = (struct interval){0.0, fmax(latency.interval.high, 0.0)};
    }
    return status;
}

/* Side by side: the larger term counts. */
static enum status fit_overlapping(struct curve *curve, const struct curve_rows *c, uint64_t seed,
                                   struct error *error)
{
    struct bound_estimate e;
    enum status status = bound_estimate(&e, c->bytes, c->time, c->sd, c->count, seed, error);

    *curve = (struct curve){
        .overlaps = true,
        .latency = {e.found.floor, e.floor, e.floor_seen},
        .per_byte = {e.found.slope, e.slope, e.slope_seen && e.slope.low > 0.0},
        .squares = e.found.squares,
        .left_out = e.left_out_rms,
        .worst_row = e.worst_row,
        .worst_residual = e.worst_residual,
    };
    return status;
}

static enum status add_term(struct fit *fit, const struct row_set *rows, const char *name,
                            const struct curve *curve, bool is_latency)
{
    if (!is_latency && !curve->per_byte.is_seen) {
        char missing[MODEL_NAME_BYTES];

        snprintf(missing, sizeof(missing), "%.80s.bandwidth", name);
        return fit_absent(fit, missing, "no row is limited by it", MORE);
    }
    struct parameter *p = fit_add(fit, name, is_latency ? "latency" : "bandwidth", "", rows);
    if (!p)
        return fit_out_of_memory(fit);
    p->is_larger_of_terms = curve->overlaps;
    snprintf(p->form, sizeof(p->form), "step = %s",
             curve->overlaps ? "max(latency, q / bandwidth)" : "latency + q / bandwidth");
    if (is_latency) {
        snprintf(p->unit, sizeof(p->unit), "%s", model_time_unit(fit->model));
        p->value = curve->latency.value;
        p->interval = curve->latency.interval;
        p->below_resolution = !curve->latency.is_seen;
    } else {
        snprintf(p->unit, sizeof(p->unit), "bytes/%s", fit->in_cycles ? "cycle" : "ns");
        p->value = 1.0 / curve->per_byte.value;
        p->interval.low = 1.0 / curve->per_byte.interval.high;
        p->interval.high = 1.0 / curve->per_byte.interval.low;
    }
    p->left_out_error = curve->left_out;
    p->worst_residual = curve->worst_residual;
    record_describe(&fit->records->record[rows->index[curve->worst_row]], p->worst,
                    sizeof(p->worst));
    return STATUS_OK;
}

/* The form with the smaller residual; STATUS_FAILED where neither can be fitted. */
static enum status choose(struct curve *curve, struct curve_rows *c, uint64_t seed,
                          struct error *error)
{
    struct curve overlapping;
    enum status successive = fit_successive(curve, c, seed, error);

    if (successive == STATUS_NO_MEMORY)
        return successive;
    enum status side_by_side = fit_overlapping(&overlapping, c, seed, error);
    if (side_by_side != STATUS_OK)
        return side_by_side == STATUS_NO_MEMORY ? side_by_side : successive;
    if (successive != STATUS_OK || overlapping.squares < curve->squares)
        *curve = overlapping;
    return STATUS_OK;
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static size_t count_different(const double *numbers, size_t count, double *sorted)
{
    size_t different = count > 0;

    memcpy(sorted, numbers, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), compare_numbers);
    for (size_t i = 1; i < count; i++)
        different += sorted[i] != sorted[i - 1];
    return different;
}

/* The mean over two numbers of bytes in flight is the time of neither: keeps the rows with the
 * fewest. */
static void keep_fewest(struct row_set *rows, const double *bytes)
{
    double fewest = INFINITY;
    size_t kept = 0;

    for (size_t i = 0; i < rows->count; i++)
        fewest = fmin(fewest, bytes[i]);
    for (size_t i = 0; i < rows->count; i++) {
        if (bytes[i] > fewest)
            continue;
        row_set_move(rows, kept++, i);
    }
    rows->count = kept;
}

enum status fit_memory_curve(struct fit *fit, struct row_set *rows, const char *name,
                             const double *bytes, const double *time)
{
    struct curve_rows c = {.count = rows->count, .bytes = bytes, .time = time};
    double *storage = calloc(4 * rows->count + 1, sizeof(*storage));
    enum status status;
    struct curve curve;
    struct error why;

    if (!storage)
        return fit_out_of_memory(fit);
    if (count_different(bytes, rows->count, storage) < LEAST_FLIGHTS) {
        free(storage);
        keep_fewest(rows, bytes);
        return fit_constant(fit, name, rows);
    }
    fill(&c, rows, storage);
    if (choose(&curve, &c, fit->seed, &why) == STATUS_OK) {
        status = add_term(fit, rows, name, &curve, true);
        if (status == STATUS_OK)
            status = add_term(fit, rows, name, &curve, false);
    } else {
        status = fit_failed(fit, name, &why, MORE);
    }
    free(storage);
    return status;
}

double memory_curve_time(const struct parameter *latency, const struct parameter *bandwidth,
                         double bytes)
{
    double wait = model_value(latency, 0.0), transfer = bandwidth ? bytes / bandwidth->value : 0.0;

    return (bandwidth ? bandwidth : latency)->is_larger_of_terms ? fmax(wait, transfer)
                                                                 : wait + transfer;
}
