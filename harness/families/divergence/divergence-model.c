/* Family `divergence`: fits the cost of a path.
 *
 * Variants that take `paths` paths give the cost of each path beyond the first. With conditions in
 * a row that is a constant. In a tree, p neighbouring leaves of a subtree have p - 1 conditions
 * above them, of which every path passes log2 p even without divergence. The others, p - 1 - log2 p
 * in all or 1 - log2 p / (p - 1) per further path, are additional.
 *
 * The advice compares conditions in a row with a tree, by the number of paths that a sub-group
 * takes: the cost of all paths beyond the first, per work-item of the sub-group. */
#include "model/advise.h"
#include "model/family-model.h"
#include "model/fit.h"

#include <math.h>
#include <string.h>

#define FAMILY "divergence"

static double further_conditions(double paths)
{
    return 1.0 - log2(paths) / (paths - 1.0);
}

static bool is_divergent(const struct record *r)
{
    return record_is_by(r, "divergent");
}

/* Drops rows with one path, which have no path beyond the first. */
static void keep_further_paths(struct row_set *rows, const struct fit *fit)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->count; i++) {
        if (!(record_parameter(&fit->records->record[rows->index[i]], "paths", NAN) > 1.0))
            continue;
        row_set_move(rows, kept++, i);
    }
    rows->count = kept;
}

static enum status fit_paths(struct fit *fit, struct row_set *rows, const char *name)
{
    static const struct fit_term terms[] = {
        {"per_path", "/path", ""},
        {"per_condition", "/condition", "(1 - log2(p) / (p - 1))"},
    };
    struct form_problem problem = {.terms = 2, .candidates = {1, 3}, .candidate_count = 2};
    struct form form;

    keep_further_paths(rows, fit);
    if (rows->count == 0)
        return fit_absent(fit, name, "no row has more than one path",
                          "vebench run divergence --axis paths=2,4,8,16");
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &fit->records->record[rows->index[i]];

        rows->columns[i] = 1.0;
        rows->columns[rows->count + i] = further_conditions(record_parameter(r, "paths", NAN));
    }
    return fit_equation(fit, name, rows, terms, &problem, &form);
}

static enum status fit_divergence(struct fit *fit)
{
    struct fit_group group;
    enum status status = fit_begin(fit, FAMILY, &group);

    while (status == STATUS_OK && fit_next(fit, &group)) {
        if (is_divergent(&fit->records->record[group.rows.index[0]]))
            status = fit_paths(fit, &group.rows, group.name);
        else
            status = fit_constant(fit, group.name, &group.rows);
    }
    fit_end(&group);
    return status;
}

static bool predict_divergence(const struct model *model, const struct record *r, double *value)
{
    double paths = record_parameter(r, "paths", NAN);
    char name[MODEL_NAME_BYTES];

    parameter_name(name, FAMILY, r->variant, r->subgroup_size);
    if (!is_divergent(r)) {
        *value = model_value(model_find(model, "%s", name), NAN);
        return isfinite(*value);
    }
    if (!model_find(model, "%s.per_path", name) || !(paths > 1.0))
        return false;
    *value =
        model_value(model_find(model, "%s.per_path", name), 0.0) +
        model_value(model_find(model, "%s.per_condition", name), 0.0) * further_conditions(paths);
    return true;
}

#define PATHS_MAX 32u

static enum status add_shape(struct advising *a, const struct parameter *per_path,
                             const struct parameter_parts *parts, unsigned paths,
                             struct choices *choices)
{
    const struct parameter *per_condition =
        parameter_find(a->model, FAMILY, parts->variant, parts->subgroup_size, "per_condition");
    struct estimate terms[2] = {estimate_of(per_path)};
    double further = (paths - 1.0) / parts->subgroup_size;
    double factors[2] = {further, further * (1.0 - log2(paths) / (paths - 1.0))};
    struct choice choice = {.subgroup_size = parts->subgroup_size};

    if (per_condition)
        terms[1] = estimate_of(per_condition);
    memcpy(choice.variant, parts->variant, sizeof(choice.variant));
    choice.cost = estimate_sum(terms, factors, 2);
    return choices_add(choices, &choice, a->error);
}

static enum status advise_paths(struct advising *a, unsigned paths)
{
    char title[64], unit[64];
    struct choices choices = {0};
    enum status status = STATUS_OK;
    struct parameter_parts parts;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (!parameter_parts(p, FAMILY, &parts) || strcmp(p->term, "per_path") != 0 ||
            paths > parts.subgroup_size)
            continue;
        status = add_shape(a, p, &parts, paths, &choices);
    }
    snprintf(title, sizeof(title), "%u paths", paths);
    snprintf(unit, sizeof(unit), "%s for each work-item", model_time_unit(a->model));
    if (status == STATUS_OK)
        status = advise_choices(a, title, &choices, unit);
    choices_free(&choices);
    return status;
}

/* Advises what one further path costs, relative to the path's own work. */
static void advise_further(struct advising *a, const struct parameter *p,
                           const struct parameter_parts *parts)
{
    const struct parameter *own =
        parameter_find(a->model, FAMILY, "straight", parts->subgroup_size, "");
    struct estimate cost = estimate_of(p);

    fprintf(a->out, "%s, sub-group %u: a further path costs ", parts->variant,
            parts->subgroup_size);
    estimate_print(a->out, &cost);
    fprintf(a->out, " %s", p->unit);
    if (own && own->value > 0.0 && isfinite(cost.value / own->value))
        fprintf(a->out, ", %.3g times a path without conditions", cost.value / own->value);
    fputc('\n', a->out);
    a->said++;
}

static enum status advise_divergence(struct advising *a)
{
    enum status status = STATUS_OK;
    struct parameter_parts parts;

    for (size_t i = 0; i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (parameter_parts(p, FAMILY, &parts) && !strcmp(p->term, "per_path"))
            advise_further(a, p, &parts);
    }
    for (unsigned paths = 2; status == STATUS_OK && paths <= PATHS_MAX; paths *= 2)
        status = advise_paths(a, paths);
    return status;
}

const struct family_model family_divergence_model = {
    .family = FAMILY,
    .rank = 70,
    .fit = fit_divergence,
    .predict = predict_divergence,
    .advise = advise_divergence,
};
