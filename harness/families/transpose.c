/* Family `transpose`: a square matrix transposed without any exchange, through shared local memory
 * and by shuffles within sub-groups, out of place and in place.
 * Alone: vebench run transpose --axis subgroup_size=16 --axis side=256
 *
 * One iteration is one transposition of the whole matrix by the whole launch; `side=S` is one tile.
 * No part of a transposition can be left out of it to make a baseline, so its time is the whole
 * loop's, and its `ratio` is to a copy of the matrix, the fastest there is: whole tiles, all of
 * whose rows are in flight at once. GB/s counts loads and stores of global memory only. Transposing
 * twice in place changes nothing, so odd and even iteration counts have different expected results.
 */
#include "families/memory/traffic.h"
#include "family/common-axes.h"
#include "family/verify.h"

#define ITEM_BYTES sizeof(uint32_t)
#define AXIS_SIDE  0  /* index among the family's own axes */
#define BATCH      4u /* rows of a tile that a sub-group processes at a time */
#define BLOCK_MAX  16u

enum { IN, DATA, WITNESS };

enum exchange { NO_EXCHANGE, BY_COLUMN, BY_SLM, BY_SHUFFLE };

struct transpose {
    enum exchange exchange;
    bool is_in_place;
};

/* Rows that a sub-group holds in registers. */
static unsigned block_rows(const struct configuration *configuration)
{
    return configuration->subgroup_size < BLOCK_MAX ? configuration->subgroup_size : BLOCK_MAX;
}

/* Does each sub-group take tiles of its own, as a whole? */
static bool is_by_block(const struct transpose *transpose)
{
    return transpose->exchange == BY_SHUFFLE || transpose->exchange == NO_EXCHANGE;
}

static enum status transpose_check(const struct device *device,
                                   const struct configuration *configuration,
                                   const struct variant *variant, struct error *error)
{
    const struct transpose *transpose = variant->own;
    unsigned lanes = configuration->subgroup_size;
    unsigned side = configuration->own[AXIS_SIDE];
    unsigned tile = is_by_block(transpose) ? block_rows(configuration) : lanes;

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
    if (!is_by_block(transpose) && configuration->workgroup_size / lanes * BATCH > lanes)
        return error_set(error, STATUS_EXCLUDED,
                         "a tile of %u rows gives %u rows each to at most %u "
                         "sub-groups",
                         lanes, BATCH, lanes / BATCH);
    return STATUS_OK;
}

static size_t matrix_bytes(const struct configuration *c)
{
    return (size_t)c->own[AXIS_SIDE] * c->own[AXIS_SIDE] * ITEM_BYTES;
}

static const struct buffer_plan buffers[] = {
    [IN] = {"in", BUFFER_INPUT, matrix_bytes},
    [DATA] = {"data", BUFFER_IN_OUT, matrix_bytes},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static void transpose_arguments(const struct workspace *workspace, const struct launch *launch,
                                struct arguments *arguments)
{
    const struct transpose *transpose = launch->variant->own;
    uint32_t side = launch->configuration.own[AXIS_SIDE];

    if (!transpose->is_in_place)
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
    const struct transpose *transpose = launch->variant->own;
    const struct buffer *data = &workspace->buffers[DATA];
    const uint32_t *from = transpose->is_in_place ? data->initial : workspace->buffers[IN].initial;
    uint32_t *transposed = workspace_scratch(workspace, data->bytes, error);
    bool stays = transpose->exchange == NO_EXCHANGE ||
                 (transpose->is_in_place && launch->iterations % 2 == 0);

    if (!transposed)
        return STATUS_FAILED;
    if (!stays)
        transpose_matrix(from, side, transposed);
    return verify_uints(data, stays ? from : transposed, side * side, launch, error);
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

static void transpose_work(const struct configuration *configuration, const struct variant *variant,
                           struct work *work)
{
    const struct transpose *transpose = variant->own;
    bool is_in_place = transpose->is_in_place, is_shuffled = transpose->exchange == BY_SHUFFLE;
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
    if (is_shuffled && is_in_place)
        pieces += blocks * block_rows(configuration) * block_rows(configuration) / lanes;
    else if (is_in_place)
        pieces += tiles * lanes;
    if (transpose->exchange != BY_COLUMN) {
        work_add_access(work, &row, 2 * pieces);
    } else if (is_in_place) {
        work_add_access(work, &row, tiles * (tiles - 1) * lanes);
        work_add_access(work, &column, tiles * (tiles - 1) * lanes);
        add_diagonal_tile(work, lanes, pitch_bytes, tiles);
    } else {
        work_add_access(work, &row, pieces);
        work_add_access(work, &column, pieces);
    }
    if (transpose->exchange == BY_SLM)
        work->barriers = is_in_place ? tiles * (tiles + 1) : 2 * tiles * tiles;
    /* A sub-group of 32 exchanges two blocks at a time. */
    else if (is_shuffled && is_in_place)
        work->exchanges =
            blocks * (blocks + 1) * exchanges_per_block * block_rows(configuration) / lanes;
    else if (is_shuffled)
        work->exchanges = blocks * tiles * exchanges_per_block;
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
    {.name = "copy",
     .type = "u32",
     .own = &(const struct transpose){NO_EXCHANGE, false},
     .entry_point = "transpose_copy",
     .means = "rows are loaded and stored where they were, nothing is transposed"},
    {.name = "store_column",
     .operation = "transpose",
     .type = "u32",
     .method = "store_column",
     .own = &(const struct transpose){BY_COLUMN, false},
     .entry_point = "transpose_store_column",
     .means = "loads rows, stores columns",
     .reference = "copy"},
    {.name = "load_column",
     .operation = "transpose",
     .type = "u32",
     .method = "load_column",
     .own = &(const struct transpose){BY_COLUMN, false},
     .entry_point = "transpose_load_column",
     .means = "loads columns, stores rows",
     .reference = "copy"},
    {.name = "slm",
     .operation = "transpose",
     .type = "u32",
     .method = "slm",
     .own = &(const struct transpose){BY_SLM, false},
     .entry_point = "transpose_slm",
     .means = "through a tile in shared local memory",
     .reference = "copy",
     .instructions = SLM_ACCESS},
    {.name = "slm_padded",
     .operation = "transpose",
     .type = "u32",
     .method = "slm_padded",
     .own = &(const struct transpose){BY_SLM, false},
     .entry_point = "transpose_slm_padded",
     .means = "the same, rows of the tile one element longer",
     .reference = "copy",
     .instructions = SLM_ACCESS},
    {.name = "shuffle",
     .operation = "transpose",
     .type = "u32",
     .method = "shuffle",
     .own = &(const struct transpose){BY_SHUFFLE, false},
     .entry_point = "transpose_shuffle",
     .means = "tiles in registers, exchanges within the sub-group",
     .reference = "copy",
     .instructions = {LANE_MOVES, LANE_MOVES}},
    {.name = "in_place_columns",
     .operation = "in_place",
     .type = "u32",
     .method = "columns",
     .own = &(const struct transpose){BY_COLUMN, true},
     .entry_point = "transpose_in_place_columns",
     .means = "in place: loads and stores rows and columns",
     .reference = "copy"},
    {.name = "in_place_slm",
     .operation = "in_place",
     .type = "u32",
     .method = "slm",
     .own = &(const struct transpose){BY_SLM, true},
     .entry_point = "transpose_in_place_slm",
     .means = "in place: through two tiles in shared local memory",
     .reference = "copy",
     .instructions = SLM_ACCESS},
    {.name = "in_place_slm_padded",
     .operation = "in_place",
     .type = "u32",
     .method = "slm_padded",
     .own = &(const struct transpose){BY_SLM, true},
     .entry_point = "transpose_in_place_slm_padded",
     .means = "in place: the same, rows of the tiles one element longer",
     .reference = "copy",
     .instructions = SLM_ACCESS},
    {.name = "in_place_shuffle",
     .operation = "in_place",
     .type = "u32",
     .method = "shuffle",
     .own = &(const struct transpose){BY_SHUFFLE, true},
     .entry_point = "transpose_in_place_shuffle",
     .means = "in place: exchanges within the sub-group",
     .reference = "copy",
     .instructions = {LANE_MOVES, LANE_MOVES}},
};

/* The whole device at work on a matrix that the last-level cache holds, as programs do it: what
 * loads and stores of all Xe-cores cost each other. */
static const char *const default_points[] = {
    "subgroup_size=16 workgroup_size=4S workgroup_count=32 side=512", NULL};

const struct family family_transpose = {
    .name = "transpose",
    .is_held_out = true,
    .measures = "a square matrix transposed, by way of the exchange",
    .unit = "ns/tile",
    .baseline_unit = "ns/tile",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .default_points = default_points,
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = transpose_work,
    .check = transpose_check,
    .arguments = transpose_arguments,
    .lists_buffers = true,
    .verify = transpose_verify,
};
