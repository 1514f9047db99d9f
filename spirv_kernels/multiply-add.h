/* Kernels of multiply-adds: shared by device_arithmetic.cl and device_fp64.cl, which has a module
 * of its own because a device without doubles compiles none of a module that has some.
 *
 * Each work-item has CHAINS values, and takes STEPS steps with each per iteration. A step is x * a
 * + b with a = -1 (STEPS is odd, so an iteration turns x into b - x), or for bytes the sum of four
 * products, which adds 1.
 *
 *   out     the values of each work-item, CHAINS in a row, as integers
 *   witness the sub-group size each work-item was run with
 */
#define CHAINS 8
#define STEPS  15

#define KERNEL(family, name, type, step)                                                           \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void family##_##name(        \
        global int *restrict out, global uint *restrict witness, int a_, int b_, uint iterations)  \
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
