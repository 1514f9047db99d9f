/* Family `transpose`: a square matrix transposed without any exchange, through shared local memory
 * and by shuffles within sub-groups, out of place and in place.
 * Alone: vebench run transpose --axis subgroup_size=16 --axis side=256
 *
 * One iteration is one transposition of the whole matrix by the whole launch; `side=S` is one tile.
 * No part of a transposition can be left out of it to make a baseline, so its time is the whole
 * loop's, and its `ratio` is to a copy of the matrix by the same loop. GB/s counts loads and stores
 * of global memory only. Transposing twice in place changes nothing, so odd and even iteration
 * counts have different expected results. */
#include "families/traffic.h"
#include "measure/common-axes.h"
#include "measure/verify.h"

#include <stdlib.h>
#include <string.h>

#define ITEM_BYTES sizeof(uint32_t)
#define AXIS_SIDE  0  /* index among the family's own axes */
#define BATCH      4u /* rows of a tile that a sub-group processes at a time */
#define BLOCK_MAX  16u

enum { IN, DATA, WITNESS };

enum transpose_variant {
    COPY,
    STORE_COLUMN,
    LOAD_COLUMN,
    SLM,
    SLM_PADDED,
    SHUFFLE,
    IN_PLACE_COLUMNS,
    IN_PLACE_SLM,
    IN_PLACE_SLM_PADDED,
    IN_PLACE_SHUFFLE,
};

static bool is_in_place(size_t variant)
{
    return variant >= IN_PLACE_COLUMNS;
}

/* Does each sub-group take tiles of its own? */
static bool is_by_block(size_t variant)
{
    return variant == SHUFFLE || variant == IN_PLACE_SHUFFLE;
}

/* Rows that a sub-group holds in registers. */
static unsigned block_rows(const struct configuration *configuration)
{
    return configuration->subgroup_size < BLOCK_MAX ? configuration->subgroup_size : BLOCK_MAX;
}

static enum status transpose_check(const struct device *device,
                                   const struct configuration *configuration, size_t variant,
                                   struct error *error)
{
    unsigned lanes = configuration->subgroup_size;
    unsigned side = configuration->own[AXIS_SIDE];
    unsigned tile = is_by_block(variant) ? block_rows(configuration) : lanes;

    (void)device;
    if (side < lanes)
        return error_set(error, STATUS_EXCLUDED, "the matrix is smaller than a tile of %ux%u",
                         lanes, lanes);
    if (configuration->workgroup_size < lanes)
        return error_set(error, STATUS_EXCLUDED, "tiles are for whole sub-groups");
    if (configuration->workgroup_count > side / tile)
        return error_set(error, STATUS_EXCLUDED,
                         "there are more work-groups than the %u rows "
                         "of tiles",
                         side / tile);
    if (!is_by_block(variant) && configuration->workgroup_size / lanes * BATCH > lanes)
        return error_set(error, STATUS_EXCLUDED,
                         "a tile of %u rows gives %u rows each to at most %u "
                         "sub-groups",
                         lanes, BATCH, lanes / BATCH);
    return STATUS_OK;
}

static size_t transpose_buffer_bytes(const struct configuration *c)
{
    size_t side = c->own[AXIS_SIDE], items = configuration_items(c);

    return (2 * side * side + items) * ITEM_BYTES;
}

static enum status transpose_setup(struct workspace *workspace,
                                   const struct configuration *configuration, struct error *error)
{
    size_t side = configuration->own[AXIS_SIDE];
    size_t bytes = side * side * ITEM_BYTES;
    size_t items = configuration_items(configuration);
    enum status status = workspace_add(workspace, BUFFER_INPUT, bytes, error);

    /* The expected matrix. */
    workspace->own = malloc(bytes);
    if (!workspace->own)
        return error_set(error, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_IN_OUT, bytes, error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items * ITEM_BYTES, error);
    return status;
}

static void transpose_arguments(const struct workspace *workspace, const struct launch *launch,
                                struct arguments *arguments)
{
    uint32_t side = launch->configuration.own[AXIS_SIDE];

    if (!is_in_place(launch->variant))
        argument_buffer(arguments, workspace, IN);
    argument_buffer(arguments, workspace, DATA);
    argument_buffer(arguments, workspace, WITNESS);
    argument_uint(arguments, launch->iterations);
    argument_uint(arguments, side);
    argument_uint(arguments, side);
}

static void transpose_matrix(const uint32_t *from, size_t side, uint32_t *to)
{
    for (size_t row = 0; row < side; row++) {
        for (size_t col = 0; col < side; col++)
            to[col * side + row] = from[row * side + col];
    }
}

static enum status transpose_verify(struct workspace *workspace, const struct launch *launch,
                                    struct error *error)
{
    size_t side = launch->configuration.own[AXIS_SIDE];
    const struct buffer *data = &workspace->buffers[DATA];
    const uint32_t *expected = workspace->own;

    if (launch->variant == COPY)
        expected = workspace->buffers[IN].initial;
    else if (!is_in_place(launch->variant))
        transpose_matrix(workspace->buffers[IN].initial, side, workspace->own);
    else if (launch->iterations % 2)
        transpose_matrix(data->initial, side, workspace->own);
    else
        expected = data->initial;
    enum status status = verify_uints(data, "data", expected, side * side, launch, error);
    return status == STATUS_OK ? verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error)
                               : status;
}

/* Counts what the work-items above the diagonal of a tile on the matrix's diagonal load and
 * store. */
static void add_diagonal_tile(struct work *work, unsigned lanes, uint32_t pitch_bytes, double times)
{
    struct access row = access_row(lanes, ITEM_BYTES, 0);
    struct access column = access_column(lanes, ITEM_BYTES, pitch_bytes);

    for (unsigned r = 0; r < lanes; r++) {
        row.offset[r] = TRAFFIC_IDLE;
        column.offset[r] = TRAFFIC_IDLE;
        work_add_access(work, &row, 2 * times);
        work_add_access(work, &column, 2 * times);
    }
}

static void transpose_work(const struct configuration *configuration, size_t variant,
                           struct work *work)
{
    unsigned lanes = configuration->subgroup_size;
    uint32_t pitch_bytes = configuration->own[AXIS_SIDE] * ITEM_BYTES;
    double tiles = configuration->own[AXIS_SIDE] / lanes;
    double blocks = configuration->own[AXIS_SIDE] / block_rows(configuration);
    /* Pieces of the matrix's rows, each as long as a sub-group. */
    double pieces = tiles * tiles * lanes;
    struct access row = access_row(lanes, ITEM_BYTES, 0);
    struct access column = access_column(lanes, ITEM_BYTES, pitch_bytes);
    double exchanges_per_block = 0;

    for (unsigned bit = 1; bit < block_rows(configuration); bit *= 2)
        exchanges_per_block += block_rows(configuration) / 2.0;
    work->units = tiles * tiles;
    /* In place, tiles on the diagonal are loaded and stored twice, as both halves of a pair. */
    if (is_by_block(variant) && is_in_place(variant))
        pieces += blocks * block_rows(configuration) * block_rows(configuration) / lanes;
    else if (is_in_place(variant))
        pieces += tiles * lanes;
    switch ((enum transpose_variant)variant) {
    case STORE_COLUMN:
    case LOAD_COLUMN:
        work_add_access(work, &row, pieces);
        work_add_access(work, &column, pieces);
        break;
    case IN_PLACE_COLUMNS:
        work_add_access(work, &row, tiles * (tiles - 1) * lanes);
        work_add_access(work, &column, tiles * (tiles - 1) * lanes);
        add_diagonal_tile(work, lanes, pitch_bytes, tiles);
        break;
    default:
        work_add_access(work, &row, 2 * pieces);
    }
    if (variant == SLM || variant == SLM_PADDED)
        work->barriers = 2 * tiles * tiles;
    else if (variant == IN_PLACE_SLM || variant == IN_PLACE_SLM_PADDED)
        work->barriers = tiles * (tiles + 1);
    /* A sub-group of 32 exchanges two blocks at a time. */
    else if (variant == SHUFFLE)
        work->exchanges = blocks * tiles * exchanges_per_block;
    else if (variant == IN_PLACE_SHUFFLE)
        work->exchanges =
            blocks * (blocks + 1) * exchanges_per_block * block_rows(configuration) / lanes;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("2S", NULL, NULL),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C,8C"),
    {.name = "side",
     .means = "rows and columns of the matrix; S is one tile",
     .defaults = "S,128",
     .quick = "64",
     .full = "S,256,1024,4096",
     .kind = AXIS_POWER_OF_TWO,
     .least = 1,
     .largest = 8192},
};

/* Partial register moves, which is what exchanges with a fixed lane compile to. */
#define LANE_MOVES "mov [(][248][|].*<[124]>:[df] +r[0-9.]+<([24];1,0|4;4,1|1;1,0)>"

#define SLM_ACCESS                                                                                 \
    {                                                                                              \
        "(load|store)[.]slm", "0x[0-9A-F]+FE .*untyped surface"                                    \
    }

static const struct variant variants[] = {
    [COPY] = {.name = "copy",
              .entry_point = "transpose_copy",
              .means = "rows are loaded and stored where they were, nothing is transposed"},
    [STORE_COLUMN] = {.name = "store_column",
                      .entry_point = "transpose_store_column",
                      .means = "loads rows, stores columns",
                      .reference = "copy"},
    [LOAD_COLUMN] = {.name = "load_column",
                     .entry_point = "transpose_load_column",
                     .means = "loads columns, stores rows",
                     .reference = "copy"},
    [SLM] = {.name = "slm",
             .entry_point = "transpose_slm",
             .means = "through a tile in shared local memory",
             .reference = "copy",
             .instructions = SLM_ACCESS},
    [SLM_PADDED] = {.name = "slm_padded",
                    .entry_point = "transpose_slm_padded",
                    .means = "the same, rows of the tile one element longer",
                    .reference = "copy",
                    .instructions = SLM_ACCESS},
    [SHUFFLE] = {.name = "shuffle",
                 .entry_point = "transpose_shuffle",
                 .means = "tiles in registers, exchanges within the sub-group",
                 .reference = "copy",
                 .instructions = {LANE_MOVES, LANE_MOVES}},
    [IN_PLACE_COLUMNS] = {.name = "in_place_columns",
                          .entry_point = "transpose_in_place_columns",
                          .means = "in place: loads and stores rows and columns",
                          .reference = "copy"},
    [IN_PLACE_SLM] = {.name = "in_place_slm",
                      .entry_point = "transpose_in_place_slm",
                      .means = "in place: through two tiles in shared local memory",
                      .reference = "copy",
                      .instructions = SLM_ACCESS},
    [IN_PLACE_SLM_PADDED] = {.name = "in_place_slm_padded",
                             .entry_point = "transpose_in_place_slm_padded",
                             .means = "in place: the same, rows of the tiles one element longer",
                             .reference = "copy",
                             .instructions = SLM_ACCESS},
    [IN_PLACE_SHUFFLE] = {.name = "in_place_shuffle",
                          .entry_point = "transpose_in_place_shuffle",
                          .means = "in place: exchanges within the sub-group",
                          .reference = "copy",
                          .instructions = {LANE_MOVES, LANE_MOVES}},
};

const struct family family_transpose = {
    .name = "transpose",
    .measures = "a square matrix transposed, by way of the exchange",
    .unit = "ns/tile",
    .baseline_unit = "ns/tile",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .ways = "store_column load_column columns slm slm_padded shuffle",
    .type = "u32",
    .work = transpose_work,
    .check = transpose_check,
    .buffer_bytes = transpose_buffer_bytes,
    .setup = transpose_setup,
    .arguments = transpose_arguments,
    .verify = transpose_verify,
};
