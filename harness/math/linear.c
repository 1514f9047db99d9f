#include "math/linear.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define REFINEMENTS_MAX 10

/* The problem as LAPACK sees it: rows weighted, columns scaled, stored column by column. */
struct system {
    lapack_int rows, columns;
    double *scale;  /* [columns], powers of two */
    double *root;   /* [rows], roots of the weights */
    double *matrix; /* [columns][rows] */
    double *y;      /* [rows] */
    double *qr;     /* [columns][rows], decomposed */
    double *tau;    /* [columns] */
    double *x;      /* [columns], of the scaled columns */
    double *r;      /* [rows], residuals of the weighted rows */
    double *f;      /* [rows], for refinement */
    double *g;      /* [columns], for refinement */
    double *storage;
};

static enum status allocate_system(struct system *s, struct error *error)
{
    size_t rows = (size_t)s->rows, columns = (size_t)s->columns;
    double *at = calloc(2 * rows * columns + 4 * rows + 4 * columns, sizeof(*at));

    if (!at)
        return error_out_of_memory(error);
    s->storage = at;
    s->matrix = at, at += rows * columns;
    s->qr = at, at += rows * columns;
    s->root = at, at += rows;
    s->y = at, at += rows;
    s->r = at, at += rows;
    s->f = at, at += rows;
    s->scale = at, at += columns;
    s->tau = at, at += columns;
    s->x = at, at += columns;
    s->g = at;
    return STATUS_OK;
}

/* Scales by powers of two, which introduce no rounding. */
static bool fill_system(struct system *s, const double *design, const double *y,
                        const double *weights)
{
    size_t rows = (size_t)s->rows, columns = (size_t)s->columns;

    for (size_t i = 0; i < rows; i++) {
        s->root[i] = weights ? sqrt(weights[i]) : 1.0;
        s->y[i] = s->root[i] * y[i];
        if (!isfinite(s->y[i]) || !(s->root[i] > 0.0))
            return false;
    }
    for (size_t j = 0; j < columns; j++) {
        double largest = 0.0;
        int exponent;

        for (size_t i = 0; i < rows; i++) {
            double value = s->root[i] * design[i * columns + j];

            if (!isfinite(value))
                return false;
            s->matrix[j * rows + i] = value;
            largest = fmax(largest, fabs(value));
        }
        frexp(largest, &exponent);
        s->scale[j] = ldexp(1.0, -exponent);
        for (size_t i = 0; i < rows; i++)
            s->matrix[j * rows + i] *= s->scale[j];
    }
    return true;
}

/* LAPACK takes memory for itself, too. */
static enum status lapack_failed(lapack_int info, const char *to_do_what, struct error *error)
{
    if (info == LAPACK_WORK_MEMORY_ERROR)
        return error_out_of_memory(error);
    return error_set(error, STATUS_FAILED, "LAPACK cannot %s", to_do_what);
}

static enum status decompose(struct system *s, struct error *error)
{
    size_t rows = (size_t)s->rows;

    memcpy(s->qr, s->matrix, rows * (size_t)s->columns * sizeof(*s->qr));
    lapack_int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, s->rows, s->columns, s->qr, s->rows, s->tau);
    if (info != 0)
        return lapack_failed(info, "decompose the design", error);
    for (lapack_int j = 0; j < s->columns; j++) {
        if (!(fabs(s->qr[(size_t)j * rows + (size_t)j]) > (double)s->rows * DBL_EPSILON))
            return error_set(error, STATUS_FAILED,
                             "column %d of the design depends on those before it", (int)j + 1);
    }
    return STATUS_OK;
}

/* Multiplies a vector of `rows` by Q ('N') or its transpose ('T'), in place. Not 0: LAPACK's error.
 */
static lapack_int apply_q(const struct system *s, char transpose, double *vector)
{
    return LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', transpose, s->rows, 1, s->columns, s->qr, s->rows,
                          s->tau, vector, s->rows);
}

/* Solves R x = vector ('N') or its transpose ('T'), in place, likewise. */
static lapack_int solve_r(const struct system *s, char transpose, double *vector)
{
    return LAPACKE_dtrtrs(LAPACK_COL_MAJOR, 'U', transpose, 'N', s->columns, 1, s->qr, s->rows,
                          vector, s->columns);
}

/* The defects of residual and solution in r + A x = y and A' r = 0, in long double. */
static void defects(struct system *s)
{
    size_t rows = (size_t)s->rows, columns = (size_t)s->columns;

    for (size_t i = 0; i < rows; i++) {
        long double sum = (long double)s->y[i] - s->r[i];

        for (size_t j = 0; j < columns; j++)
            sum -= (long double)s->matrix[j * rows + i] * s->x[j];
        s->f[i] = (double)sum;
    }
    for (size_t j = 0; j < columns; j++) {
        long double sum = 0.0L;

        for (size_t i = 0; i < rows; i++)
            sum -= (long double)s->matrix[j * rows + i] * s->r[i];
        s->g[j] = (double)sum;
    }
}

/* One refinement step for solution and residual together; `*length` is that of the step in x. Not
 * 0: LAPACK's error. */
static lapack_int refine(struct system *s, double *length)
{
    size_t rows = (size_t)s->rows, columns = (size_t)s->columns;
    double squares = 0.0;

    defects(s);
    lapack_int info = solve_r(s, 'T', s->g);
    if (info == 0)
        info = apply_q(s, 'T', s->f);
    if (info != 0)
        return info;
    for (size_t j = 0; j < columns; j++) {
        double upper = s->f[j];

        s->f[j] = s->g[j];
        s->g[j] = upper - s->g[j];
    }
    info = solve_r(s, 'N', s->g);
    if (info == 0)
        info = apply_q(s, 'N', s->f);
    if (info != 0)
        return info;
    for (size_t j = 0; j < columns; j++) {
        s->x[j] += s->g[j];
        squares += s->g[j] * s->g[j];
    }
    for (size_t i = 0; i < rows; i++)
        s->r[i] += s->f[i];
    *length = sqrt(squares);
    return 0;
}

/* From x = 0 and r = 0 the first step gives the plain solution; steps go on while they shrink. */
static enum status solve_system(struct system *s, struct error *error)
{
    double before = INFINITY;

    for (int step = 0; step < REFINEMENTS_MAX; step++) {
        double length = INFINITY;
        lapack_int info = refine(s, &length);

        if (info != 0 || !isfinite(length))
            return lapack_failed(info, "solve the system", error);
        if (length == 0.0 || length > before / 2.0)
            break;
        before = length;
    }
    return STATUS_OK;
}

/* A coefficient is a weighted sum of the rows' y; the weights are its row of inv(R) Q'. */
static void find_influence(struct linear_fit *fit, const struct system *s, const double *inverse)
{
    size_t rows = (size_t)s->rows, columns = (size_t)s->columns;

    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < rows; i++) {
            double sum = 0.0;

            for (size_t j = k; j < columns; j++)
                sum += inverse[j * rows + k] * s->qr[j * rows + i];
            fit->influence[k * rows + i] = s->scale[k] * s->root[i] * sum;
        }
    }
}

/* Row norms of inv(R), and of Q. */
static enum status find_errors(struct linear_fit *fit, struct system *s, struct error *error)
{
    size_t rows = (size_t)s->rows, columns = (size_t)s->columns;
    double *inverse = s->matrix; /* no longer needed */

    memcpy(inverse, s->qr, rows * columns * sizeof(*inverse));
    lapack_int info = LAPACKE_dtrtri(LAPACK_COL_MAJOR, 'U', 'N', s->columns, inverse, s->rows);
    if (info == 0)
        info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, s->rows, s->columns, s->columns, s->qr, s->rows,
                              s->tau);
    if (info != 0)
        return lapack_failed(info, "invert the decomposition", error);
    for (size_t k = 0; k < columns; k++) {
        double sum = 0.0;

        for (size_t j = k; j < columns; j++)
            sum += inverse[j * rows + k] * inverse[j * rows + k];
        fit->standard_error[k] = fit->residual_sd * sqrt(sum) * s->scale[k];
    }
    for (size_t i = 0; i < rows; i++) {
        fit->leverage[i] = 0.0;
        for (size_t j = 0; j < columns; j++)
            fit->leverage[i] += s->qr[j * rows + i] * s->qr[j * rows + i];
    }
    find_influence(fit, s, inverse);
    return STATUS_OK;
}

static bool has_constant(const double *design, size_t rows, size_t columns)
{
    for (size_t j = 0; j < columns; j++) {
        size_t i = 1;

        while (i < rows && design[i * columns + j] == design[j])
            i++;
        if (i == rows && design[j] != 0.0)
            return true;
    }
    return false;
}

static double r_squared(const struct system *s, const double *y, bool about_mean, double squares)
{
    long double weight = 0.0L, sum = 0.0L, total = 0.0L;

    for (lapack_int i = 0; i < s->rows; i++) {
        weight += (long double)s->root[i] * s->root[i];
        sum += (long double)s->root[i] * s->y[i];
    }
    double mean = about_mean ? (double)(sum / weight) : 0.0;
    for (lapack_int i = 0; i < s->rows; i++) {
        long double away = (long double)s->root[i] * ((long double)y[i] - mean);

        total += away * away;
    }
    if (total == 0.0L)
        return squares == 0.0 ? 1.0 : 0.0;
    return (double)(1.0L - (long double)squares / total);
}

static void judge_fit(struct linear_fit *fit, const struct system *s)
{
    double sum = 0.0, weight = 0.0;

    for (size_t i = 0; i < fit->rows; i++) {
        double rest = 1.0 - fit->leverage[i];

        fit->left_out[i] = rest > 1e-10 ? fit->residual[i] / rest : NAN;
        sum += pow(s->root[i] * fit->left_out[i], 2.0);
        weight += s->root[i] * s->root[i];
    }
    fit->left_out_rms = sqrt(sum / weight);
}

static enum status allocate_fit(struct linear_fit *fit, struct error *error)
{
    double *at = calloc((4 + fit->columns) * fit->rows + 2 * fit->columns, sizeof(*at));

    if (!at)
        return error_out_of_memory(error);
    fit->storage = at;
    fit->fitted = at, at += fit->rows;
    fit->residual = at, at += fit->rows;
    fit->leverage = at, at += fit->rows;
    fit->left_out = at, at += fit->rows;
    fit->influence = at, at += fit->columns * fit->rows;
    fit->coefficient = at, at += fit->columns;
    fit->standard_error = at;
    return STATUS_OK;
}

static enum status fill_fit(struct linear_fit *fit, struct system *s, const double *design,
                            const double *y, struct error *error)
{
    double squares = 0.0;

    for (size_t j = 0; j < fit->columns; j++)
        fit->coefficient[j] = s->x[j] * s->scale[j];
    for (size_t i = 0; i < fit->rows; i++) {
        fit->residual[i] = s->r[i] / s->root[i];
        fit->fitted[i] = y[i] - fit->residual[i];
        squares += s->r[i] * s->r[i];
    }
    fit->r_squared = r_squared(s, y, has_constant(design, fit->rows, fit->columns), squares);
    fit->residual_sd =
        fit->rows > fit->columns ? sqrt(squares / (double)(fit->rows - fit->columns)) : NAN;
    enum status status = find_errors(fit, s, error);
    if (status == STATUS_OK)
        judge_fit(fit, s);
    return status;
}

enum status linear_fit(struct linear_fit *fit, const double *design, const double *y,
                       const double *weights, size_t rows, size_t columns, struct error *error)
{
    struct system system = {.rows = (lapack_int)rows, .columns = (lapack_int)columns};

    memset(fit, 0, sizeof(*fit));
    if (columns == 0 || rows < columns)
        return error_set(error, STATUS_FAILED, "%zu rows cannot determine %zu coefficients", rows,
                         columns);
    fit->rows = rows;
    fit->columns = columns;
    enum status status = allocate_system(&system, error);
    if (status != STATUS_OK)
        return status;
    status = allocate_fit(fit, error);
    if (status == STATUS_OK && !fill_system(&system, design, y, weights))
        status = error_set(error, STATUS_FAILED, "a number in the system is not finite");
    if (status == STATUS_OK)
        status = decompose(&system, error);
    if (status == STATUS_OK)
        status = solve_system(&system, error);
    if (status == STATUS_OK)
        status = fill_fit(fit, &system, design, y, error);
    free(system.storage);
    if (status != STATUS_OK)
        linear_fit_free(fit);
    return status;
}

void linear_fit_free(struct linear_fit *fit)
{
    free(fit->storage);
    memset(fit, 0, sizeof(*fit));
}
