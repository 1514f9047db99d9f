/* Memory: advises on patterns for each operation and working set, and compares block, vector and
 * plain accesses for elements of each width.
 *
 * The cost compared is the time per KiB, which is the same work at every sub-group size, with as
 * many bytes in flight as saturate the bandwidth; between block and vector accesses also over the
 * bytes in flight. */
#include "families/memory/memory-curve.h"
#include "families/memory/memory-model.h"

#include "model/crossover.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define KIB           1024.0
#define FLIGHT_LEAST  6  /* 2^6 bytes in flight: one line */
#define FLIGHT_MOST   24 /* 2^24 bytes */
#define FLIGHT_POINTS (FLIGHT_MOST - FLIGHT_LEAST + 1)

/* The variants of one operation in one working set and stride. */
struct spot {
    const char *operation; /* "load" */
    struct memory_place place;
    bool has_curves; /* latency and bandwidth; otherwise times per KiB */
};

/* Patterns that the advice compares. */
enum kind { BLOCK, VECTOR, PLAIN, KINDS, OTHER };

static const char *const kind_names[KINDS] = {"block", "vector", "plain"};

static enum kind kind_of(enum memory_pattern pattern)
{
    if (pattern == MEMORY_SUBGROUP)
        return PLAIN;
    if (pattern >= MEMORY_BLOCK1 && pattern <= MEMORY_BLOCK8)
        return BLOCK;
    return pattern >= MEMORY_VEC2 && pattern <= MEMORY_VEC16 ? VECTOR : OTHER;
}

/* False for parameters that no pattern is compared by. */
static bool spot_of(const struct advising *a, size_t index, struct parameter_parts *parts,
                    struct spot *spot)
{
    const struct parameter *p = &a->model->parameter[index];
    bool is_bandwidth = !strcmp(p->term, "bandwidth");

    if (!(p->stride > 0.0) || (p->term[0] && !is_bandwidth) ||
        !parameter_parts(p, a->family, parts) || !memory_accessing(parts->descriptor))
        return false;
    *spot = (struct spot){
        variant_operation(parts->descriptor), {p->working_sets.low, p->stride}, is_bandwidth};
    return true;
}

static bool same_spot(const struct spot *x, const struct spot *y)
{
    return !strcmp(x->operation, y->operation) && x->place.working_set == y->place.working_set &&
           x->place.stride == y->place.stride && x->has_curves == y->has_curves;
}

/* The time per KiB at full bandwidth. */
static bool full_cost(const struct parameter *p, bool is_bandwidth, struct estimate *cost)
{
    *cost = estimate_of(p);
    if (!is_bandwidth)
        return cost->value > 0.0;
    if (!(p->interval.low > 0.0) || !(p->value > 0.0))
        return false;
    *cost = (struct estimate){KIB / p->value, {KIB / p->interval.high, KIB / p->interval.low}};
    return true;
}

static enum status collect(struct advising *a, const struct spot *spot, struct choices *choices)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        struct parameter_parts parts;
        struct choice choice = {0};
        struct spot other;

        if (!spot_of(a, i, &parts, &other) || !same_spot(spot, &other) ||
            !full_cost(&a->model->parameter[i], spot->has_curves, &choice.cost))
            continue;
        memcpy(choice.variant, parts.variant, sizeof(choice.variant));
        choice.subgroup_size = parts.subgroup_size;
        status = choices_add(choices, &choice, a->error);
    }
    return status;
}

static const struct choice *best_of_kind(const char *family, const struct choices *choices,
                                         enum kind kind)
{
    const struct choice *best = NULL;

    for (size_t i = 0; i < choices->count; i++) {
        const struct choice *c = &choices->choice[i];
        const struct memory_variant *memory = memory_accessing(variant_find(family, c->variant));

        if (memory && kind_of(memory->pattern) == kind &&
            (!best || c->cost.value < best->cost.value))
            best = c;
    }
    return best;
}

/* The time per KiB over the bytes in flight; false where the model has no curve. */
static bool curve_of(const struct advising *a, const struct spot *spot, const struct choice *choice,
                     struct estimate costs[FLIGHT_POINTS])
{
    const struct parameter *latency = memory_find(a->model, a->family, choice->variant,
                                                  choice->subgroup_size, spot->place, "latency");

    if (!spot->has_curves || !latency)
        return false;
    for (size_t i = 0; i < FLIGHT_POINTS; i++) {
        double factor = KIB / ldexp(1.0, (int)i + FLIGHT_LEAST);
        const struct estimate terms[] = {estimate_of(latency), choice->cost};
        const double factors[] = {factor, 1.0};

        costs[i] = estimate_sum(terms, factors, 2);
        if (!latency->is_larger_of_terms)
            continue;
        costs[i].value = fmax(factor * terms[0].value, terms[1].value);
        costs[i].interval.low = fmax(factor * terms[0].interval.low, terms[1].interval.low);
        costs[i].interval.high = fmax(factor * terms[0].interval.high, terms[1].interval.high);
    }
    return true;
}

static void advise_flights(struct advising *a, const struct spot *spot, const struct choice *block,
                           const struct choice *vector)
{
    struct estimate of_block[FLIGHT_POINTS], of_vector[FLIGHT_POINTS];

    if (!curve_of(a, spot, block, of_block) || !curve_of(a, spot, vector, of_vector))
        return;
    struct crossover c = crossover_find(of_block, of_vector, FLIGHT_POINTS);
    bool second = c.second_first;
    fprintf(a->out, "    %s is cheaper with few bytes in flight", second ? "vector" : "block");
    for (size_t i = 0; i < c.count; i++) {
        second = !second;
        fprintf(a->out, ", %s from %.0f bytes", second ? "vector" : "block",
                ldexp(1.0, (int)c.crossing[i].at + FLIGHT_LEAST));
    }
    fprintf(a->out, "%s%s\n", c.count ? "" : ", and with any other number",
            c.clear_count ? "" : "; the difference is within the noise everywhere");
}

static void advise_kinds(struct advising *a, const struct spot *spot, const struct choices *choices)
{
    const struct choice *best[KINDS], *first = NULL;

    for (size_t i = 0; i < KINDS; i++) {
        best[i] = best_of_kind(a->family, choices, (enum kind)i);
        if (best[i] && (!first || best[i]->cost.value < first->cost.value))
            first = best[i];
    }
    for (size_t i = 0; i < KINDS; i++) {
        if (!best[i] || best[i] == first)
            continue;
        fprintf(a->out, "    %s (%s, sub-group %u) against %s, sub-group %u:", kind_names[i],
                best[i]->variant, best[i]->subgroup_size, first->variant, first->subgroup_size);
        margin_print(a->out, &first->cost, &best[i]->cost);
        fputc('\n', a->out);
    }
    if (best[BLOCK] && best[VECTOR])
        advise_flights(a, spot, best[BLOCK], best[VECTOR]);
}

static enum status advise_spot(struct advising *a, const struct spot *spot)
{
    char title[3 * VARIANT_NAME_BYTES], set[VARIANT_NAME_BYTES], per[64];
    struct choices choices = {0};
    enum status status = collect(a, spot, &choices);

    if (status == STATUS_OK && choices.count > 0) {
        memory_place_name(set, spot->place);
        snprintf(title, sizeof(title), "%s, %s", spot->operation, set);
        snprintf(per, sizeof(per), "%s/KiB%s", model_time_unit(a->model),
                 spot->has_curves ? " at full bandwidth" : " as measured");
        status = advise_choices(a, title, &choices, per);
        advise_kinds(a, spot, &choices);
    }
    choices_free(&choices);
    return status;
}

static bool is_first(const struct advising *a, size_t index, const struct spot *spot)
{
    struct parameter_parts parts;
    struct spot other;

    for (size_t i = 0; i < index; i++) {
        if (spot_of(a, i, &parts, &other) && same_spot(spot, &other))
            return false;
    }
    return true;
}

enum status advise_memory(struct advising *a)
{
    enum status status = STATUS_OK;
    struct parameter_parts parts;
    struct spot spot;

    for (size_t i = 0; status == STATUS_OK && !a->has_rows && i < a->model->parameter_count; i++) {
        if (spot_of(a, i, &parts, &spot) && is_first(a, i, &spot))
            status = advise_spot(a, &spot);
    }
    return status;
}
