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

static const struct group_question question = {"collective", "reduce_add", "u32",
                                               "To sum 32-bit values of a sub-group"};

const struct family_page family_collective_page = {
    .family = "collective",
    .group = GROUP_REDUCTIONS,
    .question = &question,
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
};
