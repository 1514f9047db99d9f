#include "families/memory/memory-step.h"

#include "families/memory/bandwidth-model.h"
#include "families/memory/memory-model.h"
#include "model/parameter-name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY     "memory"
#define LINE_BYTES 64.0 /* the unit of the rows' lines */
#define ACCURACY   0.02 /* relative error of a step that makes no difference */

enum { LATENCY, PER_MESSAGE, PER_LINE, TERMS };

static const char *const term_names[TERMS] = {"latency", "per_message", "per_line"};

static bool is_step(const struct fit *fit, const struct record *r)
{
    return r->usable && memory_has(r) && r->loop_ns > 0.0 && r->work_messages > 0.0 &&
           r->work_lines > 0.0 && r->work_bytes > 0.0 && !(r->spill_bytes > 0.0) &&
           (!fit->in_cycles || r->clock_mhz > 0.0);
}

static double set_of(const struct record *r)
{
    return record_parameter(r, "working_set", 0.0);
}

/* Orders by operation, sub-group size and working set. */
static int by_operation(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    int order = strcmp(a->operation, b->operation);

    if (!order)
        order = (a->subgroup_size > b->subgroup_size) - (a->subgroup_size < b->subgroup_size);
    if (!order)
        order = (set_of(a) > set_of(b)) - (set_of(a) < set_of(b));
    return order;
}

static void name_step(char *name, const struct record *r)
{
    char start[MODEL_NAME_BYTES];

    parameter_name(start, MEMORY, r->operation, r->subgroup_size);
    snprintf(name, MODEL_NAME_BYTES, "%.60s.set%.0f", start, set_of(r));
}

/* Steps per iteration; a copy both reads and writes its bytes. */
static double steps_of(const struct record *r)
{
    double bytes = memory_bytes_in_flight(r);

    return r->work_bytes / (record_does(r, "copy") ? 2.0 * bytes : bytes);
}

static double threads_of(const struct record *r)
{
    return record_threads(r) * r->workgroup_count;
}

static void take_steps(struct row_set *rows, const struct fit *fit, const struct row_run *run)
{
    row_set_take(rows, fit, run);
    for (size_t i = 0; i < run->count; i++) {
        const struct record *r = run->row[i];
        double steps = steps_of(r);

        rows->y[i] = r->loop_ns / steps * (fit->in_cycles ? r->clock_mhz / 1000.0 : 1.0);
        rows->sd[i] = ACCURACY * rows->y[i];
        rows->columns[LATENCY * run->count + i] = 1.0;
        rows->columns[PER_MESSAGE * run->count + i] = r->work_messages / steps;
        rows->columns[PER_LINE * run->count + i] = r->work_lines / steps;
    }
}

static enum status fit_operation(struct fit *fit, struct row_set *rows, const struct row_run *run)
{
    static const struct fit_term terms[TERMS] = {
        {"latency", "/step", ""}, {"per_message", "/message", "m"}, {"per_line", "/line", "l"}};
    struct form_problem problem = {
        .terms = TERMS,
        .candidates = {1u << LATENCY | 1u << PER_MESSAGE,
                       1u << LATENCY | 1u << PER_MESSAGE | 1u << PER_LINE},
        .candidate_count = 2,
        .is_cost = true};
    size_t first = fit->model->parameter_count;
    char name[MODEL_NAME_BYTES];
    struct form form;

    if (run->count <= TERMS)
        return STATUS_OK; /* no row would be left to check the terms */
    take_steps(rows, fit, run);
    name_step(name, run->row[0]);
    enum status status = fit_equation(fit, name, rows, terms, &problem, &form);
    memory_note_place(fit, first, (struct memory_place){set_of(run->row[0]), 0.0});
    return status;
}

enum status fit_memory_steps(struct fit *fit)
{
    const struct records *records = fit->records;
    const struct record **row = calloc(records->count + 1, sizeof(*row));
    struct row_set rows = {0};
    struct row_runs runs;
    size_t count = 0;

    for (size_t i = 0; row && i < records->count; i++) {
        if (is_step(fit, &records->record[i]) && threads_of(&records->record[i]) == 1.0)
            row[count++] = &records->record[i];
    }
    enum status status = row_runs_make(&runs, row, count, by_operation, fit->error);
    if (status == STATUS_OK)
        status = row_set_allocate(&rows, fit, count);
    for (size_t i = 0; status == STATUS_OK && i < runs.count; i++)
        status = fit_operation(fit, &rows, &runs.run[i]);
    row_set_free(&rows);
    row_runs_free(&runs);
    return status;
}

bool memory_step_predict(const struct model *model, const struct record *record, double *time)
{
    double steps = steps_of(record), cores = record->workgroup_count, wanted[TERMS];
    char name[MODEL_NAME_BYTES];

    if (!(record->work_messages > 0.0) || !(record->work_lines > 0.0) ||
        record->spill_bytes > 0.0 || !memory_has(record))
        return false;
    name_step(name, record);
    const struct parameter *latency = model_find(model, "%s.%s", name, term_names[LATENCY]);
    const struct parameter *bandwidth = bandwidth_find(model, BANDWIDTH_CORE, set_of(record));
    if (!latency || (threads_of(record) > 1.0 && !bandwidth))
        return false;
    wanted[LATENCY] = 1.0;
    wanted[PER_MESSAGE] = record->work_messages / steps / threads_of(record);
    wanted[PER_LINE] = record->work_lines / steps / threads_of(record);
    *time = 0.0;
    for (size_t i = 0; i < TERMS; i++)
        *time += wanted[i] * model_value(model_find(model, "%s.%s", name, term_names[i]), 0.0);
    if (record->xe_cores && cores > record->xe_cores)
        cores = record->xe_cores;
    double lines = record->work_lines / steps / cores;
    if (bandwidth && threads_of(record) > 1.0)
        *time = fmax(*time, lines * LINE_BYTES / bandwidth->value);
    *time *= steps;
    return true;
}
