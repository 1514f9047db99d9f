/* The rows of results files, as measurements to fit and to compare. */
#ifndef VEBENCH_RECORDS_H
#define VEBENCH_RECORDS_H

#include "model/csv-read.h"

#include <stdbool.h>

#define RECORD_OWN_MAX 9

/* One row. Texts are the table's. */
struct record {
    const struct csv_table *table;
    unsigned line; /* in the file, for messages */
    const char *benchmark, *variant, *baseline, *unit, *parameters, *status, *reason;
    unsigned subgroup_size;   /* work-items */
    unsigned workgroup_size;  /* work-items */
    unsigned workgroup_count; /* work-groups */
    bool usable;              /* status ok, verified, and a value */
    double samples;
    double value;                           /* in `unit`; NaN where there is none */
    double mean_ns, ci95_lo_ns, ci95_hi_ns; /* NaN where the unit is no time */
    double loop_ns;                         /* of an iteration of the whole launch; NaN */
    double clock_mhz;                       /* NaN where unknown */
    unsigned xe_cores, threads_per_xe_core; /* of the device; 0 where the file does not say */
    double peak_gb_per_s; /* of the device's memory; NaN where the file does not say */
    double spill_bytes;
    double work_units, work_bytes, work_messages, work_lines, work_barriers, work_exchanges,
        work_flops; /* per iteration of the whole launch; 0 where it does not apply */
};

/* The rows of one or several files, all of one device. */
struct records {
    struct csv_table *tables; /* owned */
    size_t table_count;
    struct record *record; /* owned */
    size_t count;
    size_t unusable; /* of them: neither fitted nor compared */
    char device_name[256];
    char device_uuid[64];
    char device_kind[16]; /* "hardware" or "emulated" */
    char driver_version[64];
};

/* Reads all files. STATUS_FAILED, naming file, line and column, for what is no results file of
 * vebench, for numbers that are none, for negative durations, for parameters that are no list of
 * numbers, for a row that is there twice, and for rows of more than one device. */
enum status records_read(struct records *records, const char *const *paths, size_t count,
                         struct error *error);
void records_free(struct records *records);

/* Are the two rows the same measurement: benchmark, variant, sizes and parameters? */
bool record_same(const struct record *a, const struct record *b);

/* What record_same() compares as an order, for qsort() and bsearch(): arguments are
 * const struct record *const *. */
int record_order(const void *left, const void *right);

/* Hardware threads of a work-group. */
double record_threads(const struct record *record);

/* Work-groups that an Xe-core holds while the launch runs, or NaN where the row does not say or has
 * more than are resident together: its time is then of several waves. */
double record_resident_groups(const struct record *record);

/* What a change of the row's value is relative to: that value, or, where the row's interval has it
 * that it may be nothing at all, the loop in which it would be felt. Not negative. */
double record_scale(const struct record *record, double value);

/* The value of an axis among `parameters`, or `absent`. */
double record_parameter(const struct record *record, const char *name, double absent);

#endif
