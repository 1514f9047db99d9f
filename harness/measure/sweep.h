/* A sweep: every family asked for, over all its configurations, rows written as they are done. */
#ifndef VEBENCH_SWEEP_H
#define VEBENCH_SWEEP_H

#include "measure/measure.h"
#include "measure/results.h"

#define OVERRIDES_MAX      32
#define SWEEP_FAMILIES_MAX 32

/* `--axis NAME=VALUES` and `--spirv FAMILY:SIZE=FILE`, texts borrowed. */
struct sweep_request {
    const struct family *families[SWEEP_FAMILIES_MAX];
    size_t family_count;
    enum preset preset;
    const char *axes[OVERRIDES_MAX];
    size_t axis_count;
    const char *spirv[OVERRIDES_MAX];
    size_t spirv_count;
    const char *variants[OVERRIDES_MAX]; /* patterns of fnmatch(3) for a variant's name or
                                            "FAMILY/VARIANT": any of them; none: all variants */
    size_t variant_count;
    struct measure_options options;
    bool dry_run;
    FILE *show; /* where families show what they found, or NULL */
};

/* What happens, for whoever shows it. */
struct sweep_events {
    /* A configuration is about to start; `index` from 0, of `total`. */
    void (*started)(void *context, const struct family *family,
                    const struct configuration *configuration, size_t index, size_t total);
    /* It is done; one measurement per variant. */
    void (*finished)(void *context, const struct family *family,
                     const struct configuration *configuration,
                     const struct measurement *measurements);
    void *context;
};

/* Rows by outcome; `excluded` have none. */
struct sweep_counts {
    size_t ok, skipped, failed, unreliable, excluded;
};

/* Everything about a request that can be wrong without looking at a device: unknown axes, bad
 * values, sizes nobody has a module for, patterns that no variant matches, corrupt modules. */
enum status sweep_check(const struct sweep_request *request, struct error *error);

/* `results` and `samples` may be NULL. STATUS_LOST and STATUS_INTERRUPTED end the sweep early; all
 * rows measured so far are in the file then. */
enum status sweep_run(struct session *session, const struct sweep_request *request,
                      const struct run_identity *identity, struct csv *results, struct csv *samples,
                      const struct sweep_events *events, struct sweep_counts *counts,
                      struct error *error);

#endif
