/* Launches: what surrounds a kernel, each thing a constant, but for dispatch. One more work-group
 * takes the time in which the device starts one, or that in which its hardware threads are started.
 */
#include "model/fit-bound.h"

#include <math.h>
#include <string.h>

#define FAMILY "launch"

static const struct bound_terms dispatch_terms = {
    .floor = {"per_group", "/work-group", ""},
    .slope = {"per_thread", "/thread", "n"},
    .command = "vebench run launch --axis workgroup_size=4S,16S,32S",
};

static bool is_dispatch(const struct record *r)
{
    return !strcmp(r->variant, "dispatch");
}

static enum status fit_launch(struct fit *fit)
{
    struct fit_group group;
    enum status status = fit_begin(fit, FAMILY, &group);

    while (status == STATUS_OK && fit_next(fit, &group)) {
        const struct record *first = &fit->records->record[group.rows.index[0]];

        for (size_t i = 0; i < group.rows.count; i++)
            group.rows.columns[i] = record_threads(&fit->records->record[group.rows.index[i]]);
        status = is_dispatch(first) ? fit_bound(fit, &group.rows, group.name, &dispatch_terms)
                                    : fit_constant(fit, group.name, &group.rows);
    }
    fit_end(&group);
    return status;
}

static bool predict_launch(const struct model *model, const struct record *r, double *value)
{
    char name[MODEL_NAME_BYTES];

    snprintf(name, sizeof name, FAMILY ".%.40s.simd%u", r->variant, r->subgroup_size);
    if (is_dispatch(r))
        return predict_bound(model, name, &dispatch_terms, record_threads(r), value);
    *value = model_value(model_find(model, "%s", name), NAN);
    return isfinite(*value);
}

const struct fitter fitter_launch = {
    .family = FAMILY, .fit = fit_launch, .predict = predict_launch};
