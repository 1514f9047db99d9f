/* Family `transpose` on the page: the bandwidth of a transposition. */
#include "report/family-page.h"
#include "report/plot-place.h"

#include <stdio.h>

static bool place_transpose(const struct record *r, struct plot_point *point)
{
    plot_panel_by_size(r, point);
    plot_text(point->category, r->variant);
    snprintf(point->series, sizeof(point->series), "side_%g", record_parameter(r, "side", 0.0));
    return true;
}

static const char *const by_launch[] = {"threads", "workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "transpose",
     .rank = 120,
     .title = "Transposition",
     .caption = "Computed from the time of the loop: bytes read and written.",
     .command = "vebench run transpose",
     .shape = PLOT_BARS,
     .y_label = "GB/s",
     .log = "",
     .family = "transpose",
     .place = place_transpose,
     .slice = by_launch,
     .with_baselines = true,
     .y = PLOT_GB_PER_S},
};

const struct family_page family_transpose_page = {
    .family = "transpose",
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .is_kernel = true,
};
