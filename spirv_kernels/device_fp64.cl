/*
 * device_fp64: multiply-adds of doubles by all vector engines together (multiply-add.h).
 */
#include "multiply-add.h"

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

KERNEL(device_fp64, fma, double, fma)
