/* Matrix products and transposes. */
#include "sub-group.h"

KERNEL void multiply_naive(global const float *a, global const float *b, global float *c, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

#define TILE 8
KERNEL void multiply_tiled(global const float *a, global const float *b, global float *c, uint n)
{
    local float tile_a[TILE][TILE], tile_b[TILE][TILE + 1];
    uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0;
    for (uint first = 0; first < n; first += TILE) {
        tile_a[ly][lx] = a[y * n + first + lx];
        tile_b[ly][lx] = b[(first + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum = fma(tile_a[ly][k], tile_b[k][lx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

/* Each work-item computes a column of 8 rows; rows of a travel by broadcast. */
KERNEL void multiply_broadcast(global const float *a, global const float *b, global float *c,
                               uint n)
{
    uint x = get_global_id(0), y = get_global_id(1) * 8, width = get_sub_group_size();
    float sum[8] = {0};
    for (uint first = 0; first < n; first += width) {
        float row[8];
        for (uint i = 0; i < 8; i++)
            row[i] = a[(y + i) * n + first + get_sub_group_local_id()];
        for (uint k = 0; k < width; k++) {
            float column = b[(first + k) * n + x];
            for (uint i = 0; i < 8; i++)
                sum[i] = mad(sub_group_broadcast(row[i], k), column, sum[i]);
        }
    }
    for (uint i = 0; i < 8; i++)
        c[(y + i) * n + x] = sum[i];
}

KERNEL void transpose_tiled(global const int *in, global int *out)
{
    local int tile[16][17];
    uint w = get_global_size(0), h = get_global_size(1);
    tile[get_local_id(1)][get_local_id(0)] = in[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = get_group_id(1) * 16 + get_local_id(0), y = get_group_id(0) * 16 + get_local_id(1);
    out[y * h + x] = tile[get_local_id(0)][get_local_id(1)];
}

KERNEL void multiply_half(global const half *a, global const half *b, global half *c, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    half sum = 0;
    for (uint k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

KERNEL void multiply_vector(global const float4 *a, global const float16 *b, global float16 *c,
                            uint n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    float16 sum = 0;
    for (uint k = 0; k < n / 4; k++) {
        float4 row = a[y * (n / 4) + k];
        sum += row.x * b[(4 * k) * (n / 16) + x];
        sum += row.y * b[(4 * k + 1) * (n / 16) + x];
        sum += row.z * b[(4 * k + 2) * (n / 16) + x];
        sum += row.w * b[(4 * k + 3) * (n / 16) + x];
    }
    c[y * (n / 16) + x] = sum;
}
