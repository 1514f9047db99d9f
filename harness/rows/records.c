#include "rows/records.h"

#include "base/robust.h"
#include "rows/columns-read.h"
#include "rows/records-merge.h"
#include "rows/result-files.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARAMETER_MAX 9007199254740992.0 /* whole numbers up to here are exact */

/* A row being read. */
struct row_reader {
    const struct csv_table *table;
    const size_t *places; /* of the columns */
    size_t row;
    struct error *error;
};

static enum status wrong(const struct row_reader *r, size_t column, const char *what)
{
    return csv_table_wrong(r->table, r->row, r->places[column], what, r->error);
}

/* Checks NAME=VALUE pairs, separated by spaces, whose values are numbers that an axis can have. */
static enum status check_parameters(const struct row_reader *r, const struct record *record)
{
    const char *at = record->parameters;

    while (*at) {
        size_t name = strcspn(at, "= ");
        char *end;

        double value = strtod(at[name] == '=' ? at + name + 1 : "", &end);
        if (name == 0 || at[name] != '=' || end == at + name + 1 || (*end != '\0' && *end != ' ') ||
            !(value >= 0.0 && value <= PARAMETER_MAX))
            return wrong(r, RESULTS_parameters, "is not a list of NAME=NUMBER");
        at = *end ? end + 1 : end;
    }
    return STATUS_OK;
}

/* The device's texts have to fit into their fields. */
static enum status check_lengths(const struct row_reader *r, const struct record *record)
{
    const struct records *records = NULL; /* for its sizes */
    const struct {
        size_t column;
        const char *text;
        size_t room;
    } texts[] = {
        {RESULTS_device_name, record->device_name, sizeof(records->device_name)},
        {RESULTS_device_uuid, record->device_uuid, sizeof(records->device_uuid)},
        {RESULTS_device_kind, record->device_kind, sizeof(records->device_kind)},
        {RESULTS_driver_version, record->driver_version, sizeof(records->driver_version)},
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strlen(texts[i].text) >= texts[i].room)
            return wrong(r, texts[i].column, "and so on is longer than any of ours");
    }
    return STATUS_OK;
}

/* Files from before the columns op, type and method: what this program knows of the variant or, of
 * one that it does not know, that its operation is its own. */
static void describe_variant(struct record *record)
{
    record->operation = record->op;
    record->descriptor = variant_find(record->benchmark, record->variant);
    if (record->op[0])
        return;
    record->operation = record->variant;
    if (!record->descriptor)
        return;
    record->operation = variant_operation(record->descriptor);
    record->type = variant_type(record->descriptor);
    record->method = variant_method(record->descriptor);
}

/* What was read of a row is checked, and completed with what follows from it. */
static enum status complete_record(const struct row_reader *r, struct record *record)
{
    double *const works[] = {&record->spill_bytes,    &record->work_units, &record->work_bytes,
                             &record->work_messages,  &record->work_lines, &record->work_barriers,
                             &record->work_exchanges, &record->work_flops};
    enum status status = check_parameters(r, record);

    if (status != STATUS_OK)
        return status;
    if (record->ci95_lo_ns > record->ci95_hi_ns)
        return wrong(r, RESULTS_ci95_lo_ns, "is above ci95_hi_ns");
    for (size_t i = 0; i < sizeof(works) / sizeof(works[0]); i++) {
        if (isnan(*works[i]))
            *works[i] = 0.0;
    }
    record->table = r->table;
    record->line = r->table->lines[r->row + 1];
    describe_variant(record);
    record->usable =
        !strcmp(record->status, "ok") && !strcmp(record->verified, "1") && isfinite(record->value);
    return STATUS_OK;
}

/* What the rows may be of. */
enum devices {
    ONE_DEVICE,
    ONE_TYPE, /* and each file of one device */
};

/* All rows have to be from the same device as the first or, where a sweep was dealt out to ranks,
 * or its files to devices, from one that is alike. */
static enum status check_device(struct records *records, const struct row_reader *r,
                                const struct record *record, enum devices of, const char **uuid)
{
    bool alike = record->rank >= 0.0;

    if (check_lengths(r, record) != STATUS_OK)
        return STATUS_FAILED;
    if (!*uuid) {
        *uuid = record->device_uuid;
        snprintf(records->device_name, sizeof(records->device_name), "%s", record->device_name);
        snprintf(records->device_uuid, sizeof(records->device_uuid), "%s", *uuid);
        snprintf(records->device_kind, sizeof(records->device_kind), "%s", record->device_kind);
        snprintf(records->driver_version, sizeof(records->driver_version), "%s",
                 record->driver_version);
    }
    if (of != ONE_DEVICE && r->row == 0)
        *uuid = record->device_uuid; /* of this file */
    if ((!alike && strcmp(*uuid, record->device_uuid) != 0) ||
        strcmp(records->device_name, record->device_name) != 0 ||
        strcmp(records->device_kind, record->device_kind) != 0) {
        return error_set(r->error, STATUS_FAILED,
                         "%s:%u: this row is from %s (%s, %s), the first one from %s (%s, %s); "
                         "give files of one device",
                         r->table->path, r->table->lines[r->row + 1], record->device_name,
                         record->device_kind, record->device_uuid, records->device_name,
                         records->device_kind, *uuid);
    }
    return STATUS_OK;
}

static enum status add_table(struct records *records, const struct csv_table *table,
                             enum devices of, const char **uuid, struct error *error)
{
    size_t places[RESULTS_COLUMNS];
    enum status status =
        columns_find(table, results_columns, RESULTS_COLUMNS, "results", places, error);

    if (status != STATUS_OK)
        return status;
    struct record *more =
        realloc(records->record, (records->count + table->row_count + 1) * sizeof(*more));
    if (!more)
        return error_out_of_memory(error);
    records->record = more;
    for (size_t row = 0; status == STATUS_OK && row < table->row_count; row++) {
        struct row_reader reader = {.table = table, .places = places, .row = row, .error = error};
        struct record *record = &records->record[records->count];

        *record = (struct record){0};
        status = columns_read_row(table, results_columns, RESULTS_COLUMNS, places, row,
                                  &record->row, error);
        if (status == STATUS_OK)
            status = check_device(records, &reader, record, of, uuid);
        if (status == STATUS_OK)
            status = complete_record(&reader, record);
        if (status == STATUS_OK) {
            records->count++;
            records->unusable += !record->usable;
        }
    }
    return status;
}

bool device_kind_is_emulated(const char *device_kind)
{
    return strcmp(device_kind, "hardware") != 0;
}

double record_threads(const struct record *record)
{
    return ceil((double)record->workgroup_size / (double)record->subgroup_size);
}

double record_resident_groups(const struct record *r)
{
    if (r->workgroup_count == 1)
        return 1.0;
    if (r->xe_cores == 0 || r->threads_per_xe_core == 0)
        return NAN;
    double groups = ceil((double)r->workgroup_count / (double)r->xe_cores);
    return groups * record_threads(r) <= (double)r->threads_per_xe_core ? groups : NAN;
}

struct occupancy record_occupancy(const struct record *r)
{
    double groups = r->workgroup_count;
    struct occupancy o = {.cores = r->xe_cores ? fmin(groups, r->xe_cores) : groups,
                          .capacity = r->threads_per_xe_core ? r->threads_per_xe_core : NAN};

    /* fmin() ignores the NaN. */
    o.threads = fmin(ceil(record_threads(r) * groups / o.cores), o.capacity);
    return o;
}

bool record_has_interval(const struct record *r)
{
    return isfinite(r->ci95_lo_ns) && isfinite(r->ci95_hi_ns);
}

double record_half_interval(const struct record *r)
{
    return (r->ci95_hi_ns - r->ci95_lo_ns) / 2.0;
}

double record_degrees(const struct record *r)
{
    return r->samples >= 2.0 ? (double)robust_degrees((size_t)r->samples) : RECORD_MANY_DEGREES;
}

double record_busy_threads(const struct record *r)
{
    struct occupancy o = record_occupancy(r);

    return o.cores * o.threads;
}

const char *record_occupancy_text(const struct record *r, char text[OCCUPANCY_BYTES])
{
    struct occupancy o = record_occupancy(r);
    char threads[40] = "one hardware thread", cores[40] = "";

    if (o.threads > 1.0 && isfinite(o.capacity))
        snprintf(threads, sizeof(threads), "%.0f of %.0f hardware threads", o.threads, o.capacity);
    else if (o.threads > 1.0)
        snprintf(threads, sizeof(threads), "%.0f hardware threads", o.threads);
    if (o.cores > 1.0)
        snprintf(cores, sizeof(cores), " on each of %.0f Xe-cores", o.cores);
    else if (o.threads > 1.0)
        snprintf(cores, sizeof(cores), " on one Xe-core");
    snprintf(text, OCCUPANCY_BYTES, "%s%s", threads, cores);
    return text;
}

bool occupancy_is_busy(const struct occupancy *o)
{
    return isfinite(o->capacity) ? 2.0 * o->threads >= o->capacity : o->threads >= 8.0;
}

bool record_is_busy(const struct record *record)
{
    struct occupancy o = record_occupancy(record);

    return occupancy_is_busy(&o);
}

double record_units(const struct record *record)
{
    return record->work_units > 0.0 ? record->work_units : 1.0;
}

double record_scale(const struct record *record, double value)
{
    bool may_be_nothing = record->ci95_lo_ns <= 0.0 && record->ci95_hi_ns >= 0.0;

    if (may_be_nothing && record->loop_ns > 0.0 && record->work_units > 0.0)
        return record->loop_ns / record->work_units;
    return fabs(value);
}

void records_show_in(struct records *records, enum time_unit unit)
{
    for (size_t i = 0; i < records->count; i++)
        records->record[i].shown_in = unit;
}

enum time_unit record_time_unit(const struct record *record, enum time_unit otherwise)
{
    enum time_unit unit = record->shown_in == TIME_AUTO ? otherwise : record->shown_in;

    return unit == TIME_CYCLES && !(record->clock_mhz > 0.0) ? TIME_NS : unit;
}

bool record_same(const struct record *a, const struct record *b)
{
    return a->subgroup_size == b->subgroup_size && a->workgroup_size == b->workgroup_size &&
           a->workgroup_count == b->workgroup_count && !strcmp(a->variant, b->variant) &&
           !strcmp(a->benchmark, b->benchmark) && !strcmp(a->parameters, b->parameters);
}

int record_access_order(const struct record *a, const struct record *b)
{
    int order = strcmp(a->benchmark, b->benchmark);

    if (!order)
        order = strcmp(a->variant, b->variant);
    if (!order)
        order = strcmp(a->parameters, b->parameters);
    if (!order)
        order = (a->subgroup_size > b->subgroup_size) - (a->subgroup_size < b->subgroup_size);
    return order;
}

int record_order(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    int order = record_access_order(a, b);

    if (!order)
        order = (a->workgroup_size > b->workgroup_size) - (a->workgroup_size < b->workgroup_size);
    if (!order)
        order =
            (a->workgroup_count > b->workgroup_count) - (a->workgroup_count < b->workgroup_count);
    return order;
}

enum status records_refuse_repeat(const struct record *a, const struct record *b,
                                  struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "%s:%u and %s:%u are the same measurement (%.60s %.60s): give each once%s",
                     a->table->path, a->line, b->table->path, b->line, b->benchmark, b->variant,
                     b->rank >= 0.0 ? "; rows of many GPUs are for vebench fleet" : "");
}

/* A measurement that occurs twice would be ambiguous in a comparison. */
static enum status check_duplicates(const struct records *records, struct error *error)
{
    const struct record **sorted = calloc(records->count + 1, sizeof(*sorted));
    enum status status = STATUS_OK;

    if (!sorted)
        return error_out_of_memory(error);
    for (size_t i = 0; i < records->count; i++)
        sorted[i] = &records->record[i];
    qsort(sorted, records->count, sizeof(*sorted), record_order);
    for (size_t i = 1; status == STATUS_OK && i < records->count; i++) {
        if (record_same(sorted[i - 1], sorted[i]))
            status = records_refuse_repeat(sorted[i - 1], sorted[i], error);
    }
    free(sorted);
    return status;
}

static enum status read_files(struct records *records, const struct result_files *files,
                              enum devices of, struct error *error)
{
    const char *uuid = NULL;
    enum status status = STATUS_OK;

    records->tables = calloc(files->count + 1, sizeof(*records->tables));
    if (!records->tables)
        return error_out_of_memory(error);
    for (size_t i = 0; status == STATUS_OK && i < files->count; i++) {
        status = csv_read(&records->tables[i], files->path[i], error);
        if (status != STATUS_OK)
            break;
        records->table_count++;
        status = add_table(records, &records->tables[i], of, &uuid, error);
    }
    return status;
}

static enum status read_all(struct records *records, const char *const *paths, size_t count,
                            enum devices of, struct error *error)
{
    struct result_files files;

    memset(records, 0, sizeof(*records));
    enum status status = result_files_list(&files, paths, count, error);
    if (status == STATUS_OK)
        status = read_files(records, &files, of, error);
    result_files_free(&files);
    return status;
}

static enum status visit_block(const struct csv_table *table, record_visitor *visit, void *context,
                               struct error *error)
{
    size_t places[RESULTS_COLUMNS];
    enum status status =
        columns_find(table, results_columns, RESULTS_COLUMNS, "results", places, error);

    for (size_t row = 0; status == STATUS_OK && row < table->row_count; row++) {
        struct row_reader reader = {.table = table, .places = places, .row = row, .error = error};
        struct record record = {0};

        status = columns_read_row(table, results_columns, RESULTS_COLUMNS, places, row, &record.row,
                                  error);
        if (status == STATUS_OK)
            status = check_lengths(&reader, &record);
        if (status == STATUS_OK)
            status = complete_record(&reader, &record);
        if (status == STATUS_OK)
            status = visit(context, &record, error);
    }
    return status;
}

static enum status visit_file(const char *path, record_visitor *visit, void *context,
                              struct error *error)
{
    struct csv_blocks *blocks;
    const struct csv_table *block = NULL;
    enum status status = csv_blocks_open(&blocks, path, error);

    while (status == STATUS_OK) {
        status = csv_blocks_next(blocks, &block, error);
        if (status != STATUS_OK || !block)
            break;
        status = visit_block(block, visit, context, error);
    }
    csv_blocks_close(blocks);
    return status;
}

enum status records_visit(const char *const *paths, size_t count, record_visitor *visit,
                          void *context, struct error *error)
{
    struct result_files files;
    enum status status = result_files_list(&files, paths, count, error);

    for (size_t i = 0; status == STATUS_OK && i < files.count; i++)
        status = visit_file(files.path[i], visit, context, error);
    result_files_free(&files);
    return status;
}

enum status records_read(struct records *records, const char *const *paths, size_t count,
                         struct error *error)
{
    enum status status = read_all(records, paths, count, ONE_DEVICE, error);

    if (status == STATUS_OK)
        status = check_duplicates(records, error);
    if (status != STATUS_OK)
        records_free(records);
    return status;
}

enum status records_read_some(struct records *records, const char *const *paths, size_t count,
                              struct error *error)
{
    enum status status = records_read(records, paths, count, error);

    if (status != STATUS_OK || records->count > 0)
        return status;
    records_free(records);
    return error_set(error, STATUS_FAILED, "%s: no rows: nothing was measured%s", paths[0],
                     count > 1 ? ", nor in the other files" : "");
}

enum status records_read_type(struct records *records, const char *const *paths, size_t count,
                              struct repeats *repeats, struct error *error)
{
    enum status status = read_all(records, paths, count, ONE_TYPE, error);

    if (status == STATUS_OK)
        status = records_merge_repeats(records, repeats, error);
    if (status != STATUS_OK)
        records_free(records);
    return status;
}

void records_free(struct records *records)
{
    for (size_t i = 0; i < records->table_count; i++)
        csv_table_free(&records->tables[i]);
    free(records->tables);
    free(records->record);
    memset(records, 0, sizeof(*records));
}

bool record_same_task(const struct record *a, const struct record *b)
{
    return !strcmp(a->operation, b->operation) && !strcmp(a->type, b->type);
}

bool record_does(const struct record *record, const char *operation)
{
    return !strcmp(record->operation, operation);
}

bool record_is_by(const struct record *record, const char *method)
{
    return !strcmp(record->method, method);
}

void task_name(char text[TASK_BYTES], const char *operation, const char *type)
{
    snprintf(text, TASK_BYTES, "%s%s%s", operation, type[0] ? "_" : "", type);
}

double record_parameter(const struct record *record, const char *name, double absent)
{
    size_t bytes = strlen(name);
    const char *at = record->parameters;

    while (at && *at) {
        if (!strncmp(at, name, bytes) && at[bytes] == '=')
            return strtod(at + bytes + 1, NULL);
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    return absent;
}
