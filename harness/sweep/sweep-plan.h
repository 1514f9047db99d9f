/* Everything a sweep does, in order, and what it leaves out. */
#ifndef VEBENCH_SWEEP_PLAN_H
#define VEBENCH_SWEEP_PLAN_H

#include "sweep/plan.h"
#include "sweep/sweep.h"
#include "sweep/task.h"

struct sweep_plan {
    struct task *tasks; /* owned; the whole sweep, except what is excluded or has no room */
    size_t task_count;
    size_t sequence; /* of the next configuration planned. Counts those left out, so that the order
                        of launches, which depends on it, is the same as in a sweep that has them */
    size_t excluded; /* variants in configurations that did not become tasks */
    struct plan_gap gap;
    struct module_image *images; /* owned */
    size_t image_count;
    size_t bisected[SWEEP_FAMILIES_MAX]; /* own axis of each family of the request that is
                                            bisected, or OWN_AXES_MAX */
};

/* The same on each GPU that is alike. STATUS_USAGE if there is nothing to measure. The plan borrows
 * `request`, must start zeroed, and must be released whatever the outcome. */
enum status sweep_plan_make(struct sweep_plan *plan, const struct sweep_request *request,
                            const struct target *target, struct error *error);
void sweep_plan_release(struct sweep_plan *plan);

/* Is the task to be measured on a GPU like this? If so, notes its estimated time. */
bool sweep_plan_consider(struct sweep_plan *plan, const struct sweep_request *request,
                         const struct target *target, struct task *task);

/* When all tasks are done: adds those between values of an axis whose costs differ (bisect.h), as
 * one more generation behind the others, or none. Tasks move in memory. */
enum status sweep_plan_extend(struct sweep_plan *plan, const struct sweep_request *request,
                              const struct target *target, struct error *error);

/* Totals the tasks of one family of the request. */
void sweep_plan_sum(const struct sweep_plan *plan, const struct family *family,
                    struct sweep_sum *sum);

#endif
