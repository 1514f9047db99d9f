/* Predicts the time of a kernel that no parameter was fitted to, from its machine code on the
 * device described by the figures of a model. */
#ifndef VEBENCH_PREDICT_H
#define VEBENCH_PREDICT_H

#include "base/error.h"
#include "model/model.h"
#include "predict/uncertainty.h"

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
    const void *host; /* borrowed: contents when a launch begins; NULL: zeros */
    bool is_file;     /* `file`, a descriptor, has them as well, so that nothing need be copied */
    int file;
    size_t bytes;
};

/* What becomes of the lines that a launch leaves dirty in the L3, and of its code. */
enum predict_event {
    PREDICT_EVENT_LEAVES, /* they stay there, as the code does in the instruction caches */
    PREDICT_EVENT_LISTS,  /* the command list ends behind each launch and its event: they are in
                             memory when the next begins, and the code has to be fetched; so have
                             translations with i915 */
    PREDICT_EVENT_HOST,   /* the event has host scope: they are in memory; on an integrated GPU up
                             to Xe3 the driver takes the time of the launch's end behind that */
    PREDICT_EVENT_BEHIND, /* an event of host scope is behind the launch, as vebench measures */
};

struct predict_launch {
    uint32_t local[3];                   /* work-items of a work-group */
    uint32_t count[3];                   /* work-groups */
    uint32_t first_run[3], count_run[3]; /* those of them that run; a count of 0: all that follow */
    struct {
        size_t bytes;     /* 0: the argument is not set */
        bool is_local;    /* `bytes` bytes of shared local memory */
        uint64_t value;   /* a number, or an address within a buffer */
        const void *data; /* a struct by value, `bytes` bytes, borrowed; NULL: `value` */
    } argument[PREDICT_ARGUMENTS_MAX];
    size_t argument_count;
    struct predict_buffer buffer[PREDICT_ARGUMENTS_MAX];
    size_t buffer_count;
    enum predict_event event;
};

/* Something that time can be spent on. */
struct resource {
    const char *name;
    bool is_bound; /* has a limited capacity, of which `share` is used; otherwise what engines do or
                      wait for in that share of their cycles */
    double share;  /* 0 to 1 */
};

/* A part of the time. */
#define PART_LAUNCH "start and end of the launch"
struct part {
    const char *name;
    double share; /* 0 to 1 */
};

/* The cost of one launch, or of one more iteration of it. */
struct outcome {
    double cycles;
    double cold_cycles; /* of predict_once(): of the first launch, with empty caches */
    double instructions;
    double effort; /* what emulating it takes a host, in instructions: lines of memory and threads
                      count as several */
    double lines;  /* of memory that the L3 did not hold */
    struct part part[RESOURCES_MAX]; /* what the time is, all parts together 1; largest first */
    size_t part_count;
    struct part cold_part[RESOURCES_MAX]; /* of predict_once(): likewise, of the first launch */
    size_t cold_part_count;
    struct resource resource[RESOURCES_MAX]; /* most important first */
    size_t resource_count;
};

/* What limits it most, or NULL. */
const char *outcome_mechanism(const struct outcome *outcome);

struct family_list;
struct family_figures_list;
struct predictor;

enum argument_kind { ARGUMENT_UNUSED, ARGUMENT_NUMBER, ARGUMENT_BUFFER, ARGUMENT_LOCAL };

/* What a kernel's machine code uses: lanes, scratch memory and arguments. */
struct predict_signature {
    unsigned simd_width;  /* lanes */
    uint32_t spill_bytes; /* per thread */
    bool uses_slm;        /* shared local memory */
    struct {
        enum argument_kind kind;
        size_t bytes; /* of a number, or of a struct by value as far as the code reads it */
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

/* A launch emulated once: with caches as an earlier one has left them, or empty. */
enum predict_caches { PREDICT_WARM, PREDICT_COLD };
struct predict_once {
    enum predict_caches caches;
    uint64_t instructions_most; /* 0: as many as any emulation may take */
    unsigned cores; /* that the device has, with their share of what all have together; 0: all */
    bool splits_memory; /* their share of the L3's bytes and of memory's bandwidth, too */
};

/* Finds how long a launch takes, cycles, and nothing else, which takes a host less; and, unless
 * `cold_cycles` is NULL, the first one. With `instructions_most` the time is up to when so many are
 * executed, with empty caches. */
enum status predict_cycles(struct predictor *predictor, const struct predict_kernel *kernel,
                           const struct predict_launch *launch, const struct predict_once *how,
                           double *cycles, double *cold_cycles, struct error *error);
enum status predict_once(struct predictor *predictor, const struct predict_kernel *kernel,
                         const struct predict_launch *launch, const struct predict_once *how,
                         struct outcome *outcome, struct error *error);

/* A kernel prepared for more launches with more iterations. */
struct predict_run;

/* Launches it with warm caches. `kernel` and the predictor's figures must not change until
 * predict_end(), which is to be called only after STATUS_OK. */
enum status predict_begin(struct predict_run **begun, struct predictor *predictor,
                          const struct predict_kernel *kernel, const struct predict_launch *launch,
                          struct outcome *outcome, struct error *error);

/* Predicts an iteration: `launch` has `iterations` more of them than the first launch, and the
 * extra time is divided among these. */
enum status predict_more(struct predict_run *run, const struct predict_launch *launch,
                         double iterations, struct outcome *outcome, struct error *error);
void predict_end(struct predict_run *run);

/* What the predictor does not know exactly, and draws of it; both live as long as it does. */
const struct uncertainty *predictor_uncertainty(const struct predictor *predictor);
const struct uncertainty_draws *predictor_draws(const struct predictor *predictor);

/* What tells most of a figure, an enum vesim_figure_index; NULL: nothing does. */
const struct figure_rule *predictor_rule(const struct predictor *predictor, size_t index);

/* The rules by which rows tell figures, each after those of figures that it needs: of a figure the
 * one that tells most, and those that have rows made for it. Into rules[PREDICTOR_RULES_MAX];
 * returns how many. */
enum { PREDICTOR_RULES_MAX = 2 * VESIM_FIGURE_COUNT };
size_t predictor_rules(const struct predictor *predictor, const struct figure_rule **rules);

/* The range that the base assumes of a figure, measured or not; false where it assumes none. */
bool predictor_assumed(const struct predictor *predictor, size_t index, double *low, double *high);

/* Gives a figure the value and the range of a calibration, from here on. */
void predictor_know(struct predictor *predictor, const struct calibration *calibration);

/* Takes what the model knows of barriers, from here on. */
void predictor_know_barriers(struct predictor *predictor, const struct model *model);

/* A figure's name and unit, of an enum vesim_figure_index: "gateway_interval", "cycles". */
const char *predictor_figure_name(size_t index);
const char *predictor_figure_unit(size_t index);

/* The value of a figure, an enum vesim_figure_index, at the moment. */
double predictor_figure(const struct predictor *predictor, size_t index);

/* Cycles between a driver's kernel timestamps besides the walk, with the figures of the moment.
 * Xe-LP has none in its walker: the command streamer stores them, the later one behind a command
 * that waits for the walk. A kernel with shared local memory behind one without begins with a
 * flush, too (as does the first of a list, which is left out here). Seen in what Intel's 22.43
 * submits. */
double predict_stamp_cycles(const struct predictor *predictor, bool uses_slm);

/* Makes so many draws, up to UNCERTAINTY_DRAWS, which a predictor has at first. */
void predictor_draw(struct predictor *predictor, size_t count);

/* For the following predictions: gives a figure another value, which is rounded and kept within
 * what it may be; gives all uncertain figures those of a draw; gives all their own values back. */
void predictor_take(struct predictor *predictor, size_t index, double value);
void predictor_take_draw(struct predictor *predictor, size_t draw);
void predictor_restore(struct predictor *predictor);

struct predict_topology {
    unsigned xe_cores, engines, threads; /* per device, per Xe-core, per engine */
    unsigned largest_group;              /* work-items */
    uint32_t slm_bytes, cache_bytes, line_bytes;
};

struct predict_topology predictor_topology(const struct predictor *predictor);

/* How many of the launch's work-groups fill the threads of the device's Xe-cores. */
double predict_groups_resident(const struct predictor *predictor,
                               const struct predict_launch *launch, unsigned simd_width);

/* The families it was opened with, or NULL. */
const struct family_list *predictor_families(const struct predictor *predictor);

/* The core clock in MHz. */
double predictor_clock_mhz(const struct predictor *predictor);

#endif
