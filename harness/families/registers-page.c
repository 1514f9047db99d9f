/* Family `registers` on the page: the number of live values at which the compiler starts to
 * spill. */
#include "page/family-page.h"
#include "page/findings-parts.h"
#include "page/plot-place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double live_values(const struct record *r)
{
    return strtod(strchr(r->variant, '_') + 1, NULL);
}

/* The smallest number of live values at which an update takes at least 1.5 times as long, or
 * NULL. */
static const struct record *first_spill(const struct records *records, unsigned size)
{
    const struct record *first = NULL, *r;

    for (size_t i = 0; (r = next_row(records, "registers", NULL, &i));) {
        const struct record *fits = sibling(records, r, r->baseline);

        if (strncmp(r->variant, "live_", 5) != 0 || r->subgroup_size != size || !fits ||
            !(cost_of(r).interval.low > 0.5 * cost_of(fits).interval.high))
            continue;
        if (!first || live_values(r) < live_values(first))
            first = r;
    }
    return first;
}

static void findings_registers(struct findings *findings, const struct records *records)
{
    char advice[FINDING_BYTES] = "", text[FINDING_BYTES] = "", cost[ESTIMATE_BYTES];
    const struct record *rests_on = NULL;

    for (unsigned size = 8; size <= 32; size *= 2) {
        const struct record *spill = first_spill(records, size);
        size_t told = strlen(advice), used = strlen(text);
        char name[40];

        if (!spill)
            continue;
        rests_on = spill;
        snprintf(advice + told, sizeof(advice) - told, "%s%.0f in sub-groups of %u",
                 told ? ", " : "Keep fewer 32-bit values alive than ", live_values(spill), size);
        snprintf(name, sizeof(name), "large_%.0f", live_values(spill));
        const struct record *large = sibling(records, spill, name);
        snprintf(text + used, sizeof(text) - used, "%sof %.0f at %u lanes by %s %s",
                 used ? "; " : "Spilling slows an update ", live_values(spill), size,
                 show(cost_of(spill), cost), cost_unit(spill));
        used = strlen(text);
        if (large && used < sizeof(text))
            snprintf(text + used, sizeof(text) - used, " (large register file: %s)",
                     cost_of(large).interval.low > 0.0 ? show(cost_of(large), cost) : "nothing");
    }
    if (!rests_on)
        return;
    snprintf(advice + strlen(advice), sizeof(advice) - strlen(advice), ".");
    snprintf(text + strlen(text), sizeof(text) - strlen(text), ".");
    findings_add(findings, rests_on, advice, text);
}

static bool place_registers(const struct record *r, struct plot_point *point)
{
    const char *gap = strchr(r->variant, '_');

    if (!gap)
        return false;
    plot_panel_by_size(r, point);
    snprintf(point->series, sizeof(point->series), "%.*s", (int)(gap - r->variant), r->variant);
    point->x = strtod(gap + 1, NULL);
    return true;
}

static const char *const by_launch[] = {"threads", "workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "registers",
     .rank = 110,
     .title = "Live values beyond the register file",
     .caption = "A rise is where the compiler begins to spill. live: scalars; vectors: of four; "
                "large: with the large register file.",
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
