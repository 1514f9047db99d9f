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
#include "families/registers-reference.h"

#include "measure/common-axes.h"
#include "measure/verify.h"

enum { OUT, WITNESS };

/* In the order of the table at the end; 0 values means the baselines' ring. */
static const struct registers_ring rings[] = {
    {0, 1, 16},   {0, 1, 32},     {0, 1, 64},  {0, 1, 128},   {0, 1, 192},
    {16, 1, 16},  {32, 1, 32},    {64, 1, 64}, {128, 1, 128}, {192, 1, 192},
    {64, 16, 64}, {192, 16, 192}, {64, 1, 64}, {128, 1, 128}, {192, 1, 192},
};

static struct registers_ring ring_of(const struct configuration *configuration, size_t variant)
{
    struct registers_ring ring = rings[variant];

    if (ring.values == 0)
        ring.values = configuration->subgroup_size == 32 ? 8 : 16;
    return ring;
}

static enum status registers_setup(struct workspace *workspace,
                                   const struct configuration *configuration, struct error *error)
{
    size_t bytes = configuration_items(configuration) * sizeof(uint32_t);
    enum status status = workspace_add(workspace, BUFFER_OUTPUT, bytes, error);

    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, bytes, error);
    return status;
}

static void registers_arguments(const struct workspace *workspace, const struct launch *launch,
                                struct arguments *arguments)
{
    argument_buffer(arguments, workspace, OUT);
    argument_buffer(arguments, workspace, WITNESS);
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, (uint32_t)workspace->seed);
}

static enum status registers_verify(struct workspace *workspace, const struct launch *launch,
                                    struct error *error)
{
    const struct buffer *out = &workspace->buffers[OUT];
    const uint32_t *found = out->result;
    const struct registers_ring ring = ring_of(&launch->configuration, launch->variant);
    uint32_t constant, slope;

    registers_reference(&ring, launch->iterations, (uint32_t)workspace->seed, &constant, &slope);
    for (uint32_t i = 0; i < out->bytes / sizeof(*found); i++) {
        uint32_t expected = constant + i * slope;

        if (found[i] != expected) {
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations: out[%u] is 0x%08x, the host "
                             "computes 0x%08x",
                             (unsigned)launch->iterations, (unsigned)i, (unsigned)found[i],
                             (unsigned)expected);
        }
    }
    return verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error);
}

static void registers_work(const struct configuration *configuration, size_t variant,
                           struct work *work)
{
    work->units = rings[variant].updates;
    work->flops = 2.0 * rings[variant].updates * configuration->workgroup_size *
                  configuration->workgroup_count;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("S", NULL, "S,64,256,512"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
};

#define LARGE_REGISTER_FILE "-ze-opt-large-register-file"

#define SAME(n)                                                                                    \
    {                                                                                              \
        .name = "same_" #n, .entry_point = "registers_same_" #n,                                   \
        .means = #n " updates of few values, which fit", .instructions = {                         \
            " add ",                                                                               \
            " add "                                                                                \
        }                                                                                          \
    }
#define LIVE(n, spill)                                                                             \
    {                                                                                              \
        .name = "live_" #n, .entry_point = "registers_live_" #n,                                   \
        .means = #n " updates on " #n " values", .baseline = "same_" #n,                           \
        .instructions = {spill, spill}, .may_spill = true                                          \
    }
#define VECTORS(n, vectors, spill)                                                                 \
    {                                                                                              \
        .name = "vectors_" #n, .entry_point = "registers_vectors_" #n,                             \
        .means = #n " updates on " #vectors " vectors of 16", .baseline = "same_" #n,              \
        .instructions = {spill, spill}, .may_spill = true                                          \
    }
#define LARGE(n)                                                                                   \
    {                                                                                              \
        .name = "large_" #n, .entry_point = "registers_live_" #n,                                  \
        .means = "live_" #n " with a large register file", .baseline = "same_" #n,                 \
        .build_flags = LARGE_REGISTER_FILE, .may_spill = true                                      \
    }

static const struct variant variants[] = {
    SAME(16),
    SAME(32),
    SAME(64),
    SAME(128),
    SAME(192),
    LIVE(16, NULL),
    LIVE(32, NULL),
    LIVE(64, NULL),
    LIVE(128, "scratch"),
    LIVE(192, "scratch"),
    VECTORS(64, 4, NULL),
    VECTORS(192, 12, "scratch"),
    LARGE(64),
    LARGE(128),
    LARGE(192),
};

/* Engines with an odd number of threads cannot pair register files. */
static enum status registers_check(const struct device *device,
                                   const struct configuration *configuration, size_t variant,
                                   struct error *error)
{
    (void)configuration;
    if (variants[variant].build_flags && device->threads_per_eu % 2 != 0)
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
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .work = registers_work,
    .check = registers_check,
    .setup = registers_setup,
    .arguments = registers_arguments,
    .verify = registers_verify,
};
