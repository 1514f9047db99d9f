/* Family `device_matrix`: operations per second of the systolic engines, by OpenCL's matrix
 * functions (cl_intel_subgroup_matrix_multiply_accumulate), with several threads on each. By
 * default those of one Xe-core, since a model takes long over them. Those of the whole device:
 * vebench run device_matrix --axis workgroup_size=16S
 *     --axis workgroup_count=T/16
 *
 * The functions are for one sub-group size of a device: 8 where it has that, 16 elsewhere. */
#include "families/multiply-add.h"
#include "family/common-axes.h"

/* As in the kernels. */
#define CHAINS    4u
#define STEPS     8u
#define ROWS      8u
#define ROW_BYTES 32u

/* The operands, 32 bits of a row of A and of a column of B over and over, and what a step adds: the
 * sum of their products, eight times. Sums of floats are exact up to 2^24. */
struct operands {
    uint32_t a, b, product;
    unsigned bytes; /* of an element */
};

static enum status matrix_check(const struct device *device,
                                const struct configuration *configuration,
                                const struct variant *variant, struct error *error)
{
    (void)variant;
    if (!device->matrix_lanes && configuration->subgroup_size == 16)
        return error_set(error, STATUS_UNSUPPORTED, "the device has no matrix engines");
    if (configuration->subgroup_size != device->matrix_lanes)
        return error_set(error, STATUS_EXCLUDED,
                         "the device's matrix functions are for sub-groups of %u",
                         device->matrix_lanes);
    return STATUS_OK;
}

static void matrix_work(const struct configuration *configuration, const struct variant *variant,
                        struct work *work)
{
    const struct operands *operands = variant->own;
    double elements = ROW_BYTES / operands->bytes;

    operations_work(
        (double)configuration_items(configuration) * ROWS * elements * 2.0 * CHAINS * STEPS, work);
}

static size_t out_bytes(const struct configuration *configuration)
{
    return configuration_items(configuration) * CHAINS * ROWS * sizeof(uint32_t);
}

static const struct buffer_plan buffers[] = {OPERATIONS_BUFFERS(out_bytes)};

static void matrix_arguments(const struct workspace *workspace, const struct launch *launch,
                             struct arguments *arguments)
{
    const struct operands *operands = launch->variant->own;

    (void)workspace;
    operations_arguments(launch, operands->a, operands->b, arguments);
}

static uint32_t expect_sum(const struct launch *launch, size_t item, size_t value)
{
    const struct operands *operands = launch->variant->own;

    return (uint32_t)(item % 64u + value / ROWS) + operands->product * STEPS * launch->iterations;
}

static enum status matrix_verify(struct workspace *workspace, const struct launch *launch,
                                 struct error *error)
{
    return operations_verify(workspace, launch, CHAINS * ROWS, expect_sum, error);
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS_OF("8,16", NULL, NULL),
    WORKGROUP_SIZE_AXIS("64S", NULL, "16S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "T/16"),
};

static const struct variant variants[] = {
    {.name = "int8",
     .operation = "device_matrix",
     .type = "i8",
     .own =
         &(const struct operands){0x04030201, 0x01020101, 8 * (1 * 1 + 2 * 1 + 3 * 2 + 4 * 1), 1},
     .entry_point = "device_matrix_int8",
     .means = "products of bytes, sums of 32-bit integers",
     .instructions = {"dpas", NULL}},
    {.name = "fp16",
     .operation = "device_matrix",
     .type = "f16",
     .own = &(const struct operands){0x40003c00, 0x42003c00, 8 * (1 * 1 + 2 * 3), 2},
     .entry_point = "device_matrix_fp16",
     .means = "products of halves, sums of floats",
     .instructions = {"dpas", NULL}},
    {.name = "bf16",
     .own = &(const struct operands){0x40003f80, 0x40403f80, 8 * (1 * 1 + 2 * 3), 2},
     .entry_point = "device_matrix_bf16",
     .means = "products of bfloat16, sums of floats",
     .instructions = {"dpas", NULL}},
};

const struct family family_device_matrix = {
    .name = "device_matrix",
    .is_held_out = true,
    .measures = "matrix products by the systolic engines",
    .unit = "ns/Mop",
    .baseline_unit = "ns/Mop",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .tells_health = true,
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = matrix_work,
    .check = matrix_check,
    .arguments = matrix_arguments,
    .verify = matrix_verify,
};
