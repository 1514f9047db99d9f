/* Family `pipeline`: fits a step of each kind as a constant for each sub-group size, and barriers
 * over the hardware threads of the work-group. Of baselines, the whole loops of independent
 * instructions have parameters of their own. */
#include "families/pipeline/pipeline-variants.h"

#include "model/family-model.h"
#include "model/fit-ladder.h"

#include <math.h>

#define FAMILY "pipeline"

/* NULL: of a variant that this program does not have. */
static const struct pipeline_variant *variant_of(const struct record *r)
{
    return r->descriptor ? r->descriptor->own : NULL;
}

static bool is(const struct record *r, enum pipeline_kind kind)
{
    return variant_of(r) && variant_of(r)->kind == kind;
}

/* Of work-groups: the baseline of barriers has none. */
static bool is_barrier(const struct record *r)
{
    return is(r, PIPELINE_BARRIER) && r->descriptor->baseline;
}

static bool has_several_groups(const struct record *r)
{
    return variant_of(r) && variant_of(r)->sharing == PIPELINE_SPREAD;
}

static enum status fit_variant(struct fit *fit, struct row_set *rows, const char *name)
{
    const struct record *first = &fit->records->record[rows->index[0]];

    if (is_barrier(first))
        return fit_ladder(fit, rows, name, NULL);
    if (has_several_groups(first)) /* no constant: see pipeline-figures.c */
        return STATUS_OK;
    if (first->baseline[0] || is(first, PIPELINE_LOOP) || is(first, PIPELINE_LANES))
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
