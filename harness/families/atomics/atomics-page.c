/* Family `atomics` on the page: cost by the number of work-items that share a cell. */
#include "report/family-page.h"
#include "report/findings-parts.h"
#include "report/plot-place.h"

#include <stdio.h>

static void findings_atomics(struct findings *findings, const struct records *records)
{
    const struct record *apart = NULL, *r;
    char advice[FINDING_BYTES], text[FINDING_BYTES], scope[SCOPE_BYTES], a[ESTIMATE_BYTES],
        b[ESTIMATE_BYTES], c[ESTIMATE_BYTES];

    for (size_t i = 0; (r = next_row(records, "atomics", "global_add_u32", &i));) {
        if (record_parameter(r, "sharers", 0.0) == 1.0 && is_busier(r, apart))
            apart = r;
    }
    for (size_t i = 0; apart && (r = next_row(records, "atomics", "global_add_u32", &i));) {
        struct estimate loss = ratio_of(cost_of(r), cost_of(apart));

        if (!is_same_launch(r, apart) || record_parameter(r, "sharers", 0.0) < 65536.0 ||
            !is_worth_it(loss))
            continue;
        snprintf(
            text, sizeof(text),
            "A global 32-bit addition by %u work-items to one cell takes %s %s, to a cell each "
            "%s: %s times as much. Reduce in the sub-group first.",
            r->workgroup_size * r->workgroup_count, show(cost_of(r), a), cost_unit(r),
            show(cost_of(apart), b), show(loss, c));
        snprintf(advice, sizeof(advice),
                 "Spread atomics over several cells: %.3g %s for an addition to a cell each, %.3g "
                 "to one for all; %s.",
                 cost_of(apart).value, cost_unit(r), cost_of(r).value, findings_scope(r, scope));
        findings_add(findings, (struct claim){apart, r}, advice, text);
        return;
    }
}

static bool place_atomics(const struct record *r, struct plot_point *point)
{
    double sharers = record_parameter(r, "sharers", 1.0);

    plot_panel_by_size(r, point);
    plot_text(point->category, r->variant);
    if (sharers >= 65536.0)
        plot_text(point->series, "one_cell_for_all");
    else if (sharers <= 1.0)
        plot_text(point->series, "a_cell_each");
    else
        snprintf(point->series, sizeof(point->series), "%g_to_a_cell", sharers);
    return true;
}

static const char *const by_spacing[] = {"threads", "workgroup_count", "spacing", NULL};

static const struct plot plots[] = {
    {.name = "atomics",
     .rank = 90,
     .title = "Atomic operations",
     .caption = "By how many work-items share a cell.",
     .command = "vebench run atomics",
     .shape = PLOT_BARS,
     .y_label = "clock cycles",
     .log = "y",
     .family = "atomics",
     .place = place_atomics,
     .slice = by_spacing},
};

static const struct group_question question = {"atomics", "add", "u32",
                                               "To add to 32-bit values in memory"};

const struct family_page family_atomics_page = {
    .family = "atomics",
    .group = GROUP_ATOMICS,
    .question = &question,
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_atomics,
    .rank = 70,
};
