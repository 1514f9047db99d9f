/* A sweep: every family asked for, over all its configurations, rows written as they are done. The
 * sweep plans and writes; the device is opened and measured by workers, which may come to grief
 * without it. */
#ifndef VEBENCH_SWEEP_H
#define VEBENCH_SWEEP_H

#include "measure/estimate.h"
#include "measure/measure.h"
#include "measure/results.h"
#include "measure/target.h"

#include <signal.h>

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
    bool build_only; /* kernels and command lists are made, and none is run */
    bool wants_samples;
    FILE *show; /* where families show what they found, or NULL */

    const char *device; /* selector; NULL: the only one */
    const char *loader; /* of Level Zero; NULL: the usual one */
    unsigned timeout_s; /* 0: the default */
    double budget_s;    /* for the whole sweep; 0: any time */
    unsigned jobs;      /* workers side by side; 0: one for each processor. A GPU has one */
    const volatile sig_atomic_t *stop; /* set by a signal handler; may be NULL */
    /* How a worker gets its session, in place of session_connect() and session_open(); NULL: by
     * these. */
    enum status (*connect)(struct session *session, struct watch *watch, struct error *error);
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

/* A part of it: a pattern has to match a variant of at least one of the families. */
enum status sweep_check_pattern(const struct sweep_request *request, const char *pattern,
                                struct error *error);

/* Is the variant asked for, or the baseline of one that is? */
bool sweep_needs(const struct sweep_request *request, const struct family *family, size_t variant);

/* The file that the request puts in place of a family's module, or NULL. */
const char *sweep_replacement(const struct sweep_request *request, const struct family *family,
                              unsigned subgroup_size);

struct sweep;

/* Opens the device, in a worker, and plans. `request` is borrowed. On failure `*sweep` is NULL. */
enum status sweep_open(struct sweep **opened, const struct sweep_request *request,
                       struct error *error);
const struct target *sweep_target(const struct sweep *sweep);

/* What is planned of one family. */
struct sweep_sum {
    size_t configurations;
    size_t measurements;     /* variants in configurations */
    struct duration seconds; /* of all of them, one after the other */
    double compile_s;
};

void sweep_sum(const struct sweep *sweep, const struct family *family, struct sweep_sum *sum);
/* How many configurations are measured side by side. */
unsigned sweep_jobs(const struct sweep *sweep);
/* How many configurations are not planned because the device has no room for them, and why not the
 * first of them. */
size_t sweep_left_out(const struct sweep *sweep, const char **reason);
/* Every configuration of a family, in the order in which they run. */
void sweep_each(const struct sweep *sweep, const struct family *family,
                void (*visit)(void *context, const struct family *family,
                              const struct configuration *configuration),
                void *context);

/* A configuration as a file names it. */
struct sweep_place {
    const char *benchmark;
    unsigned subgroup_size, workgroup_size, workgroup_count;
    const char *parameters;
};

/* Its sequence number, looked for from `*sequence` on. False where the plan has none there. */
bool sweep_sequence(const struct sweep *sweep, const struct sweep_place *place, size_t *sequence);
/* Configurations with smaller numbers are done: an earlier run has written their rows. */
void sweep_skip_to(struct sweep *sweep, size_t sequence);

/* `results` and `samples` may be NULL. STATUS_LOST and STATUS_INTERRUPTED end the sweep early; all
 * rows measured so far, in the order of the plan, are in the file then. */
enum status sweep_run(struct sweep *sweep, const struct run_identity *identity, struct csv *results,
                      struct csv *samples, const struct sweep_events *events,
                      struct sweep_counts *counts, struct error *error);
void sweep_close(struct sweep *sweep);

#endif
