/*
 * device_arithmetic: operations of all vector engines together.
 *
 * Each work-item has CHAINS values, and takes STEPS steps with each per iteration. A step is x * a
 * + b with a = -1 (STEPS is odd, so an iteration turns x into b - x), or for bytes the sum of four
 * products, which adds 1.
 *
 *   out     the values of each work-item, CHAINS in a row, as integers
 *   witness the sub-group size each work-item was run with
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define CHAINS 8
#define STEPS  15

/* Four byte products and a sum, in one instruction. */
int __builtin_IB_dp4a_ss(int sum, int a, int b);

#define KERNEL(name, type, step)                                                                   \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))                                     \
    kernel void device_arithmetic_##name(global int *restrict out, global uint *restrict witness,  \
                                         int a_, int b_, uint iterations)                          \
    {                                                                                              \
        type a = (type)a_, b = (type)b_, x[CHAINS];                                                \
        uint at = get_global_id(0) * CHAINS;                                                       \
        for (int c = 0; c < CHAINS; c++)                                                           \
            x[c] = (type)(get_local_id(0) % 64 + c);                                               \
        for (uint iteration = 0; iteration < iterations; iteration++) {                            \
            _Pragma("unroll") for (int s = 0; s < STEPS; s++)                                      \
            {                                                                                      \
                _Pragma("unroll") for (int c = 0; c < CHAINS; c++) x[c] = step(x[c], a, b);        \
            }                                                                                      \
        }                                                                                          \
        for (int c = 0; c < CHAINS; c++)                                                           \
            out[at + c] = (int)x[c];                                                               \
        witness[get_global_id(0)] = get_sub_group_size();                                          \
    }

#define MULTIPLY_ADD(x, a, b) ((x) * (a) + (b))
#define PRODUCTS(x, a, b)     __builtin_IB_dp4a_ss(x, a, b)

KERNEL(fp32, float, fma)
KERNEL(fp16, half, fma)
KERNEL(int32, int, MULTIPLY_ADD)
KERNEL(int8, int, PRODUCTS)
