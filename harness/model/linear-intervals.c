#include "model/linear-intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct resampling {
    const struct linear_fit *fit;
    const double *design, *weights;
    double *scale;    /* [rows], what a residual of size 1 means in a row */
    double *residual; /* [rows], enlarged and scaled, about 0 */
    double *y;        /* [rows], of a replicate */
    bool is_measured; /* rows scatter no more than their measurement */
};

static bool draw(struct prng *prng, double *values, void *context)
{
    struct resampling *r = context;
    size_t rows = r->fit->rows;
    struct linear_fit fit;
    struct error ignored;

    for (size_t i = 0; i < rows; i++) {
        double drawn =
            r->is_measured ? bootstrap_normal(prng) : r->residual[prng_below(prng, (uint32_t)rows)];

        r->y[i] = r->fit->fitted[i] + r->scale[i] * drawn;
    }
    if (linear_fit(&fit, r->design, r->y, r->weights, rows, r->fit->columns, &ignored) != STATUS_OK)
        return false;
    memcpy(values, fit.coefficient, fit.columns * sizeof *values);
    linear_fit_free(&fit);
    return true;
}

/* Scales residuals to comparable size and asks whether the measurement explains them. */
static void fill(struct resampling *r, const double *row_sd)
{
    size_t rows = r->fit->rows;
    double squares = 0.0, mean = 0.0, smallest = 0.0;

    for (size_t i = 0; i < rows; i++)
        smallest = fmax(smallest, 1e-6 * row_sd[i] + 1e-12 * fabs(r->fit->fitted[i]));
    for (size_t i = 0; i < rows; i++) {
        double rest = fmax(1.0 - r->fit->leverage[i], 1e-10);

        r->scale[i] = fmax(row_sd[i], smallest);
        r->residual[i] = r->scale[i] > 0.0 ? r->fit->residual[i] / r->scale[i] / sqrt(rest) : 0.0;
        squares += r->residual[i] * r->residual[i];
        mean += r->residual[i] / (double)rows;
    }
    r->is_measured = rows <= r->fit->columns || squares <= (double)rows;
    for (size_t i = 0; i < rows; i++)
        r->residual[i] -= mean;
}

enum status linear_intervals(const struct linear_fit *fit, const double *design,
                             const double *weights, const double *row_sd, uint64_t seed,
                             struct interval *intervals, struct error *error)
{
    struct resampling r = {.fit = fit, .design = design, .weights = weights};
    enum status status;

    if (fit->columns > BOOTSTRAP_VALUES_MAX)
        return error_set(error, STATUS_FAILED, "more than %d coefficients", BOOTSTRAP_VALUES_MAX);
    r.scale = calloc(3 * fit->rows, sizeof *r.scale);
    if (!r.scale)
        return error_set(error, STATUS_FAILED, "out of memory");
    r.residual = r.scale + fit->rows;
    r.y = r.residual + fit->rows;
    fill(&r, row_sd);
    status = bootstrap_intervals(draw, &r, fit->columns, seed, intervals, error);
    for (size_t j = 0; status == STATUS_OK && !r.is_measured && j < fit->columns; j++)
        bootstrap_widen(&intervals[j], fit->coefficient[j], fit->rows - fit->columns);
    free(r.scale);
    return status;
}
