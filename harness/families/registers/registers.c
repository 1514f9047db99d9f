/* Family `registers`: the cost of updating a value once the live values outgrow the register file
 * and the compiler keeps some of them in scratch memory.
 * Alone: vebench run registers --axis subgroup_size=16
 *
 * A hardware thread has 128 registers of 32 bytes on Gen12LP and Xe-HPG, and a 4-byte value takes
 * one of them for every 8 lanes: 128 values fit at sub-groups of 8, 64 at 16, 32 at 32, less what
 * else the kernel needs. Column spill_bytes shows what did not fit. The baseline makes as many
 * updates on 8 or 16 values.
 *
 * The large_ variants are compiled for 256 registers, for which a thread uses the register files of
 * two. */
#include "families/registers/registers-reference.h"
#include "families/registers/registers-variants.h"

#include "family/common-axes.h"
#include "family/verify.h"

enum { OUT, WITNESS };

static struct registers_ring ring_of(const struct configuration *configuration,
                                     const struct registers_variant *variant)
{
    struct registers_ring ring = {variant->values, variant->step, variant->updates};

    if (ring.values == 0)
        ring.values = configuration->subgroup_size == 32 ? 8 : 16;
    return ring;
}

static const struct buffer_plan buffers[] = {
    [OUT] = {"out", BUFFER_OUTPUT},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static void registers_arguments(const struct workspace *workspace, const struct launch *launch,
                                struct arguments *arguments)
{
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, (uint32_t)workspace->seed);
}

static enum status registers_verify(struct workspace *workspace, const struct launch *launch,
                                    struct error *error)
{
    const struct buffer *out = &workspace->buffers[OUT];
    const struct registers_ring ring = ring_of(&launch->configuration, launch->variant->own);
    uint32_t *expected = workspace_scratch(workspace, out->bytes, error), constant, slope;
    size_t items = out->bytes / sizeof(*expected);

    if (!expected)
        return STATUS_FAILED;
    registers_reference(&ring, launch->iterations, (uint32_t)workspace->seed, &constant, &slope);
    for (size_t i = 0; i < items; i++)
        expected[i] = constant + (uint32_t)i * slope;
    return verify_uints(out, expected, items, launch, error);
}

static void registers_work(const struct configuration *configuration, const struct variant *variant,
                           struct work *work)
{
    const struct registers_variant *own = variant->own;

    work->units = own->updates;
    work->flops =
        2.0 * own->updates * configuration->workgroup_size * configuration->workgroup_count;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("S", NULL, "S,64,256,512"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

/* Engines with an odd number of threads cannot pair register files. */
static enum status registers_check(const struct device *device,
                                   const struct configuration *configuration,
                                   const struct variant *variant, struct error *error)
{
    (void)configuration;
    if (variant->build_flags && device->threads_per_eu % 2 != 0)
        return error_set(error, STATUS_UNSUPPORTED,
                         "a large register file takes that of two threads, and the device's vector "
                         "engines have %u",
                         device->threads_per_eu);
    return STATUS_OK;
}

const struct family family_registers = {
    .name = "registers",
    .measures = "an update of a value, by how many values are alive",
    .unit = "ns/update",
    .baseline_unit = "ns/update",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = registers_variants,
    .variant_count = REGISTERS_VARIANTS,
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = registers_work,
    .check = registers_check,
    .arguments = registers_arguments,
    .verify = registers_verify,
};
