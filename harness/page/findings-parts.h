/* What the files findings-*.c share. */
#ifndef VEBENCH_FINDINGS_PARTS_H
#define VEBENCH_FINDINGS_PARTS_H

#include "page/findings.h"

/* A number with its 95 % interval. */
struct estimate {
    double value, low, high;
};

#define ESTIMATE_BYTES 64

/* Adds a line while there is room. */
void findings_add(struct findings *findings, const char *advice, const char *evidence);

/* The row's value in clock cycles, or in ns where its clock is not known. */
struct estimate cost_of(const struct record *record);
const char *cost_unit(const struct record *record); /* "cycles" or "ns" */

/* a / b. */
struct estimate ratio_of(struct estimate a, struct estimate b);

/* Is the ratio above 1 by a margin that is worth a line, at the low end of its interval? */
bool is_worth_it(struct estimate ratio);

/* "12.3 [12.1, 12.4]" into `text` of ESTIMATE_BYTES, which it returns. */
const char *show(struct estimate estimate, char *text);

/* The usable row of that variant in the configuration of `like`, or NULL. */
const struct record *sibling(const struct records *records, const struct record *like,
                             const char *variant);

/* The next usable row of family and variant (NULL: any) from `*index` on, or NULL. */
const struct record *next_row(const struct records *records, const char *family,
                              const char *variant, size_t *index);

/* The lines, in groups. */
void findings_memory(struct findings *findings, const struct records *records);
void findings_barrier(struct findings *findings, const struct records *records);
void findings_exchange(struct findings *findings, const struct records *records);
void findings_lanes(struct findings *findings, const struct records *records);
void findings_kernels(struct findings *findings, const struct records *records);

#endif
