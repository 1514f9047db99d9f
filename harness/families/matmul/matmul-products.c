#include "families/matmul/matmul-products.h"

#include "families/matmul/matmul-reference.h"
#include "families/memory/traffic.h"
#include "family/verify.h"

#define ROWS               4u /* rows of C that a sub-group computes at a time */
#define SUB_GROUPS_MAX     8u /* for which the tiles in shared local memory have room */
#define LARGEST            8  /* greatest element of a matrix of floats or ints */
#define LARGEST_HALF       1
#define MOST_ELEMENT_BYTES 8u    /* a double */
#define HALF_TERMS         2048u /* most products of -1, 0 and 1 with an exact sum */

/* The family's own axes. */
enum { AXIS_M, AXIS_N, AXIS_K };

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

enum status matmul_check(const struct configuration *configuration, const struct variant *variant,
                         struct error *error)
{
    const struct matmul_variant *product = variant->own;
    const unsigned *own = configuration->own;
    unsigned lanes = configuration->subgroup_size;
    unsigned tile_rows = sub_groups(configuration) * ROWS;
    bool in_slm = product->method == MATMUL_SLM || product->method == MATMUL_WORK_GROUP;

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
    if (product->type == MATMUL_HALF && own[AXIS_K] > HALF_TERMS)
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

/* Element `i` of a matrix. */
static void put(enum matmul_type type, void *elements, size_t i, int32_t value)
{
    if (type == MATMUL_HALF)
        ((uint16_t *)elements)[i] = matmul_half(value);
    else if (type == MATMUL_DOUBLE)
        ((double *)elements)[i] = (double)value;
    else
        ((uint32_t *)elements)[i] = type == MATMUL_FLOAT ? float_bits(value) : (uint32_t)value;
}

static int32_t get(enum matmul_type type, const void *elements, size_t i)
{
    switch (type) {
    case MATMUL_HALF: /* of those that a matrix has */
        return (((const uint16_t *)elements)[i] == matmul_half(1)) -
               (((const uint16_t *)elements)[i] == matmul_half(-1));
    case MATMUL_DOUBLE:
        return (int32_t)((const double *)elements)[i];
    case MATMUL_FLOAT:
        return (int32_t)((const float *)elements)[i];
    default:
        return ((const int32_t *)elements)[i];
    }
}

static void fill(struct workspace *workspace, struct buffer *buffer, enum matmul_type type)
{
    int32_t largest = type == MATMUL_HALF ? LARGEST_HALF : LARGEST;

    for (size_t i = 0; i < buffer->bytes / element_bytes(type); i++)
        put(type, buffer->initial, i,
            (int32_t)prng_below(&workspace->prng, 2 * (uint32_t)largest + 1) - largest);
}

#define FILL(name, type)                                                                           \
    void matmul_fill_##name(struct workspace *workspace,                                           \
                            const struct configuration *configuration, struct buffer *buffer)      \
    {                                                                                              \
        (void)configuration;                                                                       \
        fill(workspace, buffer, type);                                                             \
    }

FILL(floats, MATMUL_FLOAT)
FILL(halves, MATMUL_HALF)
FILL(ints, MATMUL_INT)
FILL(doubles, MATMUL_DOUBLE)

#define BYTES(matrix, rows, columns, element)                                                      \
    size_t matmul_##matrix##_##element(const struct configuration *configuration)                  \
    {                                                                                              \
        return (size_t)configuration->own[rows] * configuration->own[columns] * (element);         \
    }

BYTES(a, AXIS_M, AXIS_K, 2)
BYTES(a, AXIS_M, AXIS_K, 4)
BYTES(a, AXIS_M, AXIS_K, 8)
BYTES(b, AXIS_K, AXIS_N, 2)
BYTES(b, AXIS_K, AXIS_N, 4)
BYTES(b, AXIS_K, AXIS_N, 8)
BYTES(c, AXIS_M, AXIS_N, 4)
BYTES(c, AXIS_M, AXIS_N, 8)

void matmul_arguments(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *arguments)
{
    const struct matmul_variant *product = launch->variant->own;
    const unsigned *own = launch->configuration.own;

    argument_buffer(arguments, workspace, product->a);
    argument_buffer(arguments, workspace, product->a + 1);
    argument_buffer(arguments, workspace, product->c);
    argument_buffer(arguments, workspace, product->c + 1);
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, own[AXIS_M]);
    argument_uint(arguments, own[AXIS_N]);
    argument_uint(arguments, own[AXIS_K]);
    argument_uint(arguments, 0);
}

/* Computes the product of two matrices of a type; `numbers` is room for all three of them. */
static void multiply(enum matmul_type type, const unsigned *own, const void *a, const void *b,
                     void *c, int32_t *numbers)
{
    size_t m = own[AXIS_M], n = own[AXIS_N], k = own[AXIS_K];
    int32_t *of_b = numbers + m * k, *of_c = of_b + k * n;

    for (size_t i = 0; i < m * k; i++)
        numbers[i] = get(type, a, i);
    for (size_t i = 0; i < k * n; i++)
        of_b[i] = get(type, b, i);
    matmul_reference(numbers, of_b, of_c, m, n, k);
    for (size_t i = 0; i < m * n; i++)
        put(type, c, i, of_c[i]);
}

/* Compares two halves at a time; n is a multiple of 8. */
enum status matmul_verify(struct workspace *workspace, const struct launch *launch,
                          struct error *error)
{
    const struct matmul_variant *product = launch->variant->own;
    const unsigned *own = launch->configuration.own;
    const struct buffer *a = &workspace->buffers[product->a];
    size_t m = own[AXIS_M], n = own[AXIS_N], k = own[AXIS_K];
    int32_t *numbers =
        workspace_scratch(workspace, (m * k + k * n + m * n) * sizeof(*numbers), error);
    bool is_new;

    if (!numbers)
        return STATUS_FAILED;
    void *expected = workspace_keep(workspace, &product->type, sizeof(product->type),
                                    m * n * MOST_ELEMENT_BYTES, &is_new, error);
    if (!expected)
        return STATUS_FAILED;
    if (is_new)
        multiply(product->type, own, a[0].initial, a[1].initial, expected, numbers);
    return verify_uints(&workspace->buffers[product->c], expected,
                        m * n * element_bytes(product->type) / sizeof(uint32_t), launch, error);
}

/* A piece is as many elements of a row as a sub-group has lanes. Block messages move up to 64
 * bytes, so at the sizes that support them each piece takes one. */
void matmul_work(const struct configuration *configuration, const struct variant *variant,
                 struct work *work)
{
    const struct matmul_variant *product = variant->own;
    unsigned lanes = configuration->subgroup_size;
    unsigned bytes = (unsigned)element_bytes(product->type);
    double m = configuration->own[AXIS_M];
    double k = configuration->own[AXIS_K];
    double columns = configuration->own[AXIS_N] / lanes;             /* of tiles */
    double steps = k / lanes;                                        /* through A and B, per tile */
    double tiles = m / (ROWS * sub_groups(configuration)) * columns; /* of work-groups */
    struct access piece = access_row(lanes, bytes, 0);
    struct access element = access_column(lanes, bytes, 0); /* one element for all lanes */

    work->flops = 2 * m * k * configuration->own[AXIS_N];
    work_add_access(work, &piece, m * columns); /* C */
    switch (product->method) {
    case MATMUL_NAIVE:
        work_add_access(work, &element, m * columns * k);
        work_add_access(work, &piece, m * columns * k);
        break;
    case MATMUL_SLM:
    case MATMUL_WORK_GROUP:
        work_add_access(work, &piece, m * columns * steps + tiles * k);
        work->barriers = tiles * (product->method == MATMUL_SLM ? 2 * steps : 2 * steps + 2);
        break;
    default:
        work_add_access(work, &piece, m * columns * steps + m / ROWS * columns * k);
        work->exchanges = m * columns * k;
    }
}
