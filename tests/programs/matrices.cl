/* Matrix products on the systolic array: a sub-group of 8 multiplies 8 rows of packed elements, one
 * row a work-item's component, with 8 columns, one a work-item. */
#include "sub-group.h"

#define PRODUCT(name, rows, columns, result)                                                       \
    result __attribute__((overloadable)) intel_sub_group_##name(rows a, columns b, result sum);    \
    KERNEL void name(global const rows *a, global const columns *b, global result *out)            \
    {                                                                                              \
        size_t id = get_global_id(0);                                                              \
        out[id] = intel_sub_group_##name(a[id], b[id], out[id]);                                   \
    }

PRODUCT(i8_i8_matrix_mad_k32, int8, int8, int8)
PRODUCT(u8_u8_matrix_mad_k32, uint8, uint8, int8)
PRODUCT(i8_u8_matrix_mad_k32, int8, uint8, int8)
PRODUCT(u8_i8_matrix_mad_k32, uint8, int8, int8)
PRODUCT(f16_f16_matrix_mad_k16, int8, int8, float8)
PRODUCT(bf16_bf16_matrix_mad_k16, int8, int8, float8)
