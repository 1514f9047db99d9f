/* Family `launch`: fits the overheads around a kernel. Dispatch: one more work-group takes the time
 * in which the device starts a work-group, or the time in which its hardware threads are started.
 * Duration, and that of straight-line code: that of the fewest threads, because starting more of
 * them is dispatch. Everything else is a constant. */
#include "families/launch/launch-variants.h"

#include "model/advise.h"
#include "model/family-model.h"
#include "model/fit-bound.h"

#include <math.h>
#include <string.h>

#define FAMILY "launch"

static const struct bound_terms dispatch_terms = {
    .floor = {"per_group", "/work-group", ""},
    .slope = {"per_thread", "/thread", "n"},
    .command = "vebench run launch --axis workgroup_size=4S,16S,32S",
};

static bool is_of(const struct variant *variant, enum launch_observed observed)
{
    const struct launch_variant *launch = variant ? variant->own : NULL;

    return launch && launch->observed == observed;
}

static bool observes(const struct record *r, enum launch_observed observed)
{
    return is_of(r->descriptor, observed);
}

static bool is_dispatch(const struct record *r)
{
    return observes(r, LAUNCH_DISPATCH);
}

static bool is_duration(const struct record *r)
{
    return observes(r, LAUNCH_DURATION) || observes(r, LAUNCH_CODE);
}

static double threads_of(const struct record *r)
{
    return record_threads(r) * r->workgroup_count;
}

/* Keeps the launches of the fewest hardware threads. */
static void keep_smallest(struct row_set *rows, const struct fit *fit)
{
    double least = INFINITY;
    size_t kept = 0;

    for (size_t i = 0; i < rows->count; i++)
        least = fmin(least, threads_of(&fit->records->record[rows->index[i]]));
    for (size_t i = 0; i < rows->count; i++) {
        if (threads_of(&fit->records->record[rows->index[i]]) > least)
            continue;
        row_set_move(rows, kept++, i);
    }
    rows->count = kept;
}

static enum status fit_duration(struct fit *fit, struct fit_group *group)
{
    size_t first = fit->model->parameter_count;

    keep_smallest(&group->rows, fit);
    unsigned threads = (unsigned)threads_of(&fit->records->record[group->rows.index[0]]);
    enum status status = fit_constant(fit, group->name, &group->rows);
    for (size_t i = first; i < fit->model->parameter_count; i++)
        fit->model->parameter[i].least_threads = fit->model->parameter[i].most_threads = threads;
    return status;
}

/* Notes, of what a thread takes, the smallest work-groups in which threads are what takes longest.
 * Smaller ones take as long as a work-group's own start. */
static void note_threads_that_tell(const struct fit *fit, size_t first, const struct row_set *rows)
{
    struct parameter *added = &fit->model->parameter[first];
    size_t count = fit->model->parameter_count - first;

    if (count != 2)
        return;
    double least = added[1].most_threads;
    for (size_t i = 0; i < rows->count; i++) {
        if (added[1].value * rows->columns[i] >= added[0].value)
            least = fmin(least, rows->columns[i]);
    }
    added[1].least_threads = (unsigned)least;
}

static enum status fit_dispatch(struct fit *fit, struct fit_group *group)
{
    size_t first = fit->model->parameter_count;

    for (size_t i = 0; i < group->rows.count; i++)
        group->rows.columns[i] = record_threads(&fit->records->record[group->rows.index[i]]);
    enum status status = fit_bound(fit, &group->rows, group->name, &dispatch_terms);
    fit_note_threads(fit, first, &group->rows);
    note_threads_that_tell(fit, first, &group->rows);
    return status;
}

static enum status fit_launch(struct fit *fit)
{
    struct fit_group group;
    enum status status = fit_begin(fit, FAMILY, &group);

    while (status == STATUS_OK && fit_next(fit, &group)) {
        const struct record *first = &fit->records->record[group.rows.index[0]];

        if (is_dispatch(first))
            status = fit_dispatch(fit, &group);
        else if (is_duration(first))
            status = fit_duration(fit, &group);
        else
            status = fit_constant(fit, group.name, &group.rows);
    }
    fit_end(&group);
    return status;
}

static bool predict_launch(const struct model *model, const struct record *r, double *value)
{
    char name[MODEL_NAME_BYTES];

    parameter_name(name, FAMILY, r->variant, r->subgroup_size);
    if (is_dispatch(r))
        return predict_bound(model, name, &dispatch_terms, record_threads(r), value);
    const struct parameter *p = model_find(model, "%s", name);
    *value = model_value(p, NAN);
    return isfinite(*value) &&
           (!is_duration(r) || !p->most_threads || threads_of(r) == p->most_threads);
}

static void advise_dispatch(struct advising *a, const struct parameter *per_group,
                            const struct parameter_parts *parts)
{
    const struct parameter *per_thread =
        parameter_find(a->model, FAMILY, parts->variant, parts->subgroup_size, "per_thread");

    if (!per_thread || !(per_thread->interval.low > 0.0))
        return;
    double threads = per_group->value / per_thread->value;
    fprintf(a->out,
            "%s, sub-group %u: below %.3g hardware threads [%.3g, %.3g] (%.0f work-items) a "
            "work-group costs its start, %.4g %s, however few they are: use larger ones\n",
            parts->variant, parts->subgroup_size, threads,
            per_group->interval.low / per_thread->interval.high,
            per_group->interval.high / per_thread->interval.low,
            ceil(threads) * parts->subgroup_size, per_group->value, per_group->unit);
    a->said++;
}

/* Of one hardware thread, so sizes are not compared: the lanes of each do the same. */
static void advise_code(struct advising *a, const struct parameter *first,
                        const struct parameter_parts *parts)
{
    const struct launch_variant *code = parts->descriptor->own;
    const struct parameter *fetched =
        code->fetched ? parameter_find(a->model, FAMILY, code->fetched, parts->subgroup_size, "")
                      : NULL;

    if (!fetched || !(first->interval.low > fetched->interval.high))
        return;
    fprintf(a->out,
            "%s, sub-group %u: the first launch of a command list has its code to fetch: it takes "
            "%.5g %s, and later ones %.5g\n",
            parts->variant, parts->subgroup_size, first->value, first->unit, fetched->value);
    a->said++;
}

/* Compares constants of the same variant over sub-group sizes. */
static enum status advise_constant(struct advising *a, const struct parameter_parts *parts,
                                   const char *unit)
{
    struct choices choices = {0};
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];
        struct choice choice = {.cost = estimate_of(p)};
        struct parameter_parts other;

        if (p->term[0] || !parameter_parts(p, a->family, &other) ||
            strcmp(other.variant, parts->variant) != 0)
            continue;
        memcpy(choice.variant, other.variant, sizeof(choice.variant));
        choice.subgroup_size = other.subgroup_size;
        status = choices_add(&choices, &choice, a->error);
    }
    if (status == STATUS_OK)
        status = advise_choices(a, parts->variant, &choices, unit);
    choices_free(&choices);
    return status;
}

static bool is_first(const struct advising *a, size_t index, const char *variant)
{
    struct parameter_parts parts;

    for (size_t i = 0; i < index; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (!p->term[0] && parameter_parts(p, a->family, &parts) && !strcmp(parts.variant, variant))
            return false;
    }
    return true;
}

static enum status advise_launch(struct advising *a)
{
    enum status status = STATUS_OK;
    struct parameter_parts parts;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (!parameter_parts(p, FAMILY, &parts))
            continue;
        if (!strcmp(p->term, "per_group"))
            advise_dispatch(a, p, &parts);
        else if (!p->term[0] && is_of(parts.descriptor, LAUNCH_CODE))
            advise_code(a, p, &parts);
        else if (!p->term[0] && is_first(a, i, parts.variant))
            status = advise_constant(a, &parts, p->unit);
    }
    return status;
}

const struct family_model family_launch_model = {
    .family = FAMILY,
    .rank = 80,
    .fit = fit_launch,
    .predict = predict_launch,
    .advise = advise_launch,
};
