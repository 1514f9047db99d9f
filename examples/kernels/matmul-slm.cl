/* C = A B through tiles of TILE x TILE in shared local memory. */
kernel void matmul_slm(global const float *a, global const float *b, global float *c, uint n)
{
    local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;

    for (uint first = 0; first < n; first += TILE) {
        tile_a[y][x] = a[row * n + first + x];
        tile_b[y][x] = b[(first + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum = fma(tile_a[y][k], tile_b[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
