#include "math/bound-estimate.h"

#include <math.h>
#include <stdlib.h>

#define CLEARLY 1.2

enum { FLOOR, SLOPE, PARAMETERS };

struct bound_draw {
    struct bound_rows rows;
    const double *y;
    struct bound found;
    double *drawn;           /* [rows], a replicate; owned, like the next two */
    double *fitted, *spread; /* [rows] */
    bool is_scattered;       /* rows scatter by more than the measurement explains */
};

static bool draw(struct prng *prng, double *values, void *context)
{
    struct bound_draw *b = context;
    struct bound found;

    for (size_t i = 0; i < b->rows.count; i++)
        b->drawn[i] = b->fitted[i] + b->spread[i] * bootstrap_normal(prng);
    if (!bound_solve(&b->rows, b->drawn, &found))
        return false;
    values[FLOOR] = found.floor;
    values[SLOPE] = found.slope;
    return true;
}

static void spread_rows(struct bound_draw *b, const double *sd)
{
    size_t count = b->rows.count;
    double relative =
        count > PARAMETERS ? sqrt(b->found.squares / (double)(count - PARAMETERS)) : 0.0;

    for (size_t i = 0; i < count; i++) {
        b->fitted[i] = bound_at(&b->found, b->rows.load[i]);
        b->spread[i] = fmax(sd[i], relative * b->fitted[i]);
        b->is_scattered |= b->spread[i] > sd[i];
    }
}

static void judge_bound(struct bound_estimate *e, const struct bound_draw *b)
{
    e->found = b->found;
    e->left_out_rms = bound_left_out_rms(&b->rows, b->y);
    for (size_t i = 0; i < b->rows.count; i++) {
        double slope = b->found.slope * b->rows.load[i], residual = b->y[i] - b->fitted[i];

        e->slope_seen |= slope > CLEARLY * b->found.floor;
        e->floor_seen |= b->found.floor > slope;
        if (fabs(residual) > fabs(e->worst_residual)) {
            e->worst_residual = residual;
            e->worst_row = i;
        }
    }
}

static enum status find_intervals(struct bound_estimate *e, struct bound_draw *b, uint64_t seed,
                                  struct error *error)
{
    struct interval intervals[PARAMETERS];
    enum status status = bootstrap_intervals(draw, b, PARAMETERS, seed, intervals, error);

    if (status == STATUS_OK && b->is_scattered) {
        bootstrap_widen(&intervals[FLOOR], b->found.floor, b->rows.count - PARAMETERS);
        bootstrap_widen(&intervals[SLOPE], b->found.slope, b->rows.count - PARAMETERS);
    }
    e->floor = intervals[FLOOR];
    e->slope = intervals[SLOPE];
    return status;
}

enum status bound_estimate(struct bound_estimate *estimate, const double *load, const double *y,
                           const double *sd, size_t count, uint64_t seed, struct error *error)
{
    struct bound_draw b = {.y = y};
    enum status status = bound_rows_sort(&b.rows, load, count, error);
    double *storage = calloc(3 * count + 1, sizeof(*storage));

    *estimate = (struct bound_estimate){0};
    if (status == STATUS_OK && !storage)
        status = error_out_of_memory(error);
    if (status == STATUS_OK && !bound_solve(&b.rows, y, &b.found))
        status = error_set(error, STATUS_FAILED, "a row has no time above 0");
    if (status == STATUS_OK) {
        b.drawn = storage;
        b.fitted = b.drawn + count;
        b.spread = b.fitted + count;
        spread_rows(&b, sd);
        judge_bound(estimate, &b);
        status = find_intervals(estimate, &b, seed, error);
    }
    free(storage);
    bound_rows_free(&b.rows);
    return status;
}
