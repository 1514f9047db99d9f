/* The extra time that the loop around a cost takes because its threads get in each other's way.
 *
 * A cost is measured relative to a baseline, the same loop without it. With many threads that loop
 * waits for shared resources, and a cost that waits at the same time partly hides in that wait: it
 * seems to fall with the number of threads. In that case the fit explains the loop including the
 * cost, less the baseline of threads that are not in each other's way. */
#ifndef VEBENCH_CONTENTION_H
#define VEBENCH_CONTENTION_H

#include "model/fit.h"

struct contention {
    const struct record **sorted; /* owned: the family's rows, sorted by record_order() */
    size_t count;
};

/* Prepares for the family that these groups belong to. */
enum status contention_begin(struct contention *contention, const struct fit *fit,
                             const struct fit_group *group);
void contention_end(struct contention *contention);

/* Writes to `more`, for each of the rows, which are of one variant, how much longer its baseline
 * takes than the shortest among them; false where there is no excess, and where a baseline is
 * missing. */
bool contention_rows(const struct contention *contention, const struct fit *fit,
                     const struct row_set *rows, double *more);

/* Fits a baseline over the hardware threads on an Xe-core, m = n r, as max(alone, per_thread m). */
enum status contention_fit(struct fit *fit, struct row_set *rows, const char *name);

/* How much longer a baseline takes with so many hardware threads on its Xe-core than alone, in the
 * unit of its rows' value; 0 where the model does not say. */
double contention_at(const struct model *model, const char *family, const char *baseline,
                     unsigned subgroup_size, double threads);

/* The same for a row's. */
double contention_of(const struct model *model, const struct record *record);

/* The value of a row that is itself a baseline. */
bool contention_predict(const struct model *model, const struct record *record, double *value);

#endif
