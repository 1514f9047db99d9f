/* Reductions, scans, histograms, sorting. */
#include "sub-group.h"

KERNEL void reduce_tree(global const int *in, global int *out, local int *scratch)
{
    size_t id = get_local_id(0), n = get_local_size(0);
    scratch[id] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t middle = (n + 1) / 2, left = n; left > 1;
         left = middle, middle = (middle + 1) / 2) {
        if (id + middle < left)
            scratch[id] += scratch[id + middle];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0)
        out[get_group_id(0)] = scratch[0];
}

KERNEL void reduce_atomic(global const uint *in, global uint *sum, global uint *greatest,
                          uint count)
{
    uint total = 0, most = 0;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        total += in[i];
        most = max(most, in[i]);
    }
    atomic_add(sum, total);
    atomic_max(greatest, most);
}

KERNEL void reduce_work_group(global const int *in, global int *out)
{
    int value = in[get_global_id(0)];
    int sum = work_group_reduce_add(value), most = work_group_reduce_max(value);
    int before = work_group_scan_exclusive_add(value);
    int any = work_group_any(value > 990), all = work_group_all(value < 1000);
    size_t at = get_global_id(0) * 5;
    out[at] = sum;
    out[at + 1] = most;
    out[at + 2] = before;
    out[at + 3] = any;
    out[at + 4] = all;
}

/* Hillis and Steele: an inclusive scan of each work-group. */
KERNEL void scan_inclusive(global const uint *in, global uint *out, local uint *a, local uint *b)
{
    size_t id = get_local_id(0), n = get_local_size(0);
    a[id] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = 1; step < n; step *= 2) {
        b[id] = id >= step ? a[id] + a[id - step] : a[id];
        barrier(CLK_LOCAL_MEM_FENCE);
        local uint *other = a;
        a = b;
        b = other;
    }
    out[get_global_id(0)] = a[id];
}

/* Blelloch: an exclusive scan of two elements for each work-item. */
KERNEL void scan_exclusive(global const float *in, global float *out, local float *tree)
{
    uint id = get_local_id(0), n = get_local_size(0) * 2, offset = 1;
    uint base = get_group_id(0) * n;
    tree[2 * id] = in[base + 2 * id];
    tree[2 * id + 1] = in[base + 2 * id + 1];
    for (uint d = n / 2; d > 0; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < d)
            tree[offset * (2 * id + 2) - 1] += tree[offset * (2 * id + 1) - 1];
        offset *= 2;
    }
    if (id == 0)
        tree[n - 1] = 0;
    for (uint d = 1; d < n; d *= 2) {
        offset /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < d) {
            float left = tree[offset * (2 * id + 1) - 1];
            tree[offset * (2 * id + 1) - 1] = tree[offset * (2 * id + 2) - 1];
            tree[offset * (2 * id + 2) - 1] += left;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * id] = tree[2 * id];
    out[base + 2 * id + 1] = tree[2 * id + 1];
}

KERNEL void histogram(global const uchar *in, global uint *out, uint count, local uint *bins)
{
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        atomic_inc(&bins[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        if (bins[i])
            atomic_add(&out[i], bins[i]);
}

KERNEL void bitonic_local(global int *data, local int *part)
{
    uint id = get_local_id(0), n = get_local_size(0) * 2, base = get_group_id(0) * n;
    part[id] = data[base + id];
    part[id + n / 2] = data[base + id + n / 2];
    for (uint size = 2; size <= n; size *= 2) {
        for (uint stride = size / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint at = 2 * id - (id & (stride - 1));
            bool ascending = (at & size) == 0;
            int x = part[at], y = part[at + stride];
            if ((x > y) == ascending) {
                part[at] = y;
                part[at + stride] = x;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[base + id] = part[id];
    data[base + id + n / 2] = part[id + n / 2];
}

KERNEL void bitonic_step(global uint *keys, global ushort *values, uint size, uint stride)
{
    uint id = get_global_id(0), at = 2 * id - (id & (stride - 1));
    bool ascending = (at & size) == 0;
    uint x = keys[at], y = keys[at + stride];
    if (x != y && (x > y) == ascending) {
        ushort value = values[at];
        keys[at] = y;
        keys[at + stride] = x;
        values[at] = values[at + stride];
        values[at + stride] = value;
    }
}

/* One digit of a radix sort by a single work-group: counts, offsets, stable scatter. */
KERNEL void radix_pass(global const uint *in, global uint *out, uint count, uint shift,
                       local uint *counts)
{
    uint id = get_local_id(0), n = get_local_size(0), chunk = (count + n - 1) / n;
    uint first = id * chunk, last = min(first + chunk, count);
    for (uint digit = 0; digit < 16; digit++)
        counts[digit * n + id] = 0;
    for (uint i = first; i < last; i++)
        counts[(in[i] >> shift & 15) * n + id]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 0) {
        uint sum = 0;
        for (uint i = 0; i < 16 * n; i++) {
            uint own = counts[i];
            counts[i] = sum;
            sum += own;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = first; i < last; i++)
        out[counts[(in[i] >> shift & 15) * n + id]++] = in[i];
}
