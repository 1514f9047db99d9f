/*
 * device_matrix: matrix products of 8 rows by all systolic engines together.
 *
 * A sub-group multiplies A (8 x K) by B (K x its lanes) and adds the product to C, by the functions
 * of cl_intel_subgroup_matrix_multiply_accumulate. K is 32 bytes. All elements of a row of A are
 * the pattern `a` over and over, those of a column of B the pattern `b`, so that every element of C
 * grows by the same number at each of STEPS steps of an iteration, in each of CHAINS products.
 *
 *   out     C of each product, a work-item's 8 elements in a row, as integers
 *   witness the sub-group size each work-item was run with
 */
#define CHAINS 4
#define STEPS  8

/* With 8 lanes a lane holds 32 bits of each row of A, with 16 lanes half of them. */
#if SUB_GROUP_SIZE == 8
typedef int8 rows;
#define ROWS(pattern) ((int8)(int)(pattern))
#else
typedef short8 rows;
#define ROWS(pattern)                                                                              \
    ((short8)(short)(get_sub_group_local_id() % 2 ? (pattern) >> 16 : (pattern)&0xffffu))
#endif

#define OVERLOADED __attribute__((overloadable))

int8 OVERLOADED intel_sub_group_i8_i8_matrix_mad_k32(rows a, int8 b, int8 c);
float8 OVERLOADED intel_sub_group_f16_f16_matrix_mad_k16(rows a, int8 b, float8 c);
float8 OVERLOADED intel_sub_group_bf16_bf16_matrix_mad_k16(rows a, int8 b, float8 c);

#define KERNEL(name, type, to_int, multiply_add)                                                   \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))                                     \
    kernel void device_matrix_##name(global int *restrict out, global uint *restrict witness,      \
                                     uint a_, uint b_, uint iterations)                            \
    {                                                                                              \
        rows a = ROWS(a_);                                                                         \
        int8 b = (int8)(int)b_;                                                                    \
        type x[CHAINS];                                                                            \
        for (int c = 0; c < CHAINS; c++)                                                           \
            x[c] = (type)(get_local_id(0) % 64 + c);                                               \
        for (uint iteration = 0; iteration < iterations; iteration++) {                            \
            _Pragma("unroll") for (int s = 0; s < STEPS; s++)                                      \
            {                                                                                      \
                _Pragma("unroll") for (int c = 0; c < CHAINS; c++) x[c] =                          \
                    multiply_add(a, b, x[c]);                                                      \
            }                                                                                      \
        }                                                                                          \
        for (int c = 0; c < CHAINS; c++)                                                           \
            vstore8(to_int(x[c]), get_global_id(0) * CHAINS + c, out);                             \
        witness[get_global_id(0)] = get_sub_group_size();                                          \
    }

KERNEL(int8, int8, , intel_sub_group_i8_i8_matrix_mad_k32)
KERNEL(fp16, float8, convert_int8, intel_sub_group_f16_f16_matrix_mad_k16)
KERNEL(bf16, float8, convert_int8, intel_sub_group_bf16_bf16_matrix_mad_k16)
