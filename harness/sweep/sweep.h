/* A sweep: every requested family over all its configurations, with rows written as they are done.
 * The sweep plans and writes; workers open the device and measure, and may crash without taking the
 * sweep down. */
#ifndef VEBENCH_SWEEP_H
#define VEBENCH_SWEEP_H

#include "measure/estimate.h"
#include "measure/measure.h"
#include "sweep/gpu.h"
#include "sweep/hooks.h"
#include "sweep/results.h"
#include "ze/target.h"

#include <signal.h>

#define OVERRIDES_MAX      32
#define SWEEP_FAMILIES_MAX 32

/* With texts of `--axis NAME=VALUES` and `--spirv FAMILY:SIZE=FILE`, borrowed. */
struct sweep_request {
    const struct family *families[SWEEP_FAMILIES_MAX];
    size_t family_count;
    enum preset preset;
    const char *axes[OVERRIDES_MAX];
    size_t axis_count;
    const char *spirv[OVERRIDES_MAX];
    size_t spirv_count;
    const char *variants[OVERRIDES_MAX]; /* fnmatch(3) patterns, of which a variant's name or
                                            "FAMILY/VARIANT" must match one; none: all variants */
    size_t variant_count;
    struct measure_options options;
    bool build_only; /* kernels and command lists are created but not run */
    bool wants_samples;
    const char *counters; /* group of counters of the hardware; NULL: none */
    struct hooks hooks;
    FILE *show; /* where families print what they found, or NULL */

    const char *device;                /* selector; NULL: the only one */
    const char *loader;                /* of Level Zero; NULL: the default */
    unsigned timeout_s;                /* 0: the default */
    double budget_s;                   /* for the whole sweep; 0: unlimited */
    double each_s;                     /* for a configuration; 0: unlimited */
    unsigned jobs;                     /* concurrent workers; 0: one per processor. A GPU has one */
    const volatile sig_atomic_t *stop; /* set by a signal handler; may be NULL */
    struct ranks *ranks;               /* of a run over many GPUs; NULL: this process's only */
    bool each;                         /* every rank measures the whole sweep */
    /* Opens a worker's session in place of session_connect() and session_open(); NULL: those. */
    enum status (*connect)(struct session *session, struct watch *watch, struct error *error);
};

/* Callbacks that show progress. */
struct sweep_events {
    /* A configuration is about to start; `index` counts from 0, out of `total`. */
    void (*started)(void *context, const struct family *family,
                    const struct configuration *configuration, size_t index, size_t total);
    /* It is done, and its rows are stored; there is one measurement per variant. With a budget this
     * may come again, with those that replace the ones before. */
    void (*finished)(void *context, const struct family *family,
                     const struct configuration *configuration,
                     const struct measurement *measurements, size_t index);
    /* The widest intervals get another pass over `count` configurations, with `left_s` seconds left
     * of the budget; may be NULL. */
    void (*refining)(void *context, size_t count, double left_s);
    void *context;
};

/* Rows by outcome; `excluded` have none. */
struct sweep_counts {
    size_t ok, skipped, failed, unreliable, excluded;
};

/* Checks everything about a request that does not need a device: unknown axes, bad values, sizes
 * without a module, patterns that match no variant, corrupt modules. */
enum status sweep_check(const struct sweep_request *request, struct error *error);

/* Part of it: a pattern must match a variant of at least one of the families. */
enum status sweep_check_pattern(const struct sweep_request *request, const char *pattern,
                                struct error *error);

/* Is the variant requested, or the baseline or the reference of one that is? */
bool sweep_needs(const struct sweep_request *request, const struct family *family, size_t variant);

/* The file that replaces a family's module in the request, or NULL. */
const char *sweep_replacement(const struct sweep_request *request, const struct family *family,
                              unsigned subgroup_size);

struct sweep;

/* Opens the device, in a worker, agrees with other ranks that they may share a run, and makes the
 * plan. `request` is borrowed. On failure `*sweep` is
 * NULL. */
enum status sweep_open(struct sweep **opened, const struct sweep_request *request,
                       struct error *error);
const struct target *sweep_target(const struct sweep *sweep);

const struct gpu *sweep_gpu(const struct sweep *sweep);

/* Totals of one family in the plan. */
struct sweep_sum {
    size_t configurations;
    size_t measurements;     /* variants in configurations */
    struct duration seconds; /* of all of them, one after another */
    double compile_s;
};

void sweep_sum(const struct sweep *sweep, const struct family *family, struct sweep_sum *sum);
/* How far a sweep is, in seconds of work that the plan estimated: of configurations that are done,
 * and of all others. Those that an earlier run has measured are in neither. */
struct sweep_standing {
    double done_s, left_s;
};

struct sweep_standing sweep_standing(const struct sweep *sweep);
/* How many configurations are measured concurrently. */
unsigned sweep_jobs(const struct sweep *sweep);
/* How many configurations are left out because the device has no room for them, and the reason for
 * the first. */
size_t sweep_left_out(const struct sweep *sweep, const char **reason);
/* The axis of a family along which the run may measure further values, or NULL. */
const char *sweep_bisects(const struct sweep *sweep, const struct family *family);
/* Visits every configuration of a family, in the order in which they run. */
void sweep_each(const struct sweep *sweep, const struct family *family,
                void (*visit)(void *context, const struct family *family,
                              const struct configuration *configuration),
                void *context);

/* A configuration as identified in a file. */
struct sweep_place {
    const char *benchmark;
    unsigned subgroup_size, workgroup_size, workgroup_count;
    const char *parameters;
};

/* Finds its sequence number, searching from `*sequence` on. False if the plan has none there. */
bool sweep_sequence(const struct sweep *sweep, const struct sweep_place *place, size_t *sequence);
/* Adds the configurations that what all others have shown makes worth measuring (bisect.h), as one
 * more generation, or none. Does so by itself in a run; a caller that reads an earlier one's rows
 * recalls them first. */
enum status sweep_extend(struct sweep *sweep, struct error *error);
/* What a row of an earlier run shows: NaN for nothing. */
enum status sweep_recall(struct sweep *sweep, size_t sequence, const char *variant, double value,
                         double half, struct error *error);
/* Whether a row of an earlier run is of the same launch of the same kernel as this plan's, by its
 * columns: a user's kernel may have changed since. */
bool sweep_is_same_launch(struct sweep *sweep, size_t sequence, const char *variant,
                          const char *kernel_sha256, const char *launch);
/* Skips a configuration: an earlier run has written its rows. False if it was skipped already. */
bool sweep_skip(struct sweep *sweep, size_t sequence);
/* What the store has of a configuration, in the entry of that number, stays until it is measured.
 */
void sweep_replace_entry(struct sweep *sweep, size_t sequence, size_t entry);

/* How the ranks have ended, if there are any, after sweep_run(): known to all of them. */
const struct totals *sweep_totals(const struct sweep *sweep);

/* Puts the rows of each configuration into the store, in the order of the plan, before it says that
 * the configuration is done; NULL: they are not wanted. STATUS_LOST and STATUS_INTERRUPTED end the
 * sweep early; the store then has all rows measured so far. */
struct store;
enum status sweep_run(struct sweep *sweep, const struct run_identity *identity, struct store *store,
                      const struct sweep_events *events, struct sweep_counts *counts,
                      struct error *error);
void sweep_close(struct sweep *sweep);

#endif
