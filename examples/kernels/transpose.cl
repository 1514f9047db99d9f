/* Transposed through a tile in shared local memory; PAD keeps its columns in different banks. */
kernel void transpose(global const uint *in, global uint *out, uint side)
{
    local uint tile[16][16 + PAD];
    uint x = get_local_id(0), y = get_local_id(1);

    tile[y][x] = in[get_global_id(1) * side + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + y) * side + get_group_id(1) * 16 + x] = tile[x][y];
}
