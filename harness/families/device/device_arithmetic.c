/* Family `device_arithmetic`: operations per second of all vector engines together, with every
 * hardware thread busy and eight independent chains in each.
 * Alone: vebench run device_arithmetic --axis subgroup_size=16 */
#include "families/multiply-add.h"
#include "family/common-axes.h"

struct arithmetic {
    double operations; /* of a step: it multiplies and adds, once, or four times for bytes */
    bool counts;       /* with operands of 1, as for bytes */
};

static const struct buffer_plan buffers[] = {OPERATIONS_BUFFERS(multiply_add_bytes)};

static void arithmetic_work(const struct configuration *configuration,
                            const struct variant *variant, struct work *work)
{
    const struct arithmetic *arithmetic = variant->own;

    multiply_add_work(configuration, arithmetic->operations, work);
}

static void arithmetic_arguments(const struct workspace *workspace, const struct launch *launch,
                                 struct arguments *arguments)
{
    const struct arithmetic *arithmetic = launch->variant->own;

    (void)workspace;
    multiply_add_arguments(launch, arithmetic->counts, arguments);
}

static enum status arithmetic_verify(struct workspace *workspace, const struct launch *launch,
                                     struct error *error)
{
    const struct arithmetic *arithmetic = launch->variant->own;

    return multiply_add_verify(workspace, launch, arithmetic->counts, error);
}

static const struct axis axes[] = {
    DEVICE_WIDE_AXES,
};

static const struct variant variants[] = {
    {.name = "fp32",
     .operation = "device_arithmetic",
     .type = "f32",
     .own = &(const struct arithmetic){2.0},
     .entry_point = "device_arithmetic_fp32",
     .means = "multiply-adds of floats",
     .instructions = {"mad .*:f", "mad .*:f"}},
    {.name = "fp16",
     .operation = "device_arithmetic",
     .type = "f16",
     .own = &(const struct arithmetic){2.0},
     .entry_point = "device_arithmetic_fp16",
     .means = "multiply-adds of halves",
     .instructions = {"mad .*:hf", "mad .*:hf"}},
    {.name = "int32",
     .operation = "device_arithmetic",
     .type = "i32",
     .own = &(const struct arithmetic){2.0},
     .entry_point = "device_arithmetic_int32",
     .means = "a multiplication and an addition of 32-bit integers",
     .instructions = {"mul .*:d|macl", "mul .*:d|macl"}},
    {.name = "int8",
     .operation = "device_arithmetic",
     .type = "i8",
     .own = &(const struct arithmetic){8.0, .counts = true},
     .entry_point = "device_arithmetic_int8",
     .means = "sums of four products of bytes (dp4a)",
     .instructions = {"dp4a", "dp4a"}},
};

const struct family family_device_arithmetic = {
    .name = "device_arithmetic",
    .is_held_out = true,
    .measures = "multiply-adds by the whole device",
    .unit = "ns/Mop",
    .baseline_unit = "ns/Mop",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .tells_health = true,
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = arithmetic_work,
    .arguments = arithmetic_arguments,
    .verify = arithmetic_verify,
};
