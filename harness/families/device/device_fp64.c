/* Family `device_fp64`: operations per second with doubles of all vector engines together, as in
 * `device_arithmetic`. A family of its own, because a device without doubles compiles nothing of a
 * module that has some.
 * Alone: vebench run device_fp64 --axis subgroup_size=16 */
#include "families/multiply-add.h"
#include "family/common-axes.h"

static const struct buffer_plan buffers[] = {OPERATIONS_BUFFERS(multiply_add_bytes)};

static enum status fp64_check(const struct device *device,
                              const struct configuration *configuration,
                              const struct variant *variant, struct error *error)
{
    (void)configuration;
    (void)variant;
    return device->has_fp64 ? STATUS_OK
                            : error_set(error, STATUS_UNSUPPORTED, "the device has no doubles");
}

static void fp64_work(const struct configuration *configuration, const struct variant *variant,
                      struct work *work)
{
    (void)variant;
    multiply_add_work(configuration, 2.0, work);
}

static void fp64_arguments(const struct workspace *workspace, const struct launch *launch,
                           struct arguments *arguments)
{
    (void)workspace;
    multiply_add_arguments(launch, false, arguments);
}

static enum status fp64_verify(struct workspace *workspace, const struct launch *launch,
                               struct error *error)
{
    return multiply_add_verify(workspace, launch, false, error);
}

static const struct axis axes[] = {
    DEVICE_WIDE_AXES,
};

static const struct variant variants[] = {
    {.name = "fma",
     .entry_point = "device_fp64_fma",
     .means = "multiply-adds of doubles",
     .instructions = {"mad .*:df", "mad .*:df"}},
};

const struct family family_device_fp64 = {
    .name = "device_fp64",
    .is_held_out = true,
    .measures = "multiply-adds of doubles by the whole device",
    .unit = "ns/Mop",
    .baseline_unit = "ns/Mop",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = fp64_work,
    .check = fp64_check,
    .arguments = fp64_arguments,
    .verify = fp64_verify,
};
