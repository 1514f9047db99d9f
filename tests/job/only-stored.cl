/* Each kernel's name ends with what it does through its pointers, in their order: s stores alone, l
 * loads as well, or anything else that depends on what was there. */

__kernel void triad_s(__global float *a, __global const float *b, __global const float *c)
{
    size_t i = get_global_id(0);
    a[i] = b[i] + 2.0f * c[i];
}

__kernel void in_place_l(__global float *a)
{
    a[get_global_id(0)] *= 2.0f;
}

__kernel void swap_ll(__global float *a, __global float *b)
{
    size_t i = get_global_id(0);
    float kept = a[i];
    a[i] = b[i];
    b[i] = kept;
}

__kernel void copied_sl(__global float *a, __global float *b)
{
    size_t i = get_global_id(0);
    a[i] = b[i + 1];
    b[i] = 0.0f;
}

__kernel void atomic_ls(volatile __global int *sum, __global int *out)
{
    out[get_global_id(0)] = atomic_add(sum, 1);
}

__kernel void either_ss(__global int *a, __global int *b)
{
    size_t i = get_global_id(0);
    __global int *to = i & 1 ? a : b;
    to[i] = 1;
}

__kernel void either_ll(__global int *a, __global int *b)
{
    size_t i = get_global_id(0);
    __global int *at = i & 1 ? a : b;
    at[i] += 1;
}

/* The loop's pointer is made of itself. */
__kernel void run_sl(__global int *a, __global int *b, uint n)
{
    __global int *to = a + get_global_id(0), *from = b + get_global_id(0);
    for (uint i = 0; i < n; i++) {
        *to = *from;
        to += 64;
        from += 32;
    }
    b[0] = 1;
}

__attribute__((noinline)) void put(__global int *to, int value)
{
    to[get_global_id(0)] = value;
}

__attribute__((noinline)) int take(__global int *from)
{
    return from[get_global_id(0)];
}

__attribute__((noinline)) void put_deeper(__global int *to, __global int *from)
{
    put(to, take(from));
}

__kernel void called_sl(__global int *a, __global int *b)
{
    put_deeper(a + 4, b);
    b[0] = 1;
}

__kernel void vectors_ss(__global int *a, __global float4 *b)
{
    size_t i = get_global_id(0);
    vstore3((int3)(1, 2, 3), i, a);
    b[i] = (float4)(1.0f);
}

__kernel void part_l(__global float4 *a)
{
    a[get_global_id(0)].y = 1.0f;
}

/* An address that is a number may be anything's. */
__kernel void number_l(__global int *a)
{
    ulong at = (ulong)a + 4 * get_global_id(0);
    *(__global int *)at = 1;
}

/* The pointer itself is what is stored. */
__kernel void stored_ls(__global int *a, __global ulong *out)
{
    out[get_global_id(0)] = (ulong)a;
    a[0] = 1;
}

__kernel void unused_ss(__global int *a, __global int *b)
{
    b[get_global_id(0)] = 1;
}
