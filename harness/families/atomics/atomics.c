/* Family `atomics`: the cost of atomic operations on global and local memory, by how many
 * work-items share a cell and how far cells lie apart.
 * Alone: vebench run atomics --axis sharers=1,S,64K
 *
 * Every work-item makes four operations per iteration on its cell. `add` returns nothing: the value
 * is the time of one operation by all work-items, issued as fast as possible. `fetch` returns the
 * old value, which the next operation needs: a latency. `exchange` is compare and exchange, where
 * each try uses what the one before returned; under contention tries fail. `ordered` is
 * memory_order_acq_rel: the compiler puts a fence before and one after. The column gflop_per_s
 * counts atomic operations.
 *
 * Not every device has all of these as instructions. The compiler makes a loop of compare and
 * exchange for float additions in local memory, on Gen12LP also in global memory, and takes a lock
 * for 64-bit operations in local memory. spirv_kernels/atomics.cl has the details. */
#include "families/atomics/atomics-reference.h"

#include "family/common-axes.h"
#include "family/family.h"

#include <string.h>

enum { AXIS_SHARERS, AXIS_SPACING };

enum { CELLS, SUMS, WITNESS };

/* 2^shift work-items share a cell; where cells are local, no more than a work-group has. */
static unsigned shift_of(const struct configuration *c, bool local)
{
    unsigned shift = 0;

    while (1u << shift < c->own[AXIS_SHARERS] && (!local || 1u << shift < c->workgroup_size))
        shift++;
    return shift;
}

/* Elements that the cells of `items` work-items span, including the gaps. */
static size_t elements(const struct configuration *c, size_t items, unsigned shift)
{
    return (((items - 1) >> shift) + 1) * c->own[AXIS_SPACING];
}

static size_t atomics_slm_bytes(const struct configuration *c)
{
    return elements(c, c->workgroup_size, shift_of(c, true)) * sizeof(uint64_t);
}

static bool has_float_add(const struct device *device, bool local)
{
    return device->float_atomics & (local ? ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_ADD
                                          : ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD);
}

/* Refuses several sub-groups running the same loop on one cell: they may or may not block each
 * other, so that two in step take double or half the time, by chance, for a whole launch. */
static enum status atomics_check(const struct device *device, const struct configuration *c,
                                 const struct variant *variant, struct error *error)
{
    const struct atomic_variant *atomic = variant->own;
    bool local = atomic->local, one_subgroup = c->workgroup_size == c->subgroup_size;

    if (c->workgroup_size < c->subgroup_size)
        return error_set(error, STATUS_EXCLUDED,
                         "a work-group of %u does not fill a sub-group of "
                         "%u",
                         c->workgroup_size, c->subgroup_size);
    if (local && atomic->bits == 64 && !one_subgroup)
        return error_set(
            error, STATUS_UNSUPPORTED,
            "64-bit atomics in local memory compile to a lock, whose time is random if several "
            "sub-groups contend for it; take work-groups of one sub-group");
    if (atomic->kind == ATOMIC_FLOAT && !has_float_add(device, local) &&
        1u << shift_of(c, local) > c->subgroup_size)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the device has no atomic float addition in this memory, and the time of "
                         "the compiler's loop is random if several sub-groups share a cell");
    return STATUS_OK;
}

/* Words that are whole numbers as floats; as integers any value will do. */
static void fill_cells(struct workspace *workspace, const struct configuration *configuration,
                       struct buffer *cells)
{
    uint32_t *words = cells->initial;

    (void)configuration;
    for (size_t i = 0; i < cells->bytes / sizeof(*words); i++) {
        float value = 1000.0f + (float)prng_below(&workspace->prng, 1000);

        memcpy(&words[i], &value, sizeof(value));
    }
}

static size_t cell_bytes(const struct configuration *c)
{
    return elements(c, configuration_items(c), shift_of(c, true)) * sizeof(uint64_t);
}

static size_t sum_bytes(const struct configuration *c)
{
    return configuration_items(c) * 2 * sizeof(uint64_t);
}

static const struct buffer_plan buffers[] = {
    [CELLS] = {"cells", BUFFER_IN_OUT, cell_bytes, fill_cells},
    [SUMS] = {"sums", BUFFER_OUTPUT, sum_bytes},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static uint32_t step_of(const struct workspace *workspace)
{
    return (uint32_t)workspace->seed | 1;
}

static void atomics_arguments(const struct workspace *workspace, const struct launch *launch,
                              struct arguments *arguments)
{
    const struct configuration *c = &launch->configuration;
    const struct atomic_variant *atomic = launch->variant->own;

    argument_local(arguments, atomics_slm_bytes(c));
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, shift_of(c, atomic->local));
    argument_uint(arguments, c->own[AXIS_SPACING]);
    argument_uint(arguments, step_of(workspace));
    argument_uint(arguments, 0);
}

static uint64_t element(const void *elements_, size_t index, unsigned bits)
{
    return bits == 64 ? ((const uint64_t *)elements_)[index] : ((const uint32_t *)elements_)[index];
}

/* Checks the cell of work-items `first` to `last`: their sums, and its contents. */
static enum status verify_cell(const struct workspace *workspace, const struct launch *launch,
                               size_t index, size_t first, size_t last, struct error *error)
{
    const struct buffer *cells = &workspace->buffers[CELLS];
    const uint64_t *sums = workspace->buffers[SUMS].result;
    const struct atomic_variant *atomic = launch->variant->own;
    unsigned bits = atomic->bits;
    struct atomic_cell cell = {
        .kind = atomic->kind,
        .bits = bits,
        .initial = element(cells->initial, index, bits),
        .step = step_of(workspace),
        .sharers = (uint32_t)(last - first + 1),
        .iterations = launch->iterations,
    };
    uint64_t total = 0;

    for (size_t i = first; i <= last; i++)
        total += sums[2 * i];
    if (!atomics_total_is_right(&cell, total))
        return error_set(error, STATUS_FAILED,
                         "wrong result after %u iterations: the values that work-items %zu to %zu "
                         "got cannot add up to 0x%llx",
                         (unsigned)launch->iterations, first, last, (unsigned long long)total);
    uint64_t expected = atomics_final(&cell, total);
    if (element(cells->result, index, bits) != expected)
        return error_set(error, STATUS_FAILED,
                         "wrong result after %u iterations: cell %zu is 0x%llx, the host computes "
                         "0x%llx",
                         (unsigned)launch->iterations, index,
                         (unsigned long long)element(cells->result, index, bits),
                         (unsigned long long)expected);
    return STATUS_OK;
}

/* Everything outside the cells has to be unchanged. */
static enum status verify_between(const struct workspace *workspace, const struct launch *launch,
                                  size_t count, struct error *error)
{
    const struct buffer *cells = &workspace->buffers[CELLS];
    const struct atomic_variant *atomic = launch->variant->own;
    unsigned bits = atomic->bits;

    for (size_t i = 0; i < cells->bytes * 8 / bits; i++) {
        bool is_cell = i < count && i % launch->configuration.own[AXIS_SPACING] == 0;

        if (!is_cell && element(cells->result, i, bits) != element(cells->initial, i, bits))
            return error_set(error, STATUS_FAILED,
                             "after %u iterations element %zu has changed, which is not a cell",
                             (unsigned)launch->iterations, i);
    }
    return STATUS_OK;
}

static enum status atomics_verify(struct workspace *workspace, const struct launch *launch,
                                  struct error *error)
{
    const struct configuration *c = &launch->configuration;
    const struct atomic_variant *atomic = launch->variant->own;
    unsigned shift = shift_of(c, atomic->local);
    uint32_t loop = atomics_loop(step_of(workspace), launch->iterations);
    const uint64_t *sums = workspace->buffers[SUMS].result;
    size_t items = configuration_items(c), sharers = (size_t)1 << shift;
    enum status status = verify_between(workspace, launch, elements(c, items, shift), error);

    for (size_t first = 0; status == STATUS_OK && first < items; first += sharers) {
        size_t last = first + sharers < items ? first + sharers - 1 : items - 1;

        status = verify_cell(workspace, launch, (first >> shift) * c->own[AXIS_SPACING], first,
                             last, error);
    }
    for (size_t i = 0; status == STATUS_OK && i < items; i++) {
        if (sums[2 * i + 1] != loop)
            status = error_set(error, STATUS_FAILED,
                               "wrong result after %u iterations: the loop of work-item %zu",
                               (unsigned)launch->iterations, i);
    }
    return status;
}

/* Leaves out messages and lines, because the lanes per message depend on the device: 16, but 8 for
 * global memory on Gen12LP. */
static void atomics_work(const struct configuration *c, const struct variant *variant,
                         struct work *work)
{
    const struct atomic_variant *atomic = variant->own;
    double count = (double)configuration_items(c) * ATOMICS_STEPS;

    work->units = ATOMICS_STEPS;
    if (atomic->kind == ATOMIC_LOOP || atomic->kind == ATOMIC_CHAIN)
        return;
    work->bytes = count * atomic->bits / 8;
    work->flops = count;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("2S", NULL, "S,2S,4S,16S,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
    {.name = "sharers",
     .means = "work-items that share a cell; in local memory at most those of a work-group",
     .defaults = "1,64K",
     .full = "1,2,4,8,S,64K",
     .kind = AXIS_POWER_OF_TWO,
     .least = 1,
     .largest = 65536},
    {.name = "spacing",
     .means = "elements (of 32 or 64 bits) from cell to cell",
     .defaults = "1",
     .full = "1,16",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 64},
};

/* The same work at each sub-group size. */
static const char *const points[] = {"subgroup_size=8 workgroup_size=512",
                                     "subgroup_size=16 workgroup_size=512",
                                     "subgroup_size=32 workgroup_size=512", NULL};

/* Xe-cores that have enough to do, the same work at each sub-group size, and the whole device. */
static const char *const default_points[] = {
    "subgroup_size=8 workgroup_size=1024", "subgroup_size=16 workgroup_size=1024",
    "subgroup_size=32 workgroup_size=1024", "subgroup_size=16 workgroup_size=256 workgroup_count=C",
    NULL};

const struct family family_atomics = {
    .name = "atomics",
    .measures = "atomic operations on global and local memory, by contention",
    .unit = "ns/atomic",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .points = points,
    .default_points = default_points,
    .variants = atomics_variants,
    .variant_count = ATOMICS_VARIANTS,
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .argument_slm_bytes = atomics_slm_bytes,
    .work = atomics_work,
    .check = atomics_check,
    .arguments = atomics_arguments,
    .verify = atomics_verify,
};
