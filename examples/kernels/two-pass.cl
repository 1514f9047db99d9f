/* Sum of `n` numbers in two passes: every work-group leaves the sum of its share, then one
 * work-group adds these. */
kernel void sum(global const uint *in, global uint *sums, local uint *part, uint n)
{
    uint id = get_local_id(0), sum = 0;

    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    part[id] = sum;
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < half_size)
            part[id] += part[id + half_size];
    }
    if (id == 0)
        sums[get_group_id(0)] = part[0];
}
