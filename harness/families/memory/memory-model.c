/* Families memory_8 to memory_64: fits, for each pattern, working set and stride, the bandwidth
 * over the bytes in flight, q / (latency + q / bandwidth): one step of all work-items requests q
 * bytes, waits for the latency, and then for the transfer of the bytes. With a single q there is
 * only the time per KiB. */
#include "families/memory/memory-model.h"

#include "families/memory/memory-curve.h"
#include "families/memory/memory-step.h"
#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_ELEMENTS 16.0 /* per work-item, as in the families' kernels */

const char *const memory_families[] = {"memory_8", "memory_16", "memory_32", "memory_64", NULL};

bool memory_has(const struct record *record)
{
    if (!record->method[0])
        return false;
    for (size_t i = 0; memory_families[i]; i++) {
        if (!strcmp(record->benchmark, memory_families[i]))
            return true;
    }
    return false;
}

const struct memory_variant *memory_accessing(const struct variant *descriptor)
{
    const struct memory_variant *memory = descriptor ? descriptor->own : NULL;

    return memory && !memory->is_loop ? memory : NULL;
}

double memory_bytes_in_flight(const struct record *r)
{
    double width = variant_type_bytes(r->type), groups = r->workgroup_count;
    double threads = record_threads(r);

    if (r->xe_cores && r->threads_per_xe_core)
        groups = fmin(groups, r->xe_cores * floor(r->threads_per_xe_core / threads));
    return groups * r->workgroup_size * STEP_ELEMENTS * width;
}

static int compare_parameter(const struct record *a, const struct record *b, const char *name,
                             double absent)
{
    double of_a = record_parameter(a, name, absent), of_b = record_parameter(b, name, absent);

    return (of_a > of_b) - (of_a < of_b);
}

static int by_place(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    int order = compare_parameter(a, b, "working_set", -1.0);

    return order ? order : compare_parameter(a, b, "stride", 1.0);
}

struct memory_place memory_place_of(const struct record *r)
{
    return (struct memory_place){record_parameter(r, "working_set", 0.0),
                                 record_parameter(r, "stride", 1.0)};
}

void memory_place_name(char *name, struct memory_place place)
{
    snprintf(name, VARIANT_NAME_BYTES, "set%.0f.stride%.0f", place.working_set, place.stride);
}

void memory_note_place(struct fit *fit, size_t first, struct memory_place place)
{
    for (size_t i = first; i < fit->model->parameter_count; i++) {
        struct parameter *p = &fit->model->parameter[i];

        p->working_sets = (struct interval){place.working_set, place.working_set};
        p->stride = place.stride;
    }
}

const struct parameter *memory_find(const struct model *model, const char *family,
                                    const char *variant, unsigned subgroup_size,
                                    struct memory_place place, const char *term)
{
    char set[VARIANT_NAME_BYTES], end[2 * VARIANT_NAME_BYTES];

    memory_place_name(set, place);
    snprintf(end, sizeof(end), "%s%s%s", set, term[0] ? "." : "", term);
    return parameter_find(model, family, variant, subgroup_size, end);
}

const struct parameter *memory_find_of(const struct model *model, const struct record *r,
                                       const char *term)
{
    return memory_find(model, r->benchmark, r->variant, r->subgroup_size, memory_place_of(r), term);
}

static void name_curve(char *name, const struct record *r)
{
    char set[VARIANT_NAME_BYTES], rows[MODEL_NAME_BYTES];

    memory_place_name(set, memory_place_of(r));
    parameter_name(rows, r->benchmark, r->variant, r->subgroup_size);
    snprintf(name, MODEL_NAME_BYTES, "%.60s.%.30s", rows, set);
}

/* Working storage for the fits of a family. */
struct places {
    struct row_set rows;
    double *bytes, *time; /* per step, for each row; owned */
};

static enum status fit_place(struct fit *fit, struct places *places, const struct row_run *run)
{
    size_t first = fit->model->parameter_count;
    char name[MODEL_NAME_BYTES];

    row_set_take(&places->rows, fit, run);
    for (size_t i = 0; i < run->count; i++) {
        const struct record *r = run->row[i];

        places->bytes[i] = memory_bytes_in_flight(r);
        places->time[i] = r->loop_ns / r->work_bytes * places->bytes[i] *
                          (fit->in_cycles ? r->clock_mhz / 1000.0 : 1.0);
    }
    name_curve(name, run->row[0]);
    enum status status = fit_memory_curve(fit, &places->rows, name, places->bytes, places->time);
    memory_note_place(fit, first, memory_place_of(run->row[0]));
    return status;
}

/* Fits the rows of a pattern, place by place. */
static enum status fit_pattern(struct fit *fit, struct places *places, const struct row_set *group)
{
    const struct record **row = calloc(group->count + 1, sizeof(*row));
    struct row_runs runs;
    size_t count = 0;

    for (size_t i = 0; row && i < group->count; i++) {
        const struct record *r = &fit->records->record[group->index[i]];

        if (r->work_bytes > 0.0 && r->loop_ns > 0.0)
            row[count++] = r;
    }
    enum status status = row_runs_make(&runs, row, count, by_place, fit->error);
    for (size_t i = 0; status == STATUS_OK && i < runs.count; i++)
        status = fit_place(fit, places, &runs.run[i]);
    row_runs_free(&runs);
    return status;
}

static enum status fit_width(struct fit *fit, const char *family)
{
    struct places places = {0};
    struct fit_group group;
    enum status status = fit_begin(fit, family, &group);
    size_t most = 0;

    for (size_t i = 0; i < group.runs.count; i++)
        most = group.runs.run[i].count > most ? group.runs.run[i].count : most;
    if (status == STATUS_OK)
        status = row_set_allocate(&places.rows, fit, most);
    places.bytes = calloc(2 * most + 1, sizeof(*places.bytes));
    places.time = places.bytes ? places.bytes + most : NULL;
    if (status == STATUS_OK && !places.bytes)
        status = fit_out_of_memory(fit);
    while (status == STATUS_OK && fit_next(fit, &group))
        status = fit_pattern(fit, &places, &group.rows);
    row_set_free(&places.rows);
    free(places.bytes);
    fit_end(&group);
    return status;
}

static enum status fit_memory(struct fit *fit)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && memory_families[i]; i++)
        status = fit_width(fit, memory_families[i]);
    return status == STATUS_OK ? fit_memory_steps(fit) : status;
}

/* The time of an iteration, from the place's own curve or from messages and lines. */
static bool predict_iteration(const struct model *model, const struct record *r, double *time)
{
    double bytes = memory_bytes_in_flight(r);
    const struct parameter *latency = memory_find_of(model, r, "latency");
    const struct parameter *bandwidth = memory_find_of(model, r, "bandwidth");

    if (!latency && !bandwidth)
        return memory_step_predict(model, r, time);
    *time = memory_curve_time(latency, bandwidth, bytes) * r->work_bytes / bytes;
    return true;
}

/* Predicts the time of the loop, per KiB. */
static bool predict_memory(const struct model *model, const struct record *r, double *value)
{
    double time;

    if (!(r->work_bytes > 0.0) || !(r->work_units > 0.0))
        return false;
    if (predict_iteration(model, r, &time)) {
        *value = time / r->work_units;
        return true;
    }
    const struct parameter *cost = memory_find_of(model, r, "");
    *value = model_value(cost, NAN);
    return cost != NULL;
}

const struct family_model family_memory_model = {
    .family = "memory",
    .covers = memory_families,
    .rank = 30,
    .fit = fit_memory,
    .predict = predict_memory,
    .predicts_loop = true,
    .advise = advise_memory,
};
