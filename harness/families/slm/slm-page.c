/* Family `slm` on the page: bank conflicts by stride. */
#include "report/family-page.h"
#include "report/findings-parts.h"
#include "report/plot-place.h"

#include <stdio.h>
#include <string.h>

#define STRIDE_MAX 64

/* The load at stride 1 in the busiest launch. */
static const struct record *load_at_1(const struct records *records)
{
    const struct record *best = NULL, *r;

    for (size_t i = 0; (r = next_row(records, "slm", "load", &i));) {
        if (record_parameter(r, "stride", 0.0) == 1.0 && is_busier(r, best))
            best = r;
    }
    return best;
}

/* The load in the same launch at another stride, or NULL. */
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

static void findings_slm(struct findings *findings, const struct records *records)
{
    const struct record *straight = load_at_1(records), *worst = NULL;
    char advice[FINDING_BYTES], text[FINDING_BYTES], scope[SCOPE_BYTES], padding[80] = "";
    char list[STRIDE_MAX * sizeof("64, ")] = "";
    char a[ESTIMATE_BYTES], b[ESTIMATE_BYTES], c[ESTIMATE_BYTES];

    if (!straight)
        return;
    for (unsigned stride = 2; stride <= STRIDE_MAX; stride++) {
        size_t used = strlen(list);

        const struct record *r = load_at(records, straight, stride);
        if (!r || !is_worth_it(ratio_of(cost_of(r), cost_of(straight))))
            continue;
        snprintf(list + used, sizeof(list) - used, "%s%u", used ? ", " : "", stride);
        if (!worst || r->value > worst->value)
            worst = r;
    }
    if (!worst)
        return;
    const struct record *padded = sibling(records, worst, "load_padded");
    if (padded && is_worth_it(ratio_of(cost_of(worst), cost_of(padded))))
        snprintf(padding, sizeof(padding), ", %.3g with rows of 32 words padded by one",
                 cost_of(padded).value);
    snprintf(advice, sizeof(advice),
             "Avoid a stride of %g words in shared local memory: %.3g %s a load, %.3g at stride "
             "1%s; %s.",
             record_parameter(worst, "stride", 0.0), cost_of(worst).value, cost_unit(worst),
             cost_of(straight).value, padding, findings_scope(worst, scope));
    snprintf(text, sizeof(text),
             "A load by %u lanes takes %s %s, without computing its addresses; at stride 1 it "
             "takes %s%s%s%s. Of the measured strides, these are slower than 1: %s.",
             worst->subgroup_size, show(cost_of(worst), a), cost_unit(worst),
             show(cost_of(straight), b), padded ? ", " : "", padded ? show(cost_of(padded), c) : "",
             padded ? " padded" : "", list);
    findings_add(findings, (struct claim){straight, worst}, advice, text);
}

static bool place_slm(const struct record *r, struct plot_point *point)
{
    plot_panel_by_size(r, point);
    plot_text(point->series, r->variant);
    point->x = record_parameter(r, "stride", 0.0);
    return point->x > 0.0;
}

static const char *const by_launch[] = {"threads", "workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "slm",
     .rank = 80,
     .title = "Shared local memory: conflicts by stride",
     .caption = "Lanes that access one bank wait for each other; padding spreads them over banks.",
     .command = "vebench run slm --axis stride=2,4,8,16,33",
     .x_label = "stride in elements",
     .y_label = "clock cycles per access",
     .log = "x",
     .family = "slm",
     .place = place_slm,
     .style = "points",
     .slice = by_launch},
};

const struct family_page family_slm_page = {
    .family = "slm",
    .group = GROUP_MEMORY,
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_slm,
    .rank = 40,
    .roof = "slm",
};
