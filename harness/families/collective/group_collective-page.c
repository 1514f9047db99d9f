/* Family `group_collective` on the page: work-group functions compared with hand-written code. */
#include "report/family-page.h"
#include "report/plot-place.h"

/* One row per operation, one mark per way. */
static bool place_group_collective(const struct record *r, struct plot_point *point)
{
    plot_panel_by_size(r, point);
    plot_text(point->series, r->method);
    task_name(point->category, r->operation, r->type);
    return true;
}

static const char *const by_launch[] = {"threads", "workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "group_collective",
     .rank = 75,
     .title = "Broadcasts, votes and reductions over a work-group",
     .caption = "The leftmost mark of a row is the fastest; colour shows the sub-group size, shape "
                "the method.",
     .command = "vebench run group_collective",
     .shape = PLOT_BARS,
     .y_label = "clock cycles",
     .log = "y",
     .family = "group_collective",
     .place = place_group_collective,
     .slice = by_launch},
};

const struct family_page family_group_collective_page = {
    .family = "group_collective",
    .group = GROUP_REDUCTIONS,
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
};
