#include "math/bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums over some rows: a floor f leaves a residual of sum (1 - f u)^2 with u = 1 / y, a slope s one
 * of sum (1 - s v)^2 with v = load / y. */
struct sums {
    double count, u, uu, v, vv;
};

static void add(struct sums *sums, double load, double y, double sign)
{
    double u = 1.0 / y, v = load / y;

    sums->count += sign;
    sums->u += sign * u;
    sums->uu += sign * u * u;
    sums->v += sign * v;
    sums->vv += sign * v * v;
}

/* Rows at the floor and rows at the slope, and the loads on either side of the division. */
struct division {
    struct sums at_floor, at_slope;
    double last_floor, first_slope;
};

static void consider(struct bound *best, const struct division *d, double floor_, double slope)
{
    const struct sums *f = &d->at_floor, *s = &d->at_slope;
    double squares = (f->count - 2.0 * floor_ * f->u + floor_ * floor_ * f->uu) +
                     (s->count - 2.0 * slope * s->v + slope * slope * s->vv);

    if (squares < best->squares)
        *best = (struct bound){floor_, slope, squares};
}

/* The best fit with the bend exactly at the last row of the floor. */
static void consider_edge(struct bound *best, const struct division *d)
{
    const struct sums *f = &d->at_floor, *s = &d->at_slope;
    double load = d->last_floor;
    double slope = (load * f->u + s->v) / (load * load * f->uu + s->vv);

    consider(best, d, load * slope, slope);
}

static void consider_division(struct bound *best, const struct division *d)
{
    double floor_ = d->at_floor.u / d->at_floor.uu, slope = d->at_slope.v / d->at_slope.vv;

    if (d->at_slope.count > 0.5 && floor_ >= d->last_floor * slope &&
        floor_ <= d->first_slope * slope)
        consider(best, d, floor_, slope);
    if (d->last_floor > 0.0) {
        consider_edge(best, d);
    } else if (d->at_slope.count < 0.5) {
        consider(best, d, floor_, 0.0);
    }
}

/* Solves without every `portions`-th row from `portion` on; with all rows where `portions` is 0. */
static bool solve(const struct bound_rows *rows, const double *y, size_t portions, size_t portion,
                  struct bound *found)
{
    struct division d = {{0}, {0}, 0.0, 0.0};
    struct bound best = {NAN, NAN, INFINITY};

    for (size_t k = 0; k < rows->count; k++) {
        size_t i = rows->order[k];

        if (!(y[i] > 0.0))
            return false;
        if (!portions || k % portions != portion)
            add(&d.at_slope, rows->load[i], y[i], 1.0);
    }
    for (size_t k = 0; k < rows->count; k++) {
        size_t i = rows->order[k];

        if (portions && k % portions == portion)
            continue;
        if (d.at_floor.count > 0.0 && rows->load[i] > d.last_floor) {
            d.first_slope = rows->load[i];
            consider_division(&best, &d);
        }
        add(&d.at_floor, rows->load[i], y[i], 1.0);
        add(&d.at_slope, rows->load[i], y[i], -1.0);
        d.last_floor = rows->load[i];
    }
    d.at_slope = (struct sums){0};
    consider_division(&best, &d);
    *found = best;
    found->squares = fmax(best.squares, 0.0);
    return isfinite(best.floor) && isfinite(best.slope);
}

struct loaded {
    double load;
    size_t index;
};

static int compare_loads(const void *left, const void *right)
{
    const struct loaded *a = left, *b = right;
    int order = (a->load > b->load) - (a->load < b->load);

    return order ? order : (a->index > b->index) - (a->index < b->index);
}

enum status bound_rows_sort(struct bound_rows *rows, const double *load, size_t count,
                            struct error *error)
{
    struct loaded *sorted = calloc(count + 1, sizeof(*sorted));

    *rows = (struct bound_rows){.count = count, .load = load};
    rows->order = calloc(count + 1, sizeof(*rows->order));
    if (!sorted || !rows->order) {
        free(sorted);
        bound_rows_free(rows);
        return error_out_of_memory(error);
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct loaded){load[i], i};
    qsort(sorted, count, sizeof(*sorted), compare_loads);
    for (size_t i = 0; i < count; i++)
        rows->order[i] = sorted[i].index;
    free(sorted);
    return STATUS_OK;
}

void bound_rows_free(struct bound_rows *rows)
{
    free(rows->order);
    memset(rows, 0, sizeof(*rows));
}

double bound_at(const struct bound *bound, double load)
{
    return fmax(bound->floor, bound->slope * load);
}

bool bound_solve(const struct bound_rows *rows, const double *y, struct bound *found)
{
    return rows->count > 0 && solve(rows, y, 0, 0, found);
}

/* Zeroes a term that no row is at: it says nothing about the left-out rows. */
static void keep_seen(struct bound *found, const struct bound_rows *rows, size_t portions,
                      size_t portion)
{
    size_t first = 0, last = rows->count - 1;

    while (first % portions == portion)
        first++;
    while (last % portions == portion)
        last--;
    if (found->floor <= found->slope * rows->load[rows->order[first]])
        found->floor = 0.0;
    else if (found->floor >= found->slope * rows->load[rows->order[last]])
        found->slope = 0.0;
}

double bound_left_out_rms(const struct bound_rows *rows, const double *y)
{
    size_t portions = rows->count < BOUND_PORTIONS ? rows->count : BOUND_PORTIONS;
    double sum = 0.0;

    if (rows->count < 2)
        return NAN;
    for (size_t portion = 0; portion < portions; portion++) {
        struct bound found;

        if (!solve(rows, y, portions, portion, &found))
            return NAN;
        keep_seen(&found, rows, portions, portion);
        for (size_t k = portion; k < rows->count; k += portions)
            sum += pow(y[rows->order[k]] - bound_at(&found, rows->load[rows->order[k]]), 2.0);
    }
    return sqrt(sum / (double)rows->count);
}
