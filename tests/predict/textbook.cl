/* Kernels as textbooks and benchmark suites have them, beside those of kernels.cl. */

__kernel SIZE void triad(__global const float *b, __global const float *c, __global float *a,
                         float scalar)
{
    uint id = get_global_id(0);
    a[id] = b[id] + scalar * c[id];
}

__kernel SIZE void transpose_tiled(__global const float *in, __global float *out)
{
    __local float tile[16][17];
    uint x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
    tile[j][i] = in[y * get_global_size(0) + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint to_x = get_group_id(1) * 16 + i, to_y = get_group_id(0) * 16 + j;
    out[to_y * get_global_size(1) + to_x] = tile[i][j];
}

__kernel SIZE void transpose_plain(__global const float *in, __global float *out)
{
    uint x = get_global_id(0), y = get_global_id(1);
    out[x * get_global_size(1) + y] = in[y * get_global_size(0) + x];
}

/* Rows of `each` elements whose columns are anywhere. */
__kernel SIZE void spmv(__global const uint *columns, __global const float *values,
                        __global const float *in, __global float *out, uint each)
{
    uint row = get_global_id(0);
    float sum = 0;
    for (uint i = 0; i < each; i++)
        sum += values[row * each + i] * in[columns[row * each + i]];
    out[row] = sum;
}

/* A radius of 4, of a line that wraps. */
__kernel SIZE void stencil_local(__global const float *in, __global float *out)
{
    __local float line[256 + 8];
    uint id = get_global_id(0), at = get_local_id(0), last = get_global_size(0) - 1;
    line[at + 4] = in[id];
    if (at < 4)
        line[at] = in[(id - 4) & last];
    if (at >= get_local_size(0) - 4)
        line[at + 8] = in[(id + 4) & last];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint i = 0; i < 9; i++)
        sum += line[at + i] * (0.1f + 0.01f * i);
    out[id] = sum;
}

__kernel SIZE void n_body_tile(__global const float4 *bodies, __global float4 *out, uint count)
{
    __local float4 tile[128];
    float4 own = bodies[get_global_id(0)];
    float3 force = 0;
    for (uint from = 0; from < count; from += 128) {
        tile[get_local_id(0)] = bodies[from + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < 128; i++) {
            float3 distance = tile[i].xyz - own.xyz;
            float inverse = rsqrt(dot(distance, distance) + 0.01f);
            force += distance * (tile[i].w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = (float4)(force, own.w);
}

__kernel SIZE void dot_product(__global const float *a, __global const float *b, __global uint *out,
                               uint count)
{
    __local float partial[256];
    uint at = get_local_id(0);
    float sum = 0;
    for (uint i = get_global_id(0); i < count; i += get_global_size(0))
        sum += a[i] * b[i];
    partial[at] = sum;
    for (uint left = get_local_size(0) / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at < left)
            partial[at] += partial[at + left];
    }
    if (at == 0)
        atomic_add(out, (uint)(partial[0] * 1024.0f));
}

/* The whole of a bitonic sort of 256 numbers, in local memory. */
__kernel SIZE void sort_local(__global uint *data)
{
    __local uint line[256];
    uint at = get_local_id(0);
    line[at] = data[get_global_id(0)];
    for (uint block = 2; block <= 256; block *= 2) {
        for (uint distance = block / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint other = at ^ distance, mine = line[at], theirs = line[other];
            bool least = ((at & block) == 0) == (at < other);
            barrier(CLK_LOCAL_MEM_FENCE);
            line[at] = least ? min(mine, theirs) : max(mine, theirs);
        }
    }
    data[get_global_id(0)] = line[at];
}

__kernel SIZE void row_sums(__global const float *in, __global float *out, uint each)
{
    uint row = get_global_id(0);
    float sum = 0;
    for (uint i = 0; i < each; i++)
        sum += in[row * each + i];
    out[row] = sum;
}

/* A row for each work-group. */
__kernel SIZE void matrix_vector(__global const float *matrix, __global const float *vector,
                                 __global float *out, uint width)
{
    __local float partial[128];
    uint at = get_local_id(0), row = get_group_id(0);
    float sum = 0;
    for (uint x = at; x < width; x += get_local_size(0))
        sum += matrix[row * width + x] * vector[x];
    partial[at] = sum;
    for (uint left = get_local_size(0) / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at < left)
            partial[at] += partial[at + left];
    }
    if (at == 0)
        out[row] = partial[0];
}

__kernel SIZE void scatter(__global const uint *index, __global const float *in,
                           __global float *out)
{
    out[index[get_global_id(0)]] = in[get_global_id(0)];
}

/* Rows of a grid, of which each cell takes the least of three above it. */
__kernel SIZE void path_finder(__global const uint *grid, __global uint *out, uint rows)
{
    __local uint line[2][256];
    uint at = get_local_id(0), last = get_local_size(0) - 1, width = get_global_size(0);
    line[0][at] = grid[get_global_id(0)] & 15;
    for (uint row = 1; row < rows; row++) {
        __local uint *from = line[(row - 1) & 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint best = min(from[at], min(from[at ? at - 1 : at], from[at < last ? at + 1 : at]));
        line[row & 1][at] = best + (grid[row * width + get_global_id(0)] & 15);
    }
    out[get_global_id(0)] = line[(rows - 1) & 1][at];
}

/* The nearest of some centres of four coordinates. */
__kernel SIZE void nearest_centre(__global const float4 *points, __global const float4 *centres,
                                  __global uint *out, uint count)
{
    float4 own = points[get_global_id(0)];
    float least = INFINITY;
    uint best = 0;
    for (uint i = 0; i < count; i++) {
        float4 off = centres[i] - own;
        float distance = dot(off, off);
        best = distance < least ? i : best;
        least = fmin(distance, least);
    }
    out[get_global_id(0)] = best;
}

__kernel SIZE void black_scholes(__global const float *price, __global const float *strike,
                                 __global float *call)
{
    uint id = get_global_id(0);
    float s = price[id] + 1.0f, k = strike[id] + 1.0f;
    float root = native_sqrt(2.0f) * 0.3f;
    float d1 = (native_log(s / k) + 0.19f) / root, d2 = d1 - root;
    float n1 = 1.0f / (1.0f + native_exp(-1.702f * d1));
    float n2 = 1.0f / (1.0f + native_exp(-1.702f * d2));
    call[id] = s * n1 - k * native_exp(-0.1f) * n2;
}
