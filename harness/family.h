/* A benchmark family: one file in harness/families/ that ends with a `struct family`, and one file
 * of kernels. The descriptor is called family_NAME and is found through the list of families in
 * meson.build. */
#ifndef VEBENCH_FAMILY_H
#define VEBENCH_FAMILY_H

#include "axes.h"
#include "kernel.h"
#include "session.h"

#include <stdbool.h>
#include <stdint.h>

#define VARIANTS_MAX 32

/* One point of the sweep. */
struct configuration {
    unsigned subgroup_size;   /* work-items */
    unsigned workgroup_size;  /* work-items */
    unsigned workgroup_count; /* work-groups */
};

struct variant {
    const char *name;
    const char *entry_point;
    const char *means; /* one line for `vebench list` */
    bool has_proof;    /* run() knows LAUNCH_PROOF for it */
};

enum launch_purpose {
    LAUNCH_MEASURE, /* the timed shape, the same for all variants */
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
    const char *unit;          /* of a variant's value, "ns/barrier" */
    const char *baseline_unit; /* of the baseline's value, "ns/iteration" */
    double work_per_iteration; /* how many of what `unit` counts one iteration does */

    /* The first three are subgroup_size, workgroup_size, workgroup_count. */
    const struct axis *axes;
    size_t axis_count;

    /* The first is the baseline: the value of every other is its cost beyond the baseline. */
    const struct variant *variants;
    size_t variant_count;

    /* SLM that a work-group gets through kernel arguments, in bytes. */
    size_t (*argument_slm_bytes)(const struct configuration *configuration);

    /* Allocates and fills what one configuration needs. `*state` is set even on failure, and may
     * then be NULL; teardown is called either way. `seed` decides all random contents. */
    enum status (*setup)(struct session *session, const struct configuration *configuration,
                         uint64_t seed, void **state, struct error *error);

    /* Records one launch between session_begin_list and session_end_list: inputs to the device,
     * the kernel, outputs to the host. The group size of the kernel is already set. */
    enum status (*run)(void *state, const struct kernel *kernel, const struct launch *launch,
                       struct error *error);

    /* After the launch has finished: every output against a host reference. */
    enum status (*verify)(void *state, const struct launch *launch, struct error *error);

    void (*teardown)(void *state); /* takes NULL */
};

/* The registry, generated at build time. */
extern const struct family *const families[];
extern const size_t family_count;

/* Is every descriptor whole, and is there a module with all its entry points? STATUS_FAILED, naming
 * family and defect, where not. */
enum status family_check_all(struct error *error);

/* The family of that name, or NULL. */
const struct family *family_find(const char *name);

/* The embedded module of a family for a sub-group size, or NULL. */
const struct spirv_module *family_module(const struct family *family, unsigned subgroup_size);

#endif
