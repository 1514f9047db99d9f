/* What a person sees of a run: its progress while it goes on, and a table at the end. */
#ifndef VEBENCH_REPORT_H
#define VEBENCH_REPORT_H

#include "cli/progress.h"
#include "measure/sweep.h"

#include <stdio.h>

struct report_line {
    const struct family *family;
    struct configuration configuration;
    struct measurement *measurements; /* owned, one per variant */
};

struct report {
    const struct target *target; /* borrowed */
    bool keeps_lines;            /* for a table at the end */
    struct progress progress;
    struct report_line *lines; /* owned */
    size_t line_count;
    size_t line_room;
};

/* Which device, and what numbers from it are. The first thing a run prints. */
void report_device(FILE *out, const struct target *target);

/* The callbacks that make the report keep and show what the sweep finds. */
struct sweep_events report_events(struct report *report);

/* The table: one block per family and sub-group size, one line per configuration or, in a family of
 * many variants, per variant. */
void report_table(FILE *out, struct report *report);

void report_free(struct report *report);

#define CELL_BYTES 32

/* A variant's value as the table shows it: "12.3 (25)" nanoseconds and cycles, "< 0.4" where the
 * interval includes zero, "skipped", "failed", or with a '?' where it is unreliable. */
void report_cell(const struct measurement *measurement, bool has_baseline, double clock_mhz,
                 char text[CELL_BYTES]);

#endif
