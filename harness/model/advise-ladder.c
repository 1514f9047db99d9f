/* Costs over the hardware threads of a work-group, which is alone on its Xe-core. */
#include "model/advise-ladder.h"

#include "model/fit-ladder.h"
#include "model/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TERMS 3

/* Work-items of the smallest work-group: the smallest sub-group. */
#define ADVISE_ITEMS_MIN 8u
#define WORKGROUP_SIZES  8 /* powers of two from there to ADVISE_ITEMS_MAX */

/* What the cost hides of its baseline's wait. */
static void subtract_wait(const struct advising *a, const char *name, unsigned subgroup_size,
                          unsigned threads, struct estimate *cost)
{
    const struct variant *variant = variant_find(a->family, name);
    double wait =
        variant && variant->baseline
            ? contention_at(a->model, a->family, variant->baseline, subgroup_size, threads)
            : 0.0;

    cost->value -= wait;
    cost->interval.low -= wait;
    cost->interval.high -= wait;
}

/* False beyond the threads that the equation was fitted to. */
static bool cost_by_equation(const struct advising *a, const char *variant, unsigned subgroup_size,
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
    if (!p[0] || threads < p[0]->least_threads || threads > p[0]->most_threads)
        return false;
    const struct parameter *knee =
        parameter_find(a->model, a->family, variant, subgroup_size, "knee");
    if (knee)
        factors[2] = fmax(0.0, threads - knee->value);
    *cost = estimate_sum(terms, factors, TERMS);
    if (p[0]->less_baseline_wait)
        subtract_wait(a, variant, subgroup_size, threads, cost);
    double left_out = isfinite(p[0]->left_out_error) ? p[0]->left_out_error : 0.0;
    cost->interval.low = fmin(cost->interval.low, cost->value - left_out);
    cost->interval.high = fmax(cost->interval.high, cost->value + left_out);
    return true;
}

static bool cost_alone(const struct advising *a, const char *variant, unsigned subgroup_size,
                       unsigned threads, struct estimate *cost)
{
    const struct parameter *at = ladder_at(a->model, a->family, variant, subgroup_size, threads);

    if (at)
        *cost = estimate_of(at);
    return at != NULL;
}

bool advise_ladder_cost(const struct advising *a, const char *variant, unsigned subgroup_size,
                        unsigned threads, struct estimate *cost)
{
    return cost_alone(a, variant, subgroup_size, threads, cost) ||
           cost_by_equation(a, variant, subgroup_size, threads, cost);
}

bool advise_ladder_curve(const struct advising *a, const char *variant, unsigned subgroup_size,
                         unsigned threads, struct estimate *cost)
{
    return cost_by_equation(a, variant, subgroup_size, threads, cost) ||
           cost_alone(a, variant, subgroup_size, threads, cost);
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

static enum status add_choice_of(struct advising *a, const struct parameter_parts *parts,
                                 struct verdict *verdict)
{
    unsigned threads = verdict->question.workgroup_size / parts->subgroup_size;
    double capacity = a->model->threads_per_xe_core ? a->model->threads_per_xe_core : NAN;
    struct verdict_candidate candidate = {
        .method = parts->descriptor ? variant_method(parts->descriptor) : "",
        .subgroup_size = parts->subgroup_size,
        .workgroup_size = verdict->question.workgroup_size,
        .workgroup_count = 1,
        .occupancy = {.cores = 1.0, .threads = threads, .capacity = capacity},
        .degrees = RECORD_MANY_DEGREES,
    };

    if (threads == 0 ||
        !advise_ladder_cost(a, parts->variant, parts->subgroup_size, threads, &candidate.cost))
        return STATUS_OK;
    memcpy(candidate.variant, parts->variant, sizeof(candidate.variant));
    candidate.is_free = candidate.cost.interval.high < VERDICT_FREE && a->model->clock_mhz > 0.0;
    return verdict_add(verdict, &candidate, a->error);
}

/* All that does the task in a work-group of that size. */
static enum status judge_size(struct advising *a, const struct parameter_parts *parts,
                              struct verdict *verdict)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        struct parameter_parts other;

        if (advise_is_base(a, i, &other) && same_task(parts, &other))
            status = add_choice_of(a, &other, verdict);
    }
    verdict_rank(verdict);
    return status;
}

static enum status advise_task(struct advising *a, const struct parameter_parts *parts,
                               const char *unit)
{
    struct verdict ladder[WORKGROUP_SIZES] = {0};
    struct verdicts verdicts = {.verdict = ladder};
    enum status status = STATUS_OK;

    for (unsigned items = ADVISE_ITEMS_MIN; status == STATUS_OK && items <= ADVISE_ITEMS_MAX;
         items *= 2) {
        struct verdict *verdict = &ladder[verdicts.count];

        verdict->question = (struct verdict_question){
            .family = a->family,
            .operation = parts->descriptor ? variant_operation(parts->descriptor) : parts->variant,
            .type = parts->descriptor ? variant_type(parts->descriptor) : "",
            .parameters = "",
            .unit = unit,
            .kind = WORK_ITEMS,
            .work = items,
            .cores = 1,
            .workgroup_size = items,
        };
        status = judge_size(a, parts, verdict);
        verdicts.count += verdict->count > 0;
    }
    if (status == STATUS_OK)
        status = advise_verdicts(a, &verdicts, true);
    for (size_t i = 0; i < WORKGROUP_SIZES; i++)
        free(ladder[i].candidate);
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
        fprintf(
            a->out,
            "Work-groups of up to %u work-items, one on each Xe-core; sizes outside the measured "
            "range are left out.\n",
            ADVISE_ITEMS_MAX);
    return status;
}
