/* What the loop around a cost takes because its threads hold each other up.
 *
 * A cost is measured beyond a baseline, the same loop without it. With many threads that loop waits
 * for what they share, and the more it waits the less is left for a cost during which it waits,
 * too: the cost seems to fall with threads. There what is explained is the loop with the cost in
 * it, less the baseline of threads that are not in each other's way. */
#ifndef VEBENCH_CONTENTION_H
#define VEBENCH_CONTENTION_H

#include "model/fit.h"

struct contention {
    const struct record **sorted; /* owned: the family's rows, by record_order() */
    size_t count;
};

/* Of the family whose groups these are. */
enum status contention_begin(struct contention *contention, const struct fit *fit,
                             const struct fit_group *group);
void contention_end(struct contention *contention);

/* Of each of the rows, which are of one variant, what its baseline takes beyond the least that it
 * takes in any of them, to `more`; false where it is nothing, and where a baseline is not there. */
bool contention_rows(const struct contention *contention, const struct fit *fit,
                     const struct row_set *rows, double *more);

/* Fits a baseline over the hardware threads on an Xe-core, m = n r: max(alone, per_thread m). */
enum status contention_fit(struct fit *fit, struct row_set *rows, const char *name);

/* What the row's baseline takes more than alone, in the unit of its value; 0 where the model does
 * not say. */
double contention_of(const struct model *model, const struct record *record);

/* The value of a row that is a baseline itself. */
bool contention_predict(const struct model *model, const struct record *record, double *value);

#endif
