/* Inclusive sums of whole numbers within each work-group: first by sub-groups, then of those. */
kernel void scan(global const uint *in, global uint *out)
{
    local uint totals[64];
    uint sum = sub_group_scan_inclusive_add(in[get_global_id(0)]);

    if (get_sub_group_local_id() == SUB_GROUP_SIZE - 1)
        totals[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < get_sub_group_id(); i++)
        sum += totals[i];
    out[get_global_id(0)] = sum;
}
