/* Family `collective` on the page: reductions and scans. */
#include "families/chain/chain-page.h"
#include "report/family-page.h"

static const char *const by_launch[] = {"threads", "workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "collective",
     .rank = 70,
     .title = "Reductions and scans over a sub-group",
     .caption =
         "The leftmost mark of a row is the fastest; some operations exist in registers only.",
     .command = "vebench run collective",
     .shape = PLOT_BARS,
     .y_label = "clock cycles",
     .log = "y",
     .family = "collective",
     .place = place_chain,
     .slice = by_launch},
};

const struct family_page family_collective_page = {
    .family = "collective",
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
};
