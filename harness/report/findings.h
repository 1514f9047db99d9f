/* Advice in words for kernels on the device, derived from the results. */
#ifndef VEBENCH_FINDINGS_H
#define VEBENCH_FINDINGS_H

#include "rows/records.h"

#define FINDING_BYTES 480
#define FINDINGS_MAX  10

struct family_page;

/* The families that have something to show on the page; see family-page.h. */
struct family_pages {
    const struct family_page *const *family;
    size_t count;
};

/* Two rows of which the one is claimed to cost less than the other. */
struct claim {
    const struct record *less, *more; /* borrowed; `less` NULL: that `more` costs anything */
};

struct finding {
    char advice[FINDING_BYTES];   /* what to do, by how much, and where */
    char evidence[FINDING_BYTES]; /* the numbers behind it, with intervals */
    struct claim claim;
    char rests_on[FINDING_BYTES]; /* what it rests on (rests-on.h); "" if that is not known */
    bool is_weak;                 /* it hangs on something that is not known */
};

struct findings {
    struct finding line[FINDINGS_MAX];
    size_t count;
    bool out_of_memory; /* some are missing */
};

/* What a reader wants to know first, most important at the top. A finding is reported only if the
 * compared values differ by at least 5 % even at the unfavourable ends of both 95 % intervals. */
void findings_collect(struct findings *findings, const struct family_pages *pages,
                      const struct records *records);

#endif
