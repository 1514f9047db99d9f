#include "measure/sweep-passes.h"

#include "base/monotonic.h"

void sweep_tell_finished(const struct sweep *sweep, const struct task *task)
{
    sweep->events->finished(sweep->events->context, task->family, &task->configuration,
                            task->measurements, (size_t)(task - sweep->plan.tasks));
}

static enum status write_kept_rows(void *context, size_t part, struct csv *csv, struct error *error)
{
    const struct sweep *sweep = context;

    return sweep_rows_write(&sweep->rows, sweep->refinement.kept[part].task, csv, error);
}

static enum status write_kept_samples(void *context, size_t part, struct csv *csv,
                                      struct error *error)
{
    const struct sweep *sweep = context;

    return sweep_rows_write_samples(&sweep->rows, sweep->refinement.kept[part].task, csv, error);
}

/* Takes in what a pass has measured. Were any results replaced? */
static bool take_pass(struct sweep *sweep)
{
    struct refinement *refinement = &sweep->refinement;
    bool any = false;

    for (size_t i = 0; i < refinement->again_count; i++) {
        struct task *task = refinement->kept[refinement->chosen[i]].task;
        struct sweep_counts *counts = sweep->counts;

        sweep_rows_count(task, (size_t)-1, counts);
        size_t stale = refine_take(refinement, i);
        sweep_rows_count(task, 1, counts);
        if (stale == refinement->count)
            continue;
        refinement->rows[stale].is_stale = refinement->samples[stale].is_stale = true;
        sweep_tell_finished(sweep, task);
        any = true;
    }
    return any;
}

/* Puts the rows of a pass into the place of those before; samples are added. */
static enum status replace_rows(struct sweep *sweep, struct error *error)
{
    struct refinement *refinement = &sweep->refinement;
    enum status status = STATUS_OK;

    if (sweep->files.samples)
        status = csv_splice(sweep->files.samples, refinement->samples, refinement->count, true,
                            write_kept_samples, sweep, error);
    if (status == STATUS_OK && sweep->files.results && !sweep->holds_rows)
        status = csv_splice(sweep->files.results, refinement->rows, refinement->count, false,
                            write_kept_rows, sweep, error);
    refine_drop_samples(refinement);
    return status;
}

/* Measures the chosen configurations again. */
static enum status run_pass(struct sweep *sweep, struct error *error)
{
    struct schedule *schedule = &sweep->schedule;
    size_t abandoned = schedule->abandoned;
    enum status status = STATUS_OK;
    struct error write_error;

    schedule->tasks = sweep->refinement.again;
    schedule->task_count = sweep->refinement.again_count;
    schedule->first = 0;
    while (status == STATUS_OK && schedule->first < schedule->task_count) {
        status = schedule_step(schedule, error);
        while (schedule->first < schedule->task_count &&
               schedule->tasks[schedule->first].state >= TASK_DONE)
            schedule->first++;
    }
    schedule->abandoned = abandoned; /* what a lost GPU leaves out has its rows */
    if (take_pass(sweep) && replace_rows(sweep, &write_error) != STATUS_OK && status == STATUS_OK) {
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

        status = refine_choose(refinement, sweep->schedule.gpus, left_s, error);
        if (status != STATUS_OK || refinement->again_count == 0)
            break;
        if (sweep->events->refining)
            sweep->events->refining(sweep->events->context, refinement->again_count, left_s);
        status = run_pass(sweep, error);
    }
    return status;
}

enum status sweep_write_held(struct sweep *sweep, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < sweep->refinement.count; i++)
        status = write_kept_rows(sweep, i, sweep->files.results, error);
    return status;
}
