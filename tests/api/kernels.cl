/* What test-vesim.c launches. */
kernel void saxpy(float a, global const float *x, global float *y)
{
    size_t i = get_global_id(0);

    y[i] += a * x[i];
}

/* The ids and sizes that a work-item sees, in three dimensions. */
kernel void identity(global uint *out)
{
    size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +
               get_global_id(0);

    out[4 * i] = get_global_id(0) | get_global_id(1) << 8 | get_global_id(2) << 16;
    out[4 * i + 1] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16;
    out[4 * i + 2] = get_global_size(0) | get_global_size(1) << 8 | get_global_size(2) << 16;
    out[4 * i + 3] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16;
}

/* The ids in two dimensions: newer compilers leave out the third. */
kernel void plane(global uint *out)
{
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);

    out[i] = get_local_id(0) | get_local_id(1) << 8 | get_group_id(0) << 16 | get_group_id(1) << 24;
}

/* Reverses each work-group through shared local memory that an argument points to. */
kernel void reverse(global uint *data, local uint *tile)
{
    size_t i = get_local_id(0), n = get_local_size(0);

    tile[i] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tile[n - 1 - i];
}

kernel void endless(global volatile uint *stop)
{
    while (*stop == 0)
        ;
}

struct weights {
    uint of[6];
    uint rounds;
};

/* A struct by value, and an array of each work-item's own, both indexed by what only it knows. */
kernel void private_arrays(global uint *data, struct weights weights)
{
    uint i = get_global_id(0), sum = 0, own[16];

    for (uint k = 0; k < 16; k++)
        own[k] = i * 16 + k;
    for (uint k = 0; k < weights.rounds; k++) {
        sum = sum * weights.of[(k + i) % 6] + own[(k * 7 + i) % 16];
        own[(k + sum) % 16] ^= sum;
    }
    data[i] = sum;
}

/* Arguments that reach beyond what comes in registers, and ids that lie behind them. */
kernel void ten_arguments(global uint *data, uint a, uint b, uint c, uint d, uint e, uint f, uint g,
                          uint h, uint i)
{
    data[get_global_id(0)] =
        a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + get_local_id(0) * 1000;
}

/* Half a register more. */
kernel void eighteen_arguments(global uint *data, uint a, uint b, uint c, uint d, uint e, uint f,
                               uint g, uint h, uint i, uint j, uint k, uint l, uint m, uint n,
                               uint o, uint p, uint q)
{
    data[get_global_id(0)] = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i +
                             10 * j + 11 * k + 12 * l + 13 * m + 14 * n + 15 * o + 16 * p + 17 * q +
                             get_local_id(0) * 1000;
}
