/* Advice from the rows of the memory families: how to lay out accesses, and how many to keep in
 * flight. */
#include "families/memory/memory-page.h"

#include "families/memory/memory-model.h"
#include "report/findings-parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAMILY        "memory_32"
#define NEARLY        0.9 /* share of the best bandwidth that counts as saturated */
#define LEAST_FLIGHTS 3

/* Hardware threads on each Xe-core in use. */
static double threads_of(const struct record *r)
{
    return record_occupancy(r).threads;
}

static double gb_per_s(const struct record *r)
{
    return r->work_bytes / r->loop_ns;
}

/* Do the rows differ only in the number of bytes in flight? */
static bool is_same_curve(const struct record *a, const struct record *b)
{
    return !strcmp(a->variant, b->variant) && a->subgroup_size == b->subgroup_size &&
           !strcmp(a->parameters, b->parameters) && a->workgroup_count == b->workgroup_count;
}

static bool is_load(const struct record *r)
{
    return memory_has(r) && record_does(r, "load");
}

static size_t flights_of(const struct records *records, const struct record *like)
{
    const struct record *r;
    size_t flights = 0;

    for (size_t i = 0; (r = next_row(records, FAMILY, like->variant, &i));)
        flights += is_same_curve(r, like);
    return flights;
}

/* Was more in flight measured, too? */
static bool has_more(const struct records *records, const struct record *enough)
{
    const struct record *r;

    for (size_t i = 0; (r = next_row(records, FAMILY, enough->variant, &i));) {
        if (is_same_curve(r, enough) && r->workgroup_size > enough->workgroup_size)
            return true;
    }
    return false;
}

static void saturation(struct findings *findings, const struct records *records)
{
    const struct record *best = NULL, *fewest, *r;
    char advice[FINDING_BYTES], text[FINDING_BYTES], scope[SCOPE_BYTES], ratio[ESTIMATE_BYTES];

    for (size_t i = 0; (r = next_row(records, FAMILY, NULL, &i));) {
        if (is_load(r) && r->work_bytes > 0.0 && r->workgroup_count == 1 &&
            (!best || gb_per_s(r) > gb_per_s(best)) && flights_of(records, r) >= LEAST_FLIGHTS)
            best = r;
    }
    if (!best)
        return;
    const struct record *enough = fewest = best;
    for (size_t i = 0; (r = next_row(records, FAMILY, best->variant, &i));) {
        if (!is_same_curve(r, best))
            continue;
        if (r->workgroup_size < fewest->workgroup_size)
            fewest = r;
        if (r->workgroup_size < enough->workgroup_size && gb_per_s(r) >= NEARLY * gb_per_s(best))
            enough = r;
    }
    const struct record *fewer = fewest;
    for (size_t i = 0; (r = next_row(records, FAMILY, best->variant, &i));) {
        if (is_same_curve(r, best) && r->workgroup_size < enough->workgroup_size &&
            r->workgroup_size > fewer->workgroup_size)
            fewer = r;
    }
    struct estimate gain = ratio_of(cost_of(fewest), cost_of(enough));
    /* Where the largest is the first that suffices, only the axis ended. */
    if (!is_worth_it(gain) || !has_more(records, enough))
        return;
    snprintf(advice, sizeof(advice),
             "Give an Xe-core %.0f hardware threads that load, %.3g KiB in flight: %.3g GB/s, %.3g "
             "with %.0f; %s, %s.",
             threads_of(enough), memory_bytes_in_flight(enough) / 1024.0, gb_per_s(enough),
             gb_per_s(fewer), threads_of(fewer), enough->variant, findings_scope(enough, scope));
    snprintf(text, sizeof(text),
             "On one Xe-core, %s then reaches %.0f %% of its best rate, %.3g GB/s: %s times as "
             "much as with %.0f thread%s.",
             enough->variant, 100.0 * gb_per_s(enough) / gb_per_s(best), gb_per_s(best),
             show(gain, ratio), threads_of(fewest), threads_of(fewest) == 1.0 ? " gets" : "s get");
    findings_add(findings, (struct claim){enough, fewer}, advice, text);
}

void findings_memory(struct findings *findings, const struct records *records)
{
    findings_add_verdict(findings, records, FAMILY, "load", "u32", "To load 32-bit elements");
    saturation(findings, records);
}
