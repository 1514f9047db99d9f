#include "math/form.h"

#include "base/stats.h"
#include "math/linear-intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOSE_ENOUGH 1.05

struct form_choice {
    const struct form_problem *problem;
    double *design;  /* [rows][columns] of the candidate at hand */
    double *reduced; /* the same with rows left out */
    double *y;       /* [rows] */
    double *weights; /* [rows]; used only if is_weighted */
    double *reduced_weights;
    bool is_weighted;
    double typical_sd;  /* median of the rows' */
    bool out_of_memory; /* some candidate was not tried */
};

static enum status allocate_choice(struct form_choice *c, const struct form_problem *p,
                                   struct error *error)
{
    size_t cells = p->rows * FORM_CHOSEN_MAX;
    double *at = calloc(2 * cells + 3 * p->rows, sizeof(*at));

    c->problem = p;
    c->design = at;
    if (!at)
        return error_out_of_memory(error);
    c->reduced = at + cells;
    c->y = c->reduced + cells;
    c->weights = c->y + p->rows;
    c->reduced_weights = c->weights + p->rows;
    return STATUS_OK;
}

static void weigh_forms(struct form_choice *c)
{
    const struct form_problem *p = c->problem;

    memcpy(c->y, p->row_sd, p->rows * sizeof(*c->y));
    c->typical_sd = stats_select_quantile(c->y, p->rows, 0.5);
    c->is_weighted = c->typical_sd > 0.0;
    for (size_t i = 0; c->is_weighted && i < p->rows; i++)
        c->weights[i] = 2.0 / (pow(p->row_sd[i] / c->typical_sd, 2.0) + 1.0);
}

static size_t fill_design(const struct form_choice *c, uint32_t terms)
{
    const struct form_problem *p = c->problem;
    size_t columns = 0;

    for (size_t t = 0; t < p->terms; t++)
        columns += (terms >> t) & 1u;
    for (size_t t = 0, column = 0; t < p->terms; t++) {
        if (!((terms >> t) & 1u))
            continue;
        for (size_t i = 0; i < p->rows; i++)
            c->design[i * columns + column] = p->columns[t * p->rows + i];
        column++;
    }
    return columns;
}

/* Finds the columns that are nonzero in some row other than `left_out`. */
static size_t remaining_columns(const struct form_choice *c, size_t columns, size_t left_out,
                                size_t *kept)
{
    size_t count = 0;

    for (size_t j = 0; j < columns; j++) {
        for (size_t i = 0; i < c->problem->rows; i++) {
            if (i != left_out && c->design[i * columns + j] != 0.0) {
                kept[count++] = j;
                break;
            }
        }
    }
    return count;
}

/* Fits rows of `columns` numbers of a design, and notes if there was no memory for that. */
static enum status fit_rows(struct form_choice *c, struct linear_fit *fit, const double *design,
                            const double *y, const double *weights, size_t rows, size_t columns,
                            struct error *error)
{
    enum status status =
        linear_fit(fit, design, y, c->is_weighted ? weights : NULL, rows, columns, error);

    c->out_of_memory |= status == STATUS_NO_MEMORY;
    return status;
}

/* The error of predicting a row from the others if these lack one of its terms: predicted without
 * that term. NaN where that fails, too. */
static double left_out_alone(struct form_choice *c, size_t columns, size_t left_out)
{
    const struct form_problem *p = c->problem;
    size_t kept[FORM_CHOSEN_MAX], count = remaining_columns(c, columns, left_out, kept);
    double predicted = 0.0;
    struct linear_fit fit;
    struct error ignored;

    for (size_t i = 0, to = 0; i < p->rows; i++) {
        if (i == left_out)
            continue;
        for (size_t j = 0; j < count; j++)
            c->reduced[to * count + j] = c->design[i * columns + kept[j]];
        c->y[to] = p->y[i];
        c->reduced_weights[to++] = c->weights[i];
    }
    if (count == 0 || fit_rows(c, &fit, c->reduced, c->y, c->reduced_weights, p->rows - 1, count,
                               &ignored) != STATUS_OK)
        return NAN;
    for (size_t j = 0; j < count; j++)
        predicted += fit.coefficient[j] * c->design[left_out * columns + kept[j]];
    linear_fit_free(&fit);
    return p->y[left_out] - predicted;
}

/* The error of a row when it is predicted from the others. */
static double left_out(struct form_choice *c, const struct linear_fit *fit, size_t i)
{
    return isnan(fit->left_out[i]) ? left_out_alone(c, fit->columns, i) : fit->left_out[i];
}

static double left_out_rms(struct form_choice *c, const struct linear_fit *fit)
{
    double sum = 0.0, weight = 0.0;

    for (size_t i = 0; i < fit->rows; i++) {
        double w = c->is_weighted ? c->weights[i] : 1.0, error = left_out(c, fit, i);

        sum += w * error * error;
        weight += w;
    }
    return sqrt(sum / weight);
}

static double left_out_share(struct form_choice *c, const struct linear_fit *fit)
{
    const struct form_problem *p = c->problem;
    double sum = 0.0;

    for (size_t i = 0; i < fit->rows; i++)
        sum += pow(left_out(c, fit, i) / fmax(fabs(p->y[i]), STATS_Z975 * p->row_sd[i]), 2.0);
    return sqrt(sum / (double)fit->rows);
}

/* The same in standard deviations of each row. */
static double left_out_sds(struct form_choice *c, const struct linear_fit *fit)
{
    double sum = 0.0;

    for (size_t i = 0; i < fit->rows; i++)
        sum += pow(left_out(c, fit, i) / c->problem->row_sd[i], 2.0);
    return sqrt(sum / (double)fit->rows);
}

static bool has_negative(const struct linear_fit *fit)
{
    for (size_t j = 0; fit->columns > 1 && j < fit->columns; j++) {
        if (fit->coefficient[j] < 0.0)
            return true;
    }
    return false;
}

static enum status fit_candidate(struct form_choice *c, uint32_t terms, struct linear_fit *fit,
                                 struct error *error)
{
    size_t columns = fill_design(c, terms);

    if (columns > FORM_CHOSEN_MAX)
        return error_set(error, STATUS_FAILED, "a form of more than %d terms", FORM_CHOSEN_MAX);
    return fit_rows(c, fit, c->design, c->problem->y, c->weights, c->problem->rows, columns, error);
}

/* The index of the candidate to take; candidate_count if there is none. */
static size_t choose(struct form_choice *c, struct error *error)
{
    const struct form_problem *p = c->problem;
    double errors[FORM_CANDIDATES_MAX], least = INFINITY;
    size_t first_fitted = p->candidate_count;

    for (size_t i = 0; i < p->candidate_count; i++) {
        struct linear_fit fit;

        errors[i] = INFINITY;
        if (fit_candidate(c, p->candidates[i], &fit, error) != STATUS_OK)
            continue;
        bool is_left = p->is_cost && has_negative(&fit);
        errors[i] = is_left ? INFINITY : left_out_rms(c, &fit);
        linear_fit_free(&fit);
        if (is_left)
            continue;
        if (first_fitted == p->candidate_count)
            first_fitted = i;
        if (errors[i] < least)
            least = errors[i];
    }
    for (size_t i = 0; i < p->candidate_count; i++) {
        if (errors[i] <= fmax(CLOSE_ENOUGH * least, STATS_Z975 * c->typical_sd) &&
            isfinite(errors[i]))
            return i;
    }
    return first_fitted;
}

static void describe_form(struct form *form, struct form_choice *c, const struct linear_fit *fit)
{
    form->count = fit->columns;
    form->left_out_rms = left_out_rms(c, fit);
    form->left_out_share = left_out_share(c, fit);
    form->left_out_sds = left_out_sds(c, fit);
    memcpy(form->coefficient, fit->coefficient, fit->columns * sizeof(*form->coefficient));
    for (size_t i = 0; i < fit->rows; i++) {
        if (fabs(fit->residual[i]) > fabs(form->worst_residual)) {
            form->worst_residual = fit->residual[i];
            form->worst_row = i;
        }
    }
}

enum status form_choose(struct form *form, const struct form_problem *problem, uint64_t seed,
                        struct error *error)
{
    struct form_choice choice = {0};
    struct linear_fit fit;

    memset(form, 0, sizeof(*form));
    if (problem->rows == 0 || problem->candidate_count == 0)
        return error_set(error, STATUS_FAILED, "there are no rows to fit");
    enum status status = allocate_choice(&choice, problem, error);
    if (status != STATUS_OK)
        return status;
    weigh_forms(&choice);
    /* Unless one cannot be fitted and says why. */
    status = error_set(error, STATUS_FAILED, "no equation has costs above 0");
    size_t chosen = choose(&choice, error);
    if (chosen < problem->candidate_count) {
        form->terms = problem->candidates[chosen];
        status = fit_candidate(&choice, form->terms, &fit, error);
    }
    if (status == STATUS_OK) {
        describe_form(form, &choice, &fit);
        status = linear_intervals(&fit, problem->row_sd, seed, form->interval, error);
        linear_fit_free(&fit);
    }
    free(choice.design);
    return choice.out_of_memory ? error_out_of_memory(error) : status;
}
