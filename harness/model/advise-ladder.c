/* Barriers, exchanges and collectives: costs over the hardware threads of a work-group.
 *
 * Compared is the cost for each work-item: one barrier or exchange serves a whole work-group, so
 * that its cost is divided by the work-group's size. One work-group on each Xe-core. */
#include "model/advise.h"
#include "model/crossover.h"

#include <math.h>
#include <string.h>

#define TERMS 3

/* Cost of the equation at n threads; false where the model has none. Not more exact than the
 * equation was on rows left out. */
static bool cost_at(const struct advising *a, const char *variant, unsigned subgroup_size,
                    unsigned threads, struct estimate *cost)
{
    static const char *const names[TERMS] = {"base", "per_thread", "per_thread_beyond"};
    const struct parameter *p[TERMS], *knee;
    struct estimate terms[TERMS] = {{0}};
    double factors[TERMS] = {1.0, threads, 0.0}, left_out;

    for (size_t i = 0; i < TERMS; i++) {
        p[i] = model_find(a->model, "%s.%s.simd%u.%s", a->family, variant, subgroup_size, names[i]);
        if (p[i])
            terms[i] = estimate_of(p[i]);
    }
    if (!p[0])
        return false;
    knee = model_find(a->model, "%s.%s.simd%u.knee", a->family, variant, subgroup_size);
    if (knee)
        factors[2] = fmax(0.0, threads - knee->value);
    *cost = estimate_sum(terms, factors, TERMS);
    left_out = isfinite(p[0]->left_out_error) ? p[0]->left_out_error : 0.0;
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

static enum status add_sizes(struct advising *a, const struct parameter_place *place,
                             struct choices *choices)
{
    enum status status = STATUS_OK;

    for (unsigned items = place->subgroup_size; status == STATUS_OK && items <= ADVISE_ITEMS_MAX;
         items *= 2) {
        struct choice choice = {.subgroup_size = place->subgroup_size, .workgroup_size = items};
        struct estimate cost;

        memcpy(choice.variant, place->variant, sizeof choice.variant);
        if (!cost_at(a, place->variant, place->subgroup_size, items / place->subgroup_size, &cost))
            continue;
        choice.cost = per_item(cost, items);
        status = choices_add(choices, &choice, a->error);
    }
    return status;
}

/* What the variants of a family do alike: the part of the name before ways of doing it. */
typedef size_t (*task_bytes)(const char *variant);

/* sub_group or work_group; fences are chosen by what they promise, and compared all the same. */
static size_t barrier_task(const char *variant)
{
    return strcspn(variant, "_") + strlen("_group");
}

/* Without _slm or _slm_group. */
static size_t exchange_task(const char *variant)
{
    const char *way = strstr(variant, "_slm");

    return way ? (size_t)(way - variant) : strlen(variant);
}

/* The place of parameter `index` where it is the base of an equation. */
static bool is_base(const struct advising *a, size_t index, struct parameter_place *place)
{
    return parameter_place(&a->model->parameter[index], a->family, place) &&
           !strcmp(place->rest, "base");
}

static bool same_task(const struct parameter_place *x, const struct parameter_place *y,
                      task_bytes task)
{
    size_t bytes = task(x->variant);

    return bytes == task(y->variant) && !strncmp(x->variant, y->variant, bytes);
}

static bool is_first_of_task(const struct advising *a, size_t index, task_bytes task)
{
    struct parameter_place place, before;

    is_base(a, index, &place);
    for (size_t i = 0; i < index; i++) {
        if (is_base(a, i, &before) && same_task(&before, &place, task))
            return false;
    }
    return true;
}

static enum status advise_task(struct advising *a, const struct parameter_place *place,
                               const char *per, task_bytes task)
{
    struct choices choices = {0};
    enum status status = STATUS_OK;
    char unit[64], title[CHOICE_VARIANT_BYTES];

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        struct parameter_place other;

        if (is_base(a, i, &other) && same_task(place, &other, task))
            status = add_sizes(a, &other, &choices);
    }
    snprintf(title, sizeof title, "%.*s", (int)task(place->variant), place->variant);
    snprintf(unit, sizeof unit, "%s for each work-item", per);
    choices_print(a->out, title, &choices, unit);
    a->said++;
    choices_free(&choices);
    return status;
}

static enum status advise_tasks(struct advising *a, task_bytes task)
{
    enum status status = STATUS_OK;
    struct parameter_place place;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        if (is_base(a, i, &place) && is_first_of_task(a, i, task))
            status = advise_task(a, &place, a->model->parameter[i].unit, task);
    }
    if (a->said)
        fprintf(a->out,
                "Work-groups of one sub-group to %u work-items, one on each Xe-core; beyond the "
                "sizes measured the equations are extrapolated.\n",
                ADVISE_ITEMS_MAX);
    return status;
}

static enum status advise_barrier(struct advising *a)
{
    return advise_tasks(a, barrier_task);
}

static void print_threads(FILE *out, size_t point, unsigned subgroup_size)
{
    fprintf(out, "%zu hardware threads (%zu work-items)", point + 1, (point + 1) * subgroup_size);
}

static void print_crossover(FILE *out, const struct crossover *c, unsigned subgroup_size)
{
    bool second = c->second_first;

    if (c->count == 0) {
        fprintf(out, "%s is cheaper from one sub-group on, %s never within %u work-items",
                second ? "SLM" : "the sub-group", second ? "the sub-group" : "SLM",
                ADVISE_ITEMS_MAX);
        if (c->clear_count == 0)
            fputs("; the difference is within the noise at all sizes", out);
    } else {
        fprintf(out, "%s is cheaper at first", second ? "SLM" : "the sub-group");
    }
    for (size_t i = 0; i < c->count; i++) {
        const struct crossing *x = &c->crossing[i];

        second = !second;
        fprintf(out, ", %s from ", second ? "SLM" : "the sub-group");
        print_threads(out, x->at, subgroup_size);
        if (x->noise_first <= x->noise_last)
            fprintf(out, ", from %zu to %zu threads within the noise", x->noise_first + 1,
                    x->noise_last + 1);
    }
    fputc('\n', out);
}

/* A way through SLM against the sub-group function, over all sizes of work-groups. */
static void advise_twin(struct advising *a, const struct parameter_place *twin)
{
    struct estimate own[ADVISE_ITEMS_MAX], slm[ADVISE_ITEMS_MAX];
    size_t count = ADVISE_ITEMS_MAX / twin->subgroup_size;
    char variant[CHOICE_VARIANT_BYTES];
    struct crossover crossover;

    snprintf(variant, sizeof variant, "%.*s", (int)exchange_task(twin->variant), twin->variant);
    for (size_t i = 0; i < count; i++) {
        unsigned threads = (unsigned)i + 1;

        if (!cost_at(a, variant, twin->subgroup_size, threads, &own[i]) ||
            !cost_at(a, twin->variant, twin->subgroup_size, threads, &slm[i]))
            return;
    }
    if (count == 0)
        return;
    crossover = crossover_find(own, slm, count);
    fprintf(a->out, "%s against %s, sub-group %u: ", variant, twin->variant, twin->subgroup_size);
    print_crossover(a->out, &crossover, twin->subgroup_size);
}

static enum status advise_exchange(struct advising *a)
{
    enum status status = advise_tasks(a, exchange_task);
    struct parameter_place place;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        if (is_base(a, i, &place) && exchange_task(place.variant) < strlen(place.variant))
            advise_twin(a, &place);
    }
    return status;
}

const struct adviser adviser_barrier = {"barrier", advise_barrier};
const struct adviser adviser_exchange = {"exchange", advise_exchange};
const struct adviser adviser_collective = {"collective", advise_exchange};
