/* A sweep while it runs, and its passes after the first. */
#ifndef VEBENCH_SWEEP_PASSES_H
#define VEBENCH_SWEEP_PASSES_H

#include "sweep/refine.h"
#include "sweep/schedule.h"
#include "sweep/store.h"
#include "sweep/sweep-plan.h"

/* What other ranks leave to this one of a sweep that they share. */
struct deal {
    struct ranks *ranks; /* NULL: it is not shared */
    size_t end;          /* tasks of the plan before it are dealt out, to this rank or to others */
    uint64_t number;     /* of the first one behind, among those that are to be dealt out */
    bool has_asked, is_over;
};

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
    struct deal deal;
    struct totals totals; /* of all ranks, when they have ended */
};

/* Tells the caller that a task of the plan is done. */
void sweep_tell_finished(const struct sweep *sweep, const struct task *task);

/* Spends what the first pass has left of the budget: measures the configurations with the widest
 * intervals again and replaces their rows, as often as that helps. Errors as sweep_run(). */
enum status sweep_refine(struct sweep *sweep, struct error *error);

#endif
