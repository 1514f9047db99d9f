/* A kernel with an argument of each kind. */
struct limits {
    uint least, most;
};

kernel void many(global const float *in, constant ushort *table, global double *out,
                 local float *part, uint n, float scale, struct limits limits)
{
    part[get_local_id(0)] = in[get_global_id(0) % n] * scale + table[0] + limits.least;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[0];
}

kernel void few(global uint *out)
{
    out[get_global_id(0)] = 1;
}
