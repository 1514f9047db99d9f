/* Family `block_2d`: what a rectangle of a matrix costs by messages for 2-D blocks, which Xe2 has,
 * and by plain ones for the same bytes. Alone: vebench run block_2d
 *
 * A sub-group goes through its own part of the matrix, 16 rows of 128 bytes, in tiles of 512 bytes.
 * `pitch` says how far apart the rows are; whatever it is, `load_piece` and `store_piece` take a
 * part's bytes in one piece. 64 sub-groups have 128 KiB together, which the L1 of an Xe-core holds.
 */
#include "family/common-axes.h"
#include "family/family.h"
#include "family/verify.h"

#include <string.h>

enum { IN, OUT, SUMS, WITNESS };
enum { OWN_PITCH };

/* Who gets which dwords of a tile. */
enum layout {
    COLUMNS,    /* a lane a column */
    TRANSPOSED, /* a lane a row */
    TRANSFORMED,
    CACHED_ONLY, /* nobody: a prefetch */
    STORED,
};

struct block_2d {
    enum layout layout;
    unsigned messages;   /* for a tile */
    bool is_half_a_line; /* each row of a tile, of which there are twice as many */
    bool is_prefetched;  /* so that lines are touched twice */
    bool is_one_piece;   /* a part's bytes, whatever the pitch */
};

/* As in the kernels. */
#define LANES        16u
#define PART_BYTES   128u
#define PART_ROWS    16u
#define PART_COLUMNS (PART_BYTES / 4u)
#define PART_DWORDS  (PART_ROWS * PART_COLUMNS)
#define TILES        4u

static size_t parts_of(const struct configuration *configuration)
{
    return configuration_items(configuration) / LANES;
}

static uint32_t rows_of(const struct configuration *configuration)
{
    uint32_t side_by_side = configuration->own[OWN_PITCH] / PART_BYTES;

    return (uint32_t)((parts_of(configuration) + side_by_side - 1) / side_by_side) * PART_ROWS;
}

static size_t dwords_of(const struct configuration *configuration)
{
    return (size_t)rows_of(configuration) * configuration->own[OWN_PITCH] / sizeof(uint32_t);
}

static enum status block_check(const struct device *device,
                               const struct configuration *configuration,
                               const struct variant *variant, struct error *error)
{
    (void)variant;
    if (configuration->subgroup_size != LANES)
        return error_set(error, STATUS_EXCLUDED,
                         "the functions for 2-D blocks are for sub-groups of %u", LANES);
    if (configuration->workgroup_size < LANES)
        return error_set(error, STATUS_EXCLUDED, "tiles are for whole sub-groups");
    if (!device->has_block_2d)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the driver reports no 2-D block messages for this device");
    return STATUS_OK;
}

static void block_work(const struct configuration *configuration, const struct variant *variant,
                       struct work *work)
{
    const struct block_2d *block = variant->own;
    double tiles = (double)parts_of(configuration) * TILES;

    work->bytes = (double)parts_of(configuration) * PART_ROWS * PART_BYTES;
    work->messages = tiles * block->messages;
    work->lines = tiles * (block->is_half_a_line || block->is_prefetched ? 16 : 8);
    work->units = work->bytes / 1024.0;
}

/* The matrix into the last-level cache: a prefetch does not wait for memory. */
static uint32_t block_warming(const struct configuration *configuration,
                              const struct variant *variant)
{
    (void)configuration;
    (void)variant;
    return 1;
}

static size_t matrix_bytes(const struct configuration *configuration)
{
    return dwords_of(configuration) * sizeof(uint32_t);
}

static const struct buffer_plan buffers[] = {
    [IN] = {"in", BUFFER_INPUT, matrix_bytes},
    [OUT] = {"out", BUFFER_IN_OUT, matrix_bytes},
    [SUMS] = {"sums", BUFFER_OUTPUT},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static void block_arguments(const struct workspace *workspace, const struct launch *launch,
                            struct arguments *arguments)
{
    (void)workspace;
    argument_uint(arguments, launch->configuration.own[OWN_PITCH]);
    argument_uint(arguments, rows_of(&launch->configuration));
    argument_uint(arguments, 0);
    argument_uint(arguments, launch->iterations);
}

/* Where an element of a sub-group's part is, in dwords. */
static size_t place_of(const struct launch *launch, size_t part, uint32_t row, uint32_t column)
{
    const struct configuration *c = &launch->configuration;
    const struct block_2d *block = launch->variant->own;
    size_t side_by_side = c->own[OWN_PITCH] / PART_BYTES;
    size_t pitch = c->own[OWN_PITCH] / sizeof(uint32_t);

    if (block->is_one_piece)
        return part * PART_DWORDS + row * PART_COLUMNS + column;
    return (part / side_by_side * PART_ROWS + row) * pitch + part % side_by_side * PART_COLUMNS +
           column;
}

/* Adds a dword to the sums of the lanes that get it. */
static void add_dword(enum layout layout, uint32_t row, uint32_t column, uint32_t dword,
                      uint32_t sums[LANES])
{
    switch (layout) {
    case TRANSPOSED:
        sums[row] += dword;
        break;
    case TRANSFORMED: /* words; those of odd rows are upper halves */
        sums[column * 2 % LANES] += (dword & 0xffff) << row % 2 * 16;
        sums[(column * 2 + 1) % LANES] += (dword >> 16) << row % 2 * 16;
        break;
    case COLUMNS:
        sums[column % LANES] += dword;
        break;
    default:
        break;
    }
}

static void expect_sums(const uint32_t *in, const struct launch *launch, uint32_t *sums)
{
    const struct block_2d *block = launch->variant->own;
    size_t parts = parts_of(&launch->configuration);

    memset(sums, 0, parts * LANES * sizeof(*sums));
    if (block->layout == STORED)
        return;
    for (size_t part = 0; part < parts; part++)
        for (uint32_t row = 0; row < PART_ROWS; row++)
            for (uint32_t column = 0; column < PART_COLUMNS; column++)
                add_dword(block->layout, row, column, in[place_of(launch, part, row, column)],
                          sums + part * LANES);
    for (size_t i = 0; i < parts * LANES; i++)
        sums[i] *= launch->iterations;
}

static void expect_stores(const struct launch *launch, uint32_t *out)
{
    const struct block_2d *block = launch->variant->own;

    if (block->layout != STORED)
        return;
    for (size_t part = 0; part < parts_of(&launch->configuration); part++)
        for (uint32_t row = 0; row < PART_ROWS; row++)
            for (uint32_t column = 0; column < PART_COLUMNS; column++)
                out[place_of(launch, part, row, column)] = (uint32_t)part * PART_DWORDS +
                                                           row * PART_COLUMNS + column +
                                                           launch->iterations - 1;
}

static enum status block_verify(struct workspace *workspace, const struct launch *launch,
                                struct error *error)
{
    const struct buffer *out = &workspace->buffers[OUT];
    size_t items = configuration_items(&launch->configuration);
    size_t dwords = dwords_of(&launch->configuration);
    uint32_t *expected = workspace_scratch(workspace, (dwords + items) * sizeof(*expected), error);

    if (!expected)
        return STATUS_FAILED;
    memcpy(expected, out->initial, dwords * sizeof(*expected));
    expect_stores(launch, expected);
    expect_sums(workspace->buffers[IN].initial, launch, expected + dwords);
    enum status status = verify_uints(out, expected, dwords, launch, error);
    if (status == STATUS_OK)
        status = verify_uints(&workspace->buffers[SUMS], expected + dwords, items, launch, error);
    return status;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS_OF("16", NULL, NULL),
    WORKGROUP_SIZE_AXIS("S,64S", "64S", NULL),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),
    {.name = "pitch",
     .means = "bytes from a row of the matrix to the next",
     .defaults = "128,4096",
     .quick = "4096",
     .full = "128,1024,4096",
     .kind = AXIS_POWER_OF_TWO,
     .least = PART_BYTES,
     .largest = 65536},
};

#define BLOCK_LOAD                                                                                 \
    {                                                                                              \
        "load_block2d", NULL                                                                       \
    }
#define BLOCK_STORE                                                                                \
    {                                                                                              \
        "store_block2d", NULL                                                                      \
    }

static const struct variant variants[] = {
    {.name = "load",
     .own = &(const struct block_2d){COLUMNS, 1},
     .entry_point = "block_2d_load",
     .means = "tiles of 8 rows of 64 bytes, one message each",
     .reference = "load_rows",
     .instructions = BLOCK_LOAD},
    {.name = "load_prefetched",
     .own = &(const struct block_2d){COLUMNS, 2, .is_prefetched = true},
     .entry_point = "block_2d_load_prefetched",
     .means = "the same, all tiles of a part prefetched before",
     .reference = "load_rows",
     .instructions = BLOCK_LOAD},
    {.name = "load_rows",
     .own = &(const struct block_2d){COLUMNS, 8},
     .entry_point = "block_2d_load_rows",
     .means = "the same tiles, a plain block load for each row"},
    {.name = "load_lanes",
     .own = &(const struct block_2d){COLUMNS, 8},
     .entry_point = "block_2d_load_lanes",
     .means = "the same tiles, for each row a load with an address per lane",
     .reference = "load_rows"},
    {.name = "load_piece",
     .own = &(const struct block_2d){COLUMNS, 2, .is_one_piece = true}, /* of 256 bytes */
     .entry_point = "block_2d_load_piece",
     .means = "as many bytes in one piece, by plain block loads",
     .reference = "load_rows"},
    {.name = "transpose",
     .own = &(const struct block_2d){TRANSPOSED, 1, .is_half_a_line = true},
     .entry_point = "block_2d_transpose",
     .means = "tiles of 16 rows of 8 dwords, each lane gets a row",
     .reference = "transpose_lanes",
     .instructions = BLOCK_LOAD},
    {.name = "transpose_lanes",
     .own = &(const struct block_2d){TRANSPOSED, 1, .is_half_a_line = true},
     .entry_point = "block_2d_transpose_lanes",
     .means = "the same tiles, each lane loads its row"},
    {.name = "transform",
     .own = &(const struct block_2d){TRANSFORMED, 1, .is_half_a_line = true},
     .entry_point = "block_2d_transform",
     .means = "tiles of 16 rows of 16 words, two rows to a dword, as matrix engines "
              "take them",
     .reference = "load_rows",
     .instructions = BLOCK_LOAD},
    {.name = "prefetch",
     .own = &(const struct block_2d){CACHED_ONLY, 1},
     .entry_point = "block_2d_prefetch",
     .is_posted = true,
     .fewest_iterations = 256, /* nothing waits for the first */
     .means = "tiles of 8 rows of 64 bytes into the caches only",
     .reference = "load_rows",
     .instructions = BLOCK_LOAD},
    {.name = "store",
     .own = &(const struct block_2d){STORED, 1},
     .entry_point = "block_2d_store",
     .is_posted = true,
     .means = "tiles of 8 rows of 64 bytes, one message each",
     .reference = "store_rows",
     .instructions = BLOCK_STORE},
    {.name = "store_rows",
     .own = &(const struct block_2d){STORED, 8},
     .entry_point = "block_2d_store_rows",
     .is_posted = true,
     .means = "the same tiles, a plain block store for each row"},
    {.name = "store_lanes",
     .own = &(const struct block_2d){STORED, 8},
     .entry_point = "block_2d_store_lanes",
     .is_posted = true,
     .means = "the same tiles, for each row a store with an address per lane",
     .reference = "store_rows"},
    {.name = "store_piece",
     .own = &(const struct block_2d){STORED, 1, .is_one_piece = true},
     .entry_point = "block_2d_store_piece",
     .is_posted = true,
     .means = "as many bytes in one piece, by plain block stores",
     .reference = "store_rows"},
};

const struct family family_block_2d = {
    .name = "block_2d",
    .is_held_out = true,
    .measures = "rectangles of a matrix, by messages for 2-D blocks and by plain ones",
    .unit = "ns/KiB",
    .baseline_unit = "ns/KiB",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .warming = block_warming,
    .work = block_work,
    .check = block_check,
    .arguments = block_arguments,
    .verify = block_verify,
};
