/* Block reads and writes, which the compiler has for sub-groups of 8 and 16. */
#include "sub-group.h"

/* A square as wide as the sub-group: block reads, shuffles along diagonals, block writes. */
KERNEL void transpose_shuffle(global const uint *in, global uint *out)
{
    uint n = get_sub_group_size(), lane = get_sub_group_local_id();
    for (uint row = 0; row < n; row++) {
        uint result = 0;
        for (uint k = 0; k < n; k++) {
            uint value = intel_sub_group_block_read(in + k * n);
            uint other = intel_sub_group_shuffle(value, row);
            result = lane == k ? other : result;
        }
        intel_sub_group_block_write(out + row * n, result);
    }
}

KERNEL void blocks(global uint *in, global ushort *shorts, global uint *out)
{
    uint group = get_global_id(0) / get_max_sub_group_size() * get_max_sub_group_size();
    uint x = intel_sub_group_block_read(in + group * 7);
    uint2 y = intel_sub_group_block_read2(in + group * 7 + get_max_sub_group_size());
    uint4 z = intel_sub_group_block_read4(in + group * 7 + 3 * get_max_sub_group_size());
    ushort s = intel_sub_group_block_read_us(shorts + group);
    intel_sub_group_block_write4(out + group * 8, (uint4)(x, y, z.w));
    intel_sub_group_block_write2(out + group * 8 + 4 * get_max_sub_group_size(), z.yx);
    intel_sub_group_block_write(out + group * 8 + 6 * get_max_sub_group_size(), z.z + s);
    intel_sub_group_block_write_us(
        (global ushort *)(out + group * 8 + 7 * get_max_sub_group_size()), s + 1);
}
