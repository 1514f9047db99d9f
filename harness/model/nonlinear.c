#include "model/nonlinear.h"

#include <float.h>
#include <math.h>
#include <nlopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EVALUATIONS_MAX 20000
#define POLISH_MAX      100
#define HALVINGS_MAX    30
#define SETTLE_BELOW    1e-6 /* of a parameter: what rounding can hide */

static double sum_of_squares(const struct nonlinear_problem *p, const double *parameters)
{
    double sum = 0.0;

    for (size_t i = 0; i < p->rows; i++) {
        double residual = p->y[i] - p->predict(parameters, i, p->context);

        sum += (p->weights ? p->weights[i] : 1.0) * residual * residual;
    }
    return isfinite(sum) ? sum : HUGE_VAL;
}

/* The search runs in coordinates of the start's own size, since parameters can differ by orders of
 * magnitude. */
struct search {
    const struct nonlinear_problem *problem;
    double unit[NONLINEAR_PARAMETERS_MAX];
};

static double objective(unsigned count, const double *x, double *gradient, void *data)
{
    const struct search *search = data;
    double parameters[NONLINEAR_PARAMETERS_MAX];

    (void)gradient; /* both algorithms do without */
    for (unsigned i = 0; i < count; i++)
        parameters[i] = x[i] * search->unit[i];
    return fmin(sum_of_squares(search->problem, parameters), 1e300);
}

static void set_units(struct search *search, const double *start)
{
    const struct nonlinear_problem *p = search->problem;

    for (size_t i = 0; i < p->parameters; i++) {
        search->unit[i] = fabs(start[i]);
        if (search->unit[i] == 0.0)
            search->unit[i] = (p->upper[i] - p->lower[i]) / 10.0;
    }
}

/* One algorithm from x, in units; x gets what it finds, which is never worse. */
static void descend(const struct search *search, nlopt_algorithm algorithm, double *x)
{
    const struct nonlinear_problem *p = search->problem;
    double lower[NONLINEAR_PARAMETERS_MAX], upper[NONLINEAR_PARAMETERS_MAX];
    double tried[NONLINEAR_PARAMETERS_MAX], lowest;
    unsigned count = (unsigned)p->parameters;
    nlopt_opt options = nlopt_create(algorithm, count);

    if (!options)
        return;
    for (unsigned i = 0; i < count; i++) {
        lower[i] = p->lower[i] / search->unit[i];
        upper[i] = p->upper[i] / search->unit[i];
        tried[i] = fmin(fmax(x[i], lower[i]), upper[i]);
    }
    nlopt_set_lower_bounds(options, lower);
    nlopt_set_upper_bounds(options, upper);
    /* An nlopt_func gets its data as a plain pointer. */
    nlopt_set_min_objective(options, objective, (void *)(uintptr_t)search);
    nlopt_set_initial_step1(options, 0.1);
    nlopt_set_ftol_rel(options, 1e-14);
    nlopt_set_xtol_rel(options, 1e-10);
    nlopt_set_maxeval(options, EVALUATIONS_MAX);
    /* Where rounding stops an algorithm, what it has found so far is there all the same. */
    nlopt_optimize(options, tried, &lowest);
    if (objective(count, tried, NULL, (void *)(uintptr_t)search) <=
        objective(count, x, NULL, (void *)(uintptr_t)search))
        memcpy(x, tried, count * sizeof *x);
    nlopt_destroy(options);
}

static void search_from(const struct nonlinear_problem *p, const double *start, double *parameters)
{
    struct search search = {.problem = p};
    double x[NONLINEAR_PARAMETERS_MAX];

    set_units(&search, start);
    for (size_t i = 0; i < p->parameters; i++)
        x[i] = start[i] / search.unit[i];
    descend(&search, NLOPT_LN_BOBYQA, x);
    descend(&search, NLOPT_LN_SBPLX, x);
    for (size_t i = 0; i < p->parameters; i++)
        parameters[i] = fmin(fmax(x[i] * search.unit[i], p->lower[i]), p->upper[i]);
}

/* The problem linearised where the parameters are: those at a bound are held. */
struct tangent {
    double *jacobian; /* [rows][free_count] */
    double *residual; /* [rows] */
    size_t free[NONLINEAR_PARAMETERS_MAX];
    size_t free_count;
};

static bool is_at_bound(const struct nonlinear_problem *p, const double *parameters, size_t i)
{
    double near = 1e-9 * (p->upper[i] - p->lower[i]);

    return parameters[i] - p->lower[i] <= fmin(near, 1e-9 * fabs(parameters[i])) ||
           p->upper[i] - parameters[i] <= fmin(near, 1e-9 * fabs(parameters[i]));
}

/* The parameters that are not held: those at a bound, and those that no row depends on, are. */
static void find_free(struct tangent *t, const struct nonlinear_problem *p,
                      const double *parameters)
{
    double moved[NONLINEAR_PARAMETERS_MAX];

    memcpy(moved, parameters, p->parameters * sizeof *moved);
    t->free_count = 0;
    for (size_t j = 0; j < p->parameters; j++) {
        bool matters = false;

        moved[j] = parameters[j] * (1.0 + cbrt(DBL_EPSILON));
        for (size_t i = 0; i < p->rows && !matters; i++)
            matters = p->predict(moved, i, p->context) != p->predict(parameters, i, p->context);
        moved[j] = parameters[j];
        if (matters && !is_at_bound(p, parameters, j))
            t->free[t->free_count++] = j;
    }
}

/* Derivatives by central differences, with the step that balances rounding and curvature. */
static void linearise(struct tangent *t, const struct nonlinear_problem *p,
                      const double *parameters)
{
    double moved[NONLINEAR_PARAMETERS_MAX];

    memcpy(moved, parameters, p->parameters * sizeof *moved);
    find_free(t, p, parameters);
    for (size_t k = 0; k < t->free_count; k++) {
        size_t j = t->free[k];
        double step = cbrt(DBL_EPSILON) * fabs(parameters[j]);
        double high = parameters[j] + step, low = parameters[j] - step;

        for (size_t i = 0; i < p->rows; i++) {
            double above, below;

            moved[j] = high;
            above = p->predict(moved, i, p->context);
            moved[j] = low;
            below = p->predict(moved, i, p->context);
            t->jacobian[i * t->free_count + k] = (above - below) / (high - low);
        }
        moved[j] = parameters[j];
    }
    for (size_t i = 0; i < p->rows; i++)
        t->residual[i] = p->y[i] - p->predict(parameters, i, p->context);
}

/* A step along `direction`, halved until it lowers the sum of squares within the bounds. */
static bool step_down(const struct nonlinear_problem *p, const struct tangent *t,
                      const double *direction, double *parameters, double *sum)
{
    double tried[NONLINEAR_PARAMETERS_MAX], length = 1.0;

    for (int halving = 0; halving < HALVINGS_MAX; halving++, length /= 2.0) {
        double lower;

        memcpy(tried, parameters, p->parameters * sizeof *tried);
        for (size_t k = 0; k < t->free_count; k++) {
            size_t j = t->free[k];

            tried[j] += length * direction[k];
            tried[j] = fmin(fmax(tried[j], p->lower[j]), p->upper[j]);
        }
        lower = sum_of_squares(p, tried);
        if (lower < *sum) {
            memcpy(parameters, tried, p->parameters * sizeof *tried);
            *sum = lower;
            return true;
        }
    }
    return false;
}

/* The sum of squares is flat at its floor, where rounding hides what is lower. There a whole step
 * is taken as long as steps shrink. */
static bool settle(const struct nonlinear_problem *p, const struct tangent *t,
                   const double *direction, double *parameters, double *before)
{
    double length = 0.0;

    for (size_t k = 0; k < t->free_count; k++)
        length = fmax(length, fabs(direction[k] / parameters[t->free[k]]));
    if (!(length < 0.9 * *before))
        return false;
    *before = length;
    for (size_t k = 0; k < t->free_count; k++) {
        size_t j = t->free[k];

        parameters[j] = fmin(fmax(parameters[j] + direction[k], p->lower[j]), p->upper[j]);
    }
    return true;
}

static void read_errors(struct nonlinear_fit *fit, const struct nonlinear_problem *p,
                        const struct tangent *t, const struct linear_fit *line)
{
    for (size_t j = 0; j < p->parameters; j++)
        fit->standard_error[j] = NAN;
    for (size_t k = 0; k < t->free_count; k++)
        fit->standard_error[t->free[k]] = line->standard_error[k];
    fit->left_out_rms = line->left_out_rms;
    fit->held = p->parameters - t->free_count;
}

/* Where rows do not determine all parameters, there is no more to polish. */
static void polish(struct nonlinear_fit *fit, const struct nonlinear_problem *p, struct tangent *t)
{
    struct error ignored;
    double settled = SETTLE_BELOW;
    bool moves = true;

    for (size_t j = 0; j < p->parameters; j++)
        fit->standard_error[j] = NAN;
    fit->left_out_rms = NAN;
    for (int step = 0; moves; step++) {
        struct linear_fit line;

        linearise(t, p, fit->parameter);
        if (t->free_count == 0 || linear_fit(&line, t->jacobian, t->residual, p->weights, p->rows,
                                             t->free_count, &ignored) != STATUS_OK)
            break;
        read_errors(fit, p, t, &line);
        moves = step < POLISH_MAX &&
                (step_down(p, t, line.coefficient, fit->parameter, &fit->sum_of_squares) ||
                 settle(p, t, line.coefficient, fit->parameter, &settled));
        linear_fit_free(&line);
    }
    fit->sum_of_squares = sum_of_squares(p, fit->parameter);
}

/* Keeps what the searches from a start find, where it is lower than what there is. */
static void try_start(struct nonlinear_fit *fit, const struct nonlinear_problem *p,
                      const double *start)
{
    double from[NONLINEAR_PARAMETERS_MAX], found[NONLINEAR_PARAMETERS_MAX], sum;

    memcpy(from, start, p->parameters * sizeof *from);
    for (int decade = 0; decade <= p->decades; decade++) {
        search_from(p, from, found);
        sum = sum_of_squares(p, found);
        if (sum < fit->sum_of_squares) {
            memcpy(fit->parameter, found, p->parameters * sizeof *found);
            fit->sum_of_squares = sum;
        }
        for (size_t i = 0; i < p->parameters; i++)
            from[i] = fmin(fmax(from[i] / 10.0, p->lower[i]), p->upper[i]);
    }
}

enum status nonlinear_fit(struct nonlinear_fit *fit, const struct nonlinear_problem *problem,
                          struct error *error)
{
    struct tangent tangent = {0};

    memset(fit, 0, sizeof *fit);
    fit->sum_of_squares = HUGE_VAL;
    for (size_t s = 0; s < problem->start_count; s++)
        try_start(fit, problem, &problem->starts[s * problem->parameters]);
    if (fit->sum_of_squares == HUGE_VAL)
        return error_set(error, STATUS_FAILED, "no start of the fit leads to finite residuals");
    tangent.jacobian =
        calloc(problem->rows * (problem->parameters + 1) + 1, sizeof *tangent.jacobian);
    if (!tangent.jacobian)
        return error_set(error, STATUS_FAILED, "out of memory");
    tangent.residual = tangent.jacobian + problem->rows * problem->parameters;
    polish(fit, problem, &tangent);
    free(tangent.jacobian);
    return STATUS_OK;
}
