/* Ten kernels that are no benchmark, each written as programs have it. */
#ifndef LANES
#define LANES 16
#endif
#define SIZE __attribute__((intel_reqd_sub_group_size(LANES)))

__kernel SIZE void reduction(__global const float *in, __global float *out, uint count,
                             __local float *partial)
{
    uint local_id = get_local_id(0);
    float sum = 0;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        sum += in[i];
    partial[local_id] = sum;
    for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (local_id < half_size)
            partial[local_id] += partial[local_id + half_size];
    }
    if (local_id == 0)
        out[get_group_id(0)] = partial[0];
}

/* Inclusive, of each work-group. */
__kernel SIZE void scan(__global const uint *in, __global uint *out, __local uint *line)
{
    uint id = get_local_id(0), value = in[get_global_id(0)];
    line[id] = value;
    for (uint step = 1; step < get_local_size(0); step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint before = id >= step ? line[id - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        line[id] = value += before;
    }
    out[get_global_id(0)] = value;
}

/* 256 bins, in shared local memory first. */
__kernel SIZE void histogram(__global const uint *in, __global uint *bins, uint each)
{
    __local uint own[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < each; i++)
        atomic_inc(&own[in[i * get_global_size(0) + get_global_id(0)] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        atomic_add(&bins[i], own[i]);
}

__kernel SIZE void gather(__global const uint *index, __global const float *in, __global float *out)
{
    out[get_global_id(0)] = in[index[get_global_id(0)]];
}

__kernel SIZE void stencil(__global const float *in, __global float *out)
{
    uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
    uint left = x ? x - 1 : x, right = x + 1 < width ? x + 1 : x;
    uint up = y ? y - 1 : y, down = y + 1 < get_global_size(1) ? y + 1 : y;
    out[y * width + x] =
        0.5f * in[y * width + x] + 0.125f * (in[y * width + left] + in[y * width + right] +
                                             in[up * width + x] + in[down * width + x]);
}

__kernel SIZE void n_body(__global const float4 *bodies, __global float4 *out, uint count)
{
    float4 own = bodies[get_global_id(0)];
    float3 force = 0;
    for (uint i = 0; i < count; i++) {
        float4 other = bodies[i];
        float3 distance = other.xyz - own.xyz;
        float inverse = rsqrt(dot(distance, distance) + 0.01f);
        force += distance * (other.w * inverse * inverse * inverse);
    }
    out[get_global_id(0)] = (float4)(force, own.w);
}

/* Tiles of 16 by 16. */
__kernel SIZE void product(__global const float *a, __global const float *b, __global float *c,
                           uint depth)
{
    __local float left[16][16], right[16][16];
    uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
    uint i = get_local_id(0), j = get_local_id(1);
    float sum = 0;
    for (uint k = 0; k < depth; k += 16) {
        left[j][i] = a[y * depth + k + i];
        right[j][i] = b[(k + j) * width + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint n = 0; n < 16; n++)
            sum += left[j][n] * right[n][i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * width + x] = sum;
}

/* One step of a bitonic sort. */
__kernel SIZE void sort_step(__global uint *data, uint distance, uint block)
{
    uint id = get_global_id(0);
    uint at = (id / distance) * 2 * distance + id % distance;
    uint a = data[at], b = data[at + distance];
    bool up = !(at & block);
    data[at] = up ? min(a, b) : max(a, b);
    data[at + distance] = up ? max(a, b) : min(a, b);
}

/* As many rounds as the data say. */
__kernel SIZE void rounds(__global const uint *in, __global uint *out)
{
    uint value = in[get_global_id(0)], count = value & 127, x = value;
    for (uint i = 0; i < count; i++)
        x = x * 1664525u + 1013904223u + (x >> 7);
    out[get_global_id(0)] = x;
}

__kernel SIZE void atomics(__global const uint *in, __global uint *sums, uint mask)
{
    atomic_add(&sums[in[get_global_id(0)] & mask], 1u);
}
