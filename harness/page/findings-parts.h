/* For what a family finds in its rows. */
#ifndef VEBENCH_FINDINGS_PARTS_H
#define VEBENCH_FINDINGS_PARTS_H

#include "model/choices.h"
#include "page/findings.h"

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

/* Rows of sub-groups of 16 come before others: every device has them. `other` may be NULL. */
bool is_preferred(const struct record *record, const struct record *other);

/* Sub-group size, work-group size and number are the same. */
bool is_same_launch(const struct record *a, const struct record *b);

/* The usable row of that variant in the configuration of `like`, or NULL. */
const struct record *sibling(const struct records *records, const struct record *like,
                             const char *variant);

/* The next usable row of family and variant (NULL: any) from `*index` on, or NULL. */
const struct record *next_row(const struct records *records, const char *family,
                              const char *variant, size_t *index);

#endif
