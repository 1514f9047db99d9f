/*
 * transpose: a square matrix of uints, transposed `iterations` times, out of place and in place.
 *
 * The matrix is cut into tiles as wide as a sub-group. A work-group walks over every
 * get_num_groups-th row of tiles and takes one tile at a time, or in place a tile and its mirror
 * image; its sub-groups share the rows of the tile, four at a time, so that four loads are in
 * flight before the first result is needed. In the block kernels, copy and shuffle, each sub-group
 * takes whole tiles of its own into its registers, so that as many loads are in flight as a tile
 * has rows.
 *
 *  - copy          what the others are compared with, the fastest way there is: rows are loaded
 *                  and stored where they were
 *  - store_column, load_column   without any exchange: rows are loaded and columns stored, or the
 *                  other way round. In place there are both of either.
 *  - slm, slm_padded   through shared local memory, where rows are as long as the tile is wide or
 *                  one element longer
 *  - shuffle       log2(rows) rounds of exchanges between lanes, no memory
 *
 *   in             side * side elements, row by row; side is a power of two
 *   data           out of place: the transposed `in`; in place: in and out
 *   witness        out, the sub-group size each work-item was run with
 *   pitch          equals side, for the addresses of stores. If the compiler knew that, it would
 *                  keep the addresses of loads for the stores, in registers that the block kernels
 *                  cannot spare.
 *
 * In place no work-item reads what another sub-group wrote in the iteration before, so iterations
 * need no barrier between them: the pair of rows in a pair of tiles always belongs to the same
 * sub-group, and in the kernel without exchange the pair of elements to the same work-item.
 */
#define LANES   SUB_GROUP_SIZE
#define BATCH   4
#define KERNEL  __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void
#define UNROLL  _Pragma("clang loop unroll(full)")
#define WITNESS witness[get_global_id(0)] = get_sub_group_size()

/* A sub-group of 32 has registers for 16 rows, so its lanes hold two tiles of 16 x 16. */
#if SUB_GROUP_SIZE == 32
#define BLOCK 16
#else
#define BLOCK SUB_GROUP_SIZE
#endif

#define FOR_EACH_TILE                                                                              \
    for (uint i = 0; i < iterations; i++)                                                          \
        for (uint row = get_group_id(0); row < side / LANES; row += get_num_groups(0))             \
            for (uint col = 0; col < side / LANES; col++)

/* Row `row` of tiles owns the pairs with tiles at a distance of 0 to half the matrix to its right,
 * wrapping around to the left side, so that all rows have the same amount of work. At exactly half
 * the matrix two rows would own the same pair. */
#define FOR_EACH_PAIR(width, first_distance, step)                                                 \
    for (uint i = 0; i < iterations; i++)                                                          \
        for (uint row = get_group_id(0); row < side / (width); row += get_num_groups(0))           \
            for (uint distance = (first_distance);                                                 \
                 2 * distance < side / (width) + (2 * row < side / (width)); distance += (step))

/* The other tile of the pair lies in the row returned, and is the `row`-th one there. */
static uint opposite(uint row, uint distance, uint tiles)
{
    return row + distance < tiles ? row + distance : row + distance - tiles;
}

#define FOR_EACH_BATCH                                                                             \
    for (uint r = get_sub_group_id() * BATCH; r < LANES; r += get_num_sub_groups() * BATCH)

/* The index of this lane's element in a piece of a row, or of a column, that begins at (row,
 * col). */
static uint row_piece(uint row, uint col, uint pitch)
{
    return row * pitch + col + get_sub_group_local_id();
}

static uint column_piece(uint row, uint col, uint pitch)
{
    return (row + get_sub_group_local_id()) * pitch + col;
}

/* `from` and `to` are row_piece or column_piece. */
#define WALK_KERNEL(name, from, from_row, from_col, to, to_row, to_col)                            \
    KERNEL name(global const uint *in, global uint *data, global uint *witness, uint iterations,   \
                uint side, uint pitch)                                                             \
    {                                                                                              \
        FOR_EACH_TILE                                                                              \
        FOR_EACH_BATCH                                                                             \
        {                                                                                          \
            uint top = row * LANES, left = col * LANES;                                            \
            uint v[BATCH];                                                                         \
            UNROLL for (uint b = 0; b < BATCH; b++) v[b] = in[from(from_row, from_col, side)];     \
            UNROLL for (uint b = 0; b < BATCH; b++) data[to(to_row, to_col, pitch)] = v[b];        \
        }                                                                                          \
        WITNESS;                                                                                   \
    }

WALK_KERNEL(transpose_store_column, row_piece, top + r + b, left, column_piece, left, top + r + b)
WALK_KERNEL(transpose_load_column, column_piece, top, left + r + b, row_piece, left + r + b, top)

#define SLM_KERNEL(name, slm_pitch)                                                                \
    KERNEL name(global const uint *in, global uint *data, global uint *witness, uint iterations,   \
                uint side, uint pitch)                                                             \
    {                                                                                              \
        local uint tile[LANES * (slm_pitch)];                                                      \
        FOR_EACH_TILE                                                                              \
        {                                                                                          \
            uint top = row * LANES, left = col * LANES;                                            \
            FOR_EACH_BATCH                                                                         \
            {                                                                                      \
                uint v[BATCH];                                                                     \
                UNROLL for (uint b = 0; b < BATCH; b++) v[b] =                                     \
                    in[row_piece(top + r + b, left, side)];                                        \
                UNROLL for (uint b = 0; b < BATCH; b++) tile[row_piece(r + b, 0, slm_pitch)] =     \
                    v[b];                                                                          \
            }                                                                                      \
            work_group_barrier(CLK_LOCAL_MEM_FENCE);                                               \
            FOR_EACH_BATCH                                                                         \
            {                                                                                      \
                UNROLL for (uint b = 0; b < BATCH; b++)                                            \
                    data[row_piece(left + r + b, top, pitch)] =                                    \
                        tile[column_piece(0, r + b, slm_pitch)];                                   \
            }                                                                                      \
            work_group_barrier(CLK_LOCAL_MEM_FENCE);                                               \
        }                                                                                          \
        WITNESS;                                                                                   \
    }

SLM_KERNEL(transpose_slm, LANES)
SLM_KERNEL(transpose_slm_padded, LANES + 1)

/* Lane l of row r and lane r of row l change places, within every BLOCK lanes. One round does that
 * for one bit of both numbers: half of each row stays, and the other half goes to the row whose
 * number differs in that bit. The lane to shuffle with is a 16-bit number because the compiler then
 * recognises a fixed exchange and moves registers; with intel_sub_group_shuffle_xor it would read
 * them through the address register, and spill. */
static void transpose_block(uint *v)
{
    ushort lane = get_sub_group_local_id();

    UNROLL for (ushort bit = 1; bit < BLOCK; bit *= 2)
    {
        bool upper = lane & bit;

        UNROLL for (uint r = 0; r < BLOCK; r++)
        {
            if (!(r & bit)) {
                uint a = v[r], b = v[r + bit];
                uint moving = intel_sub_group_shuffle(upper ? a : b, (ushort)(lane ^ bit));

                v[r] = upper ? moving : a;
                v[r + bit] = upper ? b : moving;
            }
        }
    }
}

static uint transposed_piece(uint row, uint col, uint pitch)
{
    uint lane = get_sub_group_local_id();

    return (col + lane / BLOCK * BLOCK) * pitch + row + lane % BLOCK;
}

/* The sub-groups of all work-groups take blocks in turn, row by row of them. */
#define FOR_EACH_BLOCK                                                                             \
    for (uint i = 0; i < iterations; i++)                                                          \
        for (uint n = get_group_id(0) * get_num_sub_groups() + get_sub_group_id();                 \
             n < (side / BLOCK) * (side / LANES); n += get_num_groups(0) * get_num_sub_groups())

/* `place` is the index of this lane's element where the first row is stored; `arrange` is what is
 * done to the rows. */
#define BLOCK_KERNEL(name, place, arrange)                                                         \
    KERNEL name(global const uint *in, global uint *data, global uint *witness, uint iterations,   \
                uint side, uint pitch)                                                             \
    {                                                                                              \
        uint shift = 31 - clz(side / LANES);                                                       \
                                                                                                   \
        FOR_EACH_BLOCK                                                                             \
        {                                                                                          \
            uint v[BLOCK];                                                                         \
            uint row = (n >> shift) * BLOCK, col = (n & ((1 << shift) - 1)) * LANES;               \
            uint from = row_piece(row, col, side), to = place(row, col, pitch);                    \
                                                                                                   \
            UNROLL for (uint r = 0; r < BLOCK; r++, from += side) v[r] = in[from];                 \
            arrange(v);                                                                            \
            UNROLL for (uint r = 0; r < BLOCK; r++, to += pitch) data[to] = v[r];                  \
        }                                                                                          \
        WITNESS;                                                                                   \
    }

static void leave_block(uint *v)
{
    (void)v;
}

BLOCK_KERNEL(transpose_copy, row_piece, leave_block)
BLOCK_KERNEL(transpose_shuffle, transposed_piece, transpose_block)

/* In a tile on the diagonal the work-items above the diagonal swap. */
KERNEL transpose_in_place_columns(global uint *data, global uint *witness, uint iterations,
                                  uint side, uint pitch)
{
    FOR_EACH_PAIR(LANES, 0, 1)
    {
        uint top = row * LANES, left = opposite(row, distance, side / LANES) * LANES;

        FOR_EACH_BATCH
        {
            if (distance) {
                uint v[BATCH], w[BATCH];

                UNROLL for (uint b = 0; b < BATCH; b++)
                {
                    v[b] = data[row_piece(top + r + b, left, side)];
                    w[b] = data[column_piece(left, top + r + b, side)];
                }
                UNROLL for (uint b = 0; b < BATCH; b++)
                {
                    data[column_piece(left, top + r + b, pitch)] = v[b];
                    data[row_piece(top + r + b, left, pitch)] = w[b];
                }
            } else {
                for (uint b = 0; b < BATCH; b++) {
                    if (r + b < get_sub_group_local_id()) {
                        uint v = data[row_piece(top + r + b, top, side)];
                        uint w = data[column_piece(top, top + r + b, side)];

                        data[column_piece(top, top + r + b, pitch)] = v;
                        data[row_piece(top + r + b, top, pitch)] = w;
                    }
                }
            }
        }
    }
    WITNESS;
}

#define IN_PLACE_SLM_KERNEL(name, slm_pitch)                                                       \
    KERNEL name(global uint *data, global uint *witness, uint iterations, uint side, uint pitch)   \
    {                                                                                              \
        local uint tile[2][LANES * (slm_pitch)];                                                   \
        FOR_EACH_PAIR(LANES, 0, 1)                                                                 \
        {                                                                                          \
            uint top = row * LANES, left = opposite(row, distance, side / LANES) * LANES;          \
            FOR_EACH_BATCH                                                                         \
            {                                                                                      \
                uint v[BATCH], w[BATCH];                                                           \
                UNROLL for (uint b = 0; b < BATCH; b++)                                            \
                {                                                                                  \
                    v[b] = data[row_piece(top + r + b, left, side)];                               \
                    w[b] = data[row_piece(left + r + b, top, side)];                               \
                }                                                                                  \
                UNROLL for (uint b = 0; b < BATCH; b++)                                            \
                {                                                                                  \
                    tile[0][row_piece(r + b, 0, slm_pitch)] = v[b];                                \
                    tile[1][row_piece(r + b, 0, slm_pitch)] = w[b];                                \
                }                                                                                  \
            }                                                                                      \
            work_group_barrier(CLK_LOCAL_MEM_FENCE);                                               \
            FOR_EACH_BATCH                                                                         \
            {                                                                                      \
                UNROLL for (uint b = 0; b < BATCH; b++)                                            \
                {                                                                                  \
                    data[row_piece(left + r + b, top, pitch)] =                                    \
                        tile[0][column_piece(0, r + b, slm_pitch)];                                \
                    data[row_piece(top + r + b, left, pitch)] =                                    \
                        tile[1][column_piece(0, r + b, slm_pitch)];                                \
                }                                                                                  \
            }                                                                                      \
            work_group_barrier(CLK_LOCAL_MEM_FENCE);                                               \
        }                                                                                          \
        WITNESS;                                                                                   \
    }

IN_PLACE_SLM_KERNEL(transpose_in_place_slm, LANES)
IN_PLACE_SLM_KERNEL(transpose_in_place_slm_padded, LANES + 1)

/* A sub-group of 32 holds one block of the pair in its lower lanes and the other in its upper
 * lanes; a smaller one holds them one after the other. */
#if SUB_GROUP_SIZE == 32
#define BLOCKS          1
#define OF_FIRST(block) (get_sub_group_local_id() < BLOCK)
#else
#define BLOCKS          2
#define OF_FIRST(block) ((block) == 0)
#endif

KERNEL transpose_in_place_shuffle(global uint *data, global uint *witness, uint iterations,
                                  uint side, uint pitch)
{
    uint lane = get_sub_group_local_id() % BLOCK;

    FOR_EACH_PAIR(BLOCK, get_sub_group_id(), get_num_sub_groups())
    {
        uint top = row * BLOCK, left = opposite(row, distance, side / BLOCK) * BLOCK;
        uint v[BLOCKS][BLOCK];

        UNROLL for (uint n = 0; n < BLOCKS; n++)
        {
            uint from = OF_FIRST(n) ? top * side + left + lane : left * side + top + lane;

            UNROLL for (uint r = 0; r < BLOCK; r++, from += side) v[n][r] = data[from];
        }
        UNROLL for (uint n = 0; n < BLOCKS; n++)
        {
            uint to = OF_FIRST(n) ? left * pitch + top + lane : top * pitch + left + lane;

            transpose_block(v[n]);
            UNROLL for (uint r = 0; r < BLOCK; r++, to += pitch) data[to] = v[n][r];
        }
    }
    WITNESS;
}
