/* The lines of a report that matter, in words. */
#ifndef VEBENCH_FINDINGS_H
#define VEBENCH_FINDINGS_H

#include "records.h"

#define FINDING_BYTES 400
#define FINDINGS_MAX  16

struct findings {
    char line[FINDINGS_MAX][FINDING_BYTES];
    size_t count;
};

/* What a person would want to know first; the fewer rows, the fewer lines. */
void findings_collect(struct findings *findings, const struct records *records);

#endif
