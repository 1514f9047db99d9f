/* Each work-item loads from where a table says. */
kernel void gather(global const uint *from, global const uint *indices, global uint *to)
{
    uint i = get_global_id(0);

    to[i] = from[indices[i]];
}
