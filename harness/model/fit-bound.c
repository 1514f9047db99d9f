#include "model/fit-bound.h"

#include "model/nonlinear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLEARLY 1.2

enum { FLOOR, SLOPE, PARAMETERS };

/* A fit of some of the rows; each of the arrays has `count`. */
struct bound_fit {
    const double *load;
    double *y, *kept_load;   /* of the fit at hand */
    double *fitted, *spread; /* of the fit of all rows, for the bootstrap */
    const struct row_set *rows;
    double found[PARAMETERS]; /* in all rows */
};

static double bound(const double *parameters, double load)
{
    return fmax(parameters[FLOOR], parameters[SLOPE] * load);
}

static double predict_row(const double *parameters, size_t row, void *context)
{
    return bound(parameters, ((const double *)context)[row]);
}

/* Least squares of y relative to itself, since loads span decades. `start` may be NULL. */
static bool solve(const double *y, const double *load, size_t count, const double *start,
                  double *weights, double *found)
{
    double lower[PARAMETERS] = {0}, upper[PARAMETERS] = {0}, starts[2 * PARAMETERS];
    struct nonlinear_problem problem = {
        .predict = predict_row,
        .context = (void *)(uintptr_t)load,
        .y = y,
        .weights = weights,
        .rows = count,
        .lower = lower,
        .upper = upper,
        .starts = start ? start : starts,
        .start_count = start ? 1 : 2,
        .parameters = PARAMETERS,
    };
    struct nonlinear_fit fit;
    double least = INFINITY, largest = 0.0;
    struct error ignored;

    for (size_t i = 0; i < count; i++) {
        least = fmin(least, y[i]);
        largest = fmax(largest, y[i]);
        upper[FLOOR] = fmax(upper[FLOOR], 2.0 * y[i]);
        upper[SLOPE] = fmax(upper[SLOPE], 2.0 * y[i] / load[i]);
        weights[i] = 1.0 / (y[i] * y[i]);
    }
    if (!(least > 0.0))
        return false;
    /* From mostly floor, and from mostly slope. */
    starts[FLOOR] = least;
    starts[SLOPE] = largest / load[count - 1];
    starts[PARAMETERS + FLOOR] = largest;
    starts[PARAMETERS + SLOPE] = upper[SLOPE] / 4.0;
    for (size_t i = 0; i < 2 * PARAMETERS; i++)
        starts[i] = fmin(starts[i], upper[i % PARAMETERS]);
    if (nonlinear_fit(&fit, &problem, &ignored) != STATUS_OK)
        return false;
    memcpy(found, fit.parameter, PARAMETERS * sizeof *found);
    return true;
}

static double left_out_rms(struct bound_fit *b, double *weights)
{
    const struct row_set *rows = b->rows;
    double sum = 0.0;

    if (rows->count < 2)
        return NAN;
    for (size_t left = 0; left < rows->count; left++) {
        double found[PARAMETERS], away;
        size_t to = 0;

        for (size_t i = 0; i < rows->count; i++) {
            if (i == left)
                continue;
            b->y[to] = rows->y[i];
            b->kept_load[to++] = b->load[i];
        }
        if (!solve(b->y, b->kept_load, to, b->found, weights, found))
            return NAN;
        away = rows->y[left] - bound(found, b->load[left]);
        sum += away * away;
    }
    return sqrt(sum / (double)rows->count);
}

struct bound_draw {
    struct bound_fit *fit;
    double *weights;
};

static bool draw(struct prng *prng, double *values, void *context)
{
    struct bound_draw *d = context;
    struct bound_fit *b = d->fit;

    for (size_t i = 0; i < b->rows->count; i++)
        b->y[i] = b->fitted[i] + b->spread[i] * bootstrap_normal(prng);
    return solve(b->y, b->load, b->rows->count, b->found, d->weights, values);
}

/* Rows scatter by their measurement, or as far as they lie from the fit, whichever is more. */
static void spread_rows(struct bound_fit *b)
{
    const struct row_set *rows = b->rows;
    double squares = 0.0, relative;

    for (size_t i = 0; i < rows->count; i++) {
        b->fitted[i] = bound(b->found, b->load[i]);
        squares += pow(rows->y[i] / b->fitted[i] - 1.0, 2.0);
    }
    relative = rows->count > PARAMETERS ? sqrt(squares / (double)(rows->count - PARAMETERS)) : 0.0;
    for (size_t i = 0; i < rows->count; i++)
        b->spread[i] = fmax(rows->sd[i], relative * b->fitted[i]);
}

static enum status add_term(struct fit *fit, const struct bound_fit *b, const char *name,
                            const struct fit_term *term, size_t which,
                            const struct interval *interval, double left_out)
{
    struct parameter *p = fit_add(fit, name, term->name, term->per, b->rows);
    size_t worst = 0;

    if (!p)
        return fit_out_of_memory(fit);
    for (size_t i = 0; i < b->rows->count; i++) {
        if (fabs(b->rows->y[i] - b->fitted[i]) > fabs(b->rows->y[worst] - b->fitted[worst]))
            worst = i;
    }
    p->value = b->found[which];
    p->interval = *interval;
    p->left_out_error = left_out;
    p->worst_residual = b->rows->y[worst] - b->fitted[worst];
    record_describe(&fit->records->record[b->rows->index[worst]], p->worst, sizeof p->worst);
    return STATUS_OK;
}

/* Is the term clearly the larger one in some row? Else the rows do not determine it. */
static bool is_seen(const struct bound_fit *b, size_t which)
{
    for (size_t i = 0; i < b->rows->count; i++) {
        double slope = b->found[SLOPE] * b->load[i], floor_ = b->found[FLOOR];

        if (which == SLOPE ? slope > CLEARLY * floor_ : floor_ > slope)
            return true;
    }
    return false;
}

static enum status add_terms(struct fit *fit, struct bound_fit *b, const char *name,
                             const struct bound_terms *terms, double *weights)
{
    const struct fit_term *const of[] = {&terms->floor, &terms->slope};
    struct interval intervals[PARAMETERS];
    struct bound_draw context = {b, weights};
    struct error why;
    double left_out = left_out_rms(b, weights);
    enum status status = STATUS_OK;

    if (bootstrap_intervals(draw, &context, PARAMETERS, fit->seed, intervals, &why) != STATUS_OK)
        return fit_absent(fit, name, why.text, terms->command);

    for (size_t i = 0; status == STATUS_OK && i < PARAMETERS; i++) {
        char missing[MODEL_NAME_BYTES];

        snprintf(missing, sizeof missing, "%.60s.%.30s", name, of[i]->name);
        if (is_seen(b, i)) {
            status = add_term(fit, b, name, of[i], i, &intervals[i], left_out);
            if (status == STATUS_OK)
                snprintf(fit->model->parameter[fit->model->parameter_count - 1].form,
                         MODEL_TEXT_BYTES, "max(%s, %s %s)", of[FLOOR]->name, of[SLOPE]->name,
                         of[SLOPE]->factor);
        } else {
            status = fit_absent(fit, missing, "it is not what any row waits for", terms->command);
        }
    }
    return status;
}

enum status fit_bound(struct fit *fit, const struct row_set *rows, const char *name,
                      const struct bound_terms *terms)
{
    struct bound_fit b = {.load = rows->columns, .rows = rows};
    double *storage = calloc(5 * rows->count + 1, sizeof *storage);
    enum status status = STATUS_OK;

    if (!storage)
        return fit_out_of_memory(fit);
    b.y = storage;
    b.kept_load = b.y + rows->count;
    b.fitted = b.kept_load + rows->count;
    b.spread = b.fitted + rows->count;
    if (rows->count && solve(rows->y, b.load, rows->count, NULL, b.spread + rows->count, b.found)) {
        spread_rows(&b);
        status = add_terms(fit, &b, name, terms, b.spread + rows->count);
    } else {
        status = fit_absent(fit, name, "no row has a time above 0", terms->command);
    }
    free(storage);
    return status;
}

enum status fit_bound_misfit(struct fit *fit, const struct row_set *rows, double *misfit)
{
    double *weights = calloc(rows->count + 1, sizeof *weights), found[PARAMETERS];

    if (!weights)
        return fit_out_of_memory(fit);
    if (solve(rows->y, rows->columns, rows->count, NULL, weights, found)) {
        for (size_t i = 0; i < rows->count; i++)
            *misfit += pow(bound(found, rows->columns[i]) / rows->y[i] - 1.0, 2.0);
    }
    free(weights);
    return STATUS_OK;
}

bool predict_bound(const struct model *model, const char *name, const struct bound_terms *terms,
                   double load, double *value)
{
    const struct parameter *floor_ = model_find(model, "%s.%s", name, terms->floor.name);
    const struct parameter *slope = model_find(model, "%s.%s", name, terms->slope.name);

    *value = fmax(model_value(floor_, 0.0), model_value(slope, 0.0) * load);
    return floor_ || slope;
}
