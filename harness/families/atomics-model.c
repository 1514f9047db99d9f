/* Family `atomics`: fits its rows. An atomic that returns nothing takes its own time or, if that is
 * longer, the time for the lanes that share its element to take their turns one after the other.
 *
 *      max(alone, per_lane n)
 *
 * n is the number of the launch's work-items that share an element. The time is that of the loop
 * including the atomic: what would be subtracted for a baseline hides behind the turns. */
#include "model/family-model.h"
#include "model/fit-bound.h"

#include <math.h>
#include <string.h>

#define FAMILY "atomics"

static const struct bound_terms terms = {
    .floor = {"alone", "/atomic", ""},
    .slope = {"per_lane", "/lane", "n"},
    .command = "vebench run atomics --axis workgroup_size=8S",
};

static bool returns_nothing(const struct record *r)
{
    return strstr(r->variant, "_add_u32") == r->variant + strlen(r->variant) - strlen("_add_u32") ||
           strstr(r->variant, "_add_u64") == r->variant + strlen(r->variant) - strlen("_add_u64");
}

static double lanes_of(const struct record *r)
{
    double items = (double)r->workgroup_size * r->workgroup_count;

    return fmin(items, record_parameter(r, "sharers", 1.0));
}

/* Replaces values by the time of the loop including the atomic, per atomic. */
static bool use_loops(struct row_set *rows, const struct fit *fit)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &fit->records->record[rows->index[i]];

        if (!(r->loop_ns > 0.0) || !(r->work_units > 0.0))
            return false;
        rows->y[i] = r->loop_ns / r->work_units * (fit->in_cycles ? r->clock_mhz / 1000.0 : 1.0);
        rows->columns[i] = lanes_of(r);
    }
    return true;
}

static enum status fit_atomics(struct fit *fit)
{
    struct fit_group group;
    enum status status = fit_begin(fit, FAMILY, &group);

    while (status == STATUS_OK && fit_next(fit, &group)) {
        if (returns_nothing(&fit->records->record[group.rows.index[0]]) &&
            use_loops(&group.rows, fit))
            status = fit_bound(fit, &group.rows, group.name, &terms);
    }
    fit_end(&group);
    return status;
}

/* Predicts the time of the loop, per atomic. */
static bool predict_atomics(const struct model *model, const struct record *r, double *value)
{
    char name[MODEL_NAME_BYTES];

    parameter_name(name, FAMILY, r->variant, r->subgroup_size);
    return returns_nothing(r) && predict_bound(model, name, &terms, lanes_of(r), value);
}

const struct family_model family_atomics_model = {
    .family = FAMILY,
    .rank = 100,
    .fit = fit_atomics,
    .predict = predict_atomics,
    .predicts_loop = true,
};
