#include "run/resume.h"

#include "base/digest.h"
#include "base/version.h"
#include "rows/columns-read.h"
#include "rows/result-files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* There is no file, or not even its header is complete. */
static bool is_fresh(const char *path)
{
    FILE *file = fopen(path, "rb");
    int c = EOF;

    if (!file)
        return true;
    do {
        c = getc(file);
    } while (c != EOF && c != '\n');
    fclose(file);
    return c == EOF;
}

static enum status differs(const char *path, const char *what, const char *theirs, const char *ours,
                           struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "cannot resume %s: its rows are from %s %s, and this run is on %s; take the "
                     "same device, driver and version, or begin another file",
                     path, what, theirs, ours);
}

/* A sweep that was dealt out has rows of several devices that are alike. */
static enum status check_origin(const char *path, const struct results_row *row,
                                const struct target *target, bool dealt, struct error *error)
{
    const struct device *device = &target->device;

    if (!dealt && strcmp(row->device_uuid, device->uuid) != 0)
        return differs(path, "device", row->device_uuid, device->uuid, error);
    if (strcmp(row->device_name, device->name) != 0)
        return differs(path, "device", row->device_name, device->name, error);
    if (strcmp(row->device_kind, device_kind_name(target->kind)) != 0)
        return differs(path, "a device that is", row->device_kind, device_kind_name(target->kind),
                       error);
    if (strcmp(row->driver_version, device->driver_version) != 0)
        return differs(path, "driver", row->driver_version, device->driver_version, error);
    if (strcmp(row->version, vebench_version()) != 0)
        return differs(path, "version", row->version, vebench_version(), error);
    return STATUS_OK;
}

/* The files of an earlier run while they are read. */
struct resume_reading {
    const struct resume_request *request;
    struct sweep *sweep;
    struct resume *resume;
    char host[HOST_BYTES];
    uint64_t *done; /* what is whole in the file of this process: keys of its samples; owned */
    size_t done_count, done_room;
    size_t unknown; /* rows whose place is not in the plan, of the last pass over the files */
    struct error unknown_error;
};

/* Of a configuration of a rank, which samples have no number of. */
static uint64_t key_of(const struct sweep_place *place, double rank)
{
    char numbers[100];

    snprintf(numbers, sizeof(numbers), "%g %u %u %u", rank, place->subgroup_size,
             place->workgroup_size, place->workgroup_count);
    return digest_text(digest_text(digest_text(DIGEST_BEGIN, numbers), place->benchmark),
                       place->parameters);
}

static int compare_keys(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static enum status add_done(struct resume_reading *reading, uint64_t key, struct error *error)
{
    if (reading->done_count == reading->done_room) {
        size_t room = 2 * reading->done_room + 256;
        uint64_t *more = realloc(reading->done, room * sizeof(*more));

        if (!more)
            return error_out_of_memory(error);
        reading->done = more;
        reading->done_room = room;
    }
    reading->done[reading->done_count++] = key;
    return STATUS_OK;
}

static struct sweep_place place_of_row(const struct results_row *row)
{
    return (struct sweep_place){row->benchmark, row->subgroup_size, row->workgroup_size,
                                row->workgroup_count, row->parameters};
}

/* Is the row where the plan puts it? It may be of those that others make worth measuring, which the
 * plan gets only when all have been read. */
static bool is_in_plan(struct resume_reading *reading, const struct csv_table *table, size_t index,
                       const struct results_row *row)
{
    const struct sweep_place place = place_of_row(row);
    size_t sequence = row->sequence;

    if (row->seed == reading->request->seed && sweep_sequence(reading->sweep, &place, &sequence) &&
        sequence == row->sequence)
        return true;
    reading->unknown++;
    error_set(&reading->unknown_error, STATUS_FAILED,
              "cannot resume %s: its row in line %u is not in the plan of this run; give the "
              "families, axes, preset and seed of the first run",
              table->path, table->lines[index + 1]);
    return false;
}

/* With --each, is it of this rank? Those of others are theirs to judge, if they exist. */
static enum status find_owner(const struct resume_reading *reading, const char *path,
                              const struct results_row *row, bool *own, struct error *error)
{
    const struct ranks *ranks = reading->request->ranks;

    *own = !reading->request->each || (ranks && row->rank == (double)ranks->rank);
    if (!reading->request->each || (ranks && row->rank >= 0.0 && row->rank < (double)ranks->count &&
                                    (!*own || !strcmp(row->host, reading->host))))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "cannot resume %s: its rows of rank %g on %s have no rank in this run; start "
                     "as many ranks, on the same machines",
                     path, row->rank, row->host);
}

static enum status recall(const struct resume_reading *reading, const struct results_row *row,
                          struct error *error)
{
    bool is_ok = !strcmp(row->status, "ok");

    return sweep_recall(reading->sweep, row->sequence, row->variant, is_ok ? row->value : NAN,
                        is_ok ? (row->ci95_hi_ns - row->ci95_lo_ns) / 2.0 : NAN, error);
}

/* The file of this process, or another of the folder. */
struct source {
    const struct csv_table *table;
    size_t places[RESULTS_COLUMNS];
    size_t last; /* the row with which its last configuration begins */
    bool is_own;
};

static enum status read_row(const struct source *source, size_t index, struct results_row *row,
                            struct error *error)
{
    return columns_read_row(source->table, results_columns, RESULTS_COLUMNS, source->places, index,
                            row, error);
}

static bool is_same_task(const struct results_row *a, const struct results_row *b)
{
    return a->sequence == b->sequence && (a->rank == b->rank || !(a->rank >= 0.0));
}

static enum status find_last(struct source *source, struct error *error)
{
    struct results_row last, row;
    enum status status = STATUS_OK;

    source->last = source->table->row_count;
    if (source->last > 0)
        status = read_row(source, source->last - 1, &last, error);
    while (status == STATUS_OK && source->last > 0) {
        status = read_row(source, source->last - 1, &row, error);
        if (status == STATUS_OK && !is_same_task(&row, &last))
            break;
        source->last--;
    }
    return status;
}

static enum status measured_twice(const char *path, struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "cannot resume %s: several ranks have measured the same configuration, which "
                     "takes --each",
                     path);
}

/* A row of a configuration that is whole: the sweep leaves it out. */
static enum status take_whole(struct resume_reading *reading, const struct source *source,
                              size_t index, const struct results_row *row, bool own,
                              struct error *error)
{
    const struct sweep_place place = place_of_row(row);
    struct results_row before;
    enum status status = STATUS_OK;

    if (index > 0)
        status = read_row(source, index - 1, &before, error);
    if (status != STATUS_OK || (index > 0 && is_same_task(&before, row)))
        return status;
    if (own && !sweep_skip(reading->sweep, row->sequence))
        return measured_twice(source->table->path, error);
    return source->is_own ? add_done(reading, key_of(&place, row->rank), error) : STATUS_OK;
}

/* The last one is to be measured again. */
static void take_last(struct resume_reading *reading, const struct source *source,
                      const struct results_row *row)
{
    reading->resume->rest[STORE_RESULTS] = (struct store_rest){
        source->table->begins[source->last + 1], source->table->bytes, source->last};
    reading->resume->has_rows = true;
    if (!reading->request->ranks)
        sweep_replace_entry(reading->sweep, row->sequence, 0);
}

static enum status take_row(struct resume_reading *reading, const struct source *source,
                            size_t index, bool is_final, struct error *error)
{
    const struct resume_request *request = reading->request;
    const char *path = source->table->path;
    struct results_row row;
    bool own = false;
    enum status status = read_row(source, index, &row, error);

    if (status == STATUS_OK)
        status = find_owner(reading, path, &row, &own, error);
    if (status == STATUS_OK && own)
        status = check_origin(path, &row, sweep_target(reading->sweep),
                              !request->each && row.rank >= 0.0, error);
    if (status != STATUS_OK || (own && !is_in_plan(reading, source->table, index, &row)))
        return status;
    if (own && !sweep_is_same_launch(reading->sweep, row.sequence, row.variant, row.kernel_sha256,
                                     row.launch))
        return error_set(error, STATUS_FAILED,
                         "cannot resume %s: its row in line %u is of another source or other "
                         "arguments of this kernel; begin another file, or give --force to begin "
                         "this one anew",
                         path, source->table->lines[index + 1]);
    if (!is_final)
        return own ? recall(reading, &row, error) : STATUS_OK;
    if (source->is_own)
        snprintf(reading->resume->run_id, sizeof(reading->resume->run_id), "%s", row.run_id);
    if (index < source->last)
        return take_whole(reading, source, index, &row, own, error);
    if (source->is_own && index == source->last)
        take_last(reading, source, &row);
    return STATUS_OK;
}

static enum status read_file(struct resume_reading *reading, const char *path, bool is_final,
                             struct error *error)
{
    struct csv_table table;
    struct source source = {.table = &table, .is_own = !strcmp(path, reading->request->results)};

    if (is_fresh(path))
        return STATUS_OK;
    enum status status = csv_read(&table, path, error);
    if (status != STATUS_OK)
        return status;
    status =
        columns_find(&table, results_columns, RESULTS_COLUMNS, "results", source.places, error);
    if (status == STATUS_OK)
        status = find_last(&source, error);
    for (size_t i = 0; status == STATUS_OK && i < table.row_count; i++)
        status = take_row(reading, &source, i, is_final, error);
    csv_table_free(&table);
    return status;
}

static enum status read_files(struct resume_reading *reading, const struct result_files *files,
                              bool is_final, struct error *error)
{
    enum status status = STATUS_OK;

    reading->unknown = 0;
    for (size_t i = 0; status == STATUS_OK && i < files->count; i++)
        status = read_file(reading, files->path[i], is_final, error);
    return status;
}

/* Extends the plan until it has all that the files have. */
static enum status read_results(struct resume_reading *reading, const struct result_files *files,
                                struct error *error)
{
    size_t before = SIZE_MAX;
    enum status status = read_files(reading, files, false, error);

    while (status == STATUS_OK && reading->unknown > 0 && reading->unknown < before) {
        before = reading->unknown;
        status = sweep_extend(reading->sweep, error);
        if (status == STATUS_OK)
            status = read_files(reading, files, false, error);
    }
    if (status == STATUS_OK && reading->unknown > 0) {
        *error = reading->unknown_error;
        return STATUS_FAILED;
    }
    return status == STATUS_OK ? read_files(reading, files, true, error) : status;
}

/* Samples are written before the rows of their configuration, so from the first on that is not of a
 * whole one they are replaced. */
static enum status find_kept_samples(struct resume_reading *reading, const struct csv_table *table,
                                     struct error *error)
{
    struct store_rest *rest = &reading->resume->rest[STORE_SAMPLES];
    size_t places[SAMPLES_COLUMNS];
    struct samples_row row;
    enum status status =
        columns_find(table, samples_columns, SAMPLES_COLUMNS, "samples", places, error);

    qsort(reading->done, reading->done_count, sizeof(*reading->done), compare_keys);
    *rest = (struct store_rest){table->bytes, table->bytes, table->row_count};
    for (size_t i = 0; status == STATUS_OK && i < table->row_count; i++) {
        status = columns_read_row(table, samples_columns, SAMPLES_COLUMNS, places, i, &row, error);
        if (status != STATUS_OK)
            return status;
        const struct sweep_place place = {row.benchmark, row.subgroup_size, row.workgroup_size,
                                          row.workgroup_count, row.parameters};
        const uint64_t key = key_of(&place, row.rank);
        if (reading->done_count &&
            bsearch(&key, reading->done, reading->done_count, sizeof(key), compare_keys))
            continue;
        rest->begin = table->begins[i + 1];
        break;
    }
    return status;
}

static enum status read_samples(struct resume_reading *reading, struct error *error)
{
    const struct resume_request *request = reading->request;
    struct csv_table table;

    if (!request->samples || !reading->resume->has_rows ||
        (request->ranks && !ranks_writes(request->ranks)))
        return STATUS_OK;
    if (is_fresh(request->samples))
        return error_set(error, STATUS_FAILED,
                         "cannot resume %s: the samples of its rows are not in %s; leave out "
                         "--samples, or begin another file",
                         request->results, request->samples);
    enum status status = csv_read(&table, request->samples, error);
    if (status != STATUS_OK)
        return status;
    status = find_kept_samples(reading, &table, error);
    csv_table_free(&table);
    return status;
}

/* The file of this process, and with a shared sweep in a folder all others of it. */
static enum status list_files(const struct resume_request *request, struct result_files *files,
                              struct error *error)
{
    *files = (struct result_files){0};
    if (request->folder && result_files_list(files, &request->folder, 1, error) == STATUS_OK)
        return STATUS_OK;
    result_files_free(files); /* an empty folder: nothing was done */
    *files = (struct result_files){0};
    return access(request->results, F_OK) != 0
               ? STATUS_OK
               : result_files_list(files, &request->results, 1, error);
}

enum status resume_plan(struct resume *resume, struct sweep *sweep,
                        const struct resume_request *request, struct error *error)
{
    struct resume_reading reading = {.request = request, .sweep = sweep, .resume = resume};
    struct result_files files;

    memset(resume, 0, sizeof(*resume));
    host_name(reading.host);
    enum status status = list_files(request, &files, error);
    if (status == STATUS_OK)
        status = read_results(&reading, &files, error);
    if (status == STATUS_OK)
        status = read_samples(&reading, error);
    result_files_free(&files);
    free(reading.done);
    return status;
}
