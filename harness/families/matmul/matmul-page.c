/* Family `matmul` on the page: the throughput of a product, also under the roofline. */
#include "report/family-page.h"
#include "report/findings-parts.h"
#include "report/plot-place.h"
#include "report/roofline.h"

#include <stdio.h>
#include <string.h>

static void findings_matmul(struct findings *findings, const struct records *records)
{
    findings_add_verdict(findings, records, "matmul", "matmul", "f32",
                         "For a matrix product of floats");
}

static bool place_matmul(const struct record *r, struct plot_point *point)
{
    if (!r->method[0])
        return false;
    snprintf(point->panel, sizeof(point->panel), "elements of type %.40s", plot_type_name(r->type));
    plot_text(point->category, r->method);
    plot_series_by_size(r, point);
    return true;
}

static const char *const by_matrix[] = {"threads", "workgroup_count", "m", "n", "k", NULL};

static const struct plot plots[] = {
    {.name = "matmul",
     .rank = 130,
     .title = "Matrix product",
     .caption = "Computed from the time of the loop, with two operations for each multiply-add.",
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
     .caption = "Matrix products, and the roofs (memory, arithmetic) that limit them.",
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
    .has_operations = true,
    .under_roofline = place_matmul,
};
