/* Assigns work to workers: tasks are given out in order, modules are compiled before the tasks that
 * need them, and workers that die are replaced. */
#ifndef VEBENCH_SCHEDULE_H
#define VEBENCH_SCHEDULE_H

#include "measure/task.h"
#include "measure/worker-process.h"

#define JOBS_MAX 256

struct schedule {
    const struct sweep_request *request;
    struct task *tasks; /* borrowed */
    size_t task_count;
    size_t first; /* all tasks before it are done and collected by the caller */

    struct worker workers[JOBS_MAX];
    size_t worker_count;    /* that may run concurrently */
    size_t measuring_limit; /* how many of them may be measuring */
    bool keeps_workers;     /* reuses them for further tasks, while nothing fails */
    double ends_s;          /* deadline for everything, by the monotonic clock; 0: none */
    struct target target;   /* as reported by the last worker */
    bool has_target;
    unsigned failed_starts;   /* in a row */
    struct error start_error; /* of the last one */
};

/* Starts one worker and waits until its session is open; `target` is known from then on. */
enum status schedule_open(struct schedule *schedule, const struct sweep_request *request,
                          struct error *error);

/* Gives out work and waits for some of it; tasks in state TASK_DONE have their results.
 * STATUS_INTERRUPTED, once running measurements are done, if the user asked to stop; STATUS_LOST if
 * no worker can open the device any more. */
enum status schedule_step(struct schedule *schedule, struct error *error);

/* Ends all workers. */
void schedule_close(struct schedule *schedule);

/* Number of processors that this process may run on. */
unsigned schedule_processors(void);

#endif
