#include "math/linear-intervals.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct resampling {
    const struct linear_fit *fit;
    double *scale;     /* [rows], size of a unit residual in each row */
    double *residual;  /* [rows], enlarged and scaled, centred on 0 */
    double *influence; /* [rows][columns], of a unit residual in each row */
    bool is_measured;  /* rows scatter no more than their measurement explains */
};

static bool draw_coefficients(struct prng *prng, double *values, void *context)
{
    const struct resampling *r = context;
    size_t rows = r->fit->rows, columns = r->fit->columns;

    memcpy(values, r->fit->coefficient, columns * sizeof(*values));
    for (size_t i = 0; i < rows; i++) {
        double drawn = r->residual[prng_below(prng, (uint32_t)rows)];

        for (size_t j = 0; j < columns; j++)
            values[j] += r->influence[i * columns + j] * drawn;
    }
    return true;
}

/* Scales residuals to comparable size and asks whether the measurement explains them. */
static void fill_residuals(struct resampling *r, const double *row_sd)
{
    size_t rows = r->fit->rows, columns = r->fit->columns;
    double squares = 0.0, mean = 0.0, smallest = 0.0;

    for (size_t i = 0; i < rows; i++)
        smallest = fmax(smallest, 1e-6 * row_sd[i] + 1e-12 * fabs(r->fit->fitted[i]));
    for (size_t i = 0; i < rows; i++) {
        double rest = fmax(1.0 - r->fit->leverage[i], 1e-10);

        r->scale[i] = fmax(row_sd[i], smallest);
        r->residual[i] = r->scale[i] > 0.0 ? r->fit->residual[i] / r->scale[i] / sqrt(rest) : 0.0;
        squares += r->residual[i] * r->residual[i];
        mean += r->residual[i] / (double)rows;
        for (size_t j = 0; j < columns; j++)
            r->influence[i * columns + j] = r->scale[i] * r->fit->influence[j * rows + i];
    }
    r->is_measured = rows <= columns || squares <= (double)rows;
    for (size_t i = 0; i < rows; i++)
        r->residual[i] -= mean;
}

/* The interval of a sum of normal errors. */
static void measured_interval(const struct resampling *r, size_t column, struct interval *interval)
{
    double squares = 0.0, value = r->fit->coefficient[column];

    for (size_t i = 0; i < r->fit->rows; i++)
        squares += pow(r->influence[i * r->fit->columns + column], 2.0);
    interval->low = value - STATS_Z975 * sqrt(squares);
    interval->high = value + STATS_Z975 * sqrt(squares);
}

enum status linear_intervals(const struct linear_fit *fit, const double *row_sd, uint64_t seed,
                             struct interval *intervals, struct error *error)
{
    struct resampling r = {.fit = fit};
    enum status status = STATUS_OK;

    if (fit->columns > BOOTSTRAP_VALUES_MAX)
        return error_set(error, STATUS_FAILED, "more than %d coefficients", BOOTSTRAP_VALUES_MAX);
    r.scale = calloc((2 + fit->columns) * fit->rows, sizeof(*r.scale));
    if (!r.scale)
        return error_out_of_memory(error);
    r.residual = r.scale + fit->rows;
    r.influence = r.residual + fit->rows;
    fill_residuals(&r, row_sd);
    if (!r.is_measured)
        status = bootstrap_intervals(draw_coefficients, &r, fit->columns, seed, intervals, error);
    for (size_t j = 0; status == STATUS_OK && j < fit->columns; j++) {
        if (r.is_measured)
            measured_interval(&r, j, &intervals[j]);
        else
            bootstrap_widen(&intervals[j], fit->coefficient[j], fit->rows - fit->columns);
    }
    free(r.scale);
    return status;
}
