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
