/* Dot products of packed bytes, one instruction each where the device has it. */
#include "sub-group.h"

int __attribute__((overloadable)) dot(char4 a, char4 b);
uint __attribute__((overloadable)) dot(uchar4 a, uchar4 b);
int __attribute__((overloadable)) dot(char4 a, uchar4 b);
int __attribute__((overloadable)) dot(uchar4 a, char4 b);

KERNEL void dots(global const uint *a, global const uint *b, global int *out)
{
    size_t id = get_global_id(0);
    out += id * 5;
    out[0] = dot(as_char4(a[id]), as_char4(b[id]));
    out[1] = dot(as_uchar4(a[id]), as_uchar4(b[id]));
    out[2] = dot(as_char4(a[id]), as_uchar4(b[id]));
    out[3] = dot(as_uchar4(a[id]), as_char4(b[id]));
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += dot(as_char4(a[id] >> i), as_char4(b[id] << i));
    out[4] = sum;
}
