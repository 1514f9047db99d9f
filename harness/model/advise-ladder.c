/* Costs over the hardware threads of a work-group.
 *
 * Costs are compared per work-item, with one work-group on each Xe-core: one barrier or exchange
 * serves a whole work-group, so its cost is divided by the work-group's size. */
#include "model/advise-ladder.h"

#include "model/fit-ladder.h"

#include <math.h>
#include <string.h>

#define TERMS 3

bool advise_ladder_cost(const struct advising *a, const char *variant, unsigned subgroup_size,
                        unsigned threads, struct estimate *cost)
{
    static const char *const names[TERMS] = {"base", "per_thread", "per_thread_beyond"};
    const struct parameter *p[TERMS];
    struct estimate terms[TERMS] = {{0}};
    double factors[TERMS] = {1.0, threads, 0.0};

    for (size_t i = 0; i < TERMS; i++) {
        p[i] = parameter_find(a->model, a->family, variant, subgroup_size, names[i]);
        if (p[i])
            terms[i] = estimate_of(p[i]);
    }
    if (!p[0])
        return false;
    if (threads < p[0]->least_threads || threads > p[0]->most_threads) {
        const struct parameter *at =
            ladder_at(a->model, a->family, variant, subgroup_size, threads);

        if (at)
            *cost = estimate_of(at);
        return at != NULL;
    }
    const struct parameter *knee =
        parameter_find(a->model, a->family, variant, subgroup_size, "knee");
    if (knee)
        factors[2] = fmax(0.0, threads - knee->value);
    *cost = estimate_sum(terms, factors, TERMS);
    double left_out = isfinite(p[0]->left_out_error) ? p[0]->left_out_error : 0.0;
    cost->interval.low = fmin(cost->interval.low, cost->value - left_out);
    cost->interval.high = fmax(cost->interval.high, cost->value + left_out);
    return true;
}

static struct estimate per_item(struct estimate cost, unsigned items)
{
    cost.value /= items;
    cost.interval.low /= items;
    cost.interval.high /= items;
    return cost;
}

static enum status add_sizes(struct advising *a, const struct parameter_parts *parts,
                             struct choices *choices)
{
    enum status status = STATUS_OK;

    for (unsigned items = parts->subgroup_size; status == STATUS_OK && items <= ADVISE_ITEMS_MAX;
         items *= 2) {
        struct choice choice = {.subgroup_size = parts->subgroup_size, .workgroup_size = items};
        struct estimate cost;

        memcpy(choice.variant, parts->variant, sizeof(choice.variant));
        if (!advise_ladder_cost(a, parts->variant, parts->subgroup_size,
                                items / parts->subgroup_size, &cost))
            continue;
        choice.cost = per_item(cost, items);
        status = choices_add(choices, &choice, a->error);
    }
    return status;
}

bool advise_is_base(const struct advising *a, size_t index, struct parameter_parts *parts)
{
    const struct parameter *p = &a->model->parameter[index];

    return !strcmp(p->term, "base") && parameter_parts(p, a->family, parts);
}

static bool same_task(const struct parameter_parts *x, const struct parameter_parts *y)
{
    return x->descriptor && y->descriptor ? variant_same_task(x->descriptor, y->descriptor)
                                          : !strcmp(x->variant, y->variant);
}

static bool is_first_of_task(const struct advising *a, size_t index)
{
    struct parameter_parts parts, before;

    advise_is_base(a, index, &parts);
    for (size_t i = 0; i < index; i++) {
        if (advise_is_base(a, i, &before) && same_task(&before, &parts))
            return false;
    }
    return true;
}

static enum status advise_task(struct advising *a, const struct parameter_parts *parts,
                               const char *per)
{
    struct choices choices = {0};
    enum status status = STATUS_OK;
    char unit[64], title[TASK_BYTES];

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        struct parameter_parts other;

        if (advise_is_base(a, i, &other) && same_task(parts, &other))
            status = add_sizes(a, &other, &choices);
    }
    if (parts->descriptor)
        task_name(title, variant_operation(parts->descriptor), variant_type(parts->descriptor));
    else
        snprintf(title, sizeof(title), "%s", parts->variant);
    snprintf(unit, sizeof(unit), "%s for each work-item", per);
    if (status == STATUS_OK)
        status = advise_choices(a, title, &choices, unit);
    choices_free(&choices);
    return status;
}

enum status advise_tasks(struct advising *a)
{
    enum status status = STATUS_OK;
    struct parameter_parts parts;

    if (a->has_rows)
        return STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        if (advise_is_base(a, i, &parts) && is_first_of_task(a, i))
            status = advise_task(a, &parts, a->model->parameter[i].unit);
    }
    if (a->said)
        fprintf(a->out,
                "Work-groups of one sub-group to %u work-items, one on each Xe-core; sizes outside "
                "the measured range are left out.\n",
                ADVISE_ITEMS_MAX);
    return status;
}
