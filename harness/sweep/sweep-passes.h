/* A sweep while it runs, and its passes after the first. */
#ifndef VEBENCH_SWEEP_PASSES_H
#define VEBENCH_SWEEP_PASSES_H

#include "sweep/refine.h"
#include "sweep/schedule.h"
#include "sweep/store.h"
#include "sweep/sweep-plan.h"

struct sweep {
    const struct sweep_request *request;
    struct schedule schedule;
    struct sweep_plan plan;
    struct refinement refinement;
    double ends_s; /* deadline for everything, by the monotonic clock; 0: none */
    struct sweep_rows rows;
    struct store *store; /* NULL: nothing is stored */
    const struct sweep_events *events;
    struct sweep_counts *counts;
};

/* Tells the caller that a task of the plan is done. */
void sweep_tell_finished(const struct sweep *sweep, const struct task *task);

/* Spends what the first pass has left of the budget: measures the configurations with the widest
 * intervals again and replaces their rows, as often as that helps. Errors as sweep_run(). */
enum status sweep_refine(struct sweep *sweep, struct error *error);

#endif
