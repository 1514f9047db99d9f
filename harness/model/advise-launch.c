/* Launches and latencies: from which size of work-group its threads, no longer its start, take the
 * time; what each level of memory holds, and how much farther the next one is. */
#include "model/advise.h"

#include <math.h>
#include <string.h>

static void advise_dispatch(struct advising *a, const struct parameter *per_group,
                            const struct parameter_place *place)
{
    const struct parameter *per_thread =
        model_find(a->model, "launch.%s.simd%u.per_thread", place->variant, place->subgroup_size);
    double threads;

    if (!per_thread || !(per_thread->interval.low > 0.0))
        return;
    threads = per_group->value / per_thread->value;
    fprintf(a->out,
            "%s, sub-group %u: below %.3g hardware threads [%.3g, %.3g] (%.0f work-items) a "
            "work-group costs its start, %.4g %s, however few they are: use larger ones\n",
            place->variant, place->subgroup_size, threads,
            per_group->interval.low / per_thread->interval.high,
            per_group->interval.high / per_thread->interval.low,
            ceil(threads) * place->subgroup_size, per_group->value, per_group->unit);
    a->said++;
}

/* Constants of the same variant over sub-group sizes. */
static enum status advise_constant(struct advising *a, const struct parameter_place *place,
                                   const char *unit)
{
    struct choices choices = {0};
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        struct parameter_place other;
        struct choice choice = {.cost = estimate_of(&a->model->parameter[i])};

        if (!parameter_place(&a->model->parameter[i], a->family, &other) || other.rest[0] ||
            strcmp(other.variant, place->variant) != 0)
            continue;
        memcpy(choice.variant, other.variant, sizeof choice.variant);
        choice.subgroup_size = other.subgroup_size;
        status = choices_add(&choices, &choice, a->error);
    }
    choices_print(a->out, place->variant, &choices, unit);
    a->said += choices.count > 0;
    choices_free(&choices);
    return status;
}

static bool is_first(const struct advising *a, size_t index, const char *variant)
{
    struct parameter_place place;

    for (size_t i = 0; i < index; i++) {
        if (parameter_place(&a->model->parameter[i], a->family, &place) && !place.rest[0] &&
            !strcmp(place.variant, variant))
            return false;
    }
    return true;
}

static enum status advise_launch(struct advising *a)
{
    enum status status = STATUS_OK;
    struct parameter_place place;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (!parameter_place(p, "launch", &place))
            continue;
        if (!strcmp(place.rest, "per_group"))
            advise_dispatch(a, p, &place);
        else if (!place.rest[0] && is_first(a, i, place.variant))
            status = advise_constant(a, &place, p->unit);
    }
    return status;
}

static enum status advise_latency(struct advising *a)
{
    struct parameter_place place;
    unsigned level;

    for (size_t i = 0; i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i], *capacity, *next;
        int read = 0; /* stays so unless all of the name is as the format has it */

        if (!parameter_place(p, "latency", &place) ||
            sscanf(place.rest, "level%u.latency%n", &level, &read) != 1 || !read)
            continue;
        capacity = model_find(a->model, "latency.%s.simd%u.level%u.capacity", place.variant,
                              place.subgroup_size, level);
        next = model_find(a->model, "latency.%s.simd%u.level%u.latency", place.variant,
                          place.subgroup_size, level + 1);
        fprintf(a->out, "%s, sub-group %u, level %u: ", place.variant, place.subgroup_size, level);
        estimate_print(a->out, &(struct estimate){p->value, p->interval});
        fprintf(a->out, " %s", p->unit);
        if (capacity && next)
            fprintf(a->out, "; keep working sets within %.0f bytes: beyond, %.3g times as much",
                    capacity->value, next->value / p->value);
        fputc('\n', a->out);
        a->said++;
    }
    return STATUS_OK;
}

const struct adviser adviser_launch = {"launch", advise_launch};
const struct adviser adviser_latency = {"latency", advise_latency};
