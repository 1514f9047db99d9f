/* Family `divergence` on the page: the cost of one more path. */
#include "report/family-page.h"
#include "report/findings-parts.h"
#include "report/plot-model.h"
#include "report/plot-place.h"

#include <math.h>
#include <stdio.h>

#define SURELY_FASTER 1.02

/* Which of the two is faster with all of its conditions, which paths taken together do not say. */
static const char *as_a_whole(const struct record *flat, const struct record *nested,
                              char text[FINDING_BYTES])
{
    double tree = nested ? flat->loop_ns / nested->loop_ns : NAN;

    text[0] = '\0';
    if (tree > SURELY_FASTER || 1.0 / tree > SURELY_FASTER)
        snprintf(text, FINDING_BYTES, " As a whole, the %s is %.3g times as fast.",
                 tree > 1.0 ? "tree" : "sequence", fmax(tree, 1.0 / tree));
    return text;
}

static void findings_divergence(struct findings *findings, const struct records *records)
{
    const struct record *flat = NULL, *r;
    char advice[FINDING_BYTES], scope[SCOPE_BYTES];
    char text[FINDING_BYTES], whole[FINDING_BYTES], a[ESTIMATE_BYTES], b[ESTIMATE_BYTES];

    for (size_t i = 0; (r = next_row(records, "divergence", "flat_divergent", &i));) {
        if (is_busier(r, flat) || (!is_busier(flat, r) && record_parameter(r, "paths", 0.0) >
                                                              record_parameter(flat, "paths", 0.0)))
            flat = r;
    }
    if (!flat || !(cost_of(flat).interval.low > 0.0))
        return;
    const struct record *nested = sibling(records, flat, "nested_divergent");
    snprintf(text, sizeof(text),
             "With %g paths of a few operations in a sub-group of %u, each further path costs %s "
             "%s if conditions follow one another%s%s.%s",
             record_parameter(flat, "paths", 0.0), flat->subgroup_size, show(cost_of(flat), a),
             cost_unit(flat), nested ? ", and in a tree of conditions " : "",
             nested ? show(cost_of(nested), b) : "", as_a_whole(flat, nested, whole));
    snprintf(
        advice, sizeof(advice),
        "Keep the lanes of a sub-group on one path: each further one of a few operations costs "
        "%.3g %s; %s.",
        cost_of(flat).value, cost_unit(flat), findings_scope(flat, scope));
    findings_add(findings, (struct claim){NULL, flat}, advice, text);
}

static bool place_divergence(const struct record *r, struct plot_point *point)
{
    plot_panel_by_size(r, point);
    plot_text(point->series, r->variant);
    point->x = record_parameter(r, "paths", 0.0);
    return record_is_by(r, "divergent") && point->x > 1.0;
}

static const char *const by_launch[] = {"threads", "workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "divergence",
     .rank = 100,
     .title = "Cost of one more path",
     .caption = "Time beyond the same work done by all lanes together. Lines are the model's.",
     .command = "vebench run divergence",
     .x_label = "different paths in a sub-group",
     .y_label = "clock cycles per path",
     .log = "x",
     .family = "divergence",
     .place = place_divergence,
     .style = "points",
     .slice = by_launch,
     .explain = explain_rows},
};

const struct family_page family_divergence_page = {
    .family = "divergence",
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_divergence,
    .rank = 50,
};
