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
