/* Plain kernels, as anybody would write them: OpenCL C 1.2, no sub-groups, no extensions. The same
 * source goes through SPIR-V to vesim and as text to Oclgrind. All have the same arguments,
 * followed by a factor in those that need one. */

kernel void vector_add(global const uint *a, global const uint *b, global uint *out, uint count)
{
    uint i = get_global_id(0);
    if (i < count)
        out[i] = a[i] + b[i];
}

kernel void saxpy(global const float *a, global const float *b, global float *out, uint count,
                  float factor)
{
    uint i = get_global_id(0);
    if (i < count)
        out[i] = factor * a[i] + b[i];
}

/* A sum for each work-group. */
#define DOT(NAME, TYPE)                                                                            \
    kernel void NAME(global const TYPE *a, global const TYPE *b, global TYPE *out, uint count)     \
    {                                                                                              \
        local TYPE sums[64];                                                                       \
        uint i = get_global_id(0), id = get_local_id(0);                                           \
        sums[id] = i < count ? a[i] * b[i] : 0;                                                    \
        for (uint half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                          \
            if (id < half_size)                                                                    \
                sums[id] += sums[id + half_size];                                                  \
        }                                                                                          \
        if (id == 0)                                                                               \
            out[get_group_id(0)] = sums[0];                                                        \
    }
DOT(dot_int, uint)
DOT(dot_float, float)

/* Positions and masses, velocities; the velocities a step later. */
kernel void n_body(global const float4 *a, global const float4 *b, global float4 *out, uint count,
                   float factor)
{
    uint own = get_global_id(0);
    float3 force = 0;
    for (uint i = 0; i < count; i++) {
        float3 distance = a[i].xyz - a[own].xyz;
        float inverse = rsqrt(dot(distance, distance) + 0.01f);
        force += distance * (a[i].w * inverse * inverse * inverse);
    }
    out[own] = (float4)(b[own].xyz + force * factor, b[own].w);
}

/* MurmurHash3's finalizer, again and again. */
kernel void hash(global const uint *a, global const uint *b, global uint *out, uint count)
{
    uint i = get_global_id(0), h = a[i];
    for (uint round = 0; round < count; round++) {
        h ^= h >> 16;
        h *= 0x85ebca6b;
        h ^= h >> 13;
        h *= 0xc2b2ae35;
        h ^= h >> 16;
        h += b[i];
    }
    out[i] = h;
}

#define MATRIX(NAME, TYPE)                                                                         \
    kernel void NAME(global const TYPE *a, global const TYPE *b, global TYPE *out, uint count)     \
    {                                                                                              \
        uint x = get_global_id(0), y = get_global_id(1);                                           \
        TYPE sum = 0;                                                                              \
        for (uint i = 0; i < count; i++)                                                           \
            sum += a[y * count + i] * b[i * count + x];                                            \
        out[y * count + x] = sum;                                                                  \
    }
MATRIX(matrix_int, uint)
MATRIX(matrix_float, float)
