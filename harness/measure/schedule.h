/* Which worker does what next: tasks are given out in their order, modules are compiled before the
 * tasks that need them, and a worker that is gone is replaced. */
#ifndef VEBENCH_SCHEDULE_H
#define VEBENCH_SCHEDULE_H

#include "measure/task.h"
#include "measure/worker-process.h"

#define JOBS_MAX 256

struct schedule {
    const struct sweep_request *request;
    struct task *tasks; /* borrowed */
    size_t task_count;
    size_t first; /* all tasks before it are done, and taken by the caller */

    struct worker workers[JOBS_MAX];
    size_t worker_count;    /* that may run together */
    size_t measuring_limit; /* of them, with a task to measure */
    bool keeps_workers;     /* for further tasks, while nothing fails */
    double ends_s;          /* when all is to be done, by the monotonic clock; 0: any time */
    struct target target;   /* as the last worker found it */
    bool has_target;
    unsigned failed_starts;   /* one after the other */
    struct error start_error; /* of the last of them */
};

/* Starts one worker and waits until its session is open: `target` is known then. */
enum status schedule_open(struct schedule *schedule, const struct sweep_request *request,
                          struct error *error);

/* Gives out work and waits for some of it; tasks that are TASK_DONE have their results.
 * STATUS_INTERRUPTED, after what was being measured is done, where the user asked to stop;
 * STATUS_LOST where no worker can open the device any more. */
enum status schedule_step(struct schedule *schedule, struct error *error);

/* Ends all workers. */
void schedule_close(struct schedule *schedule);

/* Processors that this process may run on. */
unsigned schedule_processors(void);

#endif
