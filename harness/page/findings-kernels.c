/* What whole kernels and chains of loads say, where there is still room. */
#include "page/findings-parts.h"

#include <stdio.h>
#include <string.h>

#define STEP 1.3 /* a load that takes so much longer comes from another level */

static void product(struct findings *findings, const struct records *records)
{
    static const char *const ways[] = {"broadcast_block_float", "broadcast_float", "slm_float",
                                       "work_group_float"};
    const struct record *naive = NULL, *best = NULL, *r;
    char advice[FINDING_BYTES], text[FINDING_BYTES], ratio[ESTIMATE_BYTES];
    struct estimate gain;

    for (size_t i = 0; (r = next_row(records, "matmul", "naive_float", &i));) {
        if (!naive || r->work_flops * naive->loop_ns > naive->work_flops * r->loop_ns)
            naive = r;
    }
    for (size_t i = 0; naive && i < sizeof ways / sizeof ways[0]; i++) {
        r = sibling(records, naive, ways[i]);
        if (r && (!best || r->value < best->value))
            best = r;
    }
    if (!best)
        return;
    gain = ratio_of(cost_of(naive), cost_of(best));
    if (!is_worth_it(gain))
        return;
    snprintf(advice, sizeof advice, "Share the operands of a matrix product as %s does.",
             best->variant);
    snprintf(text, sizeof text,
             "%s times as fast as every work-item for itself, at sub-groups of %u: %.3g against "
             "%.3g 10^9 operations per second.",
             show(gain, ratio), best->subgroup_size, best->work_flops / best->loop_ns,
             naive->work_flops / naive->loop_ns);
    findings_add(findings, advice, text);
}

/* The next larger working set whose load takes a step longer, or NULL. */
static const struct record *next_level(const struct records *records, const struct record *from)
{
    const struct record *next = NULL, *r;

    for (size_t i = 0; (r = next_row(records, "latency", from->variant, &i));) {
        struct estimate ratio = ratio_of(cost_of(r), cost_of(from));

        if (r->subgroup_size != from->subgroup_size || r->workgroup_size != from->workgroup_size ||
            r->workgroup_count != from->workgroup_count || !(ratio.low > STEP))
            continue;
        if (!next ||
            record_parameter(r, "working_set", 0.0) < record_parameter(next, "working_set", 0.0))
            next = r;
    }
    return next;
}

static void levels(struct findings *findings, const struct records *records)
{
    const struct record *first = NULL, *r;
    char text[FINDING_BYTES], cost[ESTIMATE_BYTES];
    size_t used;

    for (size_t i = 0; (r = next_row(records, "latency", "global_uniform", &i));) {
        if (r->workgroup_count == 1 && r->workgroup_size == r->subgroup_size &&
            (!first ||
             record_parameter(r, "working_set", 0.0) < record_parameter(first, "working_set", 0.0)))
            first = r;
    }
    if (!first || !next_level(records, first))
        return;
    used = (size_t)snprintf(text, sizeof text, "It takes %s %s in %.0f KiB",
                            show(cost_of(first), cost), cost_unit(first),
                            record_parameter(first, "working_set", 0.0) / 1024.0);
    for (r = next_level(records, first); r && used < sizeof text; r = next_level(records, r))
        used += (size_t)snprintf(text + used, sizeof text - used, ", %s from %.0f KiB",
                                 show(cost_of(r), cost),
                                 record_parameter(r, "working_set", 0.0) / 1024.0);
    if (used < sizeof text)
        snprintf(text + used, sizeof text - used, " on.");
    findings_add(findings, "Keep small what a chain of dependent loads goes through.", text);
}

void findings_kernels(struct findings *findings, const struct records *records)
{
    product(findings, records);
    levels(findings, records);
}
