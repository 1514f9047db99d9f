/* Where lanes get in each other's way: banks, paths, registers, cells. */
#include "page/findings-parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRIDE_MAX 64

/* Rows of sub-groups of 16 come before others: every device has them. */
static bool is_preferred(const struct record *r, const struct record *other)
{
    return !other || ((r->subgroup_size == 16) > (other->subgroup_size == 16));
}

/* A load at stride 1, in the smallest launch. */
static const struct record *load_at_1(const struct records *records)
{
    const struct record *best = NULL, *r;

    for (size_t i = 0; (r = next_row(records, "slm", "load", &i));) {
        if (record_parameter(r, "stride", 0.0) == 1.0 && is_preferred(r, best))
            best = r;
    }
    return best;
}

static bool is_same_launch(const struct record *a, const struct record *b)
{
    return a->subgroup_size == b->subgroup_size && a->workgroup_size == b->workgroup_size &&
           a->workgroup_count == b->workgroup_count;
}

/* The load of the same launch at another stride, or NULL. */
static const struct record *load_at(const struct records *records, const struct record *like,
                                    unsigned stride)
{
    const struct record *r;

    for (size_t i = 0; (r = next_row(records, "slm", "load", &i));) {
        if (is_same_launch(r, like) && record_parameter(r, "stride", 0.0) == stride)
            return r;
    }
    return NULL;
}

static void strides(struct findings *findings, const struct records *records)
{
    const struct record *straight = load_at_1(records), *worst = NULL, *padded, *r;
    char advice[FINDING_BYTES], text[FINDING_BYTES];
    char list[STRIDE_MAX * sizeof "64, "] = "";
    char a[ESTIMATE_BYTES], b[ESTIMATE_BYTES], c[ESTIMATE_BYTES];

    if (!straight)
        return;
    for (unsigned stride = 2; stride <= STRIDE_MAX; stride++) {
        size_t used = strlen(list);

        r = load_at(records, straight, stride);
        if (!r || !is_worth_it(ratio_of(cost_of(r), cost_of(straight))))
            continue;
        snprintf(list + used, sizeof list - used, "%s%u", used ? ", " : "", stride);
        if (!worst || r->value > worst->value)
            worst = r;
    }
    if (!worst)
        return;
    padded = sibling(records, worst, "load_padded");
    snprintf(advice, sizeof advice, "Avoid a stride of %g words in shared local memory%s.",
             record_parameter(worst, "stride", 0.0),
             padded && is_worth_it(ratio_of(cost_of(worst), cost_of(padded)))
                 ? "; pad rows of 32 words by one"
                 : "");
    snprintf(text, sizeof text,
             "A load of %u lanes takes %s %s beyond its addresses, at stride 1 %s%s%s. Strides "
             "measured that are slower than 1: %s.",
             worst->subgroup_size, show(cost_of(worst), a), cost_unit(worst),
             show(cost_of(straight), b), padded ? ", padded " : "",
             padded ? show(cost_of(padded), c) : "", list);
    findings_add(findings, advice, text);
}

static void divergence(struct findings *findings, const struct records *records)
{
    const struct record *flat = NULL, *nested, *r;
    char text[FINDING_BYTES], a[ESTIMATE_BYTES], b[ESTIMATE_BYTES];

    for (size_t i = 0; (r = next_row(records, "divergence", "flat_divergent", &i));) {
        if (is_preferred(r, flat) ||
            (r->subgroup_size == flat->subgroup_size &&
             record_parameter(r, "paths", 0.0) > record_parameter(flat, "paths", 0.0)))
            flat = r;
    }
    if (!flat || !(cost_of(flat).low > 0.0))
        return;
    nested = sibling(records, flat, "nested_divergent");
    snprintf(
        text, sizeof text,
        "With %g paths of a few operations in a sub-group of %u, each further path costs %s %s "
        "in conditions one after another%s%s.",
        record_parameter(flat, "paths", 0.0), flat->subgroup_size, show(cost_of(flat), a),
        cost_unit(flat), nested ? ", in a tree of conditions " : "",
        nested ? show(cost_of(nested), b) : "");
    findings_add(findings, "Keep the lanes of a sub-group on one path.", text);
}

static double live_values(const struct record *r)
{
    return strtod(strchr(r->variant, '_') + 1, NULL);
}

/* The fewest live values at which an update takes half as long again, or NULL. */
static const struct record *first_spill(const struct records *records, unsigned size)
{
    const struct record *first = NULL, *r;

    for (size_t i = 0; (r = next_row(records, "registers", NULL, &i));) {
        const struct record *fits = sibling(records, r, r->baseline);

        if (strncmp(r->variant, "live_", 5) != 0 || r->subgroup_size != size || !fits ||
            !(cost_of(r).low > 0.5 * cost_of(fits).high))
            continue;
        if (!first || live_values(r) < live_values(first))
            first = r;
    }
    return first;
}

static void registers(struct findings *findings, const struct records *records)
{
    char advice[FINDING_BYTES] = "", text[FINDING_BYTES] = "", cost[ESTIMATE_BYTES];

    for (unsigned size = 8; size <= 32; size *= 2) {
        const struct record *spill = first_spill(records, size), *large;
        size_t told = strlen(advice), used = strlen(text);
        char name[40];

        if (!spill)
            continue;
        snprintf(advice + told, sizeof advice - told, "%s%.0f in sub-groups of %u",
                 told ? ", " : "Keep fewer 32-bit values alive than ", live_values(spill), size);
        snprintf(name, sizeof name, "large_%.0f", live_values(spill));
        large = sibling(records, spill, name);
        snprintf(text + used, sizeof text - used, "%sof %.0f at %u lanes by %s %s",
                 used ? "; " : "Spilling slows an update ", live_values(spill), size,
                 show(cost_of(spill), cost), cost_unit(spill));
        used = strlen(text);
        if (large && used < sizeof text)
            snprintf(text + used, sizeof text - used, " (large register file: %s)",
                     cost_of(large).low > 0.0 ? show(cost_of(large), cost) : "nothing");
    }
    if (!advice[0])
        return;
    snprintf(advice + strlen(advice), sizeof advice - strlen(advice), ".");
    snprintf(text + strlen(text), sizeof text - strlen(text), ".");
    findings_add(findings, advice, text);
}

static void cells(struct findings *findings, const struct records *records)
{
    const struct record *apart = NULL, *r;
    char text[FINDING_BYTES], a[ESTIMATE_BYTES], b[ESTIMATE_BYTES], c[ESTIMATE_BYTES];

    for (size_t i = 0; (r = next_row(records, "atomics", "global_add_u32", &i));) {
        if (record_parameter(r, "sharers", 0.0) == 1.0 && is_preferred(r, apart))
            apart = r;
    }
    for (size_t i = 0; apart && (r = next_row(records, "atomics", "global_add_u32", &i));) {
        struct estimate loss = ratio_of(cost_of(r), cost_of(apart));

        if (!is_same_launch(r, apart) || record_parameter(r, "sharers", 0.0) < 65536.0 ||
            !is_worth_it(loss))
            continue;
        snprintf(
            text, sizeof text,
            "A global 32-bit addition by %u work-items to one cell takes %s %s, to a cell each "
            "%s: %s times as much. Reduce in the sub-group first.",
            r->workgroup_size * r->workgroup_count, show(cost_of(r), a), cost_unit(r),
            show(cost_of(apart), b), show(loss, c));
        findings_add(findings, "Spread atomics over several cells.", text);
        return;
    }
}

void findings_lanes(struct findings *findings, const struct records *records)
{
    strides(findings, records);
    divergence(findings, records);
    registers(findings, records);
    cells(findings, records);
}
