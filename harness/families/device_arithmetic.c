/* Family `device_arithmetic`: operations per second of all vector engines together, with every
 * hardware thread busy and eight independent chains in each.
 * Alone: vebench run device_arithmetic --axis subgroup_size=16 */
#include "families/multiply-add.h"
#include "measure/common-axes.h"

/* In the order of the table at the end. */
enum { FP32, FP16, INT32, INT8 };

static void arithmetic_work(const struct configuration *configuration, size_t variant,
                            struct work *work)
{
    /* A step multiplies and adds: once, or four times for bytes. */
    multiply_add_work(configuration, variant == INT8 ? 8.0 : 2.0, work);
}

static void arithmetic_arguments(const struct workspace *workspace, const struct launch *launch,
                                 struct arguments *arguments)
{
    multiply_add_arguments(workspace, launch, launch->variant == INT8, arguments);
}

static enum status arithmetic_verify(struct workspace *workspace, const struct launch *launch,
                                     struct error *error)
{
    return multiply_add_verify(workspace, launch, launch->variant == INT8, error);
}

static const struct axis axes[] = {
    DEVICE_WIDE_AXES,
};

static const struct variant variants[] = {
    {.name = "fp32",
     .entry_point = "device_arithmetic_fp32",
     .means = "multiply-adds of floats",
     .instructions = {"mad .*:f", "mad .*:f"}},
    {.name = "fp16",
     .entry_point = "device_arithmetic_fp16",
     .means = "multiply-adds of halves",
     .instructions = {"mad .*:hf", "mad .*:hf"}},
    {.name = "int32",
     .entry_point = "device_arithmetic_int32",
     .means = "a multiplication and an addition of 32-bit integers",
     .instructions = {"mul .*:d|macl", "mul .*:d|macl"}},
    {.name = "int8",
     .entry_point = "device_arithmetic_int8",
     .means = "sums of four products of bytes (dp4a)",
     .instructions = {"dp4a", "dp4a"}},
};

const struct family family_device_arithmetic = {
    .name = "device_arithmetic",
    .measures = "multiply-adds by the whole device",
    .unit = "ns/Mop",
    .baseline_unit = "ns/Mop",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .work = arithmetic_work,
    .setup = multiply_add_setup,
    .arguments = arithmetic_arguments,
    .verify = arithmetic_verify,
};
