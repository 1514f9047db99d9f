/* `vebench run --dry-run`: what a sweep would measure, and how long that takes. */
#ifndef VEBENCH_PLAN_PRINT_H
#define VEBENCH_PLAN_PRINT_H

#include "measure/sweep.h"

#include <stdio.h>

/* Seconds a configuration of each family took in an earlier run. */
struct run_times {
    struct {
        char family[48];
        double seconds; /* of all its configurations together */
        size_t configurations;
    } of[SWEEP_FAMILIES_MAX];
    size_t count;
};

/* Reads them from a results file, from when its rows were written. STATUS_FAILED where it cannot be
 * read or is of another device than `target`. */
enum status run_times_read(struct run_times *times, const char *path, const struct target *target,
                           struct error *error);

/* A line for each family and one for all, with minutes; `lists` each configuration, too. `times`
 * may be NULL. */
void plan_print(FILE *out, const struct sweep *sweep, const struct sweep_request *request,
                const struct run_times *times, bool lists);

/* One line where configurations are not planned. */
void plan_print_gap(FILE *out, const struct sweep *sweep);

#endif
