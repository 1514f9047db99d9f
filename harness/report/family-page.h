/* What a report's page shows about a benchmark family. Families with something to show define it in
 * harness/families/NAME-page.c, which ends with this descriptor, family_NAME_page. */
#ifndef VEBENCH_FAMILY_PAGE_H
#define VEBENCH_FAMILY_PAGE_H

#include "report/findings.h"
#include "report/plots.h"

/* Families that answer the same kind of question, in the order of the page. */
enum family_group {
    GROUP_KERNELS, /* whole kernels, and what is in no other group; the last on the page */
    GROUP_BARRIERS,
    GROUP_EXCHANGE,
    GROUP_REDUCTIONS,
    GROUP_MEMORY,
    GROUP_ATOMICS,
    GROUP_COUNT
};

/* The operation that stands for a group at the top of the page. */
struct group_question {
    const char *family, *operation, *type;
    const char *subject; /* "For a barrier": what the sentence begins with */
};

struct family_page {
    const char *family;
    const char *const *covers; /* as in struct family_model */

    const struct plot *plots;
    size_t plot_count;

    enum family_group group;
    const struct group_question *question; /* NULL: another family stands for the group */

    unsigned rank; /* findings and roofs of lower rank come first */

    /* Adds the findings that the family's rows support. NULL: none. */
    void (*findings)(struct findings *findings, const struct records *records);

    bool has_operations; /* its busy rows give the compute roofs of panels of their types */
    bool is_kernel;      /* a whole kernel, predicted from its machine code */
    const char *roof;    /* the roofline roof given by the family's best byte rate; NULL: none */
    bool roof_of_all;    /* of launches with work for all Xe-cores, as these share what they get */

    /* Places a row under the roofline: sets panel and category. NULL: no row of the family is
     * shown. */
    bool (*under_roofline)(const struct record *record, struct plot_point *point);
};

/* The family next in rank after `before`, the first if that is NULL; NULL after the last. Skips
 * families without rank. */
const struct family_page *family_pages_next(const struct family_pages *pages,
                                            const struct family_page *before);

/* Whether the descriptor covers the family called `name`. */
bool family_page_covers(const struct family_page *family, const char *name);

#endif
