/*
 * device_arithmetic: operations of all vector engines together (multiply-add.h).
 */
#include "multiply-add.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/* Four byte products and a sum, in one instruction. */
int __builtin_IB_dp4a_ss(int sum, int a, int b);

#define MULTIPLY_ADD(x, a, b) ((x) * (a) + (b))
#define PRODUCTS(x, a, b)     __builtin_IB_dp4a_ss(x, a, b)

KERNEL(device_arithmetic, fp32, float, fma)
KERNEL(device_arithmetic, fp16, half, fma)
KERNEL(device_arithmetic, int32, int, MULTIPLY_ADD)
KERNEL(device_arithmetic, int8, int, PRODUCTS)
