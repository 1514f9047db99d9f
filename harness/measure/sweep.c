#include "measure/sweep.h"

#include "measure/plan.h"
#include "measure/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sweep {
    const struct sweep_request *request;
    struct schedule schedule;
    struct task *tasks; /* the whole sweep, in order, but for what is excluded */
    size_t task_count;
    size_t sequence; /* of the next configuration planned: what is excluded counts, so that the
                        order of launches, which follows from it, is that of a sweep with others */
    size_t excluded; /* variants of configurations that are no task */
    struct module_image *images;
    size_t image_count;
    const struct run_identity *identity;
    struct csv *results;
    struct csv *samples;
    const struct sweep_events *events;
    struct sweep_counts *counts;
};

static enum status out_of_memory(struct error *error)
{
    return error_set(error, STATUS_FAILED, "out of memory");
}

/* The image of a family's module: one for all tasks that need it. */
static enum status find_image(struct sweep *sweep, const struct family *family, unsigned size,
                              struct module_image **image, struct error *error)
{
    enum status status;

    for (size_t i = 0; i < sweep->image_count; i++) {
        *image = &sweep->images[i];
        if ((*image)->family == family && (*image)->spirv->subgroup_size == size)
            return STATUS_OK;
    }
    *image = &sweep->images[sweep->image_count];
    status = module_image_init(*image, family, size,
                               sweep_replacement(sweep->request, family, size), error);
    sweep->image_count += status == STATUS_OK;
    return status;
}

/* Is nothing of this configuration to be measured: are all variants that are needed without meaning
 * there? */
static bool is_excluded(const struct sweep *sweep, const struct task *task)
{
    const struct family *family = task->family;
    struct error ignored;

    for (size_t v = 0; v < family->variant_count; v++) {
        if (sweep_needs(sweep->request, family, v) &&
            (!family->check || family->check(&sweep_target(sweep)->device, &task->configuration, v,
                                             &ignored) != STATUS_EXCLUDED))
            return false;
    }
    return true;
}

static enum status add_tasks(struct sweep *sweep, const struct family *family,
                             const struct plan *plan, struct error *error)
{
    struct task *tasks =
        realloc(sweep->tasks, (sweep->task_count + plan->count + 1) * sizeof *tasks);
    enum status status = STATUS_OK;

    if (!tasks)
        return out_of_memory(error);
    sweep->tasks = tasks;
    for (size_t i = 0; status == STATUS_OK && i < plan->count; i++) {
        struct task task = {.family = family, .configuration = plan->configurations[i]};

        task.sequence = sweep->sequence++;
        if (is_excluded(sweep, &task)) {
            sweep->excluded += family->variant_count;
            continue;
        }
        status = find_image(sweep, family, task.configuration.subgroup_size, &task.image, error);
        tasks[sweep->task_count] = task;
        sweep->task_count += status == STATUS_OK;
    }
    return status;
}

static enum status make_plan(struct sweep *sweep, struct error *error)
{
    const struct sweep_request *request = sweep->request;
    enum status status = STATUS_OK;

    sweep->images = calloc(spirv_module_count, sizeof *sweep->images);
    if (!sweep->images)
        return out_of_memory(error);
    for (size_t f = 0; status == STATUS_OK && f < request->family_count; f++) {
        const struct family *family = request->families[f];
        struct family_axes axes;
        struct plan plan = {NULL, 0};

        status = family_axes_resolve(&axes, family, request->preset, request->axes,
                                     request->axis_count, error);
        if (status == STATUS_OK)
            status = plan_make(&plan, family, &axes, &sweep->schedule.target.device,
                               request->options.seed, error);
        if (status == STATUS_OK)
            status = add_tasks(sweep, family, &plan, error);
        plan_free(&plan);
    }
    if (status == STATUS_OK && sweep->task_count == 0)
        status = error_set(error, STATUS_USAGE,
                           "there is nothing to measure: no variant has a meaning at these values "
                           "of the axes");
    return status;
}

/* Workers side by side share the processors: as many threads of a model in each as make one for
 * each processor in all, unless the user has said how many. A model's times do not depend on it. */
static void share_processors(unsigned processors, unsigned jobs)
{
    char threads[16];

    snprintf(threads, sizeof threads, "%u", processors > jobs ? processors / jobs : 1);
    setenv("VESIM_THREADS", threads, 0);
}

/* A model is as deterministic as its history: there each configuration gets a worker of its own,
 * so that its rows do not depend on which others went before, or beside it. A GPU is kept awake by
 * one worker at a time, with a compiler beside it where there is a processor for it. */
static enum status set_jobs(struct sweep *sweep, struct error *error)
{
    struct schedule *schedule = &sweep->schedule;
    unsigned processors = schedule_processors(), jobs = sweep->request->jobs;
    bool model = schedule->target.kind == DEVICE_EMULATED;

    if (!model && jobs > 1)
        return error_set(error, STATUS_USAGE,
                         "--jobs %u: a GPU is measured by one worker at a time; more are for "
                         "modelled devices",
                         jobs);
    if (jobs == 0)
        jobs = processors < JOBS_MAX ? processors : JOBS_MAX;
    if (model)
        share_processors(processors, jobs);
    schedule->keeps_workers = !model;
    schedule->measuring_limit = model ? jobs : 1;
    schedule->worker_count = model ? jobs : processors > 1 ? 2 : 1;
    return STATUS_OK;
}

enum status sweep_open(struct sweep **opened, const struct sweep_request *request,
                       struct error *error)
{
    struct sweep *sweep = calloc(1, sizeof *sweep);
    enum status status;

    *opened = NULL;
    if (!sweep)
        return out_of_memory(error);
    sweep->request = request;
    status = schedule_open(&sweep->schedule, request, error);
    if (status == STATUS_OK)
        status = set_jobs(sweep, error);
    if (status == STATUS_OK)
        status = make_plan(sweep, error);
    if (status != STATUS_OK) {
        sweep_close(sweep);
        return status;
    }
    sweep->schedule.tasks = sweep->tasks;
    sweep->schedule.task_count = sweep->task_count;
    *opened = sweep;
    return STATUS_OK;
}

const struct target *sweep_target(const struct sweep *sweep)
{
    return &sweep->schedule.target;
}

void sweep_close(struct sweep *sweep)
{
    schedule_close(&sweep->schedule);
    for (size_t i = 0; i < sweep->task_count; i++)
        task_release(&sweep->tasks[i]);
    for (size_t i = 0; i < sweep->image_count; i++)
        module_image_free(&sweep->images[i]);
    free(sweep->tasks);
    free(sweep->images);
    free(sweep);
}

static bool is_at(const struct task *task, const struct sweep_place *place)
{
    const struct configuration *c = &task->configuration;
    char parameters[PARAMETERS_BYTES];

    if (strcmp(task->family->name, place->benchmark) != 0 ||
        c->subgroup_size != place->subgroup_size || c->workgroup_size != place->workgroup_size ||
        c->workgroup_count != place->workgroup_count)
        return false;
    family_parameters(task->family, c, parameters, sizeof parameters);
    return !strcmp(parameters, place->parameters);
}

/* The first task with this sequence number or a larger one: they ascend. */
static size_t first_from(const struct sweep *sweep, size_t sequence)
{
    size_t low = 0, high = sweep->task_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sweep->tasks[middle].sequence < sequence)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sweep_sequence(const struct sweep *sweep, const struct sweep_place *place, size_t *sequence)
{
    for (size_t i = first_from(sweep, *sequence); i < sweep->task_count; i++) {
        if (is_at(&sweep->tasks[i], place)) {
            *sequence = sweep->tasks[i].sequence;
            return true;
        }
    }
    return false;
}

void sweep_skip_to(struct sweep *sweep, size_t sequence)
{
    sweep->schedule.first = first_from(sweep, sequence);
}

static void count_outcome(struct sweep_counts *counts, enum row_outcome outcome)
{
    counts->ok += outcome == OUTCOME_OK;
    counts->skipped += outcome == OUTCOME_SKIPPED;
    counts->failed += outcome == OUTCOME_FAILED;
    counts->unreliable += outcome == OUTCOME_UNRELIABLE;
    counts->excluded += outcome == OUTCOME_EXCLUDED;
}

static enum status write_rows(struct sweep *sweep, const struct task *task, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < task->family->variant_count; v++) {
        struct row row = {
            .identity = sweep->identity,
            .target = sweep_target(sweep),
            .family = task->family,
            .configuration = &task->configuration,
            .variant = v,
            .kernel = &task->kernels[v],
            .measurement = &task->measurements[v],
            .kernel_sha256 = task->image->spirv->sha256,
            .sequence = task->sequence,
            .seed = sweep->request->options.seed,
        };

        count_outcome(sweep->counts, task->measurements[v].outcome);
        if (sweep->results && task->measurements[v].outcome != OUTCOME_EXCLUDED)
            status = results_write_row(sweep->results, &row, error);
    }
    return status;
}

/* Samples go first: those of a configuration without rows can be told from others. */
static enum status write_samples(struct sweep *sweep, const struct task *task, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; sweep->samples && status == STATUS_OK && i < task->sample_count; i++)
        status = samples_write_row(sweep->samples, sweep->identity, task->family,
                                   &task->configuration, &task->samples[i], error);
    return status;
}

static void show_start(struct sweep *sweep, struct task *task)
{
    if (!task->shown)
        sweep->events->started(sweep->events->context, task->family, &task->configuration,
                               (size_t)(task - sweep->tasks), sweep->task_count);
    task->shown = true;
}

static enum status take_done(struct sweep *sweep, struct task *task, struct error *error)
{
    enum status status;

    show_start(sweep, task);
    if (task->text)
        fputs(task->text, sweep->request->show);
    sweep->events->finished(sweep->events->context, task->family, &task->configuration,
                            task->measurements);
    status = write_samples(sweep, task, error);
    if (status == STATUS_OK)
        status = write_rows(sweep, task, error);
    task_release(task);
    return status;
}

/* All that is done up to the first that is not. */
static enum status take_all_done(struct sweep *sweep, struct error *error)
{
    struct schedule *schedule = &sweep->schedule;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && schedule->first < sweep->task_count) {
        struct task *task = &sweep->tasks[schedule->first];

        if (task->state == TASK_WAITING)
            break;
        show_start(sweep, task);
        if (task->state != TASK_DONE)
            break;
        status = take_done(sweep, task, error);
        schedule->first++;
    }
    return status;
}

enum status sweep_run(struct sweep *sweep, const struct run_identity *identity, struct csv *results,
                      struct csv *samples, const struct sweep_events *events,
                      struct sweep_counts *counts, struct error *error)
{
    enum status status = STATUS_OK;

    sweep->identity = identity;
    sweep->results = results;
    sweep->samples = samples;
    sweep->events = events;
    sweep->counts = counts;
    *counts = (struct sweep_counts){.excluded = sweep->excluded};
    while (status == STATUS_OK && sweep->schedule.first < sweep->task_count) {
        struct error write_error;

        status = schedule_step(&sweep->schedule, error);
        if (take_all_done(sweep, &write_error) != STATUS_OK && status == STATUS_OK) {
            *error = write_error;
            status = write_error.status;
        }
    }
    return status;
}
