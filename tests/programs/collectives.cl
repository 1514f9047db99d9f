/* Collective operations of a sub-group, for every type. */
#include "sub-group.h"

#define COLLECTIVES(type)                                                                          \
    KERNEL void collectives_##type(global const type *in, global type *out)                        \
    {                                                                                              \
        type x = in[get_global_id(0)];                                                             \
        uint lane = get_sub_group_local_id(), n = get_max_sub_group_size();                        \
        out += get_global_id(0) * 9;                                                               \
        out[0] = sub_group_reduce_add(x);                                                          \
        out[1] = sub_group_reduce_min(x);                                                          \
        out[2] = sub_group_reduce_max(x);                                                          \
        out[3] = sub_group_scan_inclusive_add(x);                                                  \
        out[4] = sub_group_scan_exclusive_add(x);                                                  \
        out[5] = sub_group_scan_inclusive_max(x);                                                  \
        out[6] = sub_group_broadcast(x, 5);                                                        \
        out[7] = sub_group_shuffle(x, (lane + 3) % n);                                             \
        out[8] = sub_group_shuffle_xor(x, 1);                                                      \
    }

COLLECTIVES(char)
COLLECTIVES(uchar)
COLLECTIVES(short)
COLLECTIVES(ushort)
COLLECTIVES(int)
COLLECTIVES(uint)
COLLECTIVES(long)
COLLECTIVES(ulong)
COLLECTIVES(half)
COLLECTIVES(float)

/* A tree in local memory; its top is the same address for all. */
#define TREE(type)                                                                                 \
    KERNEL void tree_##type(global const type *in, global type *out)                               \
    {                                                                                              \
        local type sums[64];                                                                       \
        uint id = get_local_id(0);                                                                 \
        sums[id] = in[get_global_id(0)];                                                           \
        for (uint half_way = 32; half_way > 1; half_way /= 2) {                                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            if (id < half_way)                                                                     \
                sums[id] += sums[id + half_way];                                                   \
        }                                                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        if (id < 1)                                                                                \
            out[get_group_id(0)] = sums[0] + sums[1];                                              \
    }

TREE(int)
TREE(long)
TREE(float)
