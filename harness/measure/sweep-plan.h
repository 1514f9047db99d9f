/* All that a sweep is going to do, in order, and what it leaves out. */
#ifndef VEBENCH_SWEEP_PLAN_H
#define VEBENCH_SWEEP_PLAN_H

#include "measure/plan.h"
#include "measure/sweep.h"
#include "measure/task.h"

struct sweep_plan {
    struct task *tasks; /* owned; the whole sweep, but for what is excluded or has no room */
    size_t task_count;
    size_t sequence; /* of the next configuration planned: what is left out counts, so that the
                        order of launches, which follows from it, is that of a sweep with others */
    size_t excluded; /* variants of configurations that are no task */
    struct plan_gap gap;
    struct module_image *images; /* owned */
    size_t image_count;
};

/* STATUS_USAGE where there is nothing to measure. `request` is borrowed by the plan. Release it
 * whatever the outcome; it starts zeroed. */
enum status sweep_plan_make(struct sweep_plan *plan, const struct sweep_request *request,
                            const struct target *target, struct error *error);
void sweep_plan_release(struct sweep_plan *plan);

/* Sums up the tasks of one family of the request. */
void sweep_plan_sum(const struct sweep_plan *plan, const struct family *family,
                    struct sweep_sum *sum);

#endif
