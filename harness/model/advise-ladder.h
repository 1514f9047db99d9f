/* Advice from ladders: costs over the hardware threads of a work-group. */
#ifndef VEBENCH_ADVISE_LADDER_H
#define VEBENCH_ADVISE_LADDER_H

#include "model/advise.h"

/* For each task, which is an operation on a type of data, and each size of its work-group: the best
 * variant and sub-group size. Sizes of work-groups are not ranked: they are different work. */
enum status advise_tasks(struct advising *advising);

/* The cost at this many threads: that which was measured there and stands alone, or else the
 * equation's, which is no more exact than it was on left-out rows. False where the model has
 * neither. */
bool advise_ladder_cost(const struct advising *advising, const char *variant,
                        unsigned subgroup_size, unsigned threads, struct estimate *cost);

/* The same, but the equation's wherever there is one: a cost that stands alone would be a kink
 * among its neighbours. */
bool advise_ladder_curve(const struct advising *advising, const char *variant,
                         unsigned subgroup_size, unsigned threads, struct estimate *cost);

/* Is parameter `index` the base of one of the family's equations? If so, fills its parts. */
bool advise_is_base(const struct advising *advising, size_t index, struct parameter_parts *parts);

#endif
