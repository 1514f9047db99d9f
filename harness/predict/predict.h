/* How long a kernel takes that no parameter was fitted to: its machine code, on the device that the
 * figures of a model describe. */
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

/* A kernel of a SPIR-V module. All borrowed. */
struct predict_kernel {
    const void *spirv;
    size_t spirv_bytes;
    const char *name;
    const char *options;               /* for the compiler, or NULL */
    unsigned trips[PREDICT_TRIPS_MAX]; /* of its loops, in the order of the code; 0: as it runs */
    size_t trip_count;
};

struct predict_buffer {
    uint64_t address; /* on the GPU */
    const void *host; /* borrowed: what it holds when a launch begins */
    size_t bytes;
};

struct predict_launch {
    uint32_t local[3]; /* work-items of a work-group */
    uint32_t count[3]; /* work-groups */
    struct {
        size_t bytes;   /* 0: not given */
        bool is_local;  /* `bytes` of shared local memory */
        uint64_t value; /* a number, or an address in a buffer */
    } argument[PREDICT_ARGUMENTS_MAX];
    size_t argument_count;
    struct predict_buffer buffer[PREDICT_ARGUMENTS_MAX];
    size_t buffer_count;
};

/* What time may go to. */
struct resource {
    const char *name;
    bool is_bound; /* it has only so much to give: `share` is how much of it is used. Else it is
                      what engines do or wait for in that share of their cycles */
    double share;  /* 0 to 1 */
};

/* What one launch, or what one more iteration of it takes. */
struct outcome {
    double cycles;
    double instructions;
    struct resource resource[RESOURCES_MAX]; /* what matters most first */
    size_t resource_count;
};

struct family_list;
struct family_figures_list;
struct predictor;

enum argument_kind { ARGUMENT_UNUSED, ARGUMENT_NUMBER, ARGUMENT_BUFFER, ARGUMENT_LOCAL };

/* What a kernel's machine code takes. */
struct predict_signature {
    unsigned simd_width;  /* lanes */
    uint32_t spill_bytes; /* of a thread */
    struct {
        enum argument_kind kind;
        size_t bytes; /* of a number */
    } argument[PREDICT_ARGUMENTS_MAX];
    size_t argument_count;
};

/* All borrowed, as long as the predictor is open. */
struct predictor_settings {
    const struct model *model;
    const struct family_figures_list *figures; /* what its parameters say of the device */
    const struct family_list *families;        /* whose rows can be predicted; NULL: none */
    const char *base;                          /* as for figures_of_model() */
};

enum status predictor_open(struct predictor **opened, const struct predictor_settings *settings,
                           struct error *error);
void predictor_close(struct predictor *predictor);

enum status predict_signature(struct predictor *predictor, const struct predict_kernel *kernel,
                              struct predict_signature *signature, struct error *error);

/* The whole launch, its caches warm from an earlier one. */
enum status predict_launch(struct predictor *predictor, const struct predict_kernel *kernel,
                           const struct predict_launch *launch, struct outcome *outcome,
                           struct error *error);

/* A kernel at work, to be launched again with more iterations. */
struct predict_run;

/* Launches it as predict_launch() does. `kernel` and the predictor's figures stay as they are up to
 * predict_end(), which is only due after STATUS_OK. */
enum status predict_begin(struct predict_run **begun, struct predictor *predictor,
                          const struct predict_kernel *kernel, const struct predict_launch *launch,
                          struct outcome *outcome, struct error *error);

/* An iteration: this launch has so many more of them than the first and takes longer by that. */
enum status predict_more(struct predict_run *run, const struct predict_launch *launch,
                         double iterations, struct outcome *outcome, struct error *error);
void predict_end(struct predict_run *run);

/* How many figures were measured, and have an interval. */
size_t predictor_uncertain(const struct predictor *predictor);

/* Predictions from here on with uncertain figure `index` higher, the others as they are; SIZE_MAX:
 * all as they are. Figures are whole, so it may be by more than its interval allows: returns the
 * part that half the interval is of it, which is also that of the change. */
double predictor_vary(struct predictor *predictor, size_t index);

struct predict_topology {
    unsigned xe_cores, engines, threads; /* of the device, of an Xe-core, of an engine */
    unsigned largest_group;              /* work-items */
    uint32_t slm_bytes, cache_bytes;
};

struct predict_topology predictor_topology(const struct predictor *predictor);

/* As it was opened with; NULL: none. */
const struct family_list *predictor_families(const struct predictor *predictor);

/* Of the core, in MHz. */
double predictor_clock_mhz(const struct predictor *predictor);

#endif
