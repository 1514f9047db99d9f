/* `vebench run --dry-run`: what a sweep would measure, and how long it would take. */
#ifndef VEBENCH_PLAN_PRINT_H
#define VEBENCH_PLAN_PRINT_H

#include "sweep/sweep.h"

#include <stdio.h>

/* Seconds per configuration of each family in an earlier run. */
struct run_times {
    struct {
        char family[48];
        double seconds; /* total over its configurations */
        size_t configurations;
    } of[SWEEP_FAMILIES_MAX];
    size_t count;
};

/* Derives them from the times at which a results file's rows were written. STATUS_FAILED if the
 * file cannot be read or comes from a device other than `target`. */
enum status run_times_read(struct run_times *times, const char *path, const struct target *target,
                           struct error *error);

/* Prints a line with minutes for each family and one for the total; with `lists` also each
 * configuration. `times` may be NULL. */
void plan_print(FILE *out, const struct sweep *sweep, const struct sweep_request *request,
                const struct run_times *times, bool lists);

/* Prints one line if configurations are left out of the plan. */
void plan_print_gap(FILE *out, const struct sweep *sweep);

#endif
