/* The verdict that stands for a group of families at the top of the page: barriers, exchange and so
 * on. It is one of model/verdict.h, chosen by what was measured and not by what it says. */
#ifndef VEBENCH_GROUP_VERDICT_H
#define VEBENCH_GROUP_VERDICT_H

#include "model/verdict.h"
#include "report/family-page.h"

struct group_verdict {
    const struct group_question *question; /* NULL: no family stands for the group */
    struct verdicts all;                   /* of the question's family; owned */
    const struct verdict *verdict;         /* of these; NULL: no row answers the question */
};

/* Of the verdicts on the group's question takes the one with the most sub-group sizes, of equals
 * the one of the busiest launch. STATUS_NO_MEMORY only when out of memory. */
enum status group_verdict_make(struct group_verdict *group, const struct family_pages *pages,
                               enum family_group which, const struct records *records,
                               struct error *error);
void group_verdict_free(struct group_verdict *group);

/* "Barriers" */
const char *group_name(enum family_group group);

/* The verdicts of all groups that choose, as findings: what they rest on can be found out as for
 * those (rests-on.h). */
void group_findings_collect(struct findings *findings, const struct family_pages *pages,
                            const struct records *records);

/* The finding about these winners, or NULL. */
const struct finding *group_finding(const struct findings *findings, const struct verdict *verdict);

/* "For a barrier, choose 16 lanes: 85 cycles against 114 (32 lanes); ...": a sentence. */
#define GROUP_TEXT_BYTES (2 * VERDICT_TEXT_BYTES + 128)
const char *group_sentence(const struct group_verdict *group, char text[GROUP_TEXT_BYTES]);

#endif
