/* What a person sees of a run: progress while it lasts, and a table at the end. */
#ifndef VEBENCH_RUN_TABLE_H
#define VEBENCH_RUN_TABLE_H

#include "base/unit.h"
#include "run/progress.h"
#include "sweep/sweep.h"

#include <stdio.h>

struct table_line {
    size_t index; /* in the plan */
    const struct family *family;
    struct configuration configuration;
    struct measurement *measurements; /* owned, one per variant */
};

struct run_table {
    const struct target *target; /* borrowed */
    bool keeps_lines;            /* for a table at the end */
    bool refines;                /* configurations may be measured again */
    enum time_unit time_unit;    /* of that */
    struct progress progress;
    struct table_line *lines; /* owned */
    size_t line_count;
    size_t line_room;
};

/* Prints which device is used and what numbers from it mean. A run prints this first. */
void run_table_device(FILE *out, const struct target *target);

/* Callbacks through which the table records and shows the sweep's results. */
struct sweep_events run_table_events(struct run_table *table);

/* Prints one block per family and sub-group size, with one line per configuration or, for families
 * of many variants, per variant. */
void run_table_print(FILE *out, struct run_table *table);

void run_table_free(struct run_table *table);

#define CELL_BYTES 32

/* A variant's value as the table shows it: "12.3 (25)" for nanoseconds and cycles, or "25" in the
 * one unit that was asked for; "< 0.4" if the interval includes zero, "skipped", "failed", or with
 * a
 * '?' if it is unreliable. */
void run_table_cell(const struct measurement *measurement, bool has_baseline, double clock_mhz,
                    enum time_unit unit, char text[CELL_BYTES]);

#endif
