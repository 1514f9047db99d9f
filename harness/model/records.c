#include "model/records.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_MAX     4294967295.0
#define PARAMETER_MAX 9007199254740992.0 /* whole numbers up to here are exact */

/* The columns without which a file is not ours. */
enum column {
    COLUMN_DEVICE_KIND,
    COLUMN_DEVICE_NAME,
    COLUMN_DEVICE_UUID,
    COLUMN_DRIVER_VERSION,
    COLUMN_CLOCK_MHZ,
    COLUMN_BENCHMARK,
    COLUMN_VARIANT,
    COLUMN_SUBGROUP_SIZE,
    COLUMN_WORKGROUP_SIZE,
    COLUMN_WORKGROUP_COUNT,
    COLUMN_SAMPLES,
    COLUMN_NS_MEAN,
    COLUMN_CI95_LO,
    COLUMN_CI95_HI,
    COLUMN_VALUE,
    COLUMN_UNIT,
    COLUMN_SPILL_BYTES,
    COLUMN_VERIFIED,
    COLUMN_STATUS,
    COLUMN_PARAMETERS,
    COLUMN_BASELINE,
    COLUMN_LOOP_NS,
    COLUMN_WORK_UNITS,
    COLUMN_WORK_BYTES,
    COLUMN_WORK_MESSAGES,
    COLUMN_WORK_LINES,
    COLUMN_WORK_BARRIERS,
    COLUMN_WORK_EXCHANGES,
    COLUMN_WORK_FLOPS,
    COLUMN_COUNT,
    /* Files of earlier versions do without. */
    COLUMN_XE_CORES = COLUMN_COUNT,
    COLUMN_THREADS,
    COLUMN_REASON,
    COLUMN_PEAK,
    COLUMN_ALL
};

static const char *const column_names[COLUMN_ALL] = {
    "device_kind",
    "device_name",
    "device_uuid",
    "driver_version",
    "clock_mhz",
    "benchmark",
    "variant",
    "subgroup_size",
    "workgroup_size",
    "workgroup_count",
    "samples",
    "ns_mean",
    "ci95_lo_ns",
    "ci95_hi_ns",
    "value",
    "unit",
    "spill_bytes",
    "verified",
    "status",
    "parameters",
    "baseline",
    "loop_ns",
    "work_units",
    "work_bytes",
    "work_messages",
    "work_lines",
    "work_barriers",
    "work_exchanges",
    "work_flops",
    "xe_cores",
    "threads_per_xe_core",
    "reason",
    "peak_gb_per_s",
};

static enum status find_columns(const struct csv_table *table, size_t *columns, struct error *error)
{
    for (size_t i = 0; i < COLUMN_ALL; i++) {
        columns[i] = csv_table_column(table, column_names[i]);
        if (i < COLUMN_COUNT && columns[i] == SIZE_MAX) {
            return error_set(error, STATUS_FAILED,
                             "%s:1: there is no column %s: this is no results file of this "
                             "version of vebench (docs/csv.md)",
                             table->path, column_names[i]);
        }
    }
    return STATUS_OK;
}

/* A row being read. */
struct row_reader {
    const struct csv_table *table;
    const size_t *columns;
    size_t row;
    enum status status; /* of all fields so far */
    struct error *error;
};

static const char *text_of(const struct row_reader *r, enum column column)
{
    if (r->columns[column] == SIZE_MAX)
        return "";
    return csv_table_cell(r->table, r->row, r->columns[column]);
}

static double number_of(struct row_reader *r, enum column column, double absent)
{
    double number = absent;

    if (r->status == STATUS_OK && r->columns[column] != SIZE_MAX)
        r->status =
            csv_table_number(r->table, r->row, r->columns[column], absent, &number, r->error);
    return number;
}

/* A number that cannot be negative. */
static double amount_of(struct row_reader *r, enum column column, double absent)
{
    double number = number_of(r, column, absent);

    if (r->status == STATUS_OK && number < 0.0) {
        r->status =
            error_set(r->error, STATUS_FAILED, "%s:%u, column %s: %s is negative", r->table->path,
                      r->table->lines[r->row + 1], column_names[column], text_of(r, column));
    }
    return number;
}

/* A whole number of things, small enough for any device. */
static unsigned count_of(struct row_reader *r, enum column column)
{
    double number = amount_of(r, column, 0.0);

    if (r->status == STATUS_OK && (number > COUNT_MAX || number != floor(number)))
        r->status = csv_table_wrong(r->table, r->row, r->columns[column],
                                    "is no whole number, or too large", r->error);
    return r->status == STATUS_OK ? (unsigned)number : 0;
}

/* NAME=VALUE, separated by spaces: values are numbers that an axis can have. */
static void check_parameters(struct row_reader *r)
{
    const char *at = text_of(r, COLUMN_PARAMETERS);

    while (r->status == STATUS_OK && *at) {
        size_t name = strcspn(at, "= ");
        double value;
        char *end;

        value = strtod(at[name] == '=' ? at + name + 1 : "", &end);
        if (name == 0 || at[name] != '=' || end == at + name + 1 || (*end != '\0' && *end != ' ') ||
            !(value >= 0.0 && value <= PARAMETER_MAX)) {
            r->status = csv_table_wrong(r->table, r->row, r->columns[COLUMN_PARAMETERS],
                                        "is no list of NAME=NUMBER", r->error);
            return;
        }
        at = *end ? end + 1 : end;
    }
}

/* The interval is one. */
static void check_interval(struct row_reader *r, const struct record *record)
{
    if (r->status == STATUS_OK && record->ci95_lo_ns > record->ci95_hi_ns)
        r->status = csv_table_wrong(r->table, r->row, r->columns[COLUMN_CI95_LO],
                                    "is above ci95_hi_ns", r->error);
}

static enum status read_record(struct row_reader *r, struct record *record)
{
    *record = (struct record){
        .table = r->table,
        .line = r->table->lines[r->row + 1],
        .benchmark = text_of(r, COLUMN_BENCHMARK),
        .variant = text_of(r, COLUMN_VARIANT),
        .baseline = text_of(r, COLUMN_BASELINE),
        .unit = text_of(r, COLUMN_UNIT),
        .parameters = text_of(r, COLUMN_PARAMETERS),
        .status = text_of(r, COLUMN_STATUS),
        .reason = text_of(r, COLUMN_REASON),
        .subgroup_size = count_of(r, COLUMN_SUBGROUP_SIZE),
        .workgroup_size = count_of(r, COLUMN_WORKGROUP_SIZE),
        .workgroup_count = count_of(r, COLUMN_WORKGROUP_COUNT),
        .samples = amount_of(r, COLUMN_SAMPLES, 0.0),
        .value = number_of(r, COLUMN_VALUE, NAN),
        .mean_ns = number_of(r, COLUMN_NS_MEAN, NAN),
        .ci95_lo_ns = number_of(r, COLUMN_CI95_LO, NAN),
        .ci95_hi_ns = number_of(r, COLUMN_CI95_HI, NAN),
        .loop_ns = amount_of(r, COLUMN_LOOP_NS, NAN),
        .clock_mhz = amount_of(r, COLUMN_CLOCK_MHZ, NAN),
        .xe_cores = count_of(r, COLUMN_XE_CORES),
        .threads_per_xe_core = count_of(r, COLUMN_THREADS),
        .peak_gb_per_s = amount_of(r, COLUMN_PEAK, NAN),
        .spill_bytes = amount_of(r, COLUMN_SPILL_BYTES, 0.0),
        .work_units = amount_of(r, COLUMN_WORK_UNITS, 0.0),
        .work_bytes = amount_of(r, COLUMN_WORK_BYTES, 0.0),
        .work_messages = amount_of(r, COLUMN_WORK_MESSAGES, 0.0),
        .work_lines = amount_of(r, COLUMN_WORK_LINES, 0.0),
        .work_barriers = amount_of(r, COLUMN_WORK_BARRIERS, 0.0),
        .work_exchanges = amount_of(r, COLUMN_WORK_EXCHANGES, 0.0),
        .work_flops = amount_of(r, COLUMN_WORK_FLOPS, 0.0),
    };
    check_parameters(r);
    check_interval(r, record);
    record->usable = !strcmp(text_of(r, COLUMN_STATUS), "ok") &&
                     !strcmp(text_of(r, COLUMN_VERIFIED), "1") && isfinite(record->value);
    return r->status;
}

/* Texts of the device have to fit where they are kept. */
static enum status check_lengths(const struct row_reader *r, const struct records *records)
{
    static const enum column columns[] = {COLUMN_DEVICE_NAME, COLUMN_DEVICE_UUID,
                                          COLUMN_DEVICE_KIND, COLUMN_DRIVER_VERSION};
    const size_t room[] = {sizeof records->device_name, sizeof records->device_uuid,
                           sizeof records->device_kind, sizeof records->driver_version};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (strlen(text_of(r, columns[i])) >= room[i])
            return csv_table_wrong(r->table, r->row, r->columns[columns[i]],
                                   "and so on is longer than any of ours", r->error);
    }
    return STATUS_OK;
}

/* All rows have to be of the device of the first. */
static enum status check_device(struct records *records, const struct row_reader *r,
                                const char **uuid)
{
    if (check_lengths(r, records) != STATUS_OK)
        return STATUS_FAILED;
    if (!*uuid) {
        *uuid = text_of(r, COLUMN_DEVICE_UUID);
        snprintf(records->device_name, sizeof records->device_name, "%s",
                 text_of(r, COLUMN_DEVICE_NAME));
        snprintf(records->device_uuid, sizeof records->device_uuid, "%s", *uuid);
        snprintf(records->device_kind, sizeof records->device_kind, "%s",
                 text_of(r, COLUMN_DEVICE_KIND));
        snprintf(records->driver_version, sizeof records->driver_version, "%s",
                 text_of(r, COLUMN_DRIVER_VERSION));
    }
    if (strcmp(*uuid, text_of(r, COLUMN_DEVICE_UUID)) != 0 ||
        strcmp(records->device_name, text_of(r, COLUMN_DEVICE_NAME)) != 0 ||
        strcmp(records->device_kind, text_of(r, COLUMN_DEVICE_KIND)) != 0) {
        return error_set(r->error, STATUS_FAILED,
                         "%s:%u: this row is of %s (%s, %s), the first one of %s (%s, %s); give "
                         "files of one device",
                         r->table->path, r->table->lines[r->row + 1],
                         text_of(r, COLUMN_DEVICE_NAME), text_of(r, COLUMN_DEVICE_KIND),
                         text_of(r, COLUMN_DEVICE_UUID), records->device_name, records->device_kind,
                         *uuid);
    }
    return STATUS_OK;
}

static enum status add_table(struct records *records, const struct csv_table *table,
                             const char **uuid, struct error *error)
{
    size_t columns[COLUMN_ALL];
    struct record *more;
    enum status status = find_columns(table, columns, error);

    if (status != STATUS_OK)
        return status;
    more = realloc(records->record, (records->count + table->row_count + 1) * sizeof *more);
    if (!more)
        return error_set(error, STATUS_FAILED, "out of memory");
    records->record = more;
    for (size_t row = 0; status == STATUS_OK && row < table->row_count; row++) {
        struct row_reader reader = {table, columns, row, STATUS_OK, error};
        struct record *record = &records->record[records->count];

        status = check_device(records, &reader, uuid);
        if (status == STATUS_OK)
            status = read_record(&reader, record);
        if (status == STATUS_OK) {
            records->count++;
            records->unusable += !record->usable;
        }
    }
    return status;
}

double record_threads(const struct record *record)
{
    return ceil((double)record->workgroup_size / (double)record->subgroup_size);
}

double record_scale(const struct record *record, double value)
{
    bool may_be_nothing = record->ci95_lo_ns <= 0.0 && record->ci95_hi_ns >= 0.0;

    if (may_be_nothing && record->loop_ns > 0.0 && record->work_units > 0.0)
        return record->loop_ns / record->work_units;
    return fabs(value);
}

bool record_same(const struct record *a, const struct record *b)
{
    return a->subgroup_size == b->subgroup_size && a->workgroup_size == b->workgroup_size &&
           a->workgroup_count == b->workgroup_count && !strcmp(a->variant, b->variant) &&
           !strcmp(a->benchmark, b->benchmark) && !strcmp(a->parameters, b->parameters);
}

static int compare_records(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    int order = strcmp(a->benchmark, b->benchmark);

    if (!order)
        order = strcmp(a->variant, b->variant);
    if (!order)
        order = strcmp(a->parameters, b->parameters);
    if (!order)
        order = (a->subgroup_size > b->subgroup_size) - (a->subgroup_size < b->subgroup_size);
    if (!order)
        order = (a->workgroup_size > b->workgroup_size) - (a->workgroup_size < b->workgroup_size);
    if (!order)
        order =
            (a->workgroup_count > b->workgroup_count) - (a->workgroup_count < b->workgroup_count);
    return order;
}

/* The same measurement twice would count twice in a fit, and be ambiguous in a comparison. */
static enum status check_duplicates(const struct records *records, struct error *error)
{
    const struct record **sorted = calloc(records->count + 1, sizeof *sorted);
    enum status status = STATUS_OK;

    if (!sorted)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < records->count; i++)
        sorted[i] = &records->record[i];
    qsort(sorted, records->count, sizeof *sorted, compare_records);
    for (size_t i = 1; status == STATUS_OK && i < records->count; i++) {
        if (!record_same(sorted[i - 1], sorted[i]))
            continue;
        status = error_set(error, STATUS_FAILED,
                           "%s:%u and %s:%u are the same measurement (%.60s %.60s): give each once",
                           sorted[i - 1]->table->path, sorted[i - 1]->line, sorted[i]->table->path,
                           sorted[i]->line, sorted[i]->benchmark, sorted[i]->variant);
    }
    free(sorted);
    return status;
}

enum status records_read(struct records *records, const char *const *paths, size_t count,
                         struct error *error)
{
    const char *uuid = NULL;
    enum status status = STATUS_OK;

    memset(records, 0, sizeof *records);
    records->tables = calloc(count, sizeof *records->tables);
    if (!records->tables)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = csv_read(&records->tables[i], paths[i], error);
        if (status != STATUS_OK)
            break;
        records->table_count++;
        status = add_table(records, &records->tables[i], &uuid, error);
    }
    if (status == STATUS_OK)
        status = check_duplicates(records, error);
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
    memset(records, 0, sizeof *records);
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
