/* A benchmark family: one file in harness/families/ that ends with a `struct family`, and one file
 * of kernels. The descriptor is called family_NAME and is found through the list of families in
 * meson.build. docs/adding-a-benchmark.md leads through one. */
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
    unsigned workgroup_size;    /* work-items; what a family makes of it is up to `geometry` */
    unsigned workgroup_count;   /* work-groups */
    unsigned own[OWN_AXES_MAX]; /* the family's own axes, in the order of its table */
};

/* The n-dimensional range of a launch. */
struct geometry {
    uint32_t size[3];  /* work-items of a work-group */
    uint32_t count[3]; /* work-groups */
};

/* What one iteration of a whole launch does. 0 where it does not apply. */
struct work {
    double units;     /* of what the variant's unit counts; its value is time / units */
    double bytes;     /* asked for by loads and stores of the payload, reuse not taken off */
    double messages;  /* loads, stores and atomics of the payload, as hardware threads send them */
    double lines;     /* cache lines of 64 bytes those messages touch, summed over messages */
    double barriers;  /* work-group barriers, one for each work-group */
    double exchanges; /* sub-group operations, one for each sub-group */
    double flops;     /* floating-point or integer operations of the payload */
};

enum method {
    METHOD_SLOPE,   /* the slope of time over iterations, less the baseline's */
    METHOD_OBSERVE, /* what the family's observe() says of one launch */
};

/* What a variant's machine code has, and its baseline's has not or has less of: extended regular
 * expressions that a line of the disassembler's listing matches. NULL: it compiles to nothing. */
struct evidence {
    const char *xe_hpg;  /* DG2 */
    const char *gen12lp; /* Tiger Lake */
};

/* Bits of variant.sizes. */
enum { SIZE_8 = 1, SIZE_16 = 2, SIZE_32 = 4 };

struct variant {
    const char *name;
    const char *entry_point;
    const char *means;    /* one line for `vebench list` */
    const char *baseline; /* the variant whose slope is taken off, from the same configuration;
                             NULL: none, the value is the variant's own */
    const char *unit;     /* NULL: the family's `unit`, or `baseline_unit` where baseline is NULL */
    struct evidence instructions;
    const char *build_flags;    /* for the driver's compiler, or NULL */
    unsigned sizes;             /* sub-group sizes there is a kernel for, SIZE_* or'ed; 0: all */
    const char *no_size;        /* why there is none for the others */
    unsigned fewest_iterations; /* of a timed launch, where single ones differ; 0: any count does */
    enum method method;
    bool has_proof;   /* arguments() knows LAUNCH_PROOF for it */
    bool cooperative; /* all work-groups have to be resident together: refused where they can't */
    bool may_spill;   /* registers spilled to memory are what is measured, not an accident */
    bool any_size;    /* the kernel requires no sub-group size: skipped in configurations of
                         another size than the compiler chose */
    enum list_kind list;
};

enum launch_purpose {
    LAUNCH_MEASURE, /* the timed shape */
    LAUNCH_PROOF,   /* a shape whose result is only right if what is measured works */
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
    const char *unit;          /* of the value of a variant with a baseline, "ns/barrier" */
    const char *baseline_unit; /* of one without, "ns/iteration" */

    /* The first three are subgroup_size, workgroup_size, workgroup_count. */
    const struct axis *axes;
    size_t axis_count;

    const struct variant *variants;
    size_t variant_count;

    /* SLM that a work-group gets through kernel arguments, in bytes; NULL: none. */
    size_t (*argument_slm_bytes)(const struct configuration *configuration);

    /* Device memory of all buffers, in bytes, where more than the number of work-items decides it;
     * NULL: it does not. */
    size_t (*buffer_bytes)(const struct configuration *configuration);

    /* Iterations of a variant that leave in the caches what its timed launches are to find there;
     * they run before anything is timed, by the variant that is quickest at it, in launches of
     * bounded length. 0: none are needed. NULL: never. */
    uint32_t (*warming)(const struct configuration *configuration, size_t variant);

    /* NULL: workgroup_count groups of workgroup_size work-items, in one dimension. */
    void (*geometry)(const struct launch *launch, struct geometry *geometry);

    /* What one iteration does; `work` comes zeroed but for units = 1. NULL: one unit, no more. */
    void (*work)(const struct configuration *configuration, size_t variant, struct work *work);

    /* STATUS_EXCLUDED, with the reason, for values of the axes that make no sense for the variant
     * or repeat another measurement: no row. STATUS_UNSUPPORTED for what this device or compiler
     * cannot do: a skipped row. NULL: everything can. */
    enum status (*check)(const struct device *device, const struct configuration *configuration,
                         size_t variant, struct error *error);

    /* Adds the buffers that a configuration needs, in the order in which arguments() names them,
     * and fills what should not be random. */
    enum status (*setup)(struct workspace *workspace, const struct configuration *configuration,
                         struct error *error);

    /* The arguments of the kernel, in their order. */
    void (*arguments)(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *arguments);

    /* After the launch has finished: every output against a host reference. */
    enum status (*verify)(struct workspace *workspace, const struct launch *launch,
                          struct error *error);

    /* For METHOD_OBSERVE: one value, in the variant's unit, from a launch that is recorded in the
     * session's list; execute it and take the value. NULL where no variant needs it. */
    enum status (*observe)(struct workspace *workspace, const struct kernel *kernel,
                           const struct launch *launch, double *value, struct error *error);

    /* Something for a person to read about a launch that has been verified, or NULL. */
    void (*show)(const struct workspace *workspace, const struct launch *launch, FILE *out);

    /* Frees workspace->own; NULL where free() does. */
    void (*teardown)(void *own);
};

/* The families that a program has: families/registry.h. */
struct family_list {
    const struct family *const *family;
    size_t count;
};

/* Is every descriptor whole, and is there a module with all its entry points? STATUS_FAILED, naming
 * family and defect, where not. */
enum status family_check_all(const struct family_list *list, struct error *error);

/* The family of that name, or NULL. */
const struct family *family_find(const struct family_list *list, const char *name);

/* The embedded module of a family for a sub-group size, or NULL. */
const struct spirv_module *family_module(const struct family *family, unsigned subgroup_size);

/* Index of the variant of that name, or VARIANTS_MAX. */
size_t family_variant(const struct family *family, const char *name);

/* Index of the baseline of a variant, or VARIANTS_MAX where it has none. */
size_t family_baseline(const struct family *family, size_t variant);

/* Is there a kernel of this variant for sub-groups of this size? */
bool variant_has_size(const struct variant *variant, unsigned subgroup_size);

/* The unit of a variant's value. */
const char *family_unit(const struct family *family, size_t variant);

/* Is a variant's value a time, in ns? */
bool family_is_time(const struct family *family, size_t variant);

/* One iteration's work of a variant. */
struct work family_work(const struct family *family, const struct configuration *configuration,
                        size_t variant);

/* The shape of a launch. */
struct geometry family_geometry(const struct family *family, const struct launch *launch);

/* The family's own axes as "stride=4 bytes=65536", in the order of its table. Returns how long the
 * text is, as snprintf does. */
size_t family_parameters(const struct family *family, const struct configuration *configuration,
                         char *text, size_t bytes);

#endif
