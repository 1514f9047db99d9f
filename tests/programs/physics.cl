/* N-body, stencils, Fourier transform. */
#include "sub-group.h"

KERNEL void n_body(global const float4 *bodies, global float4 *out, uint count, float step,
                   local float4 *tile)
{
    float4 own = bodies[get_global_id(0)];
    float3 force = 0;
    for (uint first = 0; first < count; first += get_local_size(0)) {
        tile[get_local_id(0)] = bodies[first + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < get_local_size(0); i++) {
            float3 distance = tile[i].xyz - own.xyz;
            float inverse = rsqrt(dot(distance, distance) + 0.01f);
            force += distance * (tile[i].w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = (float4)(own.xyz + force * step, own.w);
}

KERNEL void stencil_2d(global const float *in, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int width = get_global_size(0), height = get_global_size(1);
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        out[y * width + x] = in[y * width + x];
        return;
    }
    out[y * width + x] =
        0.5f * in[y * width + x] + 0.125f * (in[y * width + x - 1] + in[y * width + x + 1] +
                                             in[(y - 1) * width + x] + in[(y + 1) * width + x]);
}

KERNEL void stencil_3d(global const int *in, global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2), sum = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int cx = clamp(x + dx, 0, nx - 1), cy = clamp(y + dy, 0, ny - 1),
                    cz = clamp(z + dz, 0, nz - 1);
                sum += in[(cz * ny + cy) * nx + cx] * (1 + abs(dx) + 2 * abs(dy) + 3 * abs(dz));
            }
    out[(z * ny + y) * nx + x] = sum;
}

/* A tile with its border in local memory. */
KERNEL void blur_tiled(global const uchar *in, global uchar *out, local uchar *tile)
{
    int w = get_global_size(0), h = get_global_size(1), tw = get_local_size(0) + 2,
        th = get_local_size(1) + 2;
    int x0 = get_group_id(0) * get_local_size(0), y0 = get_group_id(1) * get_local_size(1);
    for (int i = get_local_id(1) * get_local_size(0) + get_local_id(0); i < tw * th;
         i += get_local_size(0) * get_local_size(1)) {
        int x = clamp(x0 + i % tw - 1, 0, w - 1), y = clamp(y0 + i / tw - 1, 0, h - 1);
        tile[i] = in[y * w + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint dy = 0; dy < 3; dy++)
        for (uint dx = 0; dx < 3; dx++)
            sum += tile[(get_local_id(1) + dy) * tw + get_local_id(0) + dx];
    out[get_global_id(1) * w + get_global_id(0)] = sum / 9;
}

/* Radix 2, decimation in time, one work-group; twice as many points as work-items. */
KERNEL void fft(global const float2 *in, global float2 *out, uint bits, local float2 *data)
{
    uint id = get_local_id(0), n = 1u << bits;
    for (uint i = id; i < n; i += n / 2) {
        uint reversed = 0;
        for (uint bit = 0; bit < bits; bit++)
            reversed |= (i >> bit & 1) << (bits - 1 - bit);
        data[reversed] = in[i];
    }
    for (uint span = 1; span < n; span *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = id & (span - 1), at = (id - k) * 2 + k;
        float angle = -M_PI_F * (float)k / (float)span, c;
        float s = sincos(angle, &c);
        float2 x = data[at], y = data[at + span];
        float2 turned = (float2)(y.x * c - y.y * s, y.x * s + y.y * c);
        data[at] = x + turned;
        data[at + span] = x - turned;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = id; i < n; i += n / 2)
        out[i] = data[i];
}

KERNEL void mandelbrot(global uint *out, uint limit)
{
    float cx = -2.2f + 3.0f * get_global_id(0) / get_global_size(0);
    float cy = -1.2f + 2.4f * get_global_id(1) / get_global_size(1), x = 0, y = 0;
    uint count = 0;
    while (count < limit && x * x + y * y < 4.0f) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        count++;
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = count;
}

KERNEL void game_of_life(global const char *in, global char *out)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1),
        neighbours = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                neighbours += in[(y + dy + h) % h * w + (x + dx + w) % w];
    char alive = in[y * w + x];
    out[y * w + x] = neighbours == 3 || (alive && neighbours == 2);
}

struct steps {
    uint count, factor, addend, first;
};

/* As many steps as a struct by value says. */
KERNEL void steps(global uint *out, struct steps steps)
{
    uint x = get_global_id(0) + steps.first;
    for (uint i = 0; i < steps.count; i++)
        x = x * steps.factor + steps.addend + (x >> 7);
    out[get_global_id(0)] = x;
}
