/* Advice from ladders: costs over the hardware threads of a work-group. */
#ifndef VEBENCH_ADVISE_LADDER_H
#define VEBENCH_ADVISE_LADDER_H

#include "model/advise.h"

/* What the variants of a family do alike: how much of a variant's name says what is done; the rest
 * is a way of doing it. */
typedef size_t (*advise_task_bytes)(const char *variant);

/* For each task: the best variant, sub-group size and work-group size, by the cost of a work-item.
 */
enum status advise_tasks(struct advising *advising, advise_task_bytes task);

/* Cost of the equation at so many threads; false where the model has none. Not more exact than the
 * equation was on rows left out. */
bool advise_ladder_cost(const struct advising *advising, const char *variant,
                        unsigned subgroup_size, unsigned threads, struct estimate *cost);

/* Is parameter `index` the base of an equation of the family? Its parts, then. */
bool advise_is_base(const struct advising *advising, size_t index, struct parameter_parts *parts);

#endif
