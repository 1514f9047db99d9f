/* A cost over the hardware threads of a work-group and the work-groups resident on an Xe-core.
 *
 * The equation is a constant, extended wherever that predicts left-out rows better by: a term for
 * each hardware thread, one for each further work-group, one for both, and a knee beyond which each
 * thread costs more, because there the time goes to what the threads share and no longer to their
 * arrival. */
#include "model/fit-ladder.h"

#include "base/stats.h"
#include "model/contention.h"
#include "model/parameter-name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Terms of the equation; from KNEES on, one for each possible position of a knee. */
enum { BASE, PER_THREAD, PER_GROUP, PER_THREAD_AND_GROUP, KNEES };

/* Drops rows whose work-groups are not all resident at once. */
static void keep_resident(struct row_set *rows, const struct fit *fit)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->count; i++) {
        if (isnan(record_resident_groups(&fit->records->record[rows->index[i]])))
            continue;
        row_set_move(rows, kept++, i);
    }
    rows->count = kept;
}

/* How far two costs may be apart to be the same. */
#define SAME 0.15

static double threads_of(const struct fit *fit, const struct row_set *rows, size_t i)
{
    return record_threads(&fit->records->record[rows->index[i]]);
}

/* A row that is a cost of its own. */
struct lone_row {
    bool is_there;
    size_t index;
    double y, sd;
};

/* Two rows of different numbers of threads and different costs leave none to check a line by, and
 * their mean is the cost of neither: keeps the one with fewer threads, and gives back the other. */
static void keep_checkable(struct row_set *rows, const struct fit *fit, struct lone_row *other)
{
    other->is_there = false;
    if (rows->count != 2 || threads_of(fit, rows, 0) == threads_of(fit, rows, 1) ||
        fabs(rows->y[0] - rows->y[1]) <= fmax(SAME * fmax(fabs(rows->y[0]), fabs(rows->y[1])),
                                              3.0 * (rows->sd[0] + rows->sd[1])))
        return;
    size_t fewer = threads_of(fit, rows, 0) < threads_of(fit, rows, 1) ? 0 : 1;
    *other = (struct lone_row){true, rows->index[!fewer], rows->y[!fewer], rows->sd[!fewer]};
    row_set_move(rows, 0, fewer);
    rows->count = 1;
}

struct ladder_terms {
    struct fit_term term[FORM_TERMS_MAX];
    double knee[FORM_TERMS_MAX]; /* hardware threads, for the terms from KNEES on */
    struct form_problem problem;
};

static size_t distinct_threads(const struct fit *fit, const struct row_set *rows, double *threads,
                               size_t room)
{
    size_t count = 0;

    for (size_t i = 0; i < rows->count; i++) {
        double n = record_threads(&fit->records->record[rows->index[i]]);
        size_t at = 0;

        while (at < count && threads[at] < n)
            at++;
        if ((at < count && threads[at] == n) || count == room)
            continue;
        memmove(&threads[at + 1], &threads[at], (count - at) * sizeof(*threads));
        threads[at] = n;
        count++;
    }
    return count;
}

/* Allows a knee at every measured number of threads except the outermost, and at the geometric mean
 * of each and the next. */
static void add_knees(struct ladder_terms *t, const double *threads, size_t count)
{
    for (size_t i = 1; i + 1 < count; i++) {
        const double knees[] = {threads[i], sqrt(threads[i] * threads[i + 1])};

        for (size_t k = 0; k < 2 && t->problem.terms < FORM_TERMS_MAX; k++) {
            size_t term = t->problem.terms++;

            t->knee[term] = knees[k];
            t->term[term] = (struct fit_term){.name = "per_thread_beyond", .per = "/thread"};
            snprintf(t->term[term].factor, sizeof(t->term[term].factor), "max(0, n - %.4g)",
                     knees[k]);
        }
    }
}

static void add_candidate(struct form_problem *problem, uint32_t terms)
{
    if (problem->candidate_count < FORM_CANDIDATES_MAX)
        problem->candidates[problem->candidate_count++] = terms;
}

static void add_candidates(struct form_problem *problem)
{
    static const uint32_t plain[] = {
        1u << BASE,
        1u << BASE | 1u << PER_THREAD,
        1u << BASE | 1u << PER_GROUP,
        1u << BASE | 1u << PER_THREAD | 1u << PER_GROUP,
        1u << BASE | 1u << PER_THREAD | 1u << PER_GROUP | 1u << PER_THREAD_AND_GROUP,
    };

    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
        add_candidate(problem, plain[i]);
    for (size_t i = 1; i < sizeof(plain) / sizeof(plain[0]); i++) {
        for (size_t knee = KNEES; (plain[i] >> PER_THREAD & 1u) && knee < problem->terms; knee++)
            add_candidate(problem, plain[i] | 1u << knee);
    }
}

static void fill_columns(const struct ladder_terms *t, const struct fit *fit, struct row_set *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &fit->records->record[rows->index[i]];
        double n = record_threads(r), groups = record_resident_groups(r) - 1.0;

        rows->columns[BASE * rows->count + i] = 1.0;
        rows->columns[PER_THREAD * rows->count + i] = n;
        rows->columns[PER_GROUP * rows->count + i] = groups;
        rows->columns[PER_THREAD_AND_GROUP * rows->count + i] = n * groups;
        for (size_t k = KNEES; k < t->problem.terms; k++)
            rows->columns[k * rows->count + i] = fmax(0.0, n - t->knee[k]);
    }
}

/* Adds the position of the knee as a parameter of its own, with the neighbouring candidates as its
 * interval. */
static enum status add_knee(struct fit *fit, const char *name, const struct row_set *rows,
                            const struct ladder_terms *t, const struct form *form)
{
    size_t knee = KNEES;

    while (knee < t->problem.terms && !((form->terms >> knee) & 1u))
        knee++;
    if (form->count == 0 || knee == t->problem.terms)
        return STATUS_OK;
    struct parameter *p = fit_add(fit, name, "knee", "", rows);
    if (!p)
        return fit_out_of_memory(fit);
    /* All but its value is the equation's, as in the parameter before. */
    struct parameter added = *p;
    *p = p[-1];
    memcpy(p->name, added.name, sizeof(p->name));
    memcpy(p->term, added.term, sizeof(p->term));
    snprintf(p->unit, sizeof(p->unit), "hardware threads");
    p->value = t->knee[knee];
    p->interval.low = knee > KNEES ? t->knee[knee - 1] : t->knee[knee];
    p->interval.high = knee + 1 < t->problem.terms ? t->knee[knee + 1] : t->knee[knee];
    return STATUS_OK;
}

/* Are the rows explained better if the waits of their baselines count as part of the cost? */
static enum status find_better(struct fit *fit, const struct row_set *rows, const double *y,
                               struct form_problem *problem, bool *is_better)
{
    struct form own, with;
    struct error why;

    problem->rows = rows->count;
    problem->columns = rows->columns;
    problem->row_sd = rows->sd;
    problem->y = rows->y;
    enum status status = form_choose(&own, problem, fit->seed, &why);
    problem->y = y;
    if (status == STATUS_OK)
        status = form_choose(&with, problem, fit->seed, &why);
    *is_better = status == STATUS_OK && with.left_out_rms < own.left_out_rms;
    return status == STATUS_NO_MEMORY ? fit_out_of_memory(fit) : STATUS_OK;
}

/* Adds the waits of the baselines to the rows, if that explains them better. */
static enum status add_contention(struct fit *fit, struct row_set *rows,
                                  const struct contention *contention, struct form_problem *problem,
                                  bool *added)
{
    double *y = calloc(rows->count, sizeof(*y));
    enum status status = STATUS_OK;

    *added = false;
    if (!y)
        return fit_out_of_memory(fit);
    if (contention_rows(contention, fit, rows, y)) {
        for (size_t i = 0; i < rows->count; i++)
            y[i] += rows->y[i];
        status = find_better(fit, rows, y, problem, added);
    }
    if (*added)
        memcpy(rows->y, y, rows->count * sizeof(*y));
    free(y);
    return status;
}

/* Subtracts what the baseline waits in the equation of the parameters from `first` on. */
static void note_contention(struct model *model, size_t first)
{
    for (size_t i = first; i < model->parameter_count; i++) {
        struct parameter *p = &model->parameter[i];
        size_t used = strlen(p->form);

        p->less_baseline_wait = true;
        snprintf(p->form + used, sizeof(p->form) - used, " - (baseline(m) - baseline(1))");
    }
}

/* Writes "at64", the cost at 64 hardware threads. */
static void name_at(char term[VARIANT_NAME_BYTES], double threads)
{
    snprintf(term, VARIANT_NAME_BYTES, "at%.0f", threads);
}

static enum status add_lone(struct fit *fit, const char *name, const char *term,
                            struct lone_row *lone)
{
    const struct row_set row = {.count = 1, .index = &lone->index, .y = &lone->y, .sd = &lone->sd};
    struct parameter *p = fit_add_row(fit, name, term, &row, 0);

    if (!p)
        return fit_out_of_memory(fit);
    snprintf(p->form, sizeof(p->form), "as measured at so many hardware threads");
    p->least_threads = p->most_threads = (unsigned)threads_of(fit, &row, 0);
    return STATUS_OK;
}

static enum status add_other(struct fit *fit, const char *name, struct lone_row *other)
{
    char term[VARIANT_NAME_BYTES];

    if (!other->is_there)
        return STATUS_OK;
    name_at(term, record_threads(&fit->records->record[other->index]));
    return add_lone(fit, name, term, other);
}

static bool is_of_one_group(const struct fit *fit, const struct row_set *rows, size_t i)
{
    return record_resident_groups(&fit->records->record[rows->index[i]]) == 1.0;
}

/* The row of one work-group with the fewest hardware threads, from `least` on. */
static struct lone_row find_next(const struct fit *fit, const struct row_set *rows, double least)
{
    struct lone_row found = {false};
    double fewest = INFINITY;

    for (size_t i = 0; i < rows->count; i++) {
        double n = threads_of(fit, rows, i);

        if (!is_of_one_group(fit, rows, i) || n < least || n >= fewest)
            continue;
        fewest = n;
        found = (struct lone_row){true, rows->index[i], rows->y[i], rows->sd[i]};
    }
    return found;
}

/* Where no equation holds, each cost stands for its own number of hardware threads, one row each.
 */
static enum status add_each(struct fit *fit, const char *name, const struct row_set *rows)
{
    struct lone_row row = find_next(fit, rows, 0.0);
    enum status status = row.is_there ? add_lone(fit, name, "base", &row) : STATUS_OK;

    while (status == STATUS_OK && row.is_there) {
        row = find_next(fit, rows, record_threads(&fit->records->record[row.index]) + 0.5);
        status = add_other(fit, name, &row);
    }
    return status;
}

const struct parameter *ladder_at(const struct model *model, const char *family,
                                  const char *variant, unsigned subgroup_size, double threads)
{
    char term[VARIANT_NAME_BYTES];

    name_at(term, threads);
    return parameter_find(model, family, variant, subgroup_size, term);
}

static double residual_of(const struct row_set *rows, const struct form *form, size_t row)
{
    double residual = rows->y[row];
    size_t column = 0;

    for (size_t t = 0; t < FORM_TERMS_MAX; t++)
        if (form->terms >> t & 1u)
            residual -= form->coefficient[column++] * rows->columns[t * rows->count + row];
    return residual;
}

static bool has_threads_before(const struct fit *fit, const struct row_set *rows, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (is_of_one_group(fit, rows, i) && threads_of(fit, rows, i) == threads_of(fit, rows, row))
            return true;
    return false;
}

/* Rows from which the equation is further off than this, relatively, and than their noise. */
#define OFF 0.05

/* Those of one work-group are costs of their own, besides; `own` without waits of baselines. */
static enum status add_off(struct fit *fit, const char *name, const struct row_set *rows,
                           const struct form *form, const double *own)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && form->count && i < rows->count; i++) {
        struct lone_row row = {true, rows->index[i], own[i], rows->sd[i]};

        if (is_of_one_group(fit, rows, i) && !has_threads_before(fit, rows, i) &&
            fabs(residual_of(rows, form, i)) > fmax(OFF * fabs(own[i]), 3.0 * rows->sd[i]))
            status = add_other(fit, name, &row);
    }
    return status;
}

/* Fits the equation; form->count is 0 where none holds. `own` are the costs, to which those of
 * `rows` may have waits of baselines added. */
static enum status fit_terms(struct fit *fit, struct row_set *rows, const double *own,
                             const char *name, const struct contention *contention,
                             struct form *form)
{
    struct ladder_terms t = {
        .term = {{"base", "", ""},
                 {"per_thread", "/thread", "n"},
                 {"per_group", "/work-group", "(r - 1)"},
                 {"per_thread_and_group", "/thread/work-group", "n (r - 1)"}},
        .problem = {.terms = KNEES, .is_cost = true},
    };
    double threads[(FORM_TERMS_MAX - KNEES) / 2 + 2];
    size_t first = fit->model->parameter_count;
    enum status status = STATUS_OK;
    bool is_contended = false;

    add_knees(&t, threads,
              distinct_threads(fit, rows, threads, sizeof(threads) / sizeof(threads[0])));
    add_candidates(&t.problem);
    fill_columns(&t, fit, rows);
    if (contention)
        status = add_contention(fit, rows, contention, &t.problem, &is_contended);
    if (status == STATUS_OK)
        status = fit_equation(fit, name, rows, t.term, &t.problem, form);
    if (status == STATUS_OK)
        status = add_knee(fit, name, rows, &t, form);
    if (is_contended)
        note_contention(fit->model, first);
    fit_note_threads(fit, first, rows);
    return status == STATUS_OK ? add_off(fit, name, rows, form, own) : status;
}

enum status fit_ladder(struct fit *fit, struct row_set *rows, const char *name,
                       const struct contention *contention)
{
    struct form form = {.count = 0};
    struct lone_row other;

    keep_resident(rows, fit);
    keep_checkable(rows, fit, &other);
    if (rows->count == 0)
        return STATUS_OK;
    double *own = malloc(rows->count * sizeof(*own));
    if (!own)
        return fit_out_of_memory(fit);
    memcpy(own, rows->y, rows->count * sizeof(*own));
    enum status status = fit_terms(fit, rows, own, name, contention, &form);
    memcpy(rows->y, own, rows->count * sizeof(*own));
    free(own);
    if (status == STATUS_OK && form.count == 0)
        status = add_each(fit, name, rows);
    return status == STATUS_OK ? add_other(fit, name, &other) : status;
}

/* A term of the ladder for the row's family, variant and sub-group size. */
static const struct parameter *term_of(const struct model *model, const struct record *r,
                                       const char *term)
{
    return parameter_find(model, r->benchmark, r->variant, r->subgroup_size, term);
}

bool predict_ladder(const struct model *model, const struct record *r, double *value)
{
    double n = record_threads(r), groups = record_resident_groups(r) - 1.0;

    if (!r->baseline[0])
        return contention_predict(model, r, value);
    const struct parameter *at = ladder_at(model, r->benchmark, r->variant, r->subgroup_size, n);
    if (at && groups == 0.0) {
        *value = model_value(at, 0.0);
        return true;
    }
    const struct parameter *base = term_of(model, r, "base");
    if (!base || isnan(groups))
        return false;
    double knee = model_value(term_of(model, r, "knee"), INFINITY);
    *value = model_value(base, 0.0) + model_value(term_of(model, r, "per_thread"), 0.0) * n +
             model_value(term_of(model, r, "per_group"), 0.0) * groups +
             model_value(term_of(model, r, "per_thread_and_group"), 0.0) * n * groups +
             model_value(term_of(model, r, "per_thread_beyond"), 0.0) * fmax(0.0, n - knee);
    if (base->less_baseline_wait)
        *value -= contention_of(model, r);
    return true;
}

enum status fit_ladders(struct fit *fit)
{
    struct contention contention = {0};
    struct fit_group group;
    enum status status = fit_begin(fit, fit->family, &group);

    if (status == STATUS_OK)
        status = contention_begin(&contention, fit, &group);
    while (status == STATUS_OK && fit_next(fit, &group)) {
        if (fit->records->record[group.rows.index[0]].baseline[0])
            status = fit_ladder(fit, &group.rows, group.name, &contention);
        else
            status = contention_fit(fit, &group.rows, group.name);
    }
    contention_end(&contention);
    fit_end(&group);
    return status;
}
