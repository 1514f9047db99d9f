#include "sweep/deal.h"
#include "sweep/peers.h"
#include "sweep/sweep-passes.h"

#include "base/monotonic.h"
#include "base/processors.h"
#include "ze/emulator.h"
#include "ze/ze-api.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Divides the processors among concurrent workers: each emulates with as many threads as add up
 * to one per processor. */
static void share_processors(unsigned processors, unsigned jobs)
{
    emulator_set_threads(processors > jobs ? processors / jobs : 1);
}

static bool is_deterministic(const struct sweep *sweep)
{
    return sweep_target(sweep)->is_deterministic;
}

/* An emulated device's results depend on its history, so each configuration gets a worker of its
 * own: its rows then do not depend on which others ran before it or beside it. So many share what
 * they load. */
static void choose_workers(struct sweep *sweep)
{
    sweep->schedule.keeps_workers = !is_deterministic(sweep);
    if (is_deterministic(sweep) && !sweep->request->loader)
        ze_api_preload();
}

/* A rank measures one configuration at a time; a compiler runs beside it if every rank of the
 * machine has a processor for one. */
static void set_rank_jobs(struct sweep *sweep)
{
    unsigned processors = processors_available(), ranks = sweep->request->ranks->local_count;

    if (is_deterministic(sweep))
        share_processors(processors, ranks);
    else if (processors > ranks)
        sweep->schedule.worker_count++;
}

/* A GPU is kept awake by one worker at a time, with a compiler beside it if there is a processor
 * for it. */
static enum status set_jobs(struct sweep *sweep, struct error *error)
{
    struct schedule *schedule = &sweep->schedule;
    unsigned processors = processors_available(), jobs = sweep->request->jobs;
    bool model = is_deterministic(sweep);

    choose_workers(sweep);
    if (sweep->request->ranks) {
        set_rank_jobs(sweep);
        return STATUS_OK;
    }
    if (!model && jobs > 1)
        return error_set(error, STATUS_USAGE,
                         "--jobs %u: only one worker at a time measures a GPU; more are for "
                         "emulated devices",
                         jobs);
    if (jobs == 0)
        jobs = processors < JOBS_MAX ? processors : JOBS_MAX;
    if (model)
        share_processors(processors, jobs);
    schedule->measuring_limit = model ? jobs : 1;
    schedule->worker_count = model ? jobs : processors > 1 ? 2 : 1;
    return STATUS_OK;
}

/* The budget must cover the fewest rounds. On an emulated device there are no others: the budget
 * only decides whether it runs, and the rows are those of any run. */
static enum status check_budget(const struct sweep *sweep, struct error *error)
{
    double budget_s = sweep->request->budget_s, least_s = 0.0;

    for (size_t i = 0; i < sweep->plan.task_count; i++)
        least_s += sweep->plan.tasks[i].estimate.least;
    least_s /= sweep_jobs(sweep);
    if (!(budget_s > 0.0) || least_s <= budget_s)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--budget: the minimum of rounds takes about %.1f minutes, not %.1f; take "
                     "fewer families or values, or --preset quick (--dry-run shows the time of "
                     "each family)",
                     least_s / 60.0, budget_s / 60.0);
}

/* On a GPU a run with a budget does the fewest rounds of everything first. */
static void set_first_pass(struct sweep *sweep, size_t first)
{
    const struct sweep_request *request = sweep->request;

    for (size_t i = first; !is_deterministic(sweep) && i < sweep->plan.task_count; i++) {
        struct task *task = &sweep->plan.tasks[i];

        task->allowance_s = request->budget_s > 0.0 ? 0.0 : request->each_s;
        task->first_rounds = request->budget_s > 0.0 ? sweep->refinement.stop.min : 0;
    }
}

static void set_budget(struct sweep *sweep)
{
    const struct sweep_request *request = sweep->request;
    struct stop_rule stop = stop_complete(&request->options.stop, true);

    if (is_deterministic(sweep) || request->build_only)
        return;
    if (request->budget_s > 0.0)
        sweep->ends_s = monotonic_s() + request->budget_s;
    sweep->refinement.stop = stop;
    sweep->refinement.each_s = request->each_s;
    set_first_pass(sweep, 0);
}

/* The schedule's tasks are the plan's, or those that have been dealt out. */
static void take_plan(struct sweep *sweep)
{
    bool is_dealt = sweep->request->ranks && !sweep->request->each;

    sweep->schedule.tasks = sweep->plan.tasks;
    sweep->schedule.task_count = is_dealt ? sweep->deal.end : sweep->plan.task_count;
}

enum status sweep_open(struct sweep **opened, const struct sweep_request *request,
                       struct error *error)
{
    struct sweep *sweep = calloc(1, sizeof(*sweep));

    *opened = NULL;
    if (!sweep)
        return error_out_of_memory(error);
    sweep->request = request;
    enum status status = schedule_open(&sweep->schedule, request, error);
    if (status == STATUS_OK && request->ranks)
        status = deal_meet(request, &sweep->schedule.gpu, error);
    if (status == STATUS_OK)
        status = set_jobs(sweep, error);
    if (status == STATUS_OK)
        status = sweep_plan_make(&sweep->plan, request, &sweep->schedule.gpu.target, error);
    if (status == STATUS_OK)
        status = check_budget(sweep, error);
    if (status != STATUS_OK) {
        sweep_close(sweep);
        return status;
    }
    set_budget(sweep);
    take_plan(sweep);
    *opened = sweep;
    return STATUS_OK;
}

const struct target *sweep_target(const struct sweep *sweep)
{
    return &sweep->schedule.gpu.target;
}

const struct gpu *sweep_gpu(const struct sweep *sweep)
{
    return &sweep->schedule.gpu;
}

const struct totals *sweep_totals(const struct sweep *sweep)
{
    return &sweep->totals;
}

void sweep_sum(const struct sweep *sweep, const struct family *family, struct sweep_sum *sum)
{
    sweep_plan_sum(&sweep->plan, family, sum);
}

struct sweep_standing sweep_standing(const struct sweep *sweep)
{
    struct sweep_standing standing = {0.0, 0.0};

    for (size_t i = 0; i < sweep->plan.task_count; i++) {
        const struct task *task = &sweep->plan.tasks[i];

        if (task->state == TASK_DONE)
            standing.done_s += task->estimate.least;
        else if (task->state != TASK_LEFT_OUT)
            standing.left_s += task->estimate.least;
    }
    return standing;
}

unsigned sweep_jobs(const struct sweep *sweep)
{
    const struct sweep_request *request = sweep->request;
    size_t sharers = request->ranks && !request->each ? request->ranks->count : 1;

    return (unsigned)(sweep->schedule.measuring_limit * sharers);
}

size_t sweep_left_out(const struct sweep *sweep, const char **reason)
{
    *reason = sweep->plan.gap.reason;
    return sweep->plan.gap.count;
}

const char *sweep_bisects(const struct sweep *sweep, const struct family *family)
{
    for (size_t f = 0; f < sweep->request->family_count; f++) {
        size_t axis = sweep->plan.bisected[f];

        if (sweep->request->families[f] == family && axis != OWN_AXES_MAX)
            return family->axes[COMMON_AXES + axis].name;
    }
    return NULL;
}

void sweep_each(const struct sweep *sweep, const struct family *family,
                void (*visit)(void *context, const struct family *family,
                              const struct configuration *configuration),
                void *context)
{
    for (size_t i = 0; i < sweep->plan.task_count; i++) {
        if (sweep->plan.tasks[i].family == family)
            visit(context, family, &sweep->plan.tasks[i].configuration);
    }
}

void sweep_close(struct sweep *sweep)
{
    schedule_close(&sweep->schedule);
    refine_free(&sweep->refinement);
    sweep_plan_release(&sweep->plan);
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
    family_parameters(task->family, c, parameters, sizeof(parameters));
    return !strcmp(parameters, place->parameters);
}

/* The first task with this sequence number or a larger one; tasks are in ascending order. */
static size_t first_from(const struct sweep *sweep, size_t sequence)
{
    size_t low = 0, high = sweep->plan.task_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sweep->plan.tasks[middle].sequence < sequence)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sweep_sequence(const struct sweep *sweep, const struct sweep_place *place, size_t *sequence)
{
    for (size_t i = first_from(sweep, *sequence); i < sweep->plan.task_count; i++) {
        if (is_at(&sweep->plan.tasks[i], place)) {
            *sequence = sweep->plan.tasks[i].sequence;
            return true;
        }
    }
    return false;
}

/* NULL if the plan has no such number. */
static struct task *task_of(struct sweep *sweep, size_t sequence)
{
    size_t i = first_from(sweep, sequence);

    return i < sweep->plan.task_count && sweep->plan.tasks[i].sequence == sequence
               ? &sweep->plan.tasks[i]
               : NULL;
}

bool sweep_is_same_launch(struct sweep *sweep, size_t sequence, const char *variant,
                          const char *kernel_sha256, const char *launch)
{
    const struct task *task = task_of(sweep, sequence);
    const struct family *family = task ? task->family : NULL;
    size_t v = family ? family_variant(family, variant) : VARIANTS_MAX;
    char words[RESULTS_LAUNCH_BYTES] = "";

    if (!family || !family->modules) /* kernels of this program, which has one version */
        return true;
    if (v == VARIANTS_MAX)
        return false;
    const struct launch own = {task->configuration, &family->variants[v], 1, LAUNCH_MEASURE};
    const struct spirv_module *module =
        variant_module(family, own.variant, task->configuration.subgroup_size);
    if (family->predict_words)
        family->predict_words(&own, words, sizeof(words));
    return (!module || !strcmp(module->sha256, kernel_sha256)) && !strcmp(words, launch);
}

bool sweep_skip(struct sweep *sweep, size_t sequence)
{
    struct task *task = task_of(sweep, sequence);

    if (!task || task->state == TASK_LEFT_OUT)
        return false;
    task->state = TASK_LEFT_OUT;
    return true;
}

void sweep_replace_entry(struct sweep *sweep, size_t sequence, size_t entry)
{
    struct task *task = task_of(sweep, sequence);

    if (!task)
        return;
    task->is_stored = true;
    task->entry = entry;
}

static void show_start(struct sweep *sweep, struct task *task)
{
    if (!task->shown)
        sweep->events->started(sweep->events->context, task->family, &task->configuration,
                               (size_t)(task - sweep->plan.tasks), sweep->plan.task_count);
    task->shown = true;
}

/* Values that decide about further configurations, or that ranks compare. */
static bool sweep_notes(const struct sweep *sweep, const struct task *task)
{
    return sweep->plan.bisected[task->family_index] != OWN_AXES_MAX || peers_wanted(sweep);
}

static enum status note(const struct sweep *sweep, struct task *task, struct error *error)
{
    enum status status = STATUS_OK;

    if (!sweep_notes(sweep, task))
        return STATUS_OK;
    for (size_t v = 0; status == STATUS_OK && v < task->family->variant_count; v++) {
        const struct measurement *m = &task->measurements[v];
        bool counts = m->outcome == OUTCOME_OK && m->values.count > 0;

        status = task_note(task, v, counts ? m->value : NAN,
                           counts ? (m->ci95_hi - m->ci95_lo) / 2.0 : NAN, error);
    }
    return status;
}

static enum status take_done(struct sweep *sweep, struct task *task, struct error *error)
{
    enum status status = STATUS_OK;

    show_start(sweep, task);
    if (task->text)
        fputs(task->text, sweep->request->show);
    if (sweep->store)
        status = store_put(sweep->store, &sweep->rows, task, error);
    if (sweep->store && status == STATUS_OK)
        status = store_commit(sweep->store, error);
    if (status == STATUS_OK) {
        sweep_tell_finished(sweep, task);
        sweep_rows_count(task, 1, sweep->counts);
        status = note(sweep, task, error);
    }
    if (status == STATUS_OK && sweep->ends_s > 0.0 && refine_wants(&sweep->refinement, task))
        return refine_keep(&sweep->refinement, task, error);
    task_release(task);
    return status;
}

/* Takes all finished tasks up to the first unfinished one. */
static enum status take_all_done(struct sweep *sweep, struct error *error)
{
    struct schedule *schedule = &sweep->schedule;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && schedule->first < sweep->plan.task_count) {
        struct task *task = &sweep->plan.tasks[schedule->first];

        if (task->state == TASK_WAITING)
            break;
        if (task->state != TASK_LEFT_OUT)
            show_start(sweep, task);
        if (task->state < TASK_DONE)
            break;
        if (task->state == TASK_DONE)
            status = take_done(sweep, task, error);
        schedule->first++;
    }
    return status;
}

enum status sweep_extend(struct sweep *sweep, struct error *error)
{
    const struct task *before = sweep->plan.tasks;
    size_t count = sweep->plan.task_count;
    enum status status =
        sweep_plan_extend(&sweep->plan, sweep->request, &sweep->schedule.gpu.target, error);

    refine_move(&sweep->refinement, before, sweep->plan.tasks);
    take_plan(sweep);
    set_first_pass(sweep, count);
    return status;
}

enum status sweep_recall(struct sweep *sweep, size_t sequence, const char *variant, double value,
                         double half, struct error *error)
{
    struct task *task = task_of(sweep, sequence);
    size_t v = task ? family_variant(task->family, variant) : VARIANTS_MAX;

    if (v != VARIANTS_MAX && sweep_notes(sweep, task))
        return task_note(task, v, value, half, error);
    return STATUS_OK;
}

/* With a budget that is spent there is no time for more. */
static bool may_extend(const struct sweep *sweep)
{
    return !sweep->request->build_only && !(sweep->ends_s > 0.0 && monotonic_s() > sweep->ends_s);
}

/* Is there more to do when all tasks are done? */
static bool has_more(struct sweep *sweep, enum status *status, struct error *error)
{
    if (sweep->deal.ranks)
        return deal_has_more(sweep, status, error);
    if (sweep->schedule.first < sweep->plan.task_count)
        return true;
    if (*status == STATUS_OK && may_extend(sweep))
        *status = sweep_extend(sweep, error);
    return sweep->schedule.first < sweep->plan.task_count;
}

/* The first failure counts. */
static void keep_first(enum status *status, struct error *error, const struct error *later)
{
    if (*status != STATUS_OK)
        return;
    *error = *later;
    *status = later->status;
}

static enum status measure_all(struct sweep *sweep, struct error *error)
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK && has_more(sweep, &status, error)) {
        struct error write_error;

        status = schedule_step(&sweep->schedule, error);
        if (status == STATUS_OK && sweep->request->ranks)
            status = deal_take(sweep, error);
        if (take_all_done(sweep, &write_error) != STATUS_OK)
            keep_first(&status, error, &write_error);
    }
    if (status == STATUS_OK && sweep->ends_s > 0.0)
        status = sweep_refine(sweep, error);
    return status;
}

enum status sweep_run(struct sweep *sweep, const struct run_identity *identity, struct store *store,
                      const struct sweep_events *events, struct sweep_counts *counts,
                      struct error *error)
{
    enum status status = STATUS_OK;

    sweep->rows = (struct sweep_rows){sweep->request, identity, &sweep->schedule.gpu};
    sweep->store = store;
    sweep->events = events;
    sweep->counts = counts;
    *counts = (struct sweep_counts){.excluded = sweep->plan.excluded};
    if (store && sweep->ends_s > 0.0)
        store_hold(store);
    if (sweep->request->ranks)
        status = deal_begin(sweep, error);
    if (status == STATUS_OK)
        status = measure_all(sweep, error);
    if (store && !status_is_failure(status)) {
        struct error write_error;

        if (store_release(store, &write_error) != STATUS_OK)
            keep_first(&status, error, &write_error);
    }
    return sweep->request->ranks ? deal_end(sweep, status, error) : status;
}
