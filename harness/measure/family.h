/* A benchmark family: one file in harness/families/ that ends with a `struct family`, and one file
 * of kernels. The descriptor is called family_NAME and is found through the list of families in
 * meson.build. docs/adding-a-benchmark.md walks through one. */
#ifndef VEBENCH_FAMILY_H
#define VEBENCH_FAMILY_H

#include "measure/arguments.h"
#include "measure/axes.h"
#include "measure/workspace.h"

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

enum method {
    METHOD_SLOPE,   /* the slope of time over iterations minus the baseline's */
    METHOD_OBSERVE, /* what the family's observe() returns for a launch */
};

/* Instructions in a variant's machine code that its baseline lacks or has fewer of: extended
 * regular expressions matching lines of the disassembly. NULL: it compiles to nothing. */
struct evidence {
    const char *xe_hpg;  /* DG2 */
    const char *gen12lp; /* Tiger Lake */
};

/* Bits of variant.sizes. */
enum { SIZE_8 = 1, SIZE_16 = 2, SIZE_32 = 4 };

struct variant {
    const char *name;
    const char *entry_point;
    const char *means;     /* one line for `vebench list` */
    const char *baseline;  /* the variant whose slope in the same configuration is subtracted; NULL:
                              none, the value is the variant's own */
    const char *reference; /* the variant without a baseline whose loop this one's is compared with,
                              as a ratio; NULL: none */
    const char *unit;      /* NULL: the family's `unit`, or `baseline_unit` if baseline is NULL */
    struct evidence instructions;
    const char *build_flags;    /* for the driver's compiler, or NULL */
    unsigned sizes;             /* sub-group sizes that have a kernel, SIZE_* or'ed; 0: all */
    const char *no_size;        /* why the others have none */
    unsigned fewest_iterations; /* in a timed launch, if single iterations differ; 0: any number */
    enum method method;
    bool has_proof;   /* arguments() supports LAUNCH_PROOF for it */
    bool cooperative; /* all work-groups must be resident together: refused if they can't */
    bool may_spill;   /* register spilling is what is measured, not an accident */
    bool any_size;    /* the kernel requires no sub-group size: skipped unless the compiler chose
                         the configuration's */
    enum list_kind list;
};

enum launch_purpose {
    LAUNCH_MEASURE, /* the timed shape */
    LAUNCH_PROOF,   /* a shape whose result is correct only if the measured mechanism works */
};

struct launch {
    struct configuration configuration;
    size_t variant; /* index in the family's variants */
    uint32_t iterations;
    enum launch_purpose purpose;
};

struct family {
    const char *name;
    const char *measures;      /* one line */
    const char *unit;          /* for variants with a baseline, "ns/barrier" */
    const char *baseline_unit; /* for variants without one, "ns/iteration" */

    /* The first three are subgroup_size, workgroup_size, workgroup_count. */
    const struct axis *axes;
    size_t axis_count;

    /* Configurations that all presets but `full` add to the product of the axes, such as a launch
     * that fills an Xe-core: "subgroup_size=16 workgroup_size=64S". An axis left out has the first
     * of its default values. Ends with NULL; NULL: none. */
    const char *const *points;

    const struct variant *variants;
    size_t variant_count;

    /* How the names of variants are made, for the columns op, type and way of results
     * (measure/variant-name.h). */
    const char *ways;      /* ways to do the same, as they begin or end names: "slm slm_group" */
    const char *plain_way; /* of variants with a baseline whose name has none; NULL: no way */
    const char *type;      /* data type of variants whose name has none; NULL: no type */

    /* SLM that a work-group gets through kernel arguments, in bytes; NULL: none. */
    size_t (*argument_slm_bytes)(const struct configuration *configuration);

    /* Bytes of device memory in all buffers; NULL if only the number of work-items decides it. */
    size_t (*buffer_bytes)(const struct configuration *configuration);

    /* Iterations of a variant that bring into the caches what its timed launches need to find
     * there. They run before any timing, in launches of bounded length of whichever variant is
     * fastest at it. 0: none are needed. NULL: never. */
    uint32_t (*warming)(const struct configuration *configuration, size_t variant);

    /* NULL: workgroup_count groups of workgroup_size work-items, in one dimension. */
    void (*geometry)(const struct launch *launch, struct geometry *geometry);

    /* The work of one iteration; `work` is passed in zeroed except units = 1. NULL: one unit,
     * nothing else. */
    void (*work)(const struct configuration *configuration, size_t variant, struct work *work);

    /* STATUS_EXCLUDED, with the reason, for axis values that make no sense for the variant or
     * repeat another measurement: no row. STATUS_UNSUPPORTED for what this device or compiler
     * cannot do: a skipped row. NULL: everything is possible. */
    enum status (*check)(const struct device *device, const struct configuration *configuration,
                         size_t variant, struct error *error);

    /* Adds the buffers for a configuration, in the order in which arguments() refers to them, and
     * fills any whose contents should not be random. */
    enum status (*setup)(struct workspace *workspace, const struct configuration *configuration,
                         struct error *error);

    /* Lists the kernel's arguments, in order. */
    void (*arguments)(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *arguments);

    /* After the launch has finished: checks every output against a host reference. */
    enum status (*verify)(struct workspace *workspace, const struct launch *launch,
                          struct error *error);

    /* For METHOD_OBSERVE: executes the launch recorded in the session's list and takes one value,
     * in the variant's unit. NULL if no variant needs it. */
    enum status (*observe)(struct workspace *workspace, const struct kernel *kernel,
                           const struct launch *launch, double *value, struct error *error);

    /* Prints something for people about a verified launch; may be NULL. */
    void (*show)(const struct workspace *workspace, const struct launch *launch, FILE *out);

    /* Frees workspace->own; NULL if free() does. */
    void (*teardown)(void *own);
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

/* The embedded module of a family for a sub-group size, or NULL. */
const struct spirv_module *family_module(const struct family *family, unsigned subgroup_size);

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

/* The shape of a launch. */
struct geometry family_geometry(const struct family *family, const struct launch *launch);

/* The family's own axes as "stride=4 bytes=65536", in table order. Returns the length of the text,
 * as snprintf does. */
size_t family_parameters(const struct family *family, const struct configuration *configuration,
                         char *text, size_t bytes);

#endif
