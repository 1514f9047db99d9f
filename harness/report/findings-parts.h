/* Helpers for families that derive findings from their rows. */
#ifndef VEBENCH_FINDINGS_PARTS_H
#define VEBENCH_FINDINGS_PARTS_H

#include "model/choices.h"
#include "report/findings.h"

#define ESTIMATE_BYTES 64

/* Adds a line if there is room. */
void findings_add(struct findings *findings, struct claim claim, const char *advice,
                  const char *evidence);

/* "sub-groups of 16, 64 of 128 hardware threads on one Xe-core": what a headline ends with. */
#define SCOPE_BYTES (OCCUPANCY_BYTES + 32)
const char *findings_scope(const struct record *record, char text[SCOPE_BYTES]);

/* Which of two rows says more about a busy device: the one that keeps more threads busy, of equals
 * the one with sub-groups of 16, which every device has. `other` may be NULL. */
bool is_busier(const struct record *record, const struct record *other);

/* Adds the verdict on an operation, where one choice beats another by enough, in the busiest
 * launch: "SUBJECT, choose 16 lanes: 136 cycles against ...". */
void findings_add_verdict(struct findings *findings, const struct records *records,
                          const char *family, const char *operation, const char *type,
                          const char *subject);

/* The row's value in the unit that was asked for; otherwise in clock cycles, or in ns if its clock
 * is unknown. */
struct estimate cost_of(const struct record *record);
const char *cost_unit(const struct record *record); /* "cycles", "ns" and so on */

/* a / b. */
struct estimate ratio_of(struct estimate a, struct estimate b);

/* Whether the low end of the ratio's interval exceeds 1 by enough to be worth a line. */
bool is_worth_it(struct estimate ratio);

/* Writes "12.3 [12.1, 12.4]" to `text`, of ESTIMATE_BYTES, and returns it. */
const char *show(struct estimate estimate, char *text);

/* Whether sub-group size, work-group size and number of work-groups are the same. */
bool is_same_launch(const struct record *a, const struct record *b);

/* The usable row of that variant in the same configuration as `like`, or NULL. */
const struct record *sibling(const struct records *records, const struct record *like,
                             const char *variant);

/* The usable row in the same configuration that does the same as `like` by this method, or NULL. */
const struct record *sibling_by(const struct records *records, const struct record *like,
                                const char *method);

/* The next usable row of family and variant (NULL: any), starting at `*index`; NULL if none. */
const struct record *next_row(const struct records *records, const char *family,
                              const char *variant, size_t *index);

#endif
