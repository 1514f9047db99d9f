/* Family `registers` on the page: the number of live values at which the compiler starts to
 * spill. */
#include "families/registers/registers-variants.h"
#include "report/family-page.h"
#include "report/findings-parts.h"
#include "report/plot-place.h"

#include <stdio.h>
#include <string.h>

/* What is known of the row's variant, or NULL. */
static const struct registers_variant *registers_of(const struct record *r)
{
    return r->descriptor ? r->descriptor->own : NULL;
}

static bool is(const struct record *r, enum registers_kind kind)
{
    return registers_of(r) && registers_of(r)->kind == kind;
}

static double live_values(const struct record *r)
{
    return registers_of(r)->updates; /* of baselines too, which update fewer values as often */
}

/* The row in the same configuration with as many live values and a large register file, or NULL. */
static const struct record *with_large_file(const struct records *records,
                                            const struct record *like)
{
    const struct record *r;

    for (size_t i = 0; (r = next_row(records, "registers", NULL, &i));) {
        if (is(r, REGISTERS_LARGE) && live_values(r) == live_values(like) &&
            r == sibling(records, like, r->variant))
            return r;
    }
    return NULL;
}

/* The smallest number of live values at which an update takes at least 1.5 times as long, or
 * NULL. */
static const struct record *first_spill(const struct records *records, unsigned size)
{
    const struct record *first = NULL, *r;

    for (size_t i = 0; (r = next_row(records, "registers", NULL, &i));) {
        const struct record *fits = sibling(records, r, r->baseline);

        if (!is(r, REGISTERS_LIVE) || r->subgroup_size != size || !fits ||
            !(cost_of(r).interval.low > 0.5 * cost_of(fits).interval.high))
            continue;
        if (!first || live_values(r) < live_values(first))
            first = r;
    }
    return first;
}

/* As many live values as possible, but fewer than where spilling begins, or NULL. */
static const struct record *last_that_fits(const struct records *records,
                                           const struct record *spill)
{
    const struct record *last = NULL, *r;

    for (size_t i = 0; (r = next_row(records, "registers", NULL, &i));) {
        if (is(r, REGISTERS_LIVE) && is_same_launch(r, spill) &&
            live_values(r) < live_values(spill) && (!last || live_values(r) > live_values(last)))
            last = r;
    }
    return last;
}

static void findings_registers(struct findings *findings, const struct records *records)
{
    char advice[FINDING_BYTES] = "", text[FINDING_BYTES] = "", cost[ESTIMATE_BYTES];
    struct claim claim = {NULL, NULL};

    for (unsigned size = 8; size <= 32; size *= 2) {
        const struct record *spill = first_spill(records, size);
        size_t told = strlen(advice), used = strlen(text);

        if (!spill)
            continue;
        const struct record *fits = last_that_fits(records, spill);
        claim = (struct claim){fits, spill};
        snprintf(advice + told, sizeof(advice) - told, "%s%.0f at %u lanes",
                 told ? ", " : "Expect spills with so many live 32-bit values: ",
                 live_values(spill), size);
        told = strlen(advice);
        if (fits)
            snprintf(advice + told, sizeof(advice) - told, " (%.0f fit)", live_values(fits));
        told = strlen(advice);
        snprintf(advice + told, sizeof(advice) - told, ", %.3g %s an update", cost_of(spill).value,
                 cost_unit(spill));
        const struct record *large = with_large_file(records, spill);
        snprintf(text + used, sizeof(text) - used, "%sof %.0f values at %u lanes by %s %s",
                 used ? "; " : "Spilling slows down an update ", live_values(spill), size,
                 show(cost_of(spill), cost), cost_unit(spill));
        used = strlen(text);
        if (large && used < sizeof(text))
            snprintf(text + used, sizeof(text) - used, " (large register file: %s)",
                     cost_of(large).interval.low > 0.0 ? show(cost_of(large), cost) : "nothing");
    }
    if (!claim.more)
        return;
    snprintf(advice + strlen(advice), sizeof(advice) - strlen(advice), "; one hardware thread.");
    snprintf(text + strlen(text), sizeof(text) - strlen(text), ".");
    findings_add(findings, claim, advice, text);
}

static bool place_registers(const struct record *r, struct plot_point *point)
{
    static const char *const names[] = {
        [REGISTERS_SAME] = "same",
        [REGISTERS_LIVE] = "live",
        [REGISTERS_VECTORS] = "vectors",
        [REGISTERS_LARGE] = "large",
    };

    if (!registers_of(r))
        return false;
    plot_panel_by_size(r, point);
    plot_text(point->series, names[registers_of(r)->kind]);
    point->x = live_values(r);
    return true;
}

static const char *const by_launch[] = {"threads", "workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "registers",
     .rank = 110,
     .title = "Live values beyond the register file",
     .caption = "The time rises where the compiler begins to spill. live: scalars; vectors: "
                "vectors of four; large: the large register file.",
     .command = "vebench run registers",
     .x_label = "live 32-bit values of a work-item",
     .y_label = "clock cycles per update",
     .log = "x",
     .family = "registers",
     .place = place_registers,
     .style = "points",
     .slice = by_launch},
};

const struct family_page family_registers_page = {
    .family = "registers",
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_registers,
    .rank = 60,
};
