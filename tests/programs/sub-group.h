/* KERNEL begins each kernel: with the sub-group size that the build asks for, if it asks. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#if SUB_GROUP_SIZE
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))
#else
#define KERNEL kernel
#endif
