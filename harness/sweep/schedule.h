/* Assigns work to workers: tasks are given out in order, except that long ones do not come last;
 * modules are compiled before the tasks that need them, and workers that die are replaced. Over
 * many GPUs, a worker belongs to one of them; a task goes to whichever is free first, or to the one
 * that it is bound to. */
#ifndef VEBENCH_SCHEDULE_H
#define VEBENCH_SCHEDULE_H

#include "sweep/task.h"
#include "sweep/worker-process.h"

#define JOBS_MAX (RANKS_MAX + 1)

struct schedule {
    const struct sweep_request *request;
    struct task *tasks; /* borrowed */
    size_t task_count;
    size_t first; /* all tasks before it are done and collected by the caller */

    struct lead_image lead;          /* compiled with the first module */
    struct worker workers[JOBS_MAX]; /* the first of each GPU come first, in the order of ranks */
    size_t worker_count;             /* that may run concurrently */
    size_t measuring_limit;          /* how many of a GPU's may be measuring */
    bool keeps_workers;              /* reuses them for further tasks, while nothing fails */
    struct gpu gpus[RANKS_MAX];      /* by rank */
    size_t gpu_count;
    size_t abandoned; /* tasks left out because the GPU that they were bound to is lost */
};

/* Starts one worker for each GPU and waits until its session is open; targets are known from then
 * on. */
enum status schedule_open(struct schedule *schedule, const struct sweep_request *request,
                          struct error *error);

/* Gives out work and waits for some of it; tasks in state TASK_DONE have their results.
 * STATUS_INTERRUPTED, once running measurements are done, if the user asked to stop; STATUS_LOST if
 * no GPU can be opened any more. */
enum status schedule_step(struct schedule *schedule, struct error *error);

/* The task that a GPU should begin next although others come before it: where several may be
 * measured side by side, one that may take as long as all the others that wait would end alone
 * after them. NULL: none, or too many tasks are left to know. */
const struct task *schedule_longest(const struct schedule *schedule, unsigned gpu);

/* Ends all workers, and the agents of other ranks. */
void schedule_close(struct schedule *schedule);

#endif
