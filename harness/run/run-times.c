#include "run/plan-print.h"

#include "rows/columns-read.h"

#include <string.h>
#include <time.h>

/* Seconds since the epoch for "2026-11-22T04:05:06Z"; -1 if it is not a time. */
static double seconds_of(const char *text)
{
    struct tm utc;

    memset(&utc, 0, sizeof(utc));
    return strptime(text, "%Y-%m-%dT%H:%M:%SZ", &utc) ? (double)timegm(&utc) : -1.0;
}

/* State of the reading. */
struct reading {
    struct run_times *times;
    char run_id[64];
    size_t sequence;
    double last_s; /* when the previous row was written */
};

static void add_row(struct reading *reading, const struct results_row *row)
{
    struct run_times *times = reading->times;
    bool same_run = times->count > 0 && !strcmp(reading->run_id, row->run_id);
    double now_s = seconds_of(row->time_utc);
    size_t i = 0;

    while (i < times->count && strcmp(times->of[i].family, row->benchmark) != 0)
        i++;
    if (i == SWEEP_FAMILIES_MAX || now_s < 0.0)
        return;
    if (i == times->count) {
        snprintf(times->of[i].family, sizeof(times->of[i].family), "%.47s", row->benchmark);
        times->count++;
    }
    /* No row says how long a run's first configuration took, so it counts neither as time nor as a
     * configuration. */
    if (same_run && row->sequence != reading->sequence) {
        times->of[i].seconds += now_s - reading->last_s;
        times->of[i].configurations++;
    }
    snprintf(reading->run_id, sizeof(reading->run_id), "%.63s", row->run_id);
    reading->sequence = row->sequence;
    reading->last_s = now_s;
}

static enum status read_table(struct run_times *times, const struct csv_table *table,
                              const struct target *target, struct error *error)
{
    struct reading reading = {.times = times};
    size_t places[RESULTS_COLUMNS];
    struct results_row row;
    enum status status =
        columns_find(table, results_columns, RESULTS_COLUMNS, "results", places, error);

    for (size_t i = 0; status == STATUS_OK && i < table->row_count; i++) {
        status = columns_read_row(table, results_columns, RESULTS_COLUMNS, places, i, &row, error);
        if (status == STATUS_OK && strcmp(row.device_name, target->device.name) != 0)
            status = error_set(error, STATUS_FAILED,
                               "--like %s: its rows are from %s, and this run is on "
                               "%s",
                               table->path, row.device_name, target->device.name);
        if (status == STATUS_OK)
            add_row(&reading, &row);
    }
    return status;
}

enum status run_times_read(struct run_times *times, const char *path, const struct target *target,
                           struct error *error)
{
    struct csv_table table;
    enum status status = csv_read(&table, path, error);

    memset(times, 0, sizeof(*times));
    if (status != STATUS_OK)
        return status;
    status = read_table(times, &table, target, error);
    csv_table_free(&table);
    return status;
}
