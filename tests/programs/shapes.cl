/* Ranges of one to three dimensions, and the ids and sizes that a work-item sees. */
#include "sub-group.h"

KERNEL void identity(global uint *out)
{
    size_t width = get_global_size(0), height = get_global_size(1);
    size_t linear = (get_global_id(2) * height + get_global_id(1)) * width + get_global_id(0);
    global uint *to = out + linear * 12;
    for (uint d = 0; d < 3; d++) {
        to[d] = get_local_id(d);
        to[3 + d] = get_group_id(d);
        to[6 + d] = get_local_size(d) << 16 | get_num_groups(d);
    }
    to[9] = get_local_linear_id();
    to[10] = get_global_linear_id();
    to[11] = get_work_dim();
}

KERNEL void sub_group_identity(global uint *out)
{
    global uint *to = out + get_global_id(0) * 4;
    to[0] = get_sub_group_local_id();
    to[1] = get_sub_group_id();
    to[2] = get_num_sub_groups();
    to[3] = get_sub_group_size();
}

/* Only y is used: the ids of the other dimensions may not be generated. */
KERNEL void only_y(global uint *out)
{
    atomic_add(out + get_global_id(1), get_local_id(1) + 1);
}
