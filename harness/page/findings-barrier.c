/* Barriers: which sub-group size, which fence. */
#include "page/findings-parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAMILY "barrier"
#define LOCAL  "work_group_local"

/* The cheapest and the dearest sub-group size for work-groups of `size`. */
struct choice {
    const struct record *best, *worst;
};

static struct choice sizes_of(const struct records *records, unsigned size)
{
    struct choice choice = {NULL, NULL};
    const struct record *r;

    for (size_t i = 0; (r = next_row(records, FAMILY, LOCAL, &i));) {
        if (r->workgroup_size != size || r->workgroup_count != 1)
            continue;
        if (!choice.best || r->value < choice.best->value)
            choice.best = r;
        if (!choice.worst || r->value > choice.worst->value)
            choice.worst = r;
    }
    return choice;
}

/* For the largest work-group that several sub-group sizes have. */
static struct choice largest_choice(const struct records *records)
{
    struct choice choice = {NULL, NULL};
    const struct record *r;

    for (size_t i = 0; (r = next_row(records, FAMILY, LOCAL, &i));) {
        struct choice other = sizes_of(records, r->workgroup_size);

        if (other.best != other.worst &&
            (!choice.best || other.best->workgroup_size > choice.best->workgroup_size))
            choice = other;
    }
    return choice;
}

static void sub_group_size(struct findings *findings, const struct choice *choice)
{
    char advice[FINDING_BYTES], text[FINDING_BYTES], cost[ESTIMATE_BYTES], ratio[ESTIMATE_BYTES];
    struct estimate loss;

    if (!choice->best)
        return;
    loss = ratio_of(cost_of(choice->worst), cost_of(choice->best));
    if (!is_worth_it(loss))
        return;
    snprintf(advice, sizeof advice, "Where barriers count, ask for sub-groups of %u.",
             choice->best->subgroup_size);
    snprintf(
        text, sizeof text,
        "In a work-group of %u a barrier with a local fence takes %s %s; with sub-groups of %u "
        "%s times that.",
        choice->best->workgroup_size, show(cost_of(choice->best), cost), cost_unit(choice->best),
        choice->worst->subgroup_size, show(loss, ratio));
    findings_add(findings, advice, text);
}

/* The row with a local fence in the largest work-group there is. */
static const struct record *largest_row(const struct records *records)
{
    const struct record *best = NULL, *r;

    for (size_t i = 0; (r = next_row(records, FAMILY, LOCAL, &i));) {
        if (!best || r->workgroup_size > best->workgroup_size)
            best = r;
    }
    return best;
}

static void fence(struct findings *findings, const struct records *records,
                  const struct record *local)
{
    const struct record *global;
    char text[FINDING_BYTES], a[ESTIMATE_BYTES], b[ESTIMATE_BYTES], ratio[ESTIMATE_BYTES];
    struct estimate loss;

    if (!local || !(global = sibling(records, local, "work_group_global")))
        return;
    loss = ratio_of(cost_of(global), cost_of(local));
    if (!is_worth_it(loss))
        return;
    snprintf(
        text, sizeof text,
        "A local fence: %s %s, a global one: %s, %s times as much (work-group of %u, sub-groups "
        "of %u).",
        show(cost_of(local), a), cost_unit(local), show(cost_of(global), b), show(loss, ratio),
        local->workgroup_size, local->subgroup_size);
    findings_add(findings, "Fence global memory at a barrier only where it is what is shared.",
                 text);
}

void findings_barrier(struct findings *findings, const struct records *records)
{
    struct choice choice = largest_choice(records);

    sub_group_size(findings, &choice);
    fence(findings, records, choice.best ? choice.best : largest_row(records));
}
