/*
 * Kernels of matrix products: shared by matmul.cl and matmul_fp64.cl, which has a module of its own
 * because a device without doubles compiles nothing of a module that has some. C = A B,
 * `iterations` times.
 *
 * A work-group owns every get_num_groups-th strip of rows of C and goes through it in tiles as wide
 * as a sub-group; each of its sub-groups has ROWS rows of a tile, and each lane one column. This is
 * the same in all kernels; they differ in how a work-item gets the elements of A and B:
 *
 *  - naive           loads both from global memory, one element of C after the other
 *  - slm             the work-group loads a tile of A and one of B into shared local memory, with a
 *                    barrier before and after their use; sums stay in registers
 *  - work_group      the same written as loops of the work-group around phases of its work-items,
 *                    as in hierarchical parallelism: everything that lasts from one phase to the
 *                    next, including the sums, is in shared local memory
 *  - broadcast       each lane loads a different element of A's row, and the sub-group broadcasts
 *                    them one after the other; B comes from global memory in rows
 *  - broadcast_block the same, with block reads and writes
 *
 *   a, b    m x k and k x n elements, row by row
 *   c       out, m x n elements
 *   witness out, the sub-group size each work-item was run with
 *   zero    0, which hides from the compiler that A is the same in every iteration
 */
#define LANES    SUB_GROUP_SIZE
#define ROWS     4 /* of C, per sub-group */
#define BATCH    4 /* columns of A per pass of a loop over a tile in shared local memory */
#define KERNEL   __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void
#define UNROLL   _Pragma("unroll")
#define NOUNROLL _Pragma("nounroll")
#define WITNESS  witness[get_global_id(0)] = get_sub_group_size()

/* Most sub-groups for which the tiles in shared local memory have room. */
#define SUB_GROUPS_MAX 8

/* The first row of this sub-group in a tile. The broadcast tells compilers that cannot deduce it
 * that the row, and so the address in A, is the same for all lanes of the sub-group. */
#define FIRST_ROW (sub_group_broadcast(get_sub_group_id(), 0) * ROWS)
#define LANE      get_sub_group_local_id()

/* `row`, `col`: the first row and column of a tile. */
#define FOR_EACH_TILE                                                                              \
    for (uint i = 0; i < iterations; i++)                                                          \
        for (uint row = get_group_id(0) * get_num_sub_groups() * ROWS; row < m;                    \
             row += get_num_groups(0) * get_num_sub_groups() * ROWS)                               \
            for (uint col = 0; col < n; col += LANES)

#define SIGNATURE(name, type)                                                                      \
    KERNEL name(global const type *a, global const type *b, global type *c, global uint *witness,  \
                uint iterations, uint m, uint n, uint k, uint zero)

/* Does not mention sub-groups. */
#define NAIVE_KERNEL(name, type)                                                                   \
    SIGNATURE(name, type)                                                                          \
    {                                                                                              \
        uint first = get_local_id(0) / LANES * ROWS, column = get_local_id(0) % LANES;             \
        FOR_EACH_TILE                                                                              \
        for (uint r = row + first; r < row + first + ROWS; r++) {                                  \
            type sum = 0;                                                                          \
            for (uint j = 0; j < k; j++)                                                           \
                sum += a[r * k + j + i * zero] * b[j * n + col + column];                          \
            c[r * n + col + column] = sum;                                                         \
        }                                                                                          \
        WITNESS;                                                                                   \
    }

/* Loads LANES columns: of A the rows from `row` on, of B those from `j` on. */
#define LOAD_TILES(type)                                                                           \
    {                                                                                              \
        type part[ROWS];                                                                           \
        UNROLL for (uint r = 0; r < ROWS; r++) part[r] =                                           \
            a[(row + FIRST_ROW + r) * k + j + LANE + i * zero];                                    \
        UNROLL for (uint r = 0; r < ROWS; r++) tile_a[FIRST_ROW + r][LANE] = part[r];              \
        for (uint r = get_sub_group_id(); r < LANES; r += get_num_sub_groups())                    \
            tile_b[r][LANE] = b[(j + r) * n + col + LANE];                                         \
    }

#define SLM_KERNEL(name, type)                                                                     \
    SIGNATURE(name, type)                                                                          \
    {                                                                                              \
        local type tile_a[SUB_GROUPS_MAX * ROWS][LANES];                                           \
        local type tile_b[LANES][LANES];                                                           \
        FOR_EACH_TILE                                                                              \
        {                                                                                          \
            type sum[ROWS] = {0};                                                                  \
            for (uint j = 0; j < k; j += LANES) {                                                  \
                LOAD_TILES(type);                                                                  \
                work_group_barrier(CLK_LOCAL_MEM_FENCE);                                           \
                NOUNROLL for (uint l = 0; l < LANES; l += BATCH)                                   \
                {                                                                                  \
                    UNROLL for (uint s = l; s < l + BATCH; s++)                                    \
                    {                                                                              \
                        type element = tile_b[s][LANE];                                            \
                        UNROLL for (uint r = 0; r < ROWS; r++) sum[r] +=                           \
                            tile_a[FIRST_ROW + r][s] * element;                                    \
                    }                                                                              \
                }                                                                                  \
                work_group_barrier(CLK_LOCAL_MEM_FENCE);                                           \
            }                                                                                      \
            UNROLL for (uint r = 0; r < ROWS; r++) c[(row + FIRST_ROW + r) * n + col + LANE] =     \
                sum[r];                                                                            \
        }                                                                                          \
        WITNESS;                                                                                   \
    }

/* A phase: the work-items of the work-group take turns with the elements of the tile of C, and all
 * of them have to finish before the next phase begins. */
#define PHASE(statement)                                                                           \
    for (uint e = get_local_id(0); e < get_local_size(0) * ROWS; e += get_local_size(0)) {         \
        statement;                                                                                 \
    }                                                                                              \
    work_group_barrier(CLK_LOCAL_MEM_FENCE)

#define WORK_GROUP_KERNEL(name, type)                                                              \
    SIGNATURE(name, type)                                                                          \
    {                                                                                              \
        local type tile_a[SUB_GROUPS_MAX * ROWS][LANES];                                           \
        local type tile_b[LANES][LANES];                                                           \
        local type sum[SUB_GROUPS_MAX * ROWS][LANES];                                              \
        FOR_EACH_TILE                                                                              \
        {                                                                                          \
            PHASE(sum[e / LANES][e % LANES] = 0);                                                  \
            for (uint j = 0; j < k; j += LANES) {                                                  \
                LOAD_TILES(type);                                                                  \
                work_group_barrier(CLK_LOCAL_MEM_FENCE);                                           \
                PHASE(type partial = sum[e / LANES][e % LANES];                                    \
                      NOUNROLL for (uint l = 0; l < LANES; l += BATCH) {                           \
                          UNROLL for (uint s = l; s < l + BATCH; s++) partial +=                   \
                              tile_a[e / LANES][s] * tile_b[s][e % LANES];                         \
                      } sum[e / LANES][e % LANES] = partial);                                      \
            }                                                                                      \
            PHASE(c[(row + e / LANES) * n + col + e % LANES] = sum[e / LANES][e % LANES]);         \
        }                                                                                          \
        WITNESS;                                                                                   \
    }

#define BROADCAST_KERNEL(name, type, read, write)                                                  \
    SIGNATURE(name, type)                                                                          \
    {                                                                                              \
        FOR_EACH_TILE                                                                              \
        {                                                                                          \
            type sum[ROWS] = {0};                                                                  \
            for (uint j = 0; j < k; j += LANES) {                                                  \
                type part[ROWS];                                                                   \
                UNROLL for (uint r = 0; r < ROWS; r++) part[r] =                                   \
                    read(a + (row + FIRST_ROW + r) * k + j + i * zero);                            \
                UNROLL for (uint l = 0; l < LANES; l++)                                            \
                {                                                                                  \
                    type element = read(b + (j + l) * n + col);                                    \
                    UNROLL for (uint r = 0; r < ROWS; r++) sum[r] +=                               \
                        sub_group_broadcast(part[r], l) * element;                                 \
                }                                                                                  \
            }                                                                                      \
            UNROLL for (uint r = 0; r < ROWS; r++)                                                 \
                write(c + (row + FIRST_ROW + r) * n + col, sum[r]);                                \
        }                                                                                          \
        WITNESS;                                                                                   \
    }

#define READ(from)       (from)[LANE]
#define WRITE(to, value) (to)[LANE] = (value)

/* The compiler says "Block reads not supported in SIMD32". */
#if SUB_GROUP_SIZE == 32
#define BLOCK_KERNEL(name, type, read, write)
#else
#define BLOCK_KERNEL BROADCAST_KERNEL
#endif
