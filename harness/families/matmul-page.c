/* Family `matmul` on the page: the throughput of a product, also under the roofline. */
#include "page/family-page.h"
#include "page/findings-parts.h"
#include "page/plot-place.h"
#include "page/roofline.h"

#include <stdio.h>
#include <string.h>

static void findings_matmul(struct findings *findings, const struct records *records)
{
    static const char *const ways[] = {"broadcast_block_float", "broadcast_float", "slm_float",
                                       "work_group_float"};
    const struct record *naive = NULL, *best = NULL, *r;
    char advice[FINDING_BYTES], text[FINDING_BYTES], ratio[ESTIMATE_BYTES];

    for (size_t i = 0; (r = next_row(records, "matmul", "naive_float", &i));) {
        if (record_is_busy(r) && is_busier(r, naive))
            naive = r;
    }
    for (size_t i = 0; naive && i < sizeof(ways) / sizeof(ways[0]); i++) {
        r = sibling(records, naive, ways[i]);
        if (r && (!best || r->value < best->value))
            best = r;
    }
    if (!best)
        return;
    struct estimate gain = ratio_of(cost_of(naive), cost_of(best));
    if (!is_worth_it(gain))
        return;
    snprintf(advice, sizeof(advice), "Share the operands of a matrix product as %s does.",
             best->variant);
    snprintf(
        text, sizeof(text),
        "%s times as fast as each work-item on its own, at sub-groups of %u: %.3g ⋅ 10⁹ against "
        "%.3g ⋅ 10⁹ operations per second.",
        show(gain, ratio), best->subgroup_size, best->work_flops / best->loop_ns,
        naive->work_flops / naive->loop_ns);
    findings_add(findings, best, advice, text);
}

/* "broadcast_block_float" goes into panel "float". */
static bool place_matmul(const struct record *r, struct plot_point *point)
{
    const char *type = strrchr(r->variant, '_');

    if (!type)
        return false;
    snprintf(point->panel, sizeof(point->panel), "elements of type %s", type + 1);
    snprintf(point->category, sizeof(point->category), "%.*s", (int)(type - r->variant),
             r->variant);
    plot_series_by_size(r, point);
    return true;
}

static const char *matmul_operand(const struct record *r)
{
    const char *type = strrchr(r->variant, '_');

    return type ? type + 1 : "";
}

static const char *const by_matrix[] = {"threads", "workgroup_count", "m", "n", "k", NULL};

static const struct plot plots[] = {
    {.name = "matmul",
     .rank = 130,
     .title = "Matrix product",
     .caption = "From the loop's own time: two operations for each multiply-add.",
     .command = "vebench run matmul",
     .shape = PLOT_BARS,
     .y_label = "10⁹ operations per second",
     .log = "",
     .family = "matmul",
     .place = place_matmul,
     .slice = by_matrix,
     .with_baselines = true,
     .y = PLOT_GFLOP_PER_S},
    {.name = "roofline",
     .rank = 140,
     .title = "Roofline",
     .caption = "Matrix products below the roofs that limit them.",
     .command = "vebench run matmul memory_32",
     .x_label = "operations per byte of payload",
     .y_label = "10⁹ operations per second, one Xe-core",
     .log = "xy10",
     .collect = roofline_collect},
};

const struct family_page family_matmul_page = {
    .family = "matmul",
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_matmul,
    .rank = 80,
    .is_kernel = true,
    .operand = matmul_operand,
    .under_roofline = place_matmul,
};
