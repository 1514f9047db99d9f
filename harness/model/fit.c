#include "model/fit.h"

#include "base/robust.h"
#include "base/stats.h"
#include "base/unit.h"
#include "model/family-model.h"
#include "model/parameter-name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Clocks with at least this relative difference are two clocks. */
#define LEAST_CLOCK_GAP 0.03

enum status fit_out_of_memory(struct fit *fit)
{
    return error_out_of_memory(fit->error);
}

void record_describe(const struct record *r, char *text, size_t bytes)
{
    snprintf(text, bytes, "%.40s %.60s, sub-group %u, work-group %u x %u%s%.60s", r->benchmark,
             r->variant, r->subgroup_size, r->workgroup_count, r->workgroup_size,
             r->parameters[0] ? ", " : "", r->parameters);
}

enum status fit_same_device(const struct model *model, const struct records *records,
                            struct error *error)
{
    if (!strcmp(model->device_name, records->device_name) &&
        !strcmp(model->device_kind, records->device_kind))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "the model is of %s (%s, %s), the results are from %s (%s, %s)",
                     model->device_name, model->device_kind, model->device_uuid,
                     records->device_name, records->device_kind, records->device_uuid);
}

struct parameter *fit_add(struct fit *fit, const char *name, const char *term, const char *per,
                          const struct row_set *rows)
{
    struct parameter *parameter = model_add_parameter(fit->model);

    if (!parameter)
        return NULL;
    snprintf(parameter->name, sizeof(parameter->name), "%.60s%s%.30s", name, term[0] ? "." : "",
             term);
    snprintf(parameter->term, sizeof(parameter->term), "%.30s", term);
    if (!per[0] && rows->count)
        per = unit_per(fit->records->record[rows->index[0]].unit);
    snprintf(parameter->unit, sizeof(parameter->unit), "%s%.20s", model_time_unit(fit->model), per);
    parameter->rows = rows->count;
    parameter->left_out_error = parameter->left_out_share = NAN;
    for (size_t i = 0; i < rows->count; i++)
        fit->used[rows->index[i]] = true;
    return parameter;
}

struct parameter *fit_add_row(struct fit *fit, const char *name, const char *term,
                              const struct row_set *rows, size_t row)
{
    const struct row_set one = {
        .count = 1, .index = &rows->index[row], .y = &rows->y[row], .sd = &rows->sd[row]};
    double half = STATS_Z975 * *one.sd;
    struct parameter *p = fit_add(fit, name, term, "", &one);

    if (!p)
        return NULL;
    p->value = *one.y;
    p->interval = (struct interval){p->value - half, p->value + half};
    p->below_resolution = p->value <= half;
    record_describe(&fit->records->record[*one.index], p->worst, sizeof(p->worst));
    return p;
}

enum status fit_absent(struct fit *fit, const char *name, const char *why, const char *command)
{
    struct absence *absence = model_add_absence(fit->model);

    if (!absence)
        return fit_out_of_memory(fit);
    snprintf(absence->name, sizeof(absence->name), "%s", name);
    snprintf(absence->why, sizeof(absence->why), "%s", why);
    snprintf(absence->command, sizeof(absence->command), "%s", command);
    return STATUS_OK;
}

enum status fit_failed(struct fit *fit, const char *name, const struct error *why,
                       const char *command)
{
    return why->status == STATUS_NO_MEMORY ? fit_out_of_memory(fit)
                                           : fit_absent(fit, name, why->text, command);
}

/* "base + per_thread n + ..." */
static void write_equation(char *text, size_t bytes, const struct fit_term *terms,
                           const struct form_problem *problem, uint32_t chosen)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t t = 0; t < problem->terms && used < bytes; t++) {
        if ((chosen >> t) & 1u)
            used += (size_t)snprintf(text + used, bytes - used, "%s%s%s%s", used ? " + " : "",
                                     terms[t].name, terms[t].factor[0] ? " " : "", terms[t].factor);
    }
}

/* An equation with a larger relative error on rows that it has not seen explains nothing, unless
 * that error is one of the rows. */
#define LEFT_OUT_MOST 0.15

/* A lone constant is below resolution if its interval includes 0 or if at least half of its rows
 * cannot be told from 0. Timestamps are rounded alike in all rows, so many rows are no better than
 * one. */
static void resolve(struct parameter *p, const struct form *form, const struct row_set *rows)
{
    size_t unresolved = 0;

    if (form->count != 1)
        return;
    for (size_t i = 0; i < rows->count; i++)
        unresolved += fabs(p->value) <= STATS_Z975 * rows->sd[i];
    p->below_resolution =
        (p->interval.low <= 0.0 && p->interval.high >= 0.0) || 2 * unresolved >= rows->count;
    for (size_t i = 0; p->below_resolution && i < rows->count; i++)
        p->interval.high = fmax(p->interval.high, STATS_Z975 * rows->sd[i]);
}

/* Notes the absence, with the command that measures the family at more sizes. */
static enum status absent_for_error(struct fit *fit, const char *name, const struct form *form)
{
    char why[MODEL_TEXT_BYTES], command[MODEL_COMMAND_BYTES];

    snprintf(why, sizeof(why),
             "the best equation is %.0f %% off on held-out rows, more than %.0f %%",
             100.0 * form->left_out_share, 100.0 * LEFT_OUT_MOST);
    snprintf(command, sizeof(command), "vebench run %.*s --preset full",
             (int)name_family_bytes(name), name);
    return fit_absent(fit, name, why, command);
}

/* A cost that cannot be told from 0 has a large relative error, but is known all the same; unless
 * each of its rows can, and they contradict each other. */
static bool is_explained(const struct form *form, const struct row_set *rows)
{
    size_t unresolved = 0;

    for (size_t i = 0; i < rows->count; i++)
        unresolved += fabs(rows->y[i]) <= STATS_Z975 * rows->sd[i];
    return !(form->left_out_share > LEFT_OUT_MOST) || form->left_out_sds <= STATS_Z975 ||
           2 * unresolved >= rows->count ||
           (unresolved > 0 && form->count == 1 && form->interval[0].low <= 0.0 &&
            form->interval[0].high >= 0.0);
}

static enum status add_term(struct fit *fit, const char *name, const struct row_set *rows,
                            const struct fit_term *term, const struct form *form, size_t column,
                            const char *equation)
{
    struct parameter *p = fit_add(fit, name, term->name, term->per, rows);

    if (!p)
        return fit_out_of_memory(fit);
    snprintf(p->form, sizeof(p->form), "%s", equation);
    p->value = form->coefficient[column];
    p->interval = form->interval[column];
    resolve(p, form, rows);
    p->left_out_error = form->left_out_rms;
    p->left_out_share = form->left_out_share;
    p->worst_residual = form->worst_residual;
    record_describe(&fit->records->record[rows->index[form->worst_row]], p->worst,
                    sizeof(p->worst));
    return STATUS_OK;
}

enum status fit_equation(struct fit *fit, const char *name, const struct row_set *rows,
                         const struct fit_term *terms, struct form_problem *problem,
                         struct form *form)
{
    char equation[MODEL_TEXT_BYTES];
    struct error why;
    size_t column = 0;

    problem->rows = rows->count;
    problem->columns = rows->columns;
    problem->y = rows->y;
    problem->row_sd = rows->sd;
    enum status status = form_choose(form, problem, fit->seed, &why);
    if (status != STATUS_OK) {
        form->count = 0;
        return status == STATUS_NO_MEMORY ? fit_out_of_memory(fit) : STATUS_OK;
    }
    if (!is_explained(form, rows)) {
        form->count = 0;
        return absent_for_error(fit, name, form);
    }
    write_equation(equation, sizeof(equation), terms, problem, form->terms);
    for (size_t t = 0; status == STATUS_OK && t < problem->terms; t++) {
        if ((form->terms >> t) & 1u)
            status = add_term(fit, name, rows, &terms[t], form, column++, equation);
    }
    return status;
}

enum status fit_constant(struct fit *fit, const char *name, const struct row_set *rows)
{
    static const struct fit_term term = {"", "", ""};
    struct form_problem problem = {.terms = 1, .candidates = {1}, .candidate_count = 1};
    struct form form;

    if (rows->count == 0)
        return STATUS_OK;
    for (size_t i = 0; i < rows->count; i++)
        rows->columns[i] = 1.0;
    return fit_equation(fit, name, rows, &term, &problem, &form);
}

static enum status add_sources(struct fit *fit)
{
    const struct records *records = fit->records;

    for (size_t t = 0; t < records->table_count; t++) {
        struct source *source = model_add_source(fit->model, records->tables[t].path);

        if (!source)
            return fit_out_of_memory(fit);
        for (size_t i = 0; i < records->count; i++) {
            if (records->record[i].table != &records->tables[t])
                continue;
            source->rows++;
            source->unusable += !records->record[i].usable;
            source->used += fit->used[i];
        }
    }
    return STATUS_OK;
}

/* The model is in cycles only if every usable row can be converted. */
static void describe_device(struct fit *fit)
{
    const struct records *records = fit->records;
    struct model *model = fit->model;

    memcpy(model->device_name, records->device_name, sizeof(model->device_name));
    memcpy(model->device_uuid, records->device_uuid, sizeof(model->device_uuid));
    memcpy(model->device_kind, records->device_kind, sizeof(model->device_kind));
    memcpy(model->driver_version, records->driver_version, sizeof(model->driver_version));
    fit->in_cycles = true;
    for (size_t i = 0; i < records->count; i++) {
        if (!records->record[i].usable)
            continue;
        fit->in_cycles &= records->record[i].clock_mhz > 0.0;
        if (records->record[i].xe_cores > 0)
            model->xe_cores = (unsigned)records->record[i].xe_cores;
        if (records->record[i].threads_per_xe_core > 0)
            model->threads_per_xe_core = (unsigned)records->record[i].threads_per_xe_core;
        model->clock_mhz = records->record[i].clock_mhz;
    }
    if (!fit->in_cycles)
        model->clock_mhz = NAN;
}

/* Rows measured at two clocks would describe a device that does not exist, with a cache level where
 * the clock changed. */
static enum status refuse_two_clocks(struct fit *fit)
{
    const struct records *records = fit->records;
    double *clocks = calloc(records->count + 1, sizeof(*clocks));
    enum status status = STATUS_OK;
    struct two_modes modes;
    size_t count = 0;

    if (!clocks)
        return fit_out_of_memory(fit);
    for (size_t i = 0; i < records->count; i++) {
        if (records->record[i].usable && records->record[i].clock_mhz > 0.0)
            clocks[count++] = log(records->record[i].clock_mhz);
    }
    if (robust_two_modes(clocks, count, LEAST_CLOCK_GAP, &modes)) {
        status =
            error_set(fit->error, STATUS_FAILED,
                      "the rows ran at two clocks, about %.0f and %.0f MHz (column clock_mhz), "
                      "%.0f %% of them at the rarer: fit the rows of one clock, or measure again "
                      "at a fixed clock",
                      exp(modes.low), exp(modes.high), 100.0 * modes.share);
    }
    free(clocks);
    return status;
}

/* Explains for a family that has rows why they are not enough. */
static enum status nothing_fitted(const struct fit *fit)
{
    error_set(fit->error, STATUS_FAILED,
              "none of the %zu rows (%zu of them not ok) determines a parameter",
              fit->records->count, fit->records->unusable);
    for (size_t i = 0; i < fit->model->absence_count; i++) {
        const struct absence *a = &fit->model->absence[i];

        if (a->name[name_family_bytes(a->name)]) {
            error_append(fit->error, "; no %s: %s: %s", a->name, a->why, a->command);
            break;
        }
    }
    return STATUS_FAILED;
}

/* The next family in rank after `before`, or the first where `before` is NULL; NULL after the
 * last. */
static const struct family_model *next_in_rank(const struct family_models *families,
                                               const struct family_model *before)
{
    const struct family_model *next = NULL;

    for (size_t i = 0; i < families->count; i++) {
        const struct family_model *family = families->family[i];

        if ((!before || family->rank > before->rank) && (!next || family->rank < next->rank))
            next = family;
    }
    return next;
}

bool measured_launch_of(const struct record *record, struct measured_launch *launch)
{
    if (!record->usable || !record_has_interval(record) || !(record->ci95_lo_ns > 0.0) ||
        !record->kernel_sha256[0] || !record->launch[0] ||
        strlen(record->kernel_sha256) >= sizeof(launch->sha256) ||
        strlen(record->launch) >= sizeof(launch->launch))
        return false;
    *launch = (struct measured_launch){.lanes = record->subgroup_size,
                                       .value = record->value,
                                       .interval = {record->ci95_lo_ns, record->ci95_hi_ns}};
    snprintf(launch->kernel, sizeof(launch->kernel), "%s", record->benchmark);
    snprintf(launch->sha256, sizeof(launch->sha256), "%s", record->kernel_sha256);
    snprintf(launch->launch, sizeof(launch->launch), "%s", record->launch);
    return true;
}

/* Rows of a user's own kernel determine no parameter: a prediction of it starts from them. */
static enum status keep_launches(struct fit *fit)
{
    for (size_t i = 0; i < fit->records->count; i++) {
        struct measured_launch launch, *kept;

        if (!measured_launch_of(&fit->records->record[i], &launch))
            continue;
        kept = model_add_launch(fit->model);
        if (!kept)
            return fit_out_of_memory(fit);
        *kept = launch;
        fit->used[i] = true;
    }
    return STATUS_OK;
}

enum status fit_model(struct model *model, const struct family_models *families,
                      const struct records *records, uint64_t seed, struct error *error)
{
    struct fit fit = {.model = model, .records = records, .seed = seed, .error = error};
    const struct family_model *family = NULL;
    enum status status = STATUS_OK;

    model_init(model, families);
    fit.used = calloc(records->count + 1, sizeof(*fit.used));
    if (!fit.used)
        return fit_out_of_memory(&fit);
    describe_device(&fit);
    status = refuse_two_clocks(&fit);
    while (status == STATUS_OK && (family = next_in_rank(families, family))) {
        fit.family = family->family;
        status = family->fit(&fit);
    }
    if (status == STATUS_OK)
        status = keep_launches(&fit);
    if (status == STATUS_OK)
        status = add_sources(&fit);
    if (status == STATUS_OK)
        status = model_part_costs(model, error);
    if (status == STATUS_OK)
        status = model_index(model, error);
    free(fit.used);
    if (status == STATUS_OK && model->parameter_count == 0)
        status = nothing_fitted(&fit);
    return status;
}

static const struct family_model *predicting(const struct model *model, const struct record *record)
{
    for (size_t i = 0; i < model->families->count; i++) {
        const struct family_model *family = model->families->family[i];

        if (family->predict && family_model_covers(family, record->benchmark))
            return family;
    }
    return NULL;
}

/* Predicts from equations or, failing that, from the table of costs, which has that of this very
 * configuration or none. */
static bool predict(const struct family_model *family, const struct model *model,
                    const struct record *record, struct fit_prediction *p)
{
    struct model some = *model;
    char configuration[MODEL_TEXT_BYTES];

    some.costs_of = "";
    p->from_table = !family->predict(&some, record, &p->predicted);
    if (!p->from_table)
        return true;
    record_describe(record, configuration, sizeof(configuration));
    some.costs_of = configuration;
    return family->predict(&some, record, &p->predicted);
}

bool fit_predict(const struct model *model, const struct record *record, struct fit_prediction *p)
{
    const struct family_model *family = predicting(model, record);
    bool in_cycles = isfinite(model->clock_mhz);

    if (!family || (in_cycles && !(record->clock_mhz > 0.0)) ||
        (family->predicts_loop && !(record->loop_ns > 0.0 && record->work_units > 0.0)) ||
        !predict(family, model, record, p))
        return false;
    if (in_cycles)
        p->predicted *= 1000.0 / record->clock_mhz;
    p->measured = family->predicts_loop ? record->loop_ns / record->work_units : record->value;
    p->value = p->predicted - (p->measured - record->value);
    return isfinite(p->predicted);
}

void fit_note_threads(const struct fit *fit, size_t first, const struct row_set *rows)
{
    double least = INFINITY, most = 0.0;

    for (size_t i = 0; i < rows->count; i++) {
        least = fmin(least, record_threads(&fit->records->record[rows->index[i]]));
        most = fmax(most, record_threads(&fit->records->record[rows->index[i]]));
    }
    for (size_t i = first; i < fit->model->parameter_count; i++) {
        fit->model->parameter[i].least_threads = (unsigned)least;
        fit->model->parameter[i].most_threads = (unsigned)most;
    }
}
