/* Family `device_arithmetic`: operations per second of all vector engines together, with every
 * hardware thread busy and eight independent chains in each.
 * Alone: vebench run device_arithmetic --axis subgroup_size=16 */
#include "measure/common-axes.h"
#include "measure/family.h"
#include "measure/verify.h"

#include <stdlib.h>

enum { OUT, WITNESS };

/* In the order of the table at the end. */
enum { FP32, FP16, INT32, INT8 };

/* As in the kernels. */
#define CHAINS 8u
#define STEPS  15u

/* The operands: -x + 3, and for bytes 1 * 1 + 0 * 0 + 0 * 0 + 0 * 0. */
#define MINUS_ONE UINT32_MAX
#define OFFSET    3u
#define ONE_BYTE  1u

static void arithmetic_work(const struct configuration *configuration, size_t variant,
                            struct work *work)
{
    double items = (double)configuration->workgroup_size * (double)configuration->workgroup_count;

    /* A step multiplies and adds: once, or four times for bytes. */
    work->flops = items * CHAINS * STEPS * (variant == INT8 ? 8.0 : 2.0);
    work->units = work->flops / 1e6;
}

static enum status arithmetic_setup(struct workspace *workspace,
                                    const struct configuration *configuration, struct error *error)
{
    size_t items = (size_t)configuration->workgroup_size * configuration->workgroup_count;
    enum status status =
        workspace_add(workspace, BUFFER_OUTPUT, items * CHAINS * sizeof(uint32_t), error);

    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items * sizeof(uint32_t), error);
    return status;
}

static void arithmetic_arguments(const struct workspace *workspace, const struct launch *launch,
                                 struct arguments *arguments)
{
    bool bytes = launch->variant == INT8;

    argument_buffer(arguments, workspace, OUT);
    argument_buffer(arguments, workspace, WITNESS);
    argument_uint(arguments, bytes ? ONE_BYTE : MINUS_ONE);
    argument_uint(arguments, bytes ? ONE_BYTE : OFFSET);
    argument_uint(arguments, launch->iterations);
}

static enum status arithmetic_verify(struct workspace *workspace, const struct launch *launch,
                                     struct error *error)
{
    const struct configuration *c = &launch->configuration;
    size_t items = (size_t)c->workgroup_size * c->workgroup_count;
    uint32_t *expected = malloc(items * CHAINS * sizeof(*expected));
    enum status status;

    if (!expected)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < items * CHAINS; i++) {
        uint32_t first = (uint32_t)(i / CHAINS % c->workgroup_size % 64u + i % CHAINS);

        if (launch->variant == INT8)
            expected[i] = first + STEPS * launch->iterations;
        else
            expected[i] = launch->iterations % 2 ? OFFSET - first : first;
    }
    status = verify_uints(&workspace->buffers[OUT], "out", expected, items * CHAINS, launch, error);
    free(expected);
    if (status == STATUS_OK)
        status = verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error);
    return status;
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
    .setup = arithmetic_setup,
    .arguments = arithmetic_arguments,
    .verify = arithmetic_verify,
};
