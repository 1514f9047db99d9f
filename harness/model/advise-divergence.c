/* Divergence: conditions in a row against a tree of them, by the paths that a sub-group takes.
 *
 * Compared is what all paths beyond the first cost, for each work-item of the sub-group. */
#include "model/advise.h"

#include <math.h>
#include <string.h>

#define PATHS_MAX 32u

static enum status add_shape(struct advising *a, const struct parameter *per_path,
                             const struct parameter_place *place, unsigned paths,
                             struct choices *choices)
{
    const struct parameter *per_condition = model_find(
        a->model, "divergence.%s.simd%u.per_condition", place->variant, place->subgroup_size);
    struct estimate terms[2] = {estimate_of(per_path)};
    double further = (paths - 1.0) / place->subgroup_size;
    double factors[2] = {further, further * (1.0 - log2(paths) / (paths - 1.0))};
    struct choice choice = {.subgroup_size = place->subgroup_size};

    if (per_condition)
        terms[1] = estimate_of(per_condition);
    memcpy(choice.variant, place->variant, sizeof choice.variant);
    choice.cost = estimate_sum(terms, factors, 2);
    return choices_add(choices, &choice, a->error);
}

static enum status advise_paths(struct advising *a, unsigned paths)
{
    char title[64], unit[64] = "";
    struct choices choices = {0};
    enum status status = STATUS_OK;
    struct parameter_place place;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (!parameter_place(p, "divergence", &place) || strcmp(place.rest, "per_path") != 0 ||
            paths > place.subgroup_size)
            continue;
        snprintf(unit, sizeof unit, "%.*s for each work-item", (int)strcspn(p->unit, "/"), p->unit);
        status = add_shape(a, p, &place, paths, &choices);
    }
    snprintf(title, sizeof title, "%u paths", paths);
    choices_print(a->out, title, &choices, unit);
    a->said += choices.count > 0;
    choices_free(&choices);
    return status;
}

/* What one further path costs, in terms of the path's own work. */
static void advise_further(struct advising *a, const struct parameter *p,
                           const struct parameter_place *place)
{
    const struct parameter *own =
        model_find(a->model, "divergence.straight.simd%u", place->subgroup_size);
    struct estimate cost = estimate_of(p);

    fprintf(a->out, "%s, sub-group %u: a further path costs ", place->variant,
            place->subgroup_size);
    estimate_print(a->out, &cost);
    fprintf(a->out, " %s", p->unit);
    if (own && own->value > 0.0)
        fprintf(a->out, ", %.3g times a path without conditions", cost.value / own->value);
    fputc('\n', a->out);
    a->said++;
}

static enum status advise_divergence(struct advising *a)
{
    enum status status = STATUS_OK;
    struct parameter_place place;

    for (size_t i = 0; i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (parameter_place(p, "divergence", &place) && !strcmp(place.rest, "per_path"))
            advise_further(a, p, &place);
    }
    for (unsigned paths = 2; status == STATUS_OK && paths <= PATHS_MAX; paths *= 2)
        status = advise_paths(a, paths);
    return status;
}

const struct adviser adviser_divergence = {"divergence", advise_divergence};
