/* More live values than registers: they are spilled to scratch space and filled again. */
#include "sub-group.h"

KERNEL void spills(global const int *in, global int *out)
{
    int16 a[7];
#pragma unroll
    for (int i = 0; i < 7; i++)
        a[i] = vload16(i, in + get_global_id(0));
#pragma unroll
    for (int k = 0; k < 3; k++) {
#pragma unroll
        for (int i = 0; i < 7; i++)
            a[i] = a[i] * a[(i + 2) % 7].s123456789abcdef0 + a[(i + 4) % 7].sfedcba9876543210;
    }
    int16 sum = 0;
#pragma unroll
    for (int i = 0; i < 7; i++)
        sum ^= a[i] + i;
    vstore16(sum, get_global_id(0), out);
}
