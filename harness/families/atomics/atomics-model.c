/* Family `atomics`: fits its rows. An atomic of a work-group that returns nothing takes its own
 * time or, if that is longer, the time for the lanes that share its element to take their turns one
 * after the other.
 *
 *      max(alone, per_lane n)
 *
 * n is the number of the launch's work-items that share an element. The time is that of the loop
 * including the atomic: what would be subtracted for a baseline hides behind the turns.
 *
 * `device` is the most atomics a cycle that all Xe-cores get on neighbouring elements, one each. */
#include "families/atomics/atomics-variants.h"

#include "model/family-model.h"
#include "model/fit-bound.h"

#include <math.h>

#define FAMILY    "atomics"
#define SATURATED 0.95 /* share of the rate that half as many work-items reach */

static const struct bound_terms terms = {
    .floor = {"alone", "/atomic", ""},
    .slope = {"per_lane", "/lane", "n"},
    .command = "vebench run atomics --axis workgroup_size=8S",
};

static bool returns_nothing(const struct record *r)
{
    const struct atomic_variant *atomic = r->descriptor ? r->descriptor->own : NULL;

    return atomic && atomic->kind == ATOMIC_ADD && record_does(r, "add");
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

static double rate_of(const struct fit *fit, const struct record *r)
{
    double items = (double)r->workgroup_size * r->workgroup_count;

    return items * r->work_units / r->loop_ns / (fit->in_cycles ? r->clock_mhz / 1000.0 : 1.0);
}

/* Of all Xe-cores, on neighbouring elements? */
static bool is_of_device(const struct record *r)
{
    return r->xe_cores && r->workgroup_count == r->xe_cores && lanes_of(r) == 1.0 &&
           record_parameter(r, "spacing", 1.0) == 1.0 && r->loop_ns > 0.0 && r->work_units > 0.0;
}

/* Work-groups on several Xe-cores interfere even where they share nothing. */
static bool is_one_rule(const struct record *r)
{
    return r->workgroup_count == 1 || record_parameter(r, "sharers", 1.0) > 1.0;
}

static const struct record *faster(const struct fit *fit, const struct record *a,
                                   const struct record *b)
{
    return !a || rate_of(fit, b) > rate_of(fit, a) ? b : a;
}

/* The row of the highest rate, of those to which twice or half as many work-items make no
 * difference; NULL: there is none. */
static const struct record *find_saturated(const struct fit *fit, const struct row_set *rows)
{
    const struct record *best = NULL;

    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &fit->records->record[rows->index[i]];

        for (size_t k = 0; is_of_device(r) && k < rows->count; k++) {
            const struct record *fewer = &fit->records->record[rows->index[k]];

            if (is_of_device(fewer) && 2 * fewer->workgroup_size <= r->workgroup_size &&
                rate_of(fit, fewer) >= SATURATED * rate_of(fit, r))
                best = faster(fit, best, faster(fit, fewer, r));
        }
    }
    return best;
}

static enum status fit_device(struct fit *fit, const struct row_set *rows, const char *name)
{
    const struct record *r = find_saturated(fit, rows);

    if (!r)
        return STATUS_OK;
    struct parameter *p = fit_add(fit, name, "device", "", rows);
    if (!p)
        return fit_out_of_memory(fit);
    double spread = fabs(r->ci95_hi_ns - r->ci95_lo_ns) / (r->ci95_hi_ns + r->ci95_lo_ns);
    snprintf(p->unit, sizeof(p->unit), "atomics/%s", fit->in_cycles ? "cycle" : "ns");
    snprintf(p->form, sizeof(p->form), "the most of all Xe-cores, on an element each");
    p->value = rate_of(fit, r);
    p->interval =
        (struct interval){p->value * (1.0 - fabs(spread)), p->value * (1.0 + fabs(spread))};
    record_describe(r, p->worst, sizeof(p->worst));
    return STATUS_OK;
}

/* Drops rows that the equation says nothing of. */
static void keep_one_rule(struct row_set *rows, const struct fit *fit)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->count; i++) {
        if (!is_one_rule(&fit->records->record[rows->index[i]]))
            continue;
        row_set_move(rows, kept++, i);
    }
    rows->count = kept;
}

/* Adds what one variant of atomics takes. */
static enum status fit_operation(struct fit *fit, struct row_set *rows, const char *name)
{
    enum status status = fit_device(fit, rows, name);

    keep_one_rule(rows, fit);
    if (status == STATUS_OK && rows->count && use_loops(rows, fit))
        status = fit_bound(fit, rows, name, &terms);
    return status;
}

static enum status fit_atomics(struct fit *fit)
{
    struct fit_group group;
    enum status status = fit_begin(fit, FAMILY, &group);

    while (status == STATUS_OK && fit_next(fit, &group)) {
        if (returns_nothing(&fit->records->record[group.rows.index[0]]))
            status = fit_operation(fit, &group.rows, group.name);
    }
    fit_end(&group);
    return status;
}

/* Predicts the time of the loop, per atomic. */
static bool predict_atomics(const struct model *model, const struct record *r, double *value)
{
    char name[MODEL_NAME_BYTES];

    parameter_name(name, FAMILY, r->variant, r->subgroup_size);
    return returns_nothing(r) && is_one_rule(r) &&
           predict_bound(model, name, &terms, lanes_of(r), value);
}

const struct family_model family_atomics_model = {
    .family = FAMILY,
    .rank = 100,
    .fit = fit_atomics,
    .predict = predict_atomics,
    .predicts_loop = true,
};
