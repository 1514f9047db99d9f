/* Products of matrices of SIZE x SIZE elements, and of a matrix with a vector: a sub-group computes
 * ROWS rows of COLUMNS times 16 columns; an element of the left matrix is one lane's and is
 * multiplied with all lanes' of the right one. Elements are -1, 0 and 1, and so all sums exact. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable

#define LANES 16
#define ROWS  16

#if TYPE == 0
typedef float word;
typedef float4 words;
typedef float2 columns;
#define COLUMNS              2
#define LANE                 get_sub_group_local_id()
#define READ(from)           (from)[LANE]
#define READ_ALL(from)       (float2)((from)[LANE], (from)[LANE + LANES])
#define WRITE_ALL(to, value) ((to)[LANE] = (value).x, (to)[LANE + LANES] = (value).y)
#else
typedef half word;
typedef half4 columns;
#define COLUMNS        4
#define READ(from)     as_half(intel_sub_group_block_read_us((const global ushort *)(from)))
#define READ_ALL(from) as_half4(intel_sub_group_block_read_us4((const global ushort *)(from)))
#define WRITE_ALL(to, value)                                                                       \
    intel_sub_group_block_write_us4((global ushort *)(to), as_ushort4(value))
#endif

/* Between -1 and 1. */
uint element(uint i)
{
    i = (i ^ i >> 15) * 0x2C1B3C6Du;
    i = (i ^ i >> 12) * 0x297A2D39u;
    return (i >> 16) % 3u;
}

kernel void prepare(global word *left, global word *right, uint right_elements)
{
    uint i = get_global_id(0);

    left[i] = (word)((int)element(i) - 1);
    if (i < right_elements)
        right[i] = (word)((int)element(~i) - 1);
}

#if SIZE
kernel void multiply(global const word *left, global const word *right, global word *out)
{
    const uint column = get_global_id(0) / LANES * LANES * COLUMNS;
    const uint row = get_global_id(1) * ROWS;
    columns sum[ROWS];

    for (uint i = 0; i < ROWS; i++)
        sum[i] = 0;
    for (uint k = 0; k < SIZE; k += LANES) {
        word tile[ROWS];

#pragma unroll
        for (uint i = 0; i < ROWS; i++)
            tile[i] = READ(left + (row + i) * SIZE + k);
#pragma unroll
        for (uint l = 0; l < LANES; l++) {
            columns other = READ_ALL(right + (k + l) * SIZE + column);

#pragma unroll
            for (uint i = 0; i < ROWS; i++)
                sum[i] = mad((columns)sub_group_broadcast(tile[i], l), other, sum[i]);
        }
    }
#pragma unroll
    for (uint i = 0; i < ROWS; i++)
        WRITE_ALL(out + (row + i) * SIZE + column, sum[i]);
}
#else
/* A sub-group a row, four elements of each lane at a time. */
kernel void apply(global const words *left, global const words *right, global word *out)
{
    const uint row = get_global_id(0) / LANES, lane = get_sub_group_local_id();
    const global words *of_row = left + row * (LENGTH / 4);
    words sum = 0;

    for (uint k = lane; k < LENGTH / 4; k += LANES)
        sum = mad(of_row[k], right[k], sum);
    word all = sub_group_reduce_add(sum.x + sum.y + (sum.z + sum.w));
    if (lane == 0)
        out[row] = all;
}
#endif
