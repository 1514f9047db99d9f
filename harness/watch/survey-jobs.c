#include "watch/watch.h"

#include "audit/isa-figures.h"
#include "audit/survey.h"
#include "audit/target.h"
#include "job/file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZES_BYTES 96

static const enum isa_figure audited[WATCH_FIGURES] = {
    [WATCH_LANES] = ISA_FIGURE_width,
    [WATCH_REGISTERS] = ISA_FIGURE_registers,
    [WATCH_SCRATCH] = ISA_FIGURE_scratch_bytes,
    [WATCH_INSTRUCTIONS] = ISA_FIGURE_instructions,
    [WATCH_MESSAGES] = ISA_FIGURE_send,
    [WATCH_BOUND] = ISA_FIGURE_bound_cycles,
    [WATCH_TIME] = ISA_FIGURE_COUNT,
};

static struct watch_row *add_row(struct watch_rows *rows, const char *job, const char *kernel,
                                 unsigned size, const char *target)
{
    struct watch_row *more = realloc(rows->row, (rows->count + 1) * sizeof(*more));

    if (!more)
        return NULL;
    rows->row = more;
    struct watch_row *row = &more[rows->count++];
    *row = (struct watch_row){.job = strdup(job),
                              .kernel = strdup(kernel),
                              .target = strdup(target),
                              .size = size,
                              .time_low = NAN,
                              .time_high = NAN};
    return row->job && row->kernel && row->target ? row : NULL;
}

static enum status take_entry(struct watch_rows *rows, const char *name,
                              const struct isa_entry *entry, struct error *error)
{
    struct watch_row *row = add_row(rows, name, entry->kernel, entry->size, entry->target);

    if (!row)
        return error_out_of_memory(error);
    if (entry->refused) {
        row->refused = strdup(entry->refused);
        return row->refused ? STATUS_OK : error_out_of_memory(error);
    }
    for (size_t i = 0; i < WATCH_FIGURES; i++)
        row->figure[i] =
            audited[i] == ISA_FIGURE_COUNT ? NAN : isa_figure(&entry->audit, audited[i]);
    return STATUS_OK;
}

/* The row of the same launch with other work-groups. */
static struct watch_row *find_row(const struct watch_rows *rows, const char *job,
                                  const struct record *record, const char *target)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct watch_row *row = &rows->row[i];

        if (row->size == record->subgroup_size && !strcmp(row->target, target) &&
            !strcmp(row->job, job) && !strcmp(row->kernel, record->variant))
            return row;
    }
    return NULL;
}

static enum status take_record(struct watch_rows *rows, const char *job, const char *target,
                               const struct record *record, struct error *error)
{
    struct watch_row *row = find_row(rows, job, record, target);
    bool has_time = record->usable && record_has_interval(record);

    if (strcmp(record->status, "skipped") == 0 ||
        (row && (row->refused || (has_time && row->figure[WATCH_TIME] <= record->value))))
        return STATUS_OK;
    if (!row) {
        row = add_row(rows, job, record->variant, record->subgroup_size, target);
        for (size_t i = 0; row && i < WATCH_FIGURES; i++)
            row->figure[i] = NAN;
    }
    if (row && !has_time)
        row->refused = strdup(record->reason);
    if (!row || (!has_time && !row->refused))
        return error_out_of_memory(error);
    row->figure[WATCH_TIME] = record->value;
    row->time_low = record->ci95_lo_ns;
    row->time_high = record->ci95_hi_ns;
    return STATUS_OK;
}

static int compare_rows(const void *left, const void *right)
{
    const struct watch_row *a = left, *b = right;
    int order = strcmp(a->job, b->job);

    if (!order)
        order = strcmp(a->target, b->target);
    if (!order)
        order = strcmp(a->kernel, b->kernel);
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

enum status watch_add_times(struct watch_rows *rows, const char *job, const char *target,
                            const struct records *records, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < records->count; i++)
        status = take_record(rows, job, target, &records->record[i], error);
    if (rows->count)
        qsort(rows->row, rows->count, sizeof(*rows->row), compare_rows);
    return status;
}

/* What the source's compiler refuses has no machine code to audit. */
static enum status take_defects(struct watch_rows *rows, const char *name, const struct job *job,
                                const char *target, struct error *error)
{
    for (size_t i = 0; i < job->module_count; i++) {
        const struct spirv_module *module = &job->modules[i];

        if (!module->defect)
            continue;
        struct watch_row *row = add_row(rows, name, module->family, module->subgroup_size, target);
        if (row)
            row->refused = strdup(module->defect);
        if (!row || !row->refused)
            return error_out_of_memory(error);
    }
    return STATUS_OK;
}

static enum status survey_job(struct watch_rows *rows, const char *name, const struct job *job,
                              const char *targets, struct error *error)
{
    const struct family *family = &job->family;
    char sizes[SIZES_BYTES] = "subgroup_size=";
    const char *override = sizes;
    const struct isa_request request = {.families = &family,
                                        .family_count = 1,
                                        .overrides = &override,
                                        .override_count = 1,
                                        .targets = targets,
                                        .loop = ISA_LOOP_INNERMOST};
    struct isa_survey survey;

    for (size_t i = 0; i < job->size_count; i++)
        snprintf(sizes + strlen(sizes), sizeof(sizes) - strlen(sizes), "%s%u", i ? "," : "",
                 job->size[i]);
    enum status status = isa_survey_make(&survey, &request, error);
    for (size_t i = 0; status == STATUS_OK && i < survey.count; i++)
        status = take_entry(rows, name, &survey.entries[i], error);
    for (size_t t = 0; status == STATUS_OK && t < survey.target_count; t++)
        status = take_defects(rows, name, job, isa_target_name(survey.targets[t]), error);
    isa_survey_free(&survey);
    return status;
}

/* A source that no compiler takes at any size is one row. */
static enum status take_refusal(struct watch_rows *rows, const char *name, struct error *error)
{
    struct watch_row *row = add_row(rows, name, "", 0, "");

    if (row)
        row->refused = strdup(error->text);
    return row && row->refused ? STATUS_OK : error_out_of_memory(error);
}

static enum status survey_file(struct watch_rows *rows, const char *folder, const char *name,
                               const char *targets, struct error *error)
{
    char path[PATH_MAX];
    struct job_file file;
    struct job *job = calloc(1, sizeof(*job));

    if (!job)
        return error_out_of_memory(error);
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    enum status status = job_file_read(&file, path, error);
    if (status == STATUS_OK)
        status = job_open(job, &file.request, error);
    if (status == STATUS_OK) {
        status = survey_job(rows, name, job, targets, error);
        job_close(job);
    } else if (status == STATUS_FAILED && file.request.source) {
        status = take_refusal(rows, name, error);
    } else if (!strstr(error->text, name)) {
        error_append(error, " (in %s)", path);
    }
    job_file_free(&file);
    free(job);
    return status;
}

static int is_job(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && job_is_file(entry->d_name);
}

enum status watch_jobs(char ***names, size_t *count, const char *folder, struct error *error)
{
    struct dirent **entries = NULL;
    int found = scandir(folder, &entries, is_job, alphasort);
    enum status status = STATUS_OK;

    *count = 0;
    *names = NULL;
    if (found < 0)
        return error_set(error, STATUS_FAILED, "cannot read the folder %s: %s", folder,
                         strerror(errno));
    if (found == 0)
        status = error_set(error, STATUS_USAGE,
                           "%s has no jobs, files that end in .yaml: docs/your-kernel.md says how "
                           "to write one",
                           folder);
    *names = calloc((size_t)found + 1, sizeof(**names));
    if (!*names)
        status = error_out_of_memory(error);
    for (int i = 0; i < found; i++) {
        if (status == STATUS_OK && ((*names)[*count] = strdup(entries[i]->d_name)) != NULL)
            ++*count;
        else if (status == STATUS_OK)
            status = error_out_of_memory(error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

enum status watch_survey(struct watch_rows *rows, const char *folder, const char *targets,
                         struct error *error)
{
    char **names;
    size_t count;
    enum status status = watch_jobs(&names, &count, folder, error);

    memset(rows, 0, sizeof(*rows));
    for (size_t i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = survey_file(rows, folder, names[i], targets, error);
        free(names[i]);
    }
    free(names);
    if (rows->count)
        qsort(rows->row, rows->count, sizeof(*rows->row), compare_rows);
    return status;
}

void watch_free(struct watch_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->row[i].job);
        free(rows->row[i].kernel);
        free(rows->row[i].target);
        free(rows->row[i].refused);
    }
    free(rows->row);
    *rows = (struct watch_rows){NULL, 0};
}
