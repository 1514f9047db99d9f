/* Family `slm`: the cost of accesses to shared local memory by the distance between the lanes'
 * words, with and without padding, and the resulting bandwidth.
 * Alone: vebench run slm --axis stride=1,2,4,8,16,32,33
 *
 * Every sub-group makes eight independent accesses per iteration. Shared local memory consists of
 * banks one 32-bit word wide; lanes whose words are in the same bank take turns, unless it is the
 * same word. The value is the time that one access adds to its sub-group's loop of address
 * arithmetic, while all other sub-groups of the launch do the same. It exceeds the baseline only
 * where the loop is limited by shared local memory and not by the arithmetic: with one sub-group
 * for strides with many conflicts, with a work-group that fills an Xe-core for all strides. The
 * column gb_per_s is computed from the whole loop. spirv_kernels/slm.cl has the details. */
#include "families/slm-reference.h"

#include "measure/common-axes.h"
#include "measure/verify.h"

#include <stdlib.h>

enum { AXIS_STRIDE };

enum { OUT, CONTENTS, WITNESS };

/* In the order of the variants below. */
static const struct {
    enum slm_access access;
    bool padded;
    unsigned words; /* that an access moves per work-item */
} accesses[] = {
    {SLM_ADDRESSES, false, 0},  {SLM_LOAD, false, 1},         {SLM_STORE, false, 1},
    {SLM_ATOMIC_ADD, false, 1}, {SLM_ADDRESSES, true, 0},     {SLM_LOAD, true, 1},
    {SLM_STORE, true, 1},       {SLM_ADDRESSES_X4, false, 0}, {SLM_LOAD_X4, false, 4},
};

static struct slm_shape shape_of(const struct configuration *c, enum slm_access access)
{
    uint32_t element_words = access == SLM_LOAD_X4 || access == SLM_ADDRESSES_X4 ? 4 : 1;

    return slm_shape_of(c->workgroup_size, c->subgroup_size, c->own[AXIS_STRIDE], element_words);
}

static size_t slm_bytes(const struct configuration *configuration)
{
    return shape_of(configuration, SLM_LOAD_X4).words * sizeof(uint32_t); /* the largest */
}

static enum status slm_check(const struct device *device, const struct configuration *c,
                             size_t variant, struct error *error)
{
    (void)device;
    (void)variant;
    if (c->workgroup_size < c->subgroup_size)
        return error_set(error, STATUS_EXCLUDED,
                         "a work-group of %u does not fill a sub-group of "
                         "%u",
                         c->workgroup_size, c->subgroup_size);
    return STATUS_OK;
}

/* The expected results of one work-group. */
struct expected {
    uint32_t *contents; /* [shape.words], owned */
    uint32_t *gathered; /* one per work-item, owned */
};

static void slm_teardown(void *own)
{
    struct expected *expected = own;

    free(expected->contents);
    free(expected->gathered);
    free(expected);
}

static enum status slm_setup(struct workspace *workspace, const struct configuration *c,
                             struct error *error)
{
    size_t items = configuration_items(c) * sizeof(uint32_t);
    struct expected *expected = calloc(1, sizeof(*expected));

    if (!expected)
        return error_set(error, STATUS_FAILED, "out of memory");
    workspace->own = expected;
    expected->contents = malloc(slm_bytes(c));
    expected->gathered = malloc(c->workgroup_size * sizeof(*expected->gathered));
    if (!expected->contents || !expected->gathered)
        return error_set(error, STATUS_FAILED, "out of memory");
    enum status status = workspace_add(workspace, BUFFER_OUTPUT, items, error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, slm_bytes(c) * c->workgroup_count, error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items, error);
    return status;
}

static void slm_arguments(const struct workspace *workspace, const struct launch *launch,
                          struct arguments *arguments)
{
    struct slm_shape shape = shape_of(&launch->configuration, accesses[launch->variant].access);

    argument_buffer(arguments, workspace, OUT);
    argument_buffer(arguments, workspace, CONTENTS);
    argument_buffer(arguments, workspace, WITNESS);
    argument_local(arguments, slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, SLM_ROTATIONS - 1);
    argument_uint(arguments, shape.stride);
    argument_uint(arguments, shape.power);
    argument_uint(arguments, shape.log2_span);
    argument_uint(arguments, shape.words);
    argument_uint(arguments, (uint32_t)workspace->seed);
}

/* Part `group` of a buffer. */
static struct buffer part_of(const struct buffer *buffer, size_t words, unsigned group)
{
    struct buffer part = *buffer;

    part.bytes = words * sizeof(uint32_t);
    part.result = (uint32_t *)buffer->result + group * words;
    return part;
}

static enum status slm_verify(struct workspace *workspace, const struct launch *launch,
                              struct error *error)
{
    const struct configuration *c = &launch->configuration;
    const struct expected *expected = workspace->own;
    struct slm_shape shape = shape_of(c, accesses[launch->variant].access);

    for (unsigned group = 0; group < c->workgroup_count; group++) {
        struct buffer out = part_of(&workspace->buffers[OUT], c->workgroup_size, group);
        struct buffer contents = part_of(&workspace->buffers[CONTENTS], shape.words, group);

        slm_reference(&shape, accesses[launch->variant].access, accesses[launch->variant].padded,
                      launch->iterations, group, (uint32_t)workspace->seed, expected->contents,
                      expected->gathered);
        enum status status =
            verify_uints(&out, "out", expected->gathered, c->workgroup_size, launch, error);
        if (status == STATUS_OK)
            status =
                verify_uints(&contents, "contents", expected->contents, shape.words, launch, error);
        if (status != STATUS_OK)
            return status;
    }
    return verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error);
}

/* A message carries at most 16 lanes. */
static void slm_work(const struct configuration *c, size_t variant, struct work *work)
{
    double items = (double)c->workgroup_size * c->workgroup_count;
    unsigned lanes = c->subgroup_size < 16 ? c->subgroup_size : 16;

    work->units = SLM_ACCESSES;
    if (!accesses[variant].words)
        return;
    work->bytes = items * SLM_ACCESSES * accesses[variant].words * sizeof(uint32_t);
    work->messages = items / lanes * SLM_ACCESSES;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("4S", "4S", "S,4S,16S,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
    {.name = "stride",
     .means = "words of 32 bits (x4: of 128) from lane to lane; 0: all lanes the same",
     .defaults = "1,32",
     .quick = "1,32",
     .full = "0,1,2,3,4,8,16,17,32,33,64",
     .kind = AXIS_COUNT,
     .least = 0,
     .largest = 64},
};

/* Filling and reading the whole memory takes as long as several hundred iterations. */
#define FEWEST .fewest_iterations = 300

static const struct variant variants[] = {
    {.name = "addresses",
     .entry_point = "slm_addresses",
     .means = "the loop with addresses alone",
     FEWEST},
    {.name = "load",
     .entry_point = "slm_load",
     .means = "loads of 32 bits",
     FEWEST,
     .baseline = "addresses",
     .instructions = {"load\\.slm", "send"}},
    {.name = "store",
     .entry_point = "slm_store",
     .means = "stores of 32 bits",
     FEWEST,
     .baseline = "addresses",
     .instructions = {"store\\.slm", "send"}},
    {.name = "atomic_add",
     .entry_point = "slm_atomic_add",
     .means = "atomic additions of 32 bits that return nothing; stride 0: all to one word",
     FEWEST,
     .baseline = "addresses",
     .instructions = {"atomic_iadd\\.slm", "send"}},
    {.name = "addresses_padded",
     .entry_point = "slm_addresses_padded",
     .means = "the loop with padded addresses alone",
     FEWEST},
    {.name = "load_padded",
     .entry_point = "slm_load_padded",
     .means = "loads of 32 bits, a word of padding after every 32",
     FEWEST,
     .baseline = "addresses_padded",
     .instructions = {"load\\.slm", "send"}},
    {.name = "store_padded",
     .entry_point = "slm_store_padded",
     .means = "stores of 32 bits, a word of padding after every 32",
     FEWEST,
     .baseline = "addresses_padded",
     .instructions = {"store\\.slm", "send"}},
    {.name = "addresses_x4",
     .entry_point = "slm_addresses_x4",
     .means = "the loop with addresses alone, of four words",
     FEWEST},
    {.name = "load_x4",
     .entry_point = "slm_load_x4",
     .means = "loads of 4 x 32 bits",
     FEWEST,
     .baseline = "addresses_x4",
     .instructions = {"load\\.slm\\.d32x4", "send"}},
};

_Static_assert(sizeof(accesses) / sizeof(accesses[0]) == sizeof(variants) / sizeof(variants[0]),
               "each variant is an access");

const struct family family_slm = {
    .name = "slm",
    .measures = "shared local memory: bank conflicts by stride, padding, bandwidth",
    .unit = "ns/access",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .ways = "padded x4",
    .plain_way = "plain",
    .type = "u32",
    .argument_slm_bytes = slm_bytes,
    .work = slm_work,
    .check = slm_check,
    .setup = slm_setup,
    .arguments = slm_arguments,
    .verify = slm_verify,
    .teardown = slm_teardown,
};
