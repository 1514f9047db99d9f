/* Family `matmul`: the product of an m x k and a k x n matrix, by how a work-item gets its
 * elements: from global memory, through shared local memory, or by broadcasts in the sub-group.
 * Alone: vebench run matmul --axis subgroup_size=16 --axis m=64 --axis n=128 --axis k=32
 *
 * One iteration is one product by the whole launch. No variant has a baseline: the value is the
 * time of a product, and GFLOP/s follows from it (a multiplication and an addition for each of the
 * m n k steps, for ints as well). Bytes, messages and lines are those of global memory.
 *
 * The elements are small whole numbers, so that any order of summation gives the same sum in all
 * three types, and every element of C is compared exactly. */
#include "families/matmul-reference.h"

#include "families/traffic.h"
#include "measure/common-axes.h"
#include "measure/verify.h"

#include <stdlib.h>

#define ROWS           4u /* rows of C that a sub-group computes at a time */
#define SUB_GROUPS_MAX 8u /* for which the tiles in shared local memory have room */
#define LARGEST        8  /* greatest element of a matrix of floats or ints */
#define LARGEST_HALF   1
#define HALF_TERMS     2048u /* most products of -1, 0 and 1 with an exact sum */

/* The family's own axes. */
enum { AXIS_M, AXIS_N, AXIS_K };

enum element_type { FLOAT, HALF, INT, TYPES };
enum method_of { NAIVE, SLM, WORK_GROUP, BROADCAST, BROADCAST_BLOCK, METHODS };

/* Buffers: for each type a matrix A and a matrix B, then these. */
enum { C = 2 * TYPES, WITNESS };

/* The expected C. */
struct products {
    uint32_t *bits[TYPES]; /* [m * n] elements each, owned */
};

static enum element_type type_of(size_t variant)
{
    return (enum element_type)(variant / METHODS);
}

static enum method_of method_of(size_t variant)
{
    return (enum method_of)(variant % METHODS);
}

static size_t element_bytes(enum element_type type)
{
    return type == HALF ? sizeof(uint16_t) : sizeof(uint32_t);
}

static unsigned sub_groups(const struct configuration *configuration)
{
    return configuration->workgroup_size / configuration->subgroup_size;
}

static enum status matmul_check(const struct device *device,
                                const struct configuration *configuration, size_t variant,
                                struct error *error)
{
    const unsigned *own = configuration->own;
    unsigned lanes = configuration->subgroup_size;
    unsigned tile_rows = sub_groups(configuration) * ROWS;
    bool in_slm = method_of(variant) == SLM || method_of(variant) == WORK_GROUP;

    (void)device;
    if (configuration->workgroup_size < lanes)
        return error_set(error, STATUS_EXCLUDED, "tiles are for whole sub-groups");
    if (own[AXIS_M] % tile_rows || own[AXIS_N] % lanes || own[AXIS_K] % lanes)
        return error_set(error, STATUS_EXCLUDED,
                         "tiles have %u rows of C, and %u columns of A, B and C, which do not "
                         "divide %ux%ux%u",
                         tile_rows, lanes, own[AXIS_M], own[AXIS_N], own[AXIS_K]);
    if (configuration->workgroup_count > own[AXIS_M] / tile_rows)
        return error_set(error, STATUS_EXCLUDED,
                         "there are more work-groups than the %u strips "
                         "of C",
                         own[AXIS_M] / tile_rows);
    if (in_slm && sub_groups(configuration) > SUB_GROUPS_MAX)
        return error_set(error, STATUS_EXCLUDED,
                         "the tiles in shared local memory have room for %u sub-groups",
                         SUB_GROUPS_MAX);
    if (type_of(variant) == HALF && own[AXIS_K] > HALF_TERMS)
        return error_set(error, STATUS_EXCLUDED, "halves do not hold sums of %u terms exactly",
                         own[AXIS_K]);
    return STATUS_OK;
}

static uint32_t float_bits(int32_t value)
{
    union {
        float value;
        uint32_t bits;
    } converted = {.value = (float)value};

    return converted.bits;
}

/* Converts `count` whole numbers to elements of a type. */
static void convert(enum element_type type, const int32_t *values, size_t count, void *elements)
{
    uint16_t *halves = elements;
    uint32_t *words = elements;

    for (size_t i = 0; i < count; i++) {
        if (type == HALF)
            halves[i] = matmul_half(values[i]);
        else
            words[i] = type == FLOAT ? float_bits(values[i]) : (uint32_t)values[i];
    }
}

/* Adds the next matrix of a type; `values` receives its elements. */
static enum status add_matrix(struct workspace *workspace, enum element_type type, int32_t *values,
                              size_t count, struct error *error)
{
    int32_t largest = type == HALF ? LARGEST_HALF : LARGEST;
    enum status status = workspace_add(workspace, BUFFER_INPUT, count * element_bytes(type), error);

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        values[i] = (int32_t)prng_below(&workspace->prng, 2 * (uint32_t)largest + 1) - largest;
    convert(type, values, count, workspace->buffers[workspace->buffer_count - 1].initial);
    return STATUS_OK;
}

static enum status add_matrices(struct workspace *workspace, const unsigned *own,
                                enum element_type type, struct error *error)
{
    size_t m = own[AXIS_M], n = own[AXIS_N], k = own[AXIS_K];
    struct products *products = workspace->own;
    int32_t *a = malloc(m * k * sizeof(*a));
    int32_t *b = malloc(k * n * sizeof(*b));
    int32_t *c = malloc(m * n * sizeof(*c));
    enum status status = STATUS_OK;

    products->bits[type] = malloc(m * n * sizeof(*products->bits[type]));
    if (!a || !b || !c || !products->bits[type])
        status = error_set(error, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK)
        status = add_matrix(workspace, type, a, m * k, error);
    if (status == STATUS_OK)
        status = add_matrix(workspace, type, b, k * n, error);
    if (status == STATUS_OK) {
        matmul_reference(a, b, c, m, n, k);
        if (type != HALF || k <= HALF_TERMS)
            convert(type, c, m * n, products->bits[type]);
    }
    free(c);
    free(b);
    free(a);
    return status;
}

static enum status matmul_setup(struct workspace *workspace,
                                const struct configuration *configuration, struct error *error)
{
    size_t elements = (size_t)configuration->own[AXIS_M] * configuration->own[AXIS_N];
    size_t items = configuration_items(configuration);
    enum status status = STATUS_OK;

    workspace->own = calloc(1, sizeof(struct products));
    if (!workspace->own)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (int type = 0; status == STATUS_OK && type < TYPES; type++)
        status = add_matrices(workspace, configuration->own, (enum element_type)type, error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, elements * sizeof(uint32_t), error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items * sizeof(uint32_t), error);
    return status;
}

static void matmul_teardown(void *own)
{
    struct products *products = own;

    for (size_t type = 0; type < TYPES; type++)
        free(products->bits[type]);
    free(products);
}

static void matmul_arguments(const struct workspace *workspace, const struct launch *launch,
                             struct arguments *arguments)
{
    const unsigned *own = launch->configuration.own;

    argument_buffer(arguments, workspace, 2 * (size_t)type_of(launch->variant));
    argument_buffer(arguments, workspace, 2 * (size_t)type_of(launch->variant) + 1);
    argument_buffer(arguments, workspace, C);
    argument_buffer(arguments, workspace, WITNESS);
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, own[AXIS_M]);
    argument_uint(arguments, own[AXIS_N]);
    argument_uint(arguments, own[AXIS_K]);
    argument_uint(arguments, 0);
}

/* Compares two halves at a time; n is a multiple of 8. */
static enum status matmul_verify(struct workspace *workspace, const struct launch *launch,
                                 struct error *error)
{
    const struct products *products = workspace->own;
    const unsigned *own = launch->configuration.own;
    enum element_type type = type_of(launch->variant);
    size_t words = (size_t)own[AXIS_M] * own[AXIS_N] * element_bytes(type) / sizeof(uint32_t);
    enum status status =
        verify_uints(&workspace->buffers[C], "c", products->bits[type], words, launch, error);

    return status == STATUS_OK ? verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error)
                               : status;
}

/* A piece is as many elements of a row as a sub-group has lanes. Block messages move up to 64
 * bytes, so at the sizes that support them each piece takes one. */
static void matmul_work(const struct configuration *configuration, size_t variant,
                        struct work *work)
{
    unsigned lanes = configuration->subgroup_size;
    unsigned bytes = (unsigned)element_bytes(type_of(variant));
    double m = configuration->own[AXIS_M];
    double k = configuration->own[AXIS_K];
    double columns = configuration->own[AXIS_N] / lanes;             /* of tiles */
    double steps = k / lanes;                                        /* through A and B, per tile */
    double tiles = m / (ROWS * sub_groups(configuration)) * columns; /* of work-groups */
    struct access piece = access_row(lanes, bytes, 0);
    struct access element = access_column(lanes, bytes, 0); /* one element for all lanes */

    work->flops = 2 * m * k * configuration->own[AXIS_N];
    work_add_access(work, &piece, m * columns); /* C */
    switch (method_of(variant)) {
    case NAIVE:
        work_add_access(work, &element, m * columns * k);
        work_add_access(work, &piece, m * columns * k);
        break;
    case SLM:
    case WORK_GROUP:
        work_add_access(work, &piece, m * columns * steps + tiles * k);
        work->barriers = tiles * (method_of(variant) == SLM ? 2 * steps : 2 * steps + 2);
        break;
    default:
        work_add_access(work, &piece, m * columns * steps + m / ROWS * columns * k);
        work->exchanges = m * columns * k;
    }
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("2S", NULL, "2S,8S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
    {.name = "m",
     .means = "rows of A and C",
     .defaults = "16",
     .quick = "8",
     .full = "64,256",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 8192},
    {.name = "n",
     .means = "columns of B and C",
     .defaults = "32",
     .full = "64,256",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 8192},
    {.name = "k",
     .means = "columns of A and rows of B",
     .defaults = "32,64",
     .quick = "32",
     .full = "32,256",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 8192},
};

#define NO_BLOCKS_OF_32 "Block reads not supported in SIMD32"

/* All methods for one type. `broadcast_*`: the pattern of a multiplication with one element for all
 * lanes. */
#define VARIANTS(type, name_of_type, broadcast_xe_hpg, broadcast_gen12lp)                          \
    [(type)*METHODS +                                                                              \
        NAIVE] = {.name = "naive_" name_of_type,                                                   \
                  .entry_point = "matmul_naive_" name_of_type,                                     \
                  .means = "loads from global memory, element by element",                         \
                  .instructions = {"load[.]ugm[.]d(32|16u32)[.]a32",                               \
                                   "0x[0-9A-F]+0[01] .*(untyped|byte gath)"}},                     \
        [(type)*METHODS + SLM] = {.name = "slm_" name_of_type,                                     \
                                  .entry_point = "matmul_slm_" name_of_type,                       \
                                  .means = "tiles in shared local memory, sums in registers",      \
                                  .instructions = {"load[.]slm", "0x[0-9A-F]+FE .*(read|write)"}}, \
        [(type)*METHODS +                                                                          \
            WORK_GROUP] = {.name = "work_group_" name_of_type,                                     \
                           .entry_point = "matmul_work_group_" name_of_type,                       \
                           .means = "loops of the work-group around phases of its "                \
                                    "work-items, sums in shared local memory",                     \
                           .instructions = {"load[.]slm", "0x[0-9A-F]+FE .*(read|write)"}},        \
        [(type)*METHODS + BROADCAST] = {.name = "broadcast_" name_of_type,                         \
                                        .entry_point = "matmul_broadcast_" name_of_type,           \
                                        .means = "elements of A broadcast in the sub-group",       \
                                        .instructions = {broadcast_xe_hpg, broadcast_gen12lp}},    \
        [(type)*METHODS + BROADCAST_BLOCK] = {                                                     \
            .name = "broadcast_block_" name_of_type,                                               \
            .entry_point = "matmul_broadcast_block_" name_of_type,                                 \
            .means = "the same, with block reads and writes",                                      \
            .instructions = {"load[.]ugm[.]d32x[0-9]+t", "oword aligned block read"},              \
            .sizes = SIZE_8 | SIZE_16,                                                             \
            .no_size = NO_BLOCKS_OF_32}

static const struct variant variants[] = {
    VARIANTS(FLOAT, "float", "mad .*<0>:f", "mad .*<0;0>:f|mad .*<0>:f"),
    VARIANTS(HALF, "half", "mad .*<0>:hf", "mad .*<0;0>:hf|mad .*<0>:hf"),
    VARIANTS(INT, "int", "mach [(](8|16)[|].*<0;1,0>:d", "mach [(](8|16)[|].*<0;1,0>:d"),
};

const struct family family_matmul = {
    .name = "matmul",
    .measures = "a product of matrices, by where its elements come from",
    .unit = "ns/product",
    .baseline_unit = "ns/product",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .ways = "naive slm work_group broadcast broadcast_block",
    .work = matmul_work,
    .check = matmul_check,
    .setup = matmul_setup,
    .arguments = matmul_arguments,
    .verify = matmul_verify,
    .teardown = matmul_teardown,
};
