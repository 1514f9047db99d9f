/* Ten kernels of other kinds. They were written after the predictions, none of which was changed
 * for them. */
#ifndef LANES
#define LANES 16
#endif
#define SIZE __attribute__((intel_reqd_sub_group_size(LANES)))

/* The best local alignment (Smith and Waterman's, with affine gaps) of two sequences of 64 letters,
 * a pair for each work-group, a diagonal after another. */
__kernel SIZE void align_local(__global const uint *query, __global const uint *reference,
                               __global int *scores)
{
    __local int cells[3][65], gaps[2][65], best;
    __local uint letters[64];
    int at = get_local_id(0), gap = 0, most = 0;
    uint letter = query[get_global_id(0)] & 3;
    letters[at] = reference[get_global_id(0)] & 3;
    for (int i = at; i < 65; i += 64) {
        cells[0][i] = cells[1][i] = cells[2][i] = 0;
        gaps[0][i] = gaps[1][i] = 0;
    }
    if (at == 0)
        best = 0;
    for (int step = 0; step < 127; step++) {
        int column = step - at, last = (step + 2) % 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (column >= 0 && column < 64) {
            int match = letters[column] == letter ? 5 : -3;
            int down = max(cells[last][at] - 8, gaps[~step & 1][at] - 1);
            gap = max(cells[last][at + 1] - 8, gap - 1);
            int cell = max(max(cells[(step + 1) % 3][at] + match, 0), max(gap, down));
            cells[step % 3][at + 1] = cell;
            gaps[step & 1][at + 1] = down;
            most = max(most, cell);
        }
    }
    atomic_max(&best, most);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at == 0)
        scores[get_group_id(0)] = best;
}

float2 complex_product(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* Fourier transforms of 256 points, each by 64 work-items in four passes of radix 4. */
__kernel SIZE void fourier(__global const float2 *in, __global float2 *out)
{
    __local float2 line[256];
    uint at = get_local_id(0), from = get_group_id(0) * 256;
    float2 v[4];
    for (uint i = 0; i < 4; i++)
        v[i] = in[from + at + 64 * i];
    for (uint span = 1;; span *= 4) {
        uint k = at & (span - 1);
        float angle = -1.57079633f * k / span;
        for (uint i = 1; i < 4; i++)
            v[i] = complex_product(v[i], (float2)(native_cos(angle * i), native_sin(angle * i)));
        float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
        v[0] = a + c;
        v[1] = (float2)(b.x + d.y, b.y - d.x);
        v[2] = a - c;
        v[3] = (float2)(b.x - d.y, b.y + d.x);
        if (span == 64)
            break;
        for (uint i = 0; i < 4; i++)
            line[(at - k) * 4 + k + span * i] = v[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < 4; i++)
            v[i] = line[at + 64 * i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < 4; i++)
        out[from + at + 64 * i] = v[i];
}

/* A filter of 5 by 5 over an image of four bytes a pixel. */
__kernel SIZE void convolve(__global const uchar4 *in, __constant float *weights,
                            __global uchar4 *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int width = get_global_size(0), height = get_global_size(1);
    float4 sum = 0.5f;
    for (int j = -2; j <= 2; j++) {
        __global const uchar4 *row = in + clamp(y + j, 0, height - 1) * width;
        for (int i = -2; i <= 2; i++)
            sum += weights[(j + 2) * 5 + i + 2] * convert_float4(row[clamp(x + i, 0, width - 1)]);
    }
    out[y * width + x] = convert_uchar4_sat(sum * 0.08f);
}

/* Appends what is below a limit, and where it was, to a ring. */
__kernel SIZE void compact(__global const uint4 *in, __global uint2 *ring, __global uint *end,
                           uint limit, uint mask)
{
    __local uint counts[16], base[1];
    uint id = get_global_id(0), part = get_sub_group_id();
    uint4 value = in[id], keep = select((uint4)0, (uint4)1, value < limit);
    uint own = keep.x + keep.y + keep.z + keep.w;
    uint to = sub_group_scan_exclusive_add(own);
    if (get_sub_group_local_id() == get_sub_group_size() - 1)
        counts[part] = to + own;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint sum = 0;
        for (uint i = 0; i < get_num_sub_groups(); i++) {
            uint count = counts[i];
            counts[i] = sum;
            sum += count;
        }
        base[0] = atomic_add(end, sum);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    to += base[0] + counts[part];
    if (keep.x)
        ring[to++ & mask] = (uint2)(value.x, id * 4);
    if (keep.y)
        ring[to++ & mask] = (uint2)(value.y, id * 4 + 1);
    if (keep.z)
        ring[to++ & mask] = (uint2)(value.z, id * 4 + 2);
    if (keep.w)
        ring[to & mask] = (uint2)(value.w, id * 4 + 3);
}

/* ChaCha of 20 rounds, a block of 64 bytes for each work-item. */
__kernel SIZE void cipher(__global const uint4 *plain, __global const uint4 *key,
                          __global uint4 *out)
{
    uint id = get_global_id(0);
    uint4 a0 = (uint4)(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574), a = a0;
    uint4 b0 = key[0], b = b0, c0 = key[1], c = c0;
    uint4 d0 = (uint4)(id, key[2].xyz), d = d0;
    for (uint half_round = 0; half_round < 20; half_round++) {
        a += b;
        d = rotate(d ^ a, (uint4)16);
        c += d;
        b = rotate(b ^ c, (uint4)12);
        a += b;
        d = rotate(d ^ a, (uint4)8);
        c += d;
        b = rotate(b ^ c, (uint4)7);
        bool columns = !(half_round & 1);
        b = columns ? b.yzwx : b.wxyz;
        c = c.zwxy;
        d = columns ? d.wxyz : d.yzwx;
    }
    out[id * 4] = plain[id * 4] ^ (a + a0);
    out[id * 4 + 1] = plain[id * 4 + 1] ^ (b + b0);
    out[id * 4 + 2] = plain[id * 4 + 2] ^ (c + c0);
    out[id * 4 + 3] = plain[id * 4 + 3] ^ (d + d0);
}

/* Rows of 1024 numbers, of 128 work-items each. */
__kernel SIZE void softmax(__global const float4 *in, __global float4 *out)
{
    __local float greatest[8], sums[8];
    uint at = get_group_id(0) * 256 + get_local_id(0), parts = get_num_sub_groups();
    float4 a = in[at], b = in[at + 128], most = fmax(a, b);
    most.xy = fmax(most.xy, most.zw);
    float row_most = sub_group_reduce_max(fmax(most.x, most.y));
    if (get_sub_group_local_id() == 0)
        greatest[get_sub_group_id()] = row_most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < parts; i++)
        row_most = fmax(row_most, greatest[i]);
    a = native_exp(a - row_most);
    b = native_exp(b - row_most);
    float4 both = a + b;
    float part_sum = sub_group_reduce_add(both.x + both.y + both.z + both.w), sum = 0;
    if (get_sub_group_local_id() == 0)
        sums[get_sub_group_id()] = part_sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < parts; i++)
        sum += sums[i];
    out[at] = a * (1.0f / sum);
    out[at + 128] = b * (1.0f / sum);
}

/* A step of label propagation: each node gives its label to those neighbours that have a lesser
 * one. The low five bits of a row say how many neighbours, the others where they begin. */
__kernel SIZE void spread_labels(__global const uint *rows, __global const uint *neighbours,
                                 __global const uint *labels, __global uint *next,
                                 __global uint *changed)
{
    uint id = get_global_id(0), label = labels[id];
    uint begin = rows[id] >> 5, end = begin + (rows[id] & 31);
    bool any = false;
    for (uint i = begin; i < end; i++) {
        uint other = neighbours[i];
        if (labels[other] < label) {
            atomic_max(&next[other], label);
            any = true;
        }
    }
    if (any)
        atomic_or(changed, 1u);
}

/* Inverts matrices of 4 by 4 whose diagonals are raised, in place and without a choice of pivots.
 */
__kernel SIZE void invert(__global const float4 *in, __global float4 *out, float damping)
{
    uint at = get_global_id(0);
    float m[4][4];
    for (uint i = 0; i < 4; i++) {
        vstore4(in[at * 4 + i], i, &m[0][0]);
        m[i][i] += damping;
    }
#pragma unroll
    for (uint pivot = 0; pivot < 4; pivot++) {
        float inverse = 1.0f / m[pivot][pivot];
        m[pivot][pivot] = 1;
        for (uint j = 0; j < 4; j++)
            m[pivot][j] *= inverse;
        for (uint i = 0; i < 4; i++) {
            if (i == pivot)
                continue;
            float factor = m[i][pivot];
            m[i][pivot] = 0;
            for (uint j = 0; j < 4; j++)
                m[i][j] -= factor * m[pivot][j];
        }
    }
    for (uint i = 0; i < 4; i++)
        out[at * 4 + i] = vload4(i, &m[0][0]);
}

/* A product of quantised matrices, of which the second one has four rows side by side. */
__kernel SIZE void quantised(__global const char4 *a, __global const char4 *b,
                             __global const float *scales, __global char *out, uint quarter)
{
    uint x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
    int sum = 0;
    for (uint k = 0; k < quarter; k++) {
        char4 left = a[y * quarter + k], right = b[k * width + x];
        sum += left.x * right.x + left.y * right.y + left.z * right.z + left.w * right.w;
    }
    out[y * width + x] = convert_char_sat_rte(sum * scales[x] * 0.001f);
}

/* The mean of decision trees of ten levels, whose leaves are the upper half of 2048 nodes. */
__kernel SIZE void forest(__global const uint *features, __global const float *thresholds,
                          __global const float *samples, __global float *out, uint trees)
{
    uint id = get_global_id(0), count = get_global_size(0);
    float sum = 0;
    for (uint tree = 0; tree < trees; tree++) {
        uint root = tree * 2048, node = 1;
        for (uint level = 0; level < 10; level++) {
            float sample = samples[features[root + node] * count + id];
            node = 2 * node + (sample > thresholds[root + node] ? 1 : 0);
        }
        sum += thresholds[root + node];
    }
    out[id] = sum / trees;
}
