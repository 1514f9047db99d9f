#include "run/resume.h"

#include "base/version.h"
#include "rows/columns-read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

/* Checks that the row is where the plan puts it. */
static enum status check_place(const struct csv_table *table, size_t index,
                               const struct results_row *row, struct sweep *sweep, unsigned rank,
                               uint64_t seed, struct error *error)
{
    const struct sweep_place place = {row->benchmark, row->subgroup_size, row->workgroup_size,
                                      row->workgroup_count, row->parameters};
    size_t sequence = row->sequence;
    bool is_there = sweep_sequence(sweep, &place, rank, &sequence);

    /* It may be of those that the rows before it have made worth measuring. */
    if (!is_there && sweep_extend(sweep, error) != STATUS_OK)
        return error->status;
    is_there = is_there || sweep_sequence(sweep, &place, rank, &sequence);
    if (row->seed == seed && is_there && sequence == row->sequence)
        return STATUS_OK;
    return error_set(
        error, STATUS_FAILED,
        "cannot resume %s: its row in line %u is not in the plan of this run; give the families, "
        "axes, preset and seed of the first run",
        table->path, table->lines[index + 1]);
}

/* The rank that measured the row, if every rank measures everything; otherwise 0. */
static enum status find_rank(const char *path, const struct results_row *row,
                             const struct sweep *sweep, bool each, unsigned *rank,
                             struct error *error)
{
    *rank = 0;
    if (!each)
        return STATUS_OK;
    const struct gpu *gpu = row->rank < RANKS_MAX ? sweep_gpu(sweep, (size_t)row->rank) : NULL;
    if (!gpu || strcmp(gpu->host, row->host) != 0)
        return error_set(
            error, STATUS_FAILED,
            "cannot resume %s: its rows of rank %g on %s have no rank in this run; start as many "
            "ranks, on the same machines",
            path, row->rank, row->host);
    *rank = (unsigned)row->rank;
    return STATUS_OK;
}

static enum status recall(struct sweep *sweep, const struct results_row *row, unsigned rank,
                          struct error *error)
{
    bool is_ok = !strcmp(row->status, "ok");

    return sweep_recall(sweep, row->sequence, rank, row->variant, is_ok ? row->value : NAN,
                        is_ok ? (row->ci95_hi_ns - row->ci95_lo_ns) / 2.0 : NAN, error);
}

/* The rows of a configuration begin; those of the one before are whole. */
static void begin_configuration(struct resume *resume, const struct csv_table *table, size_t index,
                                const struct results_row *row, unsigned rank, unsigned *rank_before)
{
    if (index > 0)
        resume->of_rank[*rank_before]++;
    resume->rest[STORE_RESULTS].begin = table->begins[index + 1];
    resume->sequence = row->sequence;
    resume->rank = rank;
    resume->of_rank[rank] = row->sequence;
    *rank_before = rank;
}

static enum status read_results(struct resume *resume, const struct csv_table *table,
                                struct sweep *sweep, const struct resume_request *request,
                                struct error *error)
{
    size_t places[RESULTS_COLUMNS];
    struct results_row row;
    unsigned rank, before = 0;
    double measured_by = 0.0;
    enum status status =
        columns_find(table, results_columns, RESULTS_COLUMNS, "results", places, error);

    resume->rest[STORE_RESULTS] = (struct store_rest){table->bytes, table->bytes};
    for (size_t i = 0; status == STATUS_OK && i < table->row_count; i++) {
        status = columns_read_row(table, results_columns, RESULTS_COLUMNS, places, i, &row, error);
        if (status == STATUS_OK)
            status = find_rank(table->path, &row, sweep, request->each, &rank, error);
        if (status == STATUS_OK)
            status = check_origin(table->path, &row, &sweep_gpu(sweep, rank)->target,
                                  !request->each && row.rank >= 0.0, error);
        if (status == STATUS_OK)
            status = check_place(table, i, &row, sweep, rank, request->seed, error);
        if (status == STATUS_OK)
            status = recall(sweep, &row, rank, error);
        if (status != STATUS_OK)
            return status;
        if (i == 0 || row.sequence != resume->sequence || rank != before)
            begin_configuration(resume, table, i, &row, rank, &before);
        else if (row.rank >= 0.0 && row.rank != measured_by)
            return error_set(error, STATUS_FAILED,
                             "cannot resume %s: several ranks have measured the same "
                             "configuration, which takes --each",
                             table->path);
        measured_by = row.rank;
        snprintf(resume->run_id, sizeof(resume->run_id), "%s", row.run_id);
    }
    return status;
}

/* Samples are written before the rows of their configuration, so those of the configuration to
 * resume at, and of a later one, are replaced with it. */
static enum status read_kept_samples(struct resume *resume, const struct csv_table *table,
                                     const struct sweep *sweep, bool each, struct error *error)
{
    size_t places[SAMPLES_COLUMNS];
    struct samples_row row;
    size_t sequence[RANKS_MAX] = {0};
    enum status status =
        columns_find(table, samples_columns, SAMPLES_COLUMNS, "samples", places, error);

    resume->rest[STORE_SAMPLES] = (struct store_rest){table->bytes, table->bytes};
    for (size_t i = 0; status == STATUS_OK && i < table->row_count; i++) {
        status = columns_read_row(table, samples_columns, SAMPLES_COLUMNS, places, i, &row, error);
        if (status != STATUS_OK)
            return status;
        struct sweep_place place =
            (struct sweep_place){row.benchmark, row.subgroup_size, row.workgroup_size,
                                 row.workgroup_count, row.parameters};
        bool has_rank = row.rank >= 0.0 && row.rank < RANKS_MAX;
        unsigned rank = each && has_rank ? (unsigned)row.rank : 0;
        if ((each && !has_rank) || !sweep_sequence(sweep, &place, rank, &sequence[rank]))
            return error_set(error, STATUS_FAILED,
                             "cannot resume %s: its row in line %u is not in the plan of this run",
                             table->path, table->lines[i + 1]);
        if (sequence[rank] >= resume->of_rank[rank]) {
            resume->rest[STORE_SAMPLES].begin = table->begins[i + 1];
            break;
        }
    }
    return status;
}

enum status resume_plan(struct resume *resume, struct sweep *sweep,
                        const struct resume_request *request, struct error *error)
{
    const char *results = request->results, *samples = request->samples;
    struct csv_table table;

    memset(resume, 0, sizeof(*resume));
    if (is_fresh(results))
        return STATUS_OK;
    enum status status = csv_read(&table, results, error);
    if (status != STATUS_OK)
        return status;
    resume->has_rows = table.row_count > 0;
    status = read_results(resume, &table, sweep, request, error);
    csv_table_free(&table);
    if (status != STATUS_OK || !samples || !resume->has_rows)
        return status;
    if (is_fresh(samples))
        return error_set(error, STATUS_FAILED,
                         "cannot resume %s: the samples of its rows are not in %s; leave out "
                         "--samples, or begin another file",
                         results, samples);
    status = csv_read(&table, samples, error);
    if (status != STATUS_OK)
        return status;
    status = read_kept_samples(resume, &table, sweep, request->each, error);
    csv_table_free(&table);
    return status;
}

void resume_sweep(const struct resume *resume, struct sweep *sweep,
                  const struct resume_request *request)
{
    if (!request->each)
        sweep_skip_to(sweep, 0, resume->sequence);
    for (unsigned rank = 0; request->each && sweep_gpu(sweep, rank); rank++)
        sweep_skip_to(sweep, rank, resume->of_rank[rank]);
    sweep_replace_entry(sweep, resume->rank, resume->sequence, 0);
}
