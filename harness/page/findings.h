/* What results say that a kernel on the device should do, in words. */
#ifndef VEBENCH_FINDINGS_H
#define VEBENCH_FINDINGS_H

#include "model/records.h"

#define FINDING_BYTES 480
#define FINDINGS_MAX  10

struct family_page;

/* The families that have something to show: what each has is in family-page.h. */
struct family_pages {
    const struct family_page *const *family;
    size_t count;
};

struct finding {
    char advice[FINDING_BYTES];   /* what to do */
    char evidence[FINDING_BYTES]; /* the numbers behind it, with intervals */
};

struct findings {
    struct finding line[FINDINGS_MAX];
    size_t count;
};

/* What a person would want to know first, the most important at the top. A line is there only if
 * what it compares differs by 5 % at least, at the unfavourable ends of both 95 % intervals. */
void findings_collect(struct findings *findings, const struct family_pages *pages,
                      const struct records *records);

#endif
