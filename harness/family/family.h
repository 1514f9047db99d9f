/* A benchmark family: one file in harness/families/ that ends with a `struct family`, and one file
 * of kernels. The descriptor is called family_NAME and is found through the list of families in
 * meson.build. docs/adding-a-benchmark.md walks through one. */
#ifndef VEBENCH_FAMILY_H
#define VEBENCH_FAMILY_H

#include "base/variant.h"
#include "family/axes.h"
#include "ze/arguments.h"
#include "ze/workspace.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define VARIANTS_MAX 96
#define AXES_MAX     12

/* Every family has these axes first; its own follow. */
enum { AXIS_SUBGROUP_SIZE, AXIS_WORKGROUP_SIZE, AXIS_WORKGROUP_COUNT, COMMON_AXES };

#define OWN_AXES_MAX (AXES_MAX - COMMON_AXES)

/* One point of the sweep. */
struct configuration {
    unsigned subgroup_size;     /* work-items */
    unsigned workgroup_size;    /* work-items; `geometry` decides how a family uses it */
    unsigned workgroup_count;   /* work-groups */
    unsigned own[OWN_AXES_MAX]; /* the family's own axes, in the order of its table */
};

/* Work-items of the launch. */
size_t configuration_items(const struct configuration *configuration);

/* The n-dimensional range of a launch. */
struct geometry {
    uint32_t size[3];  /* work-items of a work-group */
    uint32_t count[3]; /* work-groups */
};

/* The work of one iteration of a whole launch. 0 if not applicable. */
struct work {
    double units;     /* things that the variant's unit counts; its value is time / units */
    double bytes;     /* requested by loads and stores of the payload, reuse not deducted */
    double messages;  /* loads, stores and atomics of the payload, as hardware threads send them */
    double lines;     /* cache lines of 64 bytes those messages touch, summed over messages */
    double barriers;  /* work-group barriers, one per work-group */
    double exchanges; /* sub-group operations, one per sub-group */
    double flops;     /* floating-point or integer operations of the payload */
};

enum launch_purpose {
    LAUNCH_MEASURE, /* the timed shape */
    LAUNCH_PROOF,   /* a shape whose result is correct only if the measured mechanism works */
    LAUNCH_COUNT,   /* the timed shape, by the kernel that counts its cycles (ze/kernel.h) */
    LAUNCH_PRIME,   /* the timed shape of a slope, ahead of it in a list of its own */
};

struct launch {
    struct configuration configuration;
    const struct variant *variant;
    uint32_t iterations;
    enum launch_purpose purpose;
};

/* A buffer of a family's kernels, in the memory that every configuration gets. */
struct buffer_plan {
    const char *name; /* of the kernels' argument, for messages */
    enum buffer_use use;

    /* NULL: `size`. */
    size_t (*bytes)(const struct configuration *configuration);

    /* Replaces the random contents of an input, once all buffers are there. NULL: random. */
    void (*fill)(struct workspace *workspace, const struct configuration *configuration,
                 struct buffer *buffer);

    /* How much of an input is used; NULL: all. */
    struct buffer_rows (*rows)(const struct configuration *configuration);

    size_t size; /* bytes, whatever the configuration; 0: a uint for each work-item */

    const struct image_plan *image; /* it is one, and has its size; NULL: it is memory */
};

/* A fill(): zeros. */
void buffer_zero(struct workspace *workspace, const struct configuration *configuration,
                 struct buffer *buffer);

struct family {
    const char *name;
    const char *measures;      /* one line */
    const char *unit;          /* for variants with a baseline, "ns/barrier" */
    const char *baseline_unit; /* for variants without one, "ns/iteration" */

    /* The first three are subgroup_size, workgroup_size, workgroup_count. */
    const struct axis *axes;
    size_t axis_count;
    bool tells_health; /* of a GPU: preset `health` measures it, with the values of `quick` */

    /* Configurations that presets `default` and `quick` add to the product of the axes, such as a
     * launch that fills an Xe-core: "subgroup_size=16 workgroup_size=64S". An axis left out has the
     * first of its default values. Ends with NULL; NULL: none. */
    const char *const *points;

    /* Likewise, of the preset `default` alone: what takes long, such as launches that keep Xe-cores
     * or the device busy. */
    const char *const *default_points;

    const struct variant *variants;
    size_t variant_count;

    /* Its modules, one for each sub-group size and name that variants file them under; NULL: those
     * that are built into the program. */
    const struct spirv_module *modules;
    size_t module_count;

    /* Its loops are like those of programs, and next to nothing is fitted to its rows: which way a
     * switch is set, or a figure that one of its variants tells. How far off predictions of these
     * rows are, predictions of kernels may be, too (predict/margin.h). */
    bool is_held_out;

    const void *own; /* what prepare() and fill() find as workspace->common; NULL: nothing */

    /* At most BUFFERS_MAX; arguments() and verify() refer to them by their indices. */
    const struct buffer_plan *buffers;
    size_t buffer_count;

    /* SLM that a work-group gets through kernel arguments, in bytes; NULL: none. */
    size_t (*argument_slm_bytes)(const struct configuration *configuration);

    /* Iterations of a variant that bring into the caches what its timed launches need to find
     * there. They run before any timing, in launches of bounded length of whichever variant is
     * fastest at it. 0: none are needed. NULL: never. */
    uint32_t (*warming)(const struct configuration *configuration, const struct variant *variant);

    /* NULL: workgroup_count groups of workgroup_size work-items, in one dimension. */
    void (*geometry)(const struct launch *launch, struct geometry *geometry);

    /* The work of one iteration; `work` is passed in zeroed except units = 1. NULL: one unit,
     * nothing else. */
    void (*work)(const struct configuration *configuration, const struct variant *variant,
                 struct work *work);

    /* STATUS_EXCLUDED, with the reason, for axis values that make no sense for the variant or
     * repeat another measurement: no row. STATUS_UNSUPPORTED for what this device or compiler
     * cannot do: a skipped row. NULL: everything is possible. */
    enum status (*check)(const struct device *device, const struct configuration *configuration,
                         const struct variant *variant, struct error *error);

    /* Prepares what else a configuration needs, once its buffers are there, in workspace->own.
     * NULL: nothing. */
    enum status (*prepare)(struct workspace *workspace, const struct configuration *configuration,
                           struct error *error);

    /* Lists the kernel's arguments after the buffers, in order, or with `lists_buffers` all of
     * them. */
    void (*arguments)(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *arguments);
    bool lists_buffers;

    /* After the launch has finished: checks every output but the witness against a host
     * reference. */
    enum status (*verify)(struct workspace *workspace, const struct launch *launch,
                          struct error *error);

    /* For ESTIMATOR_OBSERVE: executes the launch recorded in the session's list and takes one
     * value, in the variant's unit. NULL if no variant needs it. */
    enum status (*observe)(struct workspace *workspace, const struct kernel *kernel,
                           const struct launch *launch, double *value, struct error *error);

    /* Writes the launch in the words of `vebench predict --spirv`, or "" where these cannot say it:
     * column `launch`. NULL: they never can. */
    void (*predict_words)(const struct launch *launch, char *text, size_t bytes);

    /* Prints something for people about a verified launch; may be NULL. */
    void (*show)(const struct workspace *workspace, const struct launch *launch, FILE *out);
};

/* The families in a program: families/registry.h. */
struct family_list {
    const struct family *const *family;
    size_t count;
};

/* Checks that every descriptor is complete and has a module with all its entry points.
 * STATUS_FAILED, naming the family and the defect, otherwise. */
enum status family_check_all(const struct family_list *list, struct error *error);

/* The family of that name, or NULL. */
const struct family *family_find(const struct family_list *list, const char *name);

/* The module of a family for a sub-group size, or NULL. */
const struct spirv_module *family_module(const struct family *family, unsigned subgroup_size);

/* The one that has a variant's kernel, or NULL. */
const struct spirv_module *variant_module(const struct family *family,
                                          const struct variant *variant, unsigned subgroup_size);

/* Index of the variant of that name, or VARIANTS_MAX. */
size_t family_variant(const struct family *family, const char *name);

/* Index of a variant's baseline, or VARIANTS_MAX if it has none. */
size_t family_baseline(const struct family *family, size_t variant);

/* Does this variant have a kernel for sub-groups of this size? */
bool variant_has_size(const struct variant *variant, unsigned subgroup_size);

/* Index of the variant that a variant is compared with, or VARIANTS_MAX if there is none. */
size_t family_reference(const struct family *family, size_t variant);

/* The unit of a variant's value. */
const char *family_unit(const struct family *family, size_t variant);

/* Is a variant's value a time, in ns? */
bool family_is_time(const struct family *family, size_t variant);

/* The work of one iteration of a variant. */
struct work family_work(const struct family *family, const struct configuration *configuration,
                        size_t variant);

/* Iterations of a variant that have to warm the caches: family.warming. */
uint32_t family_warming(const struct family *family, const struct configuration *configuration,
                        size_t variant);

/* The shape of a launch. */
struct geometry family_geometry(const struct family *family, const struct launch *launch);

/* Bytes of device memory in all buffers. */
size_t family_buffer_bytes(const struct family *family, const struct configuration *configuration);

/* Makes and fills the buffers of a configuration in a new workspace, which workspace_release()
 * frees whatever the status. */
enum status family_prepare(const struct family *family, struct workspace *workspace,
                           const struct configuration *configuration, struct error *error);

/* Other random contents in the same buffers. */
enum status family_redraw(const struct family *family, struct workspace *workspace,
                          const struct configuration *configuration, uint64_t seed,
                          struct error *error);

/* All arguments of a launch. */
void family_arguments(const struct family *family, const struct workspace *workspace,
                      const struct launch *launch, struct arguments *arguments);

/* Checks every output of a finished launch, the witness last. */
enum status family_verify(const struct family *family, struct workspace *workspace,
                          const struct launch *launch, struct error *error);

/* The family's own axes as "stride=4 bytes=65536", in table order. Returns the length of the text,
 * as snprintf does. */
size_t family_parameters(const struct family *family, const struct configuration *configuration,
                         char *text, size_t bytes);

#endif
