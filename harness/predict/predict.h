/* Predicts the time of a kernel that no parameter was fitted to, from its machine code on the
 * device described by the figures of a model. */
#ifndef VEBENCH_PREDICT_H
#define VEBENCH_PREDICT_H

#include "base/error.h"
#include "model/bootstrap.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PREDICT_ARGUMENTS_MAX 32
#define PREDICT_TRIPS_MAX     32
#define RESOURCES_MAX         20

/* A kernel of a SPIR-V module. All pointers are borrowed. */
struct predict_kernel {
    const void *spirv;
    size_t spirv_bytes;
    const char *name;
    const char *options;               /* for the compiler, or NULL */
    unsigned trips[PREDICT_TRIPS_MAX]; /* of its loops, in code order; 0: as it runs */
    size_t trip_count;
};

struct predict_buffer {
    uint64_t address; /* on the GPU */
    const void *host; /* borrowed: contents when a launch begins */
    size_t bytes;
};

struct predict_launch {
    uint32_t local[3]; /* work-items of a work-group */
    uint32_t count[3]; /* work-groups */
    struct {
        size_t bytes;   /* 0: the argument is not set */
        bool is_local;  /* `bytes` bytes of shared local memory */
        uint64_t value; /* a number, or an address within a buffer */
    } argument[PREDICT_ARGUMENTS_MAX];
    size_t argument_count;
    struct predict_buffer buffer[PREDICT_ARGUMENTS_MAX];
    size_t buffer_count;
};

/* Something that time can be spent on. */
struct resource {
    const char *name;
    bool is_bound; /* has a limited capacity, of which `share` is used; otherwise what engines do or
                      wait for in that share of their cycles */
    double share;  /* 0 to 1 */
};

/* The cost of one launch, or of one more iteration of it. */
struct outcome {
    double cycles;
    double instructions;
    struct resource resource[RESOURCES_MAX]; /* most important first */
    size_t resource_count;
};

struct family_list;
struct family_figures_list;
struct predictor;

enum argument_kind { ARGUMENT_UNUSED, ARGUMENT_NUMBER, ARGUMENT_BUFFER, ARGUMENT_LOCAL };

/* What a kernel's machine code uses: lanes, scratch memory and arguments. */
struct predict_signature {
    unsigned simd_width;  /* lanes */
    uint32_t spill_bytes; /* per thread */
    struct {
        enum argument_kind kind;
        size_t bytes; /* of a number */
    } argument[PREDICT_ARGUMENTS_MAX];
    size_t argument_count;
};

/* All borrowed for as long as the predictor is open. */
struct predictor_settings {
    const struct model *model;
    const struct family_figures_list *figures; /* how figures follow from the parameters */
    const struct family_list *families; /* families whose rows can be predicted; NULL: none */
    const char *base;                   /* as for figures_of_model() */
};

enum status predictor_open(struct predictor **opened, const struct predictor_settings *settings,
                           struct error *error);
void predictor_close(struct predictor *predictor);

enum status predict_signature(struct predictor *predictor, const struct predict_kernel *kernel,
                              struct predict_signature *signature, struct error *error);

/* Predicts the whole launch, with caches warm from an earlier one. */
enum status predict_launch(struct predictor *predictor, const struct predict_kernel *kernel,
                           const struct predict_launch *launch, struct outcome *outcome,
                           struct error *error);

/* A kernel prepared for more launches with more iterations. */
struct predict_run;

/* Launches it as predict_launch() does. `kernel` and the predictor's figures must not change until
 * predict_end(), which is to be called only after STATUS_OK. */
enum status predict_begin(struct predict_run **begun, struct predictor *predictor,
                          const struct predict_kernel *kernel, const struct predict_launch *launch,
                          struct outcome *outcome, struct error *error);

/* Predicts an iteration: `launch` has `iterations` more of them than the first launch, and the
 * extra time is divided among these. */
enum status predict_more(struct predict_run *run, const struct predict_launch *launch,
                         double iterations, struct outcome *outcome, struct error *error);
void predict_end(struct predict_run *run);

/* The number of figures that were measured with an interval. */
size_t predictor_uncertain(const struct predictor *predictor);

/* Raises uncertain figure `index` for the following predictions and keeps the others; SIZE_MAX
 * restores all. Figures are whole numbers, so the step may exceed half of the interval: returns
 * half of the interval as a share of the step, by which to scale a change in the prediction. */
double predictor_vary(struct predictor *predictor, size_t index);

struct predict_topology {
    unsigned xe_cores, engines, threads; /* per device, per Xe-core, per engine */
    unsigned largest_group;              /* work-items */
    uint32_t slm_bytes, cache_bytes;
};

struct predict_topology predictor_topology(const struct predictor *predictor);

/* The families it was opened with, or NULL. */
const struct family_list *predictor_families(const struct predictor *predictor);

/* The core clock in MHz. */
double predictor_clock_mhz(const struct predictor *predictor);

#endif
