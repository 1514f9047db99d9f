/*
 * transfer: copies between the host's memory and the device's. What the kernel leaves on the device
 * is what a copy to the host has to bring, and what one from the host has to replace.
 *
 *   data    in and out, four dwords in each step of a work-item
 *   witness the sub-group size each work-item was run with
 */
__attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void
transfer_mark(global uint4 *data, global uint *witness, uint count)
{
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        data[i] = ~data[i];
    witness[get_global_id(0)] = get_sub_group_size();
}
