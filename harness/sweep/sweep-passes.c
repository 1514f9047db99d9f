#include "sweep/sweep-passes.h"

#include "base/monotonic.h"

#include <stdlib.h>

void sweep_tell_finished(const struct sweep *sweep, const struct task *task)
{
    sweep->events->finished(sweep->events->context, task->family, &task->configuration,
                            task->measurements, (size_t)(task - sweep->plan.tasks));
}

/* Takes in what a pass has measured. `replaced` receives the tasks that have new results. */
static enum status take_pass(struct sweep *sweep, struct task **replaced, size_t *count,
                             struct error *error)
{
    struct refinement *refinement = &sweep->refinement;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < refinement->again_count; i++) {
        struct task *task = refinement->kept[refinement->chosen[i]].task;

        sweep_rows_count(task, (size_t)-1, sweep->counts);
        if (refine_take(refinement, i))
            replaced[(*count)++] = task;
        sweep_rows_count(task, 1, sweep->counts);
    }
    for (size_t i = 0; sweep->store && status == STATUS_OK && i < *count; i++)
        status = store_put(sweep->store, &sweep->rows, replaced[i], error);
    refine_drop_samples(refinement);
    return status;
}

/* Puts the results of a pass into the place of those before. */
static enum status store_pass(struct sweep *sweep, struct error *error)
{
    struct task **replaced = calloc(sweep->refinement.again_count + 1, sizeof(struct task *));
    size_t count = 0;

    if (!replaced)
        return error_out_of_memory(error);
    enum status status = take_pass(sweep, replaced, &count, error);
    if (sweep->store && status == STATUS_OK)
        status = store_commit(sweep->store, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        sweep_tell_finished(sweep, replaced[i]);
    free(replaced);
    return status;
}

/* Measures the chosen configurations again. */
static enum status run_pass(struct sweep *sweep, struct error *error)
{
    struct schedule *schedule = &sweep->schedule;
    enum status status = STATUS_OK;
    struct error write_error;

    schedule->tasks = sweep->refinement.again;
    schedule->task_count = sweep->refinement.again_count;
    schedule->first = 0;
    schedule->begins = NULL; /* what is lost now has its rows */
    while (status == STATUS_OK && schedule->first < schedule->task_count) {
        status = schedule_step(schedule, error);
        while (schedule->first < schedule->task_count &&
               schedule->tasks[schedule->first].state >= TASK_DONE)
            schedule->first++;
    }
    if (store_pass(sweep, &write_error) != STATUS_OK && status == STATUS_OK) {
        *error = write_error;
        status = write_error.status;
    }
    return status;
}

enum status sweep_refine(struct sweep *sweep, struct error *error)
{
    struct refinement *refinement = &sweep->refinement;
    enum status status = STATUS_OK;

    while (status == STATUS_OK) {
        double left_s = sweep->ends_s - monotonic_s();

        status = refine_choose(refinement, left_s, error);
        if (status != STATUS_OK || refinement->again_count == 0)
            break;
        if (sweep->events->refining)
            sweep->events->refining(sweep->events->context, refinement->again_count, left_s);
        status = run_pass(sweep, error);
    }
    return status;
}
