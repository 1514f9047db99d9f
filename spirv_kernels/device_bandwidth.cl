/*
 * device_bandwidth: the bandwidth of all Xe-cores together for read, write, copy, and combine.
 *
 * Each work-group goes through its own slice of the elements in every iteration, its work-items
 * side by side, four dwords each.
 *
 *   in      elements read; `triad` reads as many again after them
 *   out     elements written
 *   sums    one per work-item: of all dwords it has read, in the kernel that only reads
 *   witness the sub-group size each work-item was run with
 */

#define KERNEL(name, use)                                                                          \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))                                     \
    kernel void device_bandwidth_##name(                                                           \
        global const uint4 *restrict in, global uint4 *restrict out, global uint *restrict sums,   \
        global uint *restrict witness, uint count, uint iterations)                                \
    {                                                                                              \
        uint first = (uint)((ulong)get_group_id(0) * count / get_num_groups(0));                   \
        uint end = (uint)((ulong)(get_group_id(0) + 1) * count / get_num_groups(0));               \
        uint4 sum = 0;                                                                             \
        for (uint iteration = 0; iteration < iterations; iteration++) {                            \
            for (uint i = first + get_local_id(0); i < end; i += get_local_size(0))                \
                use;                                                                               \
        }                                                                                          \
        /* Those that only write have read nothing. */                                             \
        sums[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;                                    \
        witness[get_global_id(0)] = get_sub_group_size();                                          \
        (void)in;                                                                                  \
        (void)out;                                                                                 \
    }

KERNEL(read, sum += in[i])
KERNEL(write, out[i] = ((uint4)(i, i, iteration, iteration)))
KERNEL(copy, out[i] = in[i] + iteration)
KERNEL(triad, out[i] = in[i] * 3u + in[count + i] + iteration)
