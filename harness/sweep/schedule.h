/* Assigns work to workers: tasks are given out in order, except that long ones do not come last;
 * modules are compiled before the tasks that need them, and workers that die are replaced. */
#ifndef VEBENCH_SCHEDULE_H
#define VEBENCH_SCHEDULE_H

#include "sweep/gpu.h"
#include "sweep/task.h"
#include "sweep/worker-process.h"

#define JOBS_MAX 256

struct schedule {
    const struct sweep_request *request;
    struct task *tasks; /* borrowed */
    size_t task_count;
    size_t first; /* all tasks before it are done and collected by the caller */

    struct lead_image lead; /* compiled with the first module */
    struct worker workers[JOBS_MAX];
    size_t worker_count;    /* that may run concurrently */
    size_t measuring_limit; /* how many may be measuring */
    bool keeps_workers;     /* reuses them for further tasks, while nothing fails */
    struct gpu gpu;
    int wakes; /* a descriptor from which something may come that ends a step; -1: none */
    /* A task is about to be given to a worker; may be NULL. */
    enum status (*begins)(void *context, struct task *task, struct error *error);
    void *context;
};

/* Starts a worker and waits until its session is open; the target is known from then on. */
enum status schedule_open(struct schedule *schedule, const struct sweep_request *request,
                          struct error *error);

/* Gives out work and waits for some of it; tasks in state TASK_DONE have their results.
 * STATUS_INTERRUPTED, once running measurements are done, if the user asked to stop; STATUS_LOST if
 * the GPU cannot be opened any more. */
enum status schedule_step(struct schedule *schedule, struct error *error);

/* The task that should begin next although others come before it: where several may be
 * measured side by side, one that may take as long as all the others that wait would end alone
 * after them. NULL: none, or too many tasks are left to know. */
const struct task *schedule_longest(const struct schedule *schedule);

/* Ends all workers. */
void schedule_close(struct schedule *schedule);

#endif
