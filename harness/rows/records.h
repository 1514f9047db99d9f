/* The rows of results files, as measurements to fit and compare. */
#ifndef VEBENCH_RECORDS_H
#define VEBENCH_RECORDS_H

#include "base/columns.h"
#include "base/unit.h"
#include "base/variant.h"
#include "rows/csv-read.h"

#include <stdbool.h>

#define RECORD_OWN_MAX 9

/* One row: the columns of the file, as results-columns.def lists them, and what follows from them.
 * Texts point into the table and are "" where empty; numbers are NaN where empty, but the counts
 * and what an iteration does, which are 0. */
struct record {
    union {
        struct results_row row;
#define COLUMN(name, type, need, unit, meaning) column_##type name;
        struct {
#include "base/results-columns.def"
        };
#undef COLUMN
    };
    const struct csv_table *table;
    unsigned line;                    /* in the file, for messages */
    const char *operation;            /* of the variant: the column op, also in files without it */
    const struct variant *descriptor; /* of the variant, if this program has a table of it */
    bool usable;                      /* status ok, verified, and with a value */
    enum time_unit shown_in;          /* what people asked to see its times in */
};

/* Anything but "hardware": its times are the emulator's. */
bool device_kind_is_emulated(const char *device_kind);

/* The rows of one or more files, all from one device or from devices that shared a sweep. */
struct records {
    struct csv_table *tables; /* owned */
    size_t table_count;
    struct record *record; /* owned */
    size_t count;
    size_t unusable; /* number of them that are neither fitted nor compared */
    char device_name[256];
    char device_uuid[64];
    char device_kind[16]; /* "hardware" or "emulated" */
    char driver_version[64];
};

/* Reads all files, those of folders too (result-files.h). STATUS_FAILED, naming file, line and
 * column, for a file that is not a vebench results file, malformed numbers, negative durations,
 * parameters that are not a list of numbers, duplicate rows, and rows from more than one device. */
enum status records_read(struct records *records, const char *const *paths, size_t count,
                         struct error *error);

/* The same, and STATUS_FAILED where there are no rows. */
enum status records_read_some(struct records *records, const char *const *paths, size_t count,
                              struct error *error);

/* The same for files each of one device, which are all of the same type. A measurement may be there
 * several times: records_merge_repeats() makes one of them, and says in `repeats` how they agree.
 */
struct repeats;
enum status records_read_type(struct records *records, const char *const *paths, size_t count,
                              struct repeats *repeats, struct error *error);

/* STATUS_FAILED: the two rows are the same measurement, where each may be there only once. */
enum status records_refuse_repeat(const struct record *a, const struct record *b,
                                  struct error *error);

void records_free(struct records *records);

/* Calls `visit` with each row of the files, which may be of any devices that may have measured the
 * same, one after another: memory does not grow with their number. The record and its texts are
 * valid until `visit` returns; a status other than STATUS_OK ends the visit and is passed on.
 * Errors otherwise as records_read(), but for duplicate rows. */
typedef enum status record_visitor(void *context, const struct record *record, struct error *error);
enum status records_visit(const char *const *paths, size_t count, record_visitor *visit,
                          void *context, struct error *error);

/* Sets what people see the times of all rows in. */
void records_show_in(struct records *records, enum time_unit unit);

/* That unit or, where nobody asked for one, `otherwise`; but ns, where that is cycles of a clock
 * that is unknown. */
enum time_unit record_time_unit(const struct record *record, enum time_unit otherwise);

/* Are the two rows the same measurement, with equal benchmark, variant, sizes and parameters? */
bool record_same(const struct record *a, const struct record *b);

/* Orders rows by what record_same() compares, for qsort() and bsearch(): arguments are const struct
 * record *const *. */
int record_order(const void *left, const void *right);

/* The same, leaving out the sizes of work-group and launch. */
int record_access_order(const struct record *a, const struct record *b);

/* Hardware threads of a work-group. */
double record_threads(const struct record *record);

/* Work-groups resident on an Xe-core during the launch. NaN where the row does not say, or where
 * they are not all resident at once and the time spans several waves. */
double record_resident_groups(const struct record *record);

/* How much of the device a row's launch keeps busy. */
struct occupancy {
    double cores;    /* Xe-cores that have work */
    double threads;  /* hardware threads on each of them */
    double capacity; /* that such an Xe-core holds; NaN where the row does not say */
};

struct occupancy record_occupancy(const struct record *record);

/* Does such an Xe-core have half of the threads that it holds or, where that is unknown, eight? */
bool occupancy_is_busy(const struct occupancy *occupancy);

/* Does the row have an interval? */
bool record_has_interval(const struct record *record);

/* Units of work of an iteration, 1 where the row does not say. */
double record_units(const struct record *record);

/* Half the row's 95 % interval. */
double record_half_interval(const struct record *record);

/* Degrees of freedom of an interval that no count of samples limits. */
#define RECORD_MANY_DEGREES 1e6

/* The degrees of freedom of the row's interval: of its samples or, of one, RECORD_MANY_DEGREES:
 * nothing scattered where one was enough, and the interval is of rounding and of what was tried. */
double record_degrees(const struct record *record);

/* Hardware threads of the device that have work. */
double record_busy_threads(const struct record *record);

#define OCCUPANCY_BYTES 96

/* "one hardware thread", "64 of 128 hardware threads on each of 8 Xe-cores". Returns `text`. */
const char *record_occupancy_text(const struct record *record, char text[OCCUPANCY_BYTES]);

/* Are enough threads busy to show what an Xe-core can do, rather than what one of its threads waits
 * for: half of those it holds, or eight where the row does not say? */
bool record_is_busy(const struct record *record);

/* The reference for a relative change of the row's value: the value itself or, where its interval
 * includes 0, the loop in which the change would be felt. Not negative. */
double record_scale(const struct record *record, double value);

/* Do the variants of the two rows do the same with the same type of data? */
bool record_same_task(const struct record *a, const struct record *b);

/* Does the row's variant do it so? */
bool record_does(const struct record *record, const char *operation);
bool record_is_by(const struct record *record, const char *method);

#define TASK_BYTES 64

/* Writes what a variant does, and with which type of data: "shuffle_u32". */
void task_name(char text[TASK_BYTES], const char *operation, const char *type);

/* The value of an axis among `parameters`, or `absent`. */
double record_parameter(const struct record *record, const char *name, double absent);

#endif
