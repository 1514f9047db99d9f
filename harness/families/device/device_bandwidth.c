/* Family `device_bandwidth`: the bandwidth of all Xe-cores together for read, write, copy, and
 * combine (triad), with every hardware thread busy.
 * Alone, from the device's memory: vebench run device_bandwidth --axis working_set=8L
 *
 * Each work-group goes through its own slice, so a set of a few KiB per Xe-core stays in its L1,
 * one smaller than L in the L2, and one of 8L in neither: of 2L, work-groups that are ahead of
 * others find lines there. */
#include "family/common-axes.h"
#include "family/family.h"
#include "family/verify.h"

enum { IN, OUT, SUMS, WITNESS };
enum { OWN_WORKING_SET };

#define ELEMENT_BYTES 16u
#define DWORDS        4u

enum bandwidth_kind { READ, WRITE, COPY, TRIAD };

/* The parts that the working set is divided into, and how many of them an iteration accesses: triad
 * leaves a quarter unused. */
struct bandwidth {
    enum bandwidth_kind kind;
    uint32_t parts, moved;
};

static uint32_t elements_of(const struct configuration *configuration,
                            const struct bandwidth *bandwidth)
{
    return configuration->own[OWN_WORKING_SET] / ELEMENT_BYTES / bandwidth->parts;
}

static void bandwidth_work(const struct configuration *configuration, const struct variant *variant,
                           struct work *work)
{
    const struct bandwidth *bandwidth = variant->own;

    work->bytes = (double)elements_of(configuration, bandwidth) * ELEMENT_BYTES * bandwidth->moved;
    work->lines = work->bytes / 64.0;
    work->messages = work->bytes / ((double)ELEMENT_BYTES * (double)configuration->subgroup_size);
    work->units = work->bytes / 1024.0;
}

static size_t set_bytes(const struct configuration *c)
{
    return c->own[OWN_WORKING_SET];
}

static const struct buffer_plan buffers[] = {
    [IN] = {"in", BUFFER_INPUT, set_bytes},
    [OUT] = {"out", BUFFER_OUTPUT, set_bytes},
    [SUMS] = {"sums", BUFFER_OUTPUT},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static void bandwidth_arguments(const struct workspace *workspace, const struct launch *launch,
                                struct arguments *arguments)
{
    (void)workspace;
    argument_uint(arguments, elements_of(&launch->configuration, launch->variant->own));
    argument_uint(arguments, launch->iterations);
}

/* The contents of dword `i` of `out` after the last iteration. */
static uint32_t written(const uint32_t *in, const struct launch *launch, uint32_t dwords,
                        uint32_t i)
{
    const struct bandwidth *bandwidth = launch->variant->own;
    uint32_t last = launch->iterations - 1;

    if (bandwidth->kind == WRITE)
        return i % DWORDS < 2 ? i / DWORDS : last;
    return bandwidth->kind == COPY ? in[i] + last : in[i] * 3u + in[dwords + i] + last;
}

static void expect_sums(const uint32_t *in, const struct launch *launch, uint32_t count,
                        uint32_t *sums)
{
    uint64_t groups = launch->configuration.workgroup_count;
    uint32_t size = launch->configuration.workgroup_size;

    for (uint64_t g = 0; g < groups; g++) {
        uint32_t first = (uint32_t)(g * count / groups), end = (uint32_t)((g + 1) * count / groups);

        for (uint32_t item = 0; item < size; item++)
            sums[g * size + item] = 0;
        for (uint32_t i = first; i < end; i++) {
            const uint32_t *element = in + (size_t)i * DWORDS;

            sums[g * size + (i - first) % size] +=
                (element[0] + element[1] + element[2] + element[3]) * launch->iterations;
        }
    }
}

static enum status bandwidth_verify(struct workspace *workspace, const struct launch *launch,
                                    struct error *error)
{
    const struct configuration *c = &launch->configuration;
    const struct bandwidth *bandwidth = launch->variant->own;
    bool reads = bandwidth->kind == READ;
    const uint32_t *in = workspace->buffers[IN].initial;
    uint32_t count = elements_of(c, bandwidth), dwords = count * DWORDS;
    size_t items = configuration_items(c);
    size_t values = reads ? items : dwords;
    uint32_t *expected = workspace_scratch(workspace, (values + 1) * sizeof(*expected), error);

    if (!expected)
        return STATUS_FAILED;
    if (reads) {
        expect_sums(in, launch, count, expected);
    } else {
        for (uint32_t i = 0; i < dwords; i++)
            expected[i] = written(in, launch, dwords, i);
    }
    return verify_uints(&workspace->buffers[reads ? SUMS : OUT], expected, values, launch, error);
}

static const struct axis axes[] = {
    DEVICE_WIDE_AXES,
    {.name = "working_set",
     .means = "bytes that all work-groups go through together; L stands for the last-level cache",
     .defaults = "L/2",
     .quick = "1M",
     .full = "256K,1M,L,2L,8L",
     .kind = AXIS_COUNT,
     .least = 65536,
     .largest = 1u << 30},
};

/* The first passes only make lines of the caches dirty. */
#define STORES .fewest_iterations = 3, .is_posted = true

static const struct variant variants[] = {
    {.name = "read",
     .own = &(const struct bandwidth){READ, 1, 1},
     .entry_point = "device_bandwidth_read",
     .means = "loads alone",
     .instructions = {"load\\.ugm", "untyped surface read"}},
    {.name = "write",
     .own = &(const struct bandwidth){WRITE, 1, 1},
     .entry_point = "device_bandwidth_write",
     STORES,
     .means = "stores alone",
     .instructions = {"store\\.ugm", "untyped surface write"}},
    {.name = "copy",
     .own = &(const struct bandwidth){COPY, 2, 2},
     .entry_point = "device_bandwidth_copy",
     STORES,
     .means = "a load and a store",
     .instructions = {"store\\.ugm", "untyped surface write"}},
    {.name = "triad",
     .own = &(const struct bandwidth){TRIAD, 4, 3},
     .entry_point = "device_bandwidth_triad",
     STORES,
     .means = "two loads, a multiply-add and a store",
     .instructions = {"store\\.ugm", "untyped surface write"}},
};

/* A set that no cache holds; and one of which the last-level cache holds all, but no first level a
 * work-group's part, so that banks take loads and stores in turn. Other sub-group sizes decide
 * within an Xe-core, where memory_* measures them. Last, what one Xe-core moves alone. */
static const char *const default_points[] = {
    "subgroup_size=16 workgroup_count=T/16 working_set=8L",
    "subgroup_size=16 workgroup_size=32S workgroup_count=C working_set=7L/8",
    "subgroup_size=16 workgroup_size=64S workgroup_count=1 working_set=L/2", NULL};

const struct family family_device_bandwidth = {
    .name = "device_bandwidth",
    .is_held_out = true,
    .measures = "reading, writing, copying and combining by the whole device",
    .unit = "ns/KiB",
    .baseline_unit = "ns/KiB",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .tells_health = true,
    .default_points = default_points,
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = bandwidth_work,
    .arguments = bandwidth_arguments,
    .verify = bandwidth_verify,
};
