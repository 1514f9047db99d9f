/* Histogram of 256 bins: in shared local memory first, then added up by atomics. */
kernel void histogram(global const uint *in, global uint *bins, uint n)
{
    local uint own[256];

    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&own[in[i] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        atomic_add(&bins[i], own[i]);
}
