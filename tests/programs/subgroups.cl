/* Sub-group functions. */
#include "sub-group.h"

KERNEL void reductions(global const int *in, global int *out)
{
    int x = in[get_global_id(0)];
    out += get_global_id(0) * 12;
    out[0] = sub_group_reduce_add(x);
    out[1] = sub_group_reduce_min(x);
    out[2] = sub_group_reduce_max(x);
    out[3] = sub_group_scan_inclusive_add(x);
    out[4] = sub_group_scan_exclusive_add(x);
    out[5] = sub_group_scan_inclusive_max(x);
    out[6] = sub_group_scan_exclusive_min(x);
    out[7] = sub_group_any(x > 90) != 0;
    out[8] = sub_group_all(x < 99) != 0;
    out[9] = sub_group_broadcast(x, 3);
    out[10] = sub_group_reduce_add((long)x << 33) >> 33;
    out[11] = sub_group_reduce_max((float)x);
}

KERNEL void shuffles(global const uint *in, global uint *out)
{
    uint x = in[get_global_id(0)], lane = get_sub_group_local_id(), n = get_max_sub_group_size();
    out += get_global_id(0) * 8;
    out[0] = intel_sub_group_shuffle(x, (lane * 5 + 1) % n);
    out[1] = intel_sub_group_shuffle_xor(x, 3);
    out[2] = intel_sub_group_shuffle_down(x, x + 1, 2);
    out[3] = intel_sub_group_shuffle_up(x + 2, x, 1);
    out[4] = sub_group_shuffle(x, n - 1 - lane);
    out[5] = sub_group_shuffle_xor((ushort)x, 5);
    out[6] = sub_group_shuffle((ulong)x << 16, lane ^ 1) >> 16;
    out[7] = as_uint(intel_sub_group_shuffle(as_float2((uint2)(x, ~x)), lane ^ 2).y);
}

KERNEL void ballots(global const uint *in, global uint *out)
{
    uint x = in[get_global_id(0)];
    out += get_global_id(0) * 8;
    uint4 ballot = sub_group_ballot(x & 1);
    out[0] = ballot.x;
    out[1] = sub_group_ballot_bit_count(ballot);
    out[2] = sub_group_ballot_inclusive_scan(ballot);
    out[3] = sub_group_inverse_ballot(ballot) != 0;
    out[4] = sub_group_ballot_find_lsb((uint4)(ballot.x | 4, 0, 0, 0));
    out[5] = sub_group_elect() != 0;
    out[6] = sub_group_non_uniform_any(x > 200) != 0;
    out[7] = 0;
    if (x & 2) /* among those that come here */
        out[7] = sub_group_non_uniform_reduce_add(x) + sub_group_broadcast_first(x);
}

KERNEL void divergent(global const int *in, global int *out)
{
    int x = in[get_global_id(0)], r = 0;
    for (int i = 0; i < (x & 7); i++)
        r += sub_group_non_uniform_reduce_add(1);
    out[get_global_id(0)] = r;
}
