/* Families memory_8 to memory_64, what their rows say. For each pattern, working set and stride the
 * bandwidth over the bytes in flight, q / (latency + q / bandwidth): one step of all work-items
 * asks for q bytes, waits for the latency, and then for as long as the bytes take. Of a single q
 * there is only the time of a KiB.
 */
#include "families/memory-model.h"

#include "model/fit.h"
#include "model/nonlinear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_ELEMENTS 16.0 /* of a work-item, as the families' kernels have them */
#define STARTS        3
#define LEAST_FLIGHTS                                                                              \
    3 /* different q that determine two parameters and leave one to check them                     \
       */

enum { LATENCY, BANDWIDTH, PARAMETERS };

/* Rows of one working set and stride. */
struct curve {
    const struct row_set *rows;
    double *bytes;  /* [count], in flight */
    double *time;   /* [count], of a step */
    double *fitted; /* [count] */
    double *drawn;  /* [count] */
    double *weights;
    double spread; /* relative, of the rows about the fit */
    double found[PARAMETERS];
    bool overlaps; /* the larger of latency and transfer, not their sum */
};

double memory_bytes_in_flight(const struct record *r)
{
    double bits = strtod(r->benchmark + strlen("memory_"), NULL), groups = r->workgroup_count;
    double threads = record_threads(r);

    if (r->xe_cores && r->threads_per_xe_core)
        groups = fmin(groups, r->xe_cores * floor(r->threads_per_xe_core / threads));
    return groups * r->workgroup_size * STEP_ELEMENTS * bits / 8.0;
}

static double predict_row(const double *parameters, size_t row, void *context)
{
    const struct curve *c = context;
    double transfer = c->bytes[row] / parameters[BANDWIDTH];

    return c->overlaps ? fmax(parameters[LATENCY], transfer) : parameters[LATENCY] + transfer;
}

/* Relative least squares; the latency is at most the shortest step, the bandwidth at least what the
 * best step has. */
static bool solve(struct curve *c, const double *time, const double *start,
                  struct nonlinear_fit *fit)
{
    double lower[PARAMETERS] = {0}, upper[PARAMETERS], starts[STARTS * PARAMETERS],
           least = INFINITY;
    struct nonlinear_problem problem = {
        .predict = predict_row,
        .context = c,
        .y = time,
        .weights = c->weights,
        .rows = c->rows->count,
        .lower = lower,
        .upper = upper,
        .starts = start ? start : starts,
        .start_count = start ? 1 : STARTS,
        .parameters = PARAMETERS,
    };
    struct error ignored;

    for (size_t i = 0; i < c->rows->count; i++) {
        least = fmin(least, time[i]);
        lower[BANDWIDTH] = fmax(lower[BANDWIDTH], 0.5 * c->bytes[i] / time[i]);
        c->weights[i] = 1.0 / (time[i] * time[i]);
    }
    if (!(least > 0.0))
        return false;
    upper[LATENCY] = 2.0 * least;
    upper[BANDWIDTH] = 1000.0 * lower[BANDWIDTH];
    for (size_t i = 0; i < STARTS; i++) {
        starts[i * PARAMETERS + LATENCY] = 0.9 * least / (double)(i + 1);
        starts[i * PARAMETERS + BANDWIDTH] = 2.0 * lower[BANDWIDTH] * pow(3.0, (double)i);
    }
    return nonlinear_fit(fit, &problem, &ignored) == STATUS_OK;
}

/* Both forms; the one that leaves less. */
static bool solve_forms(struct curve *c, struct nonlinear_fit *best)
{
    bool is_solved = false, best_overlaps = false;

    for (unsigned overlaps = 0; overlaps < 2; overlaps++) {
        struct nonlinear_fit fit;

        c->overlaps = overlaps == 1;
        if (!solve(c, c->time, NULL, &fit))
            continue;
        if (!is_solved || fit.sum_of_squares < best->sum_of_squares) {
            *best = fit;
            best_overlaps = c->overlaps;
        }
        is_solved = true;
    }
    c->overlaps = best_overlaps;
    return is_solved;
}

static bool draw(struct prng *prng, double *values, void *context)
{
    struct curve *c = context;
    struct nonlinear_fit fit;

    for (size_t i = 0; i < c->rows->count; i++) {
        double own = c->rows->sd[i] / fabs(c->rows->y[i]);

        c->drawn[i] = c->fitted[i] * (1.0 + fmax(own, c->spread) * bootstrap_normal(prng));
    }
    if (!solve(c, c->drawn, c->found, &fit))
        return false;
    memcpy(values, fit.parameter, PARAMETERS * sizeof *values);
    return true;
}

static size_t worst_row(struct curve *c)
{
    double squares = 0.0, largest = -1.0;
    size_t worst = 0;

    for (size_t i = 0; i < c->rows->count; i++) {
        double away;

        c->fitted[i] = predict_row(c->found, i, c);
        away = fabs(c->time[i] / c->fitted[i] - 1.0);
        squares += away * away;
        if (away > largest) {
            largest = away;
            worst = i;
        }
    }
    c->spread = sqrt(squares / (double)(c->rows->count - PARAMETERS));
    return worst;
}

static enum status add_curve(struct fit *fit, struct curve *c, const char *name, double left_out)
{
    static const char *const names[] = {"latency", "bandwidth"};
    struct interval intervals[PARAMETERS];
    size_t worst = worst_row(c);
    struct error why;

    if (bootstrap_intervals(draw, c, PARAMETERS, fit->seed, intervals, &why) != STATUS_OK)
        return fit_absent(fit, name, why.text, "vebench run memory_32 --preset full");
    for (size_t i = 0; i < PARAMETERS; i++) {
        struct parameter *p = fit_add(fit, name, names[i], "", c->rows);

        if (!p)
            return fit_out_of_memory(fit);
        if (i == BANDWIDTH)
            snprintf(p->unit, sizeof p->unit, "bytes/%s", fit->in_cycles ? "cycle" : "ns");
        else
            snprintf(p->unit, sizeof p->unit, "%s", fit_unit(fit));
        snprintf(p->form, sizeof p->form, "step = %s",
                 c->overlaps ? "max(latency, q / bandwidth)" : "latency + q / bandwidth");
        bootstrap_widen(&intervals[i], c->found[i], c->rows->count - PARAMETERS);
        p->value = c->found[i];
        p->interval = intervals[i];
        p->left_out_error = left_out;
        p->worst_residual = c->time[worst] - c->fitted[worst];
        record_describe(&fit->records->record[c->rows->index[worst]], p->worst, sizeof p->worst);
    }
    return STATUS_OK;
}

static size_t fill_curve(struct curve *c, const struct fit *fit)
{
    size_t flights = 0;

    for (size_t i = 0; i < c->rows->count; i++) {
        const struct record *r = &fit->records->record[c->rows->index[i]];
        size_t before = 0;

        c->bytes[i] = memory_bytes_in_flight(r);
        c->time[i] = r->loop_ns / r->work_bytes * c->bytes[i] *
                     (fit->in_cycles ? r->clock_mhz / 1000.0 : 1.0);
        while (before < i && c->bytes[before] != c->bytes[i])
            before++;
        flights += before == i;
    }
    return flights;
}

static enum status fit_curve(struct fit *fit, struct row_set *rows, const char *name)
{
    struct curve c = {.rows = rows};
    struct nonlinear_fit best;
    double *storage = calloc(5 * rows->count + 1, sizeof *storage);
    enum status status;

    if (!storage)
        return fit_out_of_memory(fit);
    c.bytes = storage;
    c.time = c.bytes + rows->count;
    c.fitted = c.time + rows->count;
    c.drawn = c.fitted + rows->count;
    c.weights = c.drawn + rows->count;
    if (fill_curve(&c, fit) >= LEAST_FLIGHTS && solve_forms(&c, &best)) {
        memcpy(c.found, best.parameter, sizeof c.found);
        status = add_curve(fit, &c, name, best.left_out_rms);
    } else {
        status = fit_constant(fit, name, rows);
    }
    free(storage);
    return status;
}

static bool same_place(const struct record *a, const struct record *b)
{
    return record_parameter(a, "working_set", NAN) == record_parameter(b, "working_set", NAN) &&
           record_parameter(a, "stride", 1.0) == record_parameter(b, "stride", 1.0);
}

void memory_curve_set(char *set, const struct record *r)
{
    snprintf(set, VARIANT_NAME_BYTES, "set%.0f.stride%.0f", record_parameter(r, "working_set", 0.0),
             record_parameter(r, "stride", 1.0));
}

const struct parameter *memory_find(const struct model *model, const char *family,
                                    const char *variant, unsigned subgroup_size, const char *set,
                                    const char *term)
{
    char end[2 * VARIANT_NAME_BYTES];

    snprintf(end, sizeof end, "%s.%s", set, term);
    return parameter_find(model, family, variant, subgroup_size, end);
}

static void name_curve(char *name, const struct record *r)
{
    char set[VARIANT_NAME_BYTES], rows[MODEL_NAME_BYTES];

    memory_curve_set(set, r);
    parameter_name(rows, r->benchmark, r->variant, r->subgroup_size);
    snprintf(name, MODEL_NAME_BYTES, "%.60s.%.30s", rows, set);
}

/* The rows of `group` that are in the same place as its row `first`, from there on. */
static void select_place(struct row_set *rows, const struct fit *fit, const struct row_set *group,
                         size_t first, bool *done)
{
    const struct record *record = fit->records->record;

    rows->count = 0;
    for (size_t i = first; i < group->count; i++) {
        if (done[i] || !same_place(&record[group->index[first]], &record[group->index[i]]))
            continue;
        row_set_add(rows, fit, group->index[i]);
        done[i] = true;
    }
}

static enum status fit_places(struct fit *fit, const struct row_set *group, struct row_set *rows,
                              bool *done)
{
    enum status status = STATUS_OK;

    memset(done, 0, group->count * sizeof *done);
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++) {
        const struct record *r = &fit->records->record[group->index[i]];
        char name[MODEL_NAME_BYTES];

        if (done[i] || !(r->work_bytes > 0.0) || !(r->loop_ns > 0.0))
            continue;
        select_place(rows, fit, group, i, done);
        name_curve(name, r);
        status = fit_curve(fit, rows, name);
    }
    return status;
}

static enum status fit_width(struct fit *fit, const char *family)
{
    bool *done = calloc(fit->records->count + 1, sizeof *done);
    struct row_set rows = {0};
    struct fit_group group;
    enum status status;

    if (!done)
        return fit_out_of_memory(fit);
    status = fit_begin(fit, family, &group);
    if (status == STATUS_OK)
        status = row_set_allocate(&rows, fit);
    while (status == STATUS_OK && fit_next(fit, &group))
        status = fit_places(fit, &group.rows, &rows, done);
    row_set_free(&rows);
    fit_end(&group);
    free(done);
    return status;
}

static enum status fit_memory(struct fit *fit)
{
    static const char *const widths[] = {"memory_8", "memory_16", "memory_32", "memory_64"};
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < sizeof widths / sizeof widths[0]; i++)
        status = fit_width(fit, widths[i]);
    return status;
}

const struct family_model family_memory_model = {
    .family = "memory_", /* all of them */
    .rank = 30,
    .fit = fit_memory,
    .advise = advise_memory,
};
