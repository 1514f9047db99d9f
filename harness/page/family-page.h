/* What a report's page shows of a benchmark family. Each family that has something to show has it
 * in harness/families/NAME-page.c, which ends with this descriptor, family_NAME_page. */
#ifndef VEBENCH_FAMILY_PAGE_H
#define VEBENCH_FAMILY_PAGE_H

#include "page/findings.h"
#include "page/plots.h"

struct family_page {
    const char *family; /* "NAME_": all families that begin so */

    const struct plot *plots;
    size_t plot_count;

    unsigned rank; /* findings and roofs of lower rank come first */

    /* Adds the lines that the family's rows carry. NULL: none. */
    void (*findings)(struct findings *findings, const struct records *records);

    bool is_kernel;   /* a whole kernel: predicted by its machine code */
    const char *roof; /* of the roofline, that the family's best rate of bytes is; NULL: none */

    /* Puts a row under the roofline: panel and category. NULL: none of the family's. */
    bool (*under_roofline)(const struct record *record, struct plot_point *point);
};

/* The family next in rank after `before`, or the first where that is NULL; NULL after the last.
 * Families without rank are left out. */
const struct family_page *family_pages_next(const struct family_pages *pages,
                                            const struct family_page *before);

/* Whether the family is one of the descriptor's. */
bool family_page_covers(const struct family_page *family, const char *name);

#endif
