/* Fits a cost over hardware threads n and resident work-groups r: base + per_thread n +
 * per_thread_beyond max(0, n - knee) + per_group (r - 1) + per_thread_and_group n (r - 1), or a
 * subset of these terms. */
#ifndef VEBENCH_FIT_LADDER_H
#define VEBENCH_FIT_LADDER_H

#include "model/contention.h"

/* Adds the parameters NAME.base and so on. Drops rows with more work-groups than are resident at
 * once from `rows`, as these run in several waves. With the rows' `contention`, which may be NULL,
 * the waits of their baselines become part of the cost where that explains the rows better. */
enum status fit_ladder(struct fit *fit, struct row_set *rows, const char *name,
                       const struct contention *contention);

/* Fits a ladder FAMILY.VARIANT.simdN for each variant of the family that has a baseline. */
enum status fit_ladders(struct fit *fit);

/* The cost at one number of hardware threads that is in no equation, "at64"; NULL: not measured
 * alone. */
const struct parameter *ladder_at(const struct model *model, const char *family,
                                  const char *variant, unsigned subgroup_size, double threads);

/* The value of a row according to the ladder of its family, variant and sub-group size. */
bool predict_ladder(const struct model *model, const struct record *record, double *value);

#endif
