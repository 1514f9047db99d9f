/*
 * block_2d: rectangles of a matrix, by messages for 2-D blocks and by plain ones for the same
 * bytes.
 *
 * A sub-group's part of the matrix is 16 rows of 128 bytes, which it goes through in every
 * iteration in four tiles of 512 bytes. Parts lie side by side up to the end of a row, then below.
 * The functions are those of cl_intel_subgroup_2d_block_io.
 *
 *   in      the matrix read
 *   out     the matrix written
 *   sums    one per work-item: of all it has read
 *   witness the sub-group size each work-item was run with
 *   pitch   bytes of a row
 *   rows    of the matrix
 *   zero    0, which the compiler does not know: it may not read only once
 */
#define PART_BYTES   128
#define PART_ROWS    16
#define PART_COLUMNS (PART_BYTES / 4)
#define PART_DWORDS  (PART_ROWS * PART_COLUMNS)
#define TILES        4
#define TILE_DWORDS  (PART_DWORDS / TILES)

#define UNROLL       _Pragma("unroll")
#define OVERLOADED   __attribute__((overloadable))
#define BLOCK        global void *base, int width, int height, int pitch, int2 at

void OVERLOADED intel_sub_group_2d_block_read_32b_8r16x1c(BLOCK, private uint *to);
void OVERLOADED intel_sub_group_2d_block_read_transpose_32b_16r8x1c(BLOCK, private uint *to);
void OVERLOADED intel_sub_group_2d_block_read_transform_16b_16r16x1c(BLOCK, private uint *to);
void OVERLOADED intel_sub_group_2d_block_prefetch_32b_8r16x1c(BLOCK);
void OVERLOADED intel_sub_group_2d_block_write_32b_8r16x1c(BLOCK, private uint *from);

#define KERNEL(name, body)                                                                         \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void block_2d_##name(        \
        global uint *in, global uint *out, global uint *sums, global uint *witness, uint pitch,    \
        uint rows, uint zero, uint iterations)                                                     \
    {                                                                                              \
        uint item = get_global_id(0), lane = get_sub_group_local_id();                             \
        uint part = sub_group_broadcast(item / SUB_GROUP_SIZE, 0);                                 \
        uint side_by_side = pitch / PART_BYTES, sum = 0;                                           \
        int2 first = (int2)(part % side_by_side * PART_COLUMNS, part / side_by_side * PART_ROWS);  \
        for (uint iteration = 0; iteration < iterations; iteration++) {                            \
            int2 at = first + (int2)(0, iteration & zero);                                         \
            UNROLL for (uint tile = 0; tile < TILES; tile++)                                       \
            {                                                                                      \
                uint v[8];                                                                         \
                body;                                                                              \
                (void)at;                                                                          \
            }                                                                                      \
        }                                                                                          \
        sums[item] = sum;                                                                          \
        witness[item] = get_sub_group_size();                                                      \
        (void)in;                                                                                  \
        (void)lane;                                                                                \
        (void)rows;                                                                                \
        (void)out;                                                                                 \
    }

#define ADD_ALL sum += v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7]

/* Tiles of 8 rows of 16 dwords: two side by side, two below. */
#define ROWS_OF(tile)    ((tile) / 2 * 8)
#define COLUMNS_OF(tile) ((tile) % 2 * 16)
#define TILE(tile)       (at + (int2)(COLUMNS_OF(tile), ROWS_OF(tile)))
/* Tiles of 16 rows of 32 bytes, side by side: 8 or 16 columns. */
#define TALL(tile, columns) (at * (int2)(columns / 8, 1) + (int2)((tile) * (columns), 0))
/* A row's first element in a tile. */
#define ROW(matrix, row) ((matrix) + (TILE(tile).y + (row)) * (pitch / 4) + TILE(tile).x)
/* The tile of a sub-group whose part of memory is in one piece. */
#define PIECE(matrix)   ((matrix) + part * PART_DWORDS + tile * TILE_DWORDS + (iteration & zero))

#define SURFACE(matrix) matrix, pitch, rows, pitch
#define READ(tile)      intel_sub_group_2d_block_read_32b_8r16x1c(SURFACE(in), TILE(tile), v)
#define PREFETCH(tile)  intel_sub_group_2d_block_prefetch_32b_8r16x1c(SURFACE(in), TILE(tile))

#define FOR_EACH_ROW    UNROLL for (uint row = 0; row < 8; row++)
#define LANE_ROW        (in + (at.y + lane) * (pitch / 4) + at.x + tile * 8)

KERNEL(load, READ(tile); ADD_ALL)
KERNEL(
    load_prefetched, if (tile == 0) { UNROLL for (uint t = 0; t < TILES; t++) PREFETCH(t); };
    READ(tile); ADD_ALL)
KERNEL(load_rows, FOR_EACH_ROW v[row] = intel_sub_group_block_read(ROW(in, row)); ADD_ALL)
KERNEL(load_lanes, FOR_EACH_ROW v[row] = ROW(in, row)[lane]; ADD_ALL)
KERNEL(load_piece, uint8 piece = intel_sub_group_block_read8(PIECE(in)); vstore8(piece, 0, v);
       ADD_ALL)
KERNEL(transpose,
       intel_sub_group_2d_block_read_transpose_32b_16r8x1c(SURFACE(in), TALL(tile, 8), v);
       ADD_ALL)
KERNEL(transpose_lanes, vstore8(*(global uint8 *)LANE_ROW, 0, v); ADD_ALL)
KERNEL(transform,
       intel_sub_group_2d_block_read_transform_16b_16r16x1c(SURFACE(in), TALL(tile, 16), v);
       ADD_ALL)
KERNEL(prefetch, PREFETCH(tile); (void)v)

/* What is written counts the dwords of all parts, row by row, and the iterations. */
#define VALUES(matrix_row)                                                                         \
    FOR_EACH_ROW v[row] = part * PART_DWORDS + (matrix_row) + lane + iteration
#define IN_TILE  ((ROWS_OF(tile) + row) * PART_COLUMNS + COLUMNS_OF(tile))
#define IN_PIECE (tile * TILE_DWORDS + row * 16)

KERNEL(store, VALUES(IN_TILE);
       intel_sub_group_2d_block_write_32b_8r16x1c(SURFACE(out), TILE(tile), v))
KERNEL(store_rows, VALUES(IN_TILE); FOR_EACH_ROW intel_sub_group_block_write(ROW(out, row), v[row]))
KERNEL(store_lanes, VALUES(IN_TILE); FOR_EACH_ROW ROW(out, row)[lane] = v[row])
KERNEL(store_piece, VALUES(IN_PIECE); intel_sub_group_block_write8(PIECE(out), vload8(0, v)))
