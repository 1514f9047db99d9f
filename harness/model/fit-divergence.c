/* Divergence: what a path costs.
 *
 * Variants with `paths` paths taken give the cost of each path beyond the first. Conditions in a
 * row make that a constant. In a tree of conditions p neighbouring leaves of a subtree have p - 1
 * conditions above them, of which all paths together meet log2 p even when they do not diverge; the
 * others, (p - 1 - log2 p) in all, or 1 - log2 p / (p - 1) for each further path, are met besides.
 */
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
    return strstr(r->variant, "_divergent") != NULL;
}

/* With one path taken there is no path beyond the first. */
static void keep_further_paths(struct row_set *rows, const struct fit *fit)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->count; i++) {
        if (!(record_parameter(&fit->records->record[rows->index[i]], "paths", NAN) > 1.0))
            continue;
        rows->index[kept] = rows->index[i];
        rows->y[kept] = rows->y[i];
        rows->sd[kept++] = rows->sd[i];
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

    snprintf(name, sizeof name, FAMILY ".%.40s.simd%u", r->variant, r->subgroup_size);
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

const struct fitter fitter_divergence = {
    .family = FAMILY, .fit = fit_divergence, .predict = predict_divergence};
