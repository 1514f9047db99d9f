/*
 * matmul: matrix products of floats, halves and ints (matmul.h).
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#include "matmul.h"

#define BLOCK_READ_FLOAT(from) as_float(intel_sub_group_block_read((const global uint *)(from)))
#define BLOCK_READ_HALF(from)  as_half(intel_sub_group_block_read_us((const global ushort *)(from)))
#define BLOCK_READ_INT(from)   as_int(intel_sub_group_block_read((const global uint *)(from)))
#define BLOCK_WRITE_FLOAT(to, value)                                                               \
    intel_sub_group_block_write((global uint *)(to), as_uint(value))
#define BLOCK_WRITE_HALF(to, value)                                                                \
    intel_sub_group_block_write_us((global ushort *)(to), as_ushort(value))
#define BLOCK_WRITE_INT(to, value) intel_sub_group_block_write((global uint *)(to), as_uint(value))

#define KERNELS(type, block_read, block_write)                                                     \
    NAIVE_KERNEL(matmul_naive_##type, type)                                                        \
    SLM_KERNEL(matmul_slm_##type, type)                                                            \
    WORK_GROUP_KERNEL(matmul_work_group_##type, type)                                              \
    BROADCAST_KERNEL(matmul_broadcast_##type, type, READ, WRITE)                                   \
    BLOCK_KERNEL(matmul_broadcast_block_##type, type, block_read, block_write)

KERNELS(float, BLOCK_READ_FLOAT, BLOCK_WRITE_FLOAT)
KERNELS(half, BLOCK_READ_HALF, BLOCK_WRITE_HALF)
KERNELS(int, BLOCK_READ_INT, BLOCK_WRITE_INT)
