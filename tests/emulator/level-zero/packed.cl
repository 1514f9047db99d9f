/* Kernels that read and write texels, for the test of packed formats. */

kernel void read_f(read_only image2d_t from, global float4 *to)
{
    to[get_global_id(0)] = read_imagef(from, (int2)(get_global_id(0), 0));
}

kernel void read_u(read_only image2d_t from, global uint4 *to)
{
    to[get_global_id(0)] = read_imageui(from, (int2)(get_global_id(0), 0));
}

kernel void read_i(read_only image2d_t from, global int4 *to)
{
    to[get_global_id(0)] = read_imagei(from, (int2)(get_global_id(0), 0));
}

kernel void write_f(write_only image2d_t to, global float4 *from)
{
    write_imagef(to, (int2)(get_global_id(0), 0), from[get_global_id(0)]);
}

kernel void write_u(write_only image2d_t to, global uint4 *from)
{
    write_imageui(to, (int2)(get_global_id(0), 0), from[get_global_id(0)]);
}

kernel void write_i(write_only image2d_t to, global int4 *from)
{
    write_imagei(to, (int2)(get_global_id(0), 0), from[get_global_id(0)]);
}

/* By typed messages. */
kernel void typed_f(read_write image2d_t from, global float4 *to)
{
    to[get_global_id(0)] = read_imagef(from, (int2)(get_global_id(0), 0));
}

kernel void typed_u(read_write image2d_t from, global uint4 *to)
{
    to[get_global_id(0)] = read_imageui(from, (int2)(get_global_id(0), 0));
}
