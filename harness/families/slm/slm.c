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
#include "families/slm/slm-reference.h"
#include "families/slm/slm-variants.h"

#include "family/common-axes.h"
#include "family/verify.h"

enum { AXIS_STRIDE };

#define WIDEST 4 /* words of an element */

enum { OUT, CONTENTS, WITNESS };

static struct slm_shape shape_of(const struct configuration *c, unsigned width)
{
    return slm_shape_of(c->workgroup_size, c->subgroup_size, c->own[AXIS_STRIDE], width);
}

static size_t slm_bytes(const struct configuration *configuration)
{
    return shape_of(configuration, WIDEST).words * sizeof(uint32_t);
}

static enum status slm_check(const struct device *device, const struct configuration *c,
                             const struct variant *variant, struct error *error)
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

static size_t contents_bytes(const struct configuration *c)
{
    return slm_bytes(c) * c->workgroup_count;
}

static const struct buffer_plan buffers[] = {
    [OUT] = {"out", BUFFER_OUTPUT},
    [CONTENTS] = {"contents", BUFFER_OUTPUT, .bytes = contents_bytes},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static void slm_arguments(const struct workspace *workspace, const struct launch *launch,
                          struct arguments *arguments)
{
    const struct slm_variant *variant = launch->variant->own;
    struct slm_shape shape = shape_of(&launch->configuration, variant->width);

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
    const struct slm_variant *variant = launch->variant->own;
    struct slm_shape shape = shape_of(c, variant->width);
    uint32_t *gathered =
        workspace_scratch(workspace, (c->workgroup_size + shape.words) * sizeof(*gathered), error);
    enum status status = gathered ? STATUS_OK : STATUS_FAILED;

    for (unsigned group = 0; status == STATUS_OK && group < c->workgroup_count; group++) {
        struct buffer out = part_of(&workspace->buffers[OUT], c->workgroup_size, group);
        struct buffer contents = part_of(&workspace->buffers[CONTENTS], shape.words, group);
        uint32_t *words = gathered + c->workgroup_size;

        slm_reference(&shape, variant->access, variant->padded, launch->iterations, group,
                      (uint32_t)workspace->seed, words, gathered);
        status = verify_uints(&out, gathered, c->workgroup_size, launch, error);
        if (status == STATUS_OK)
            status = verify_uints(&contents, words, shape.words, launch, error);
    }
    return status;
}

/* A message carries at most 16 lanes. */
static void slm_work(const struct configuration *c, const struct variant *variant,
                     struct work *work)
{
    unsigned moved = ((const struct slm_variant *)variant->own)->moved;
    double items = (double)c->workgroup_size * c->workgroup_count;
    unsigned lanes = c->subgroup_size < 16 ? c->subgroup_size : 16;

    work->units = SLM_ACCESSES;
    if (!moved)
        return;
    work->bytes = items * SLM_ACCESSES * moved * sizeof(uint32_t);
    work->messages = items / lanes * SLM_ACCESSES;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("4S,1024", "4S", "S,4S,16S,32S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
    {.name = "stride",
     .means = "words of 32 bits (x4: of 128) from lane to lane; 0: all lanes the same",
     .defaults = "1,32",
     .quick = "1,32",
     .full = "0,1,2,3,4,8,16,17,32,33,64,128",
     .kind = AXIS_COUNT,
     .least = 0,
     .largest = 128},
};

const struct family family_slm = {
    .name = "slm",
    .measures = "shared local memory: bank conflicts by stride, padding, bandwidth",
    .unit = "ns/access",
    .baseline_unit = "ns/step",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = slm_variants,
    .variant_count = SLM_VARIANTS,
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .argument_slm_bytes = slm_bytes,
    .work = slm_work,
    .check = slm_check,
    .arguments = slm_arguments,
    .verify = slm_verify,
};
