/* Family `exchange` on the page: registers compared with memory. */
#include "families/chain/chain-page.h"
#include "report/family-page.h"
#include "report/findings-parts.h"

static void findings_exchange(struct findings *findings, const struct records *records)
{
    findings_add_verdict(findings, records, "exchange", "shuffle", "u32",
                         "To shuffle 32-bit values");
}

static const char *const by_launch[] = {"threads", "workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "exchange",
     .rank = 60,
     .title = "Exchange within a sub-group, in registers and through memory",
     .caption = "The leftmost mark of a row is the fastest; colour shows the sub-group size, shape "
                "the method.",
     .command = "vebench run exchange",
     .shape = PLOT_BARS,
     .y_label = "clock cycles per exchange",
     .log = "",
     .family = "exchange",
     .place = place_chain,
     .slice = by_launch},
};

static const struct group_question question = {"exchange", "shuffle", "u32",
                                               "To shuffle 32-bit values"};

const struct family_page family_exchange_page = {
    .family = "exchange",
    .group = GROUP_EXCHANGE,
    .question = &question,
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_exchange,
    .rank = 30,
};
