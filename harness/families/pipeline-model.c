/* Family `pipeline`: fits a step of each kind as a constant for each sub-group size, and barriers
 * over the hardware threads of the work-group. Baselines have no parameters of their own. */
#include "model/family-model.h"
#include "model/fit-ladder.h"

#include <math.h>
#include <string.h>

#define FAMILY "pipeline"

static bool is_barrier(const struct record *r)
{
    return !strncmp(r->variant, "barrier", strlen("barrier"));
}

static bool is_loop(const struct record *r)
{
    return !strcmp(r->variant, "loop");
}

static enum status fit_variant(struct fit *fit, struct row_set *rows, const char *name)
{
    const struct record *first = &fit->records->record[rows->index[0]];

    if (is_barrier(first))
        return fit_ladder(fit, rows, name, NULL);
    if (first->baseline[0] || is_loop(first))
        return fit_constant(fit, name, rows);
    return STATUS_OK;
}

static enum status fit_pipeline(struct fit *fit)
{
    struct fit_group group;
    enum status status = fit_begin(fit, FAMILY, &group);

    while (status == STATUS_OK && fit_next(fit, &group))
        status = fit_variant(fit, &group.rows, group.name);
    fit_end(&group);
    return status;
}

static bool predict_pipeline(const struct model *model, const struct record *r, double *value)
{
    if (is_barrier(r))
        return predict_ladder(model, r, value);
    *value = model_value(parameter_find(model, FAMILY, r->variant, r->subgroup_size, ""), NAN);
    return isfinite(*value);
}

const struct family_model family_pipeline_model = {
    .family = FAMILY,
    .rank = 90,
    .fit = fit_pipeline,
    .predict = predict_pipeline,
};
