/* Double precision. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include "sub-group.h"

KERNEL void doubles(global const double *a, global const double *b, global double *out)
{
    size_t id = get_global_id(0);
    double x = a[id], y = b[id];
    out += id * 10;
    out[0] = x + y;
    out[1] = x - y;
    out[2] = x * y;
    out[3] = x / y;
    out[4] = fma(x, y, 1.5);
    out[5] = fmin(x, y);
    out[6] = sqrt(fabs(x));
    out[7] = floor(x);
    out[8] = (double)(float)x + (double)(long)y;
    out[9] = x < y ? x : -y;
}

/* Quotients and roots of values of every size, zeros and infinities among them. */
KERNEL void double_roots(global const double *a, global const double *b, global double *out)
{
    size_t id = get_global_id(0);
    double x = a[id], y = b[id];
    out += id * 6;
    out[0] = x / y;
    out[1] = 1.0 / x;
    out[2] = sqrt(x);
    out[3] = sqrt(fabs(y));
    out[4] = rsqrt(x);
    out[5] = hypot(x, y);
}
