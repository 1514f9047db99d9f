#include "families/matmul-products.h"

#include "families/matmul-reference.h"
#include "families/traffic.h"
#include "measure/verify.h"

#include <stdlib.h>

#define ROWS           4u /* rows of C that a sub-group computes at a time */
#define SUB_GROUPS_MAX 8u /* for which the tiles in shared local memory have room */
#define LARGEST        8  /* greatest element of a matrix of floats or ints */
#define LARGEST_HALF   1
#define HALF_TERMS     2048u /* most products of -1, 0 and 1 with an exact sum */

/* The family's own axes. */
enum { AXIS_M, AXIS_N, AXIS_K };

/* Buffers: for each type a matrix A and a matrix B, then C and the witness. */
static size_t c_buffer(const struct matmul_types *types)
{
    return 2 * types->count;
}

/* The expected C. */
struct products {
    uint32_t *bits[MATMUL_TYPES_MAX]; /* of each type [m * n] elements, owned */
};

static enum matmul_type type_of(const struct matmul_types *types, size_t variant)
{
    return types->type[variant / MATMUL_METHODS];
}

static enum matmul_method method_of(size_t variant)
{
    return (enum matmul_method)(variant % MATMUL_METHODS);
}

static size_t element_bytes(enum matmul_type type)
{
    return type == MATMUL_DOUBLE ? sizeof(double)
           : type == MATMUL_HALF ? sizeof(uint16_t)
                                 : sizeof(uint32_t);
}

static unsigned sub_groups(const struct configuration *configuration)
{
    return configuration->workgroup_size / configuration->subgroup_size;
}

enum status matmul_check(const struct matmul_types *types,
                         const struct configuration *configuration, size_t variant,
                         struct error *error)
{
    const unsigned *own = configuration->own;
    unsigned lanes = configuration->subgroup_size;
    unsigned tile_rows = sub_groups(configuration) * ROWS;
    bool in_slm = method_of(variant) == MATMUL_SLM || method_of(variant) == MATMUL_WORK_GROUP;

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
    if (type_of(types, variant) == MATMUL_HALF && own[AXIS_K] > HALF_TERMS)
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
static void convert(enum matmul_type type, const int32_t *values, size_t count, void *elements)
{
    uint16_t *halves = elements;
    uint32_t *words = elements;
    double *doubles = elements;

    for (size_t i = 0; i < count; i++) {
        if (type == MATMUL_HALF)
            halves[i] = matmul_half(values[i]);
        else if (type == MATMUL_DOUBLE)
            doubles[i] = (double)values[i];
        else
            words[i] = type == MATMUL_FLOAT ? float_bits(values[i]) : (uint32_t)values[i];
    }
}

/* Adds the next matrix of a type; `values` receives its elements. */
static enum status add_matrix(struct workspace *workspace, enum matmul_type type, int32_t *values,
                              size_t count, struct error *error)
{
    int32_t largest = type == MATMUL_HALF ? LARGEST_HALF : LARGEST;
    enum status status = workspace_add(workspace, BUFFER_INPUT, count * element_bytes(type), error);

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        values[i] = (int32_t)prng_below(&workspace->prng, 2 * (uint32_t)largest + 1) - largest;
    convert(type, values, count, workspace->buffers[workspace->buffer_count - 1].initial);
    return STATUS_OK;
}

static enum status add_matrices(struct workspace *workspace, const unsigned *own,
                                enum matmul_type type, uint32_t **bits, struct error *error)
{
    size_t m = own[AXIS_M], n = own[AXIS_N], k = own[AXIS_K];
    int32_t *a = malloc(m * k * sizeof(*a));
    int32_t *b = malloc(k * n * sizeof(*b));
    int32_t *c = malloc(m * n * sizeof(*c));
    enum status status = STATUS_OK;

    *bits = malloc(m * n * element_bytes(type));
    if (!a || !b || !c || !*bits)
        status = error_set(error, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK)
        status = add_matrix(workspace, type, a, m * k, error);
    if (status == STATUS_OK)
        status = add_matrix(workspace, type, b, k * n, error);
    if (status == STATUS_OK) {
        matmul_reference(a, b, c, m, n, k);
        if (type != MATMUL_HALF || k <= HALF_TERMS)
            convert(type, c, m * n, *bits);
    }
    free(c);
    free(b);
    free(a);
    return status;
}

enum status matmul_setup(const struct matmul_types *types, struct workspace *workspace,
                         const struct configuration *configuration, struct error *error)
{
    size_t elements = (size_t)configuration->own[AXIS_M] * configuration->own[AXIS_N];
    size_t items = configuration_items(configuration), widest = 0;
    enum status status = STATUS_OK;

    workspace->own = calloc(1, sizeof(struct products));
    if (!workspace->own)
        return error_set(error, STATUS_FAILED, "out of memory");
    struct products *products = workspace->own;
    for (size_t i = 0; status == STATUS_OK && i < types->count; i++) {
        if (element_bytes(types->type[i]) > widest)
            widest = element_bytes(types->type[i]);
        status =
            add_matrices(workspace, configuration->own, types->type[i], &products->bits[i], error);
    }
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, elements * widest, error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items * sizeof(uint32_t), error);
    return status;
}

void matmul_teardown(void *own)
{
    struct products *products = own;

    for (size_t i = 0; i < MATMUL_TYPES_MAX; i++)
        free(products->bits[i]);
    free(products);
}

void matmul_arguments(const struct matmul_types *types, const struct workspace *workspace,
                      const struct launch *launch, struct arguments *arguments)
{
    const unsigned *own = launch->configuration.own;
    size_t a = 2 * (launch->variant / MATMUL_METHODS);

    argument_buffer(arguments, workspace, a);
    argument_buffer(arguments, workspace, a + 1);
    argument_buffer(arguments, workspace, c_buffer(types));
    argument_buffer(arguments, workspace, c_buffer(types) + 1);
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, own[AXIS_M]);
    argument_uint(arguments, own[AXIS_N]);
    argument_uint(arguments, own[AXIS_K]);
    argument_uint(arguments, 0);
}

/* Compares two halves at a time; n is a multiple of 8. */
enum status matmul_verify(const struct matmul_types *types, struct workspace *workspace,
                          const struct launch *launch, struct error *error)
{
    const struct products *products = workspace->own;
    const unsigned *own = launch->configuration.own;
    enum matmul_type type = type_of(types, launch->variant);
    size_t words = (size_t)own[AXIS_M] * own[AXIS_N] * element_bytes(type) / sizeof(uint32_t);
    enum status status =
        verify_uints(&workspace->buffers[c_buffer(types)], "c",
                     products->bits[launch->variant / MATMUL_METHODS], words, launch, error);

    return status == STATUS_OK
               ? verify_subgroup_sizes(&workspace->buffers[c_buffer(types) + 1], launch, error)
               : status;
}

/* A piece is as many elements of a row as a sub-group has lanes. Block messages move up to 64
 * bytes, so at the sizes that support them each piece takes one. */
void matmul_work(const struct matmul_types *types, const struct configuration *configuration,
                 size_t variant, struct work *work)
{
    unsigned lanes = configuration->subgroup_size;
    unsigned bytes = (unsigned)element_bytes(type_of(types, variant));
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
    case MATMUL_NAIVE:
        work_add_access(work, &element, m * columns * k);
        work_add_access(work, &piece, m * columns * k);
        break;
    case MATMUL_SLM:
    case MATMUL_WORK_GROUP:
        work_add_access(work, &piece, m * columns * steps + tiles * k);
        work->barriers = tiles * (method_of(variant) == MATMUL_SLM ? 2 * steps : 2 * steps + 2);
        break;
    default:
        work_add_access(work, &piece, m * columns * steps + m / ROWS * columns * k);
        work->exchanges = m * columns * k;
    }
}
