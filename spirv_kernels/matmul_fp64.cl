/*
 * matmul_fp64: matrix products of doubles (matmul.h).
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#include "matmul.h"

NAIVE_KERNEL(matmul_fp64_naive, double)
SLM_KERNEL(matmul_fp64_slm, double)
WORK_GROUP_KERNEL(matmul_fp64_work_group, double)
BROADCAST_KERNEL(matmul_fp64_broadcast, double, READ, WRITE)
