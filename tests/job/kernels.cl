/* Kernels whose results the tests of jobs know. */

/* 3 i + 1 where `i` is below `n`. */
kernel void triple(global uint *out, uint n)
{
    size_t i = get_global_id(0);

    if (i < n)
        out[i] = 3 * (uint)i + 1;
}

/* The same, but one element is wrong where PLANTED says so. */
kernel void planted(global uint *out, uint n)
{
    size_t i = get_global_id(0);

    if (i < n)
        out[i] = 3 * (uint)i + 1;
#ifdef PLANTED
    if (i == PLANTED)
        out[i] = 5;
#endif
}

kernel void doubled(global const uint *in, global uint *out)
{
    out[get_global_id(0)] = 2 * in[get_global_id(0)];
}

/* The sub-group size that it runs with. */
kernel void lanes(global uint *out)
{
    out[get_global_id(0)] = get_max_sub_group_size();
}

kernel void never(global uint *out)
{
    volatile global uint *stop = out;

    while (stop[0] != 1)
        ;
}

/* Each byte of an image's elements inverted. */
kernel void inverted(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imageui(out, at, read_imageui(in, at) ^ 255);
}

/* Works the longer, the more `n` is. */
kernel void work(global uint *out, uint n)
{
    uint value = get_global_id(0);

    for (uint i = 0; i < n; i++)
        value = value * 1664525 + (value >> 7);
    out[get_global_id(0)] = value;
}
