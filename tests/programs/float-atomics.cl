/* Float atomics, for devices that have them. */
#include "sub-group.h"

KERNEL void float_add(global const float *in, global float *out)
{
    atomic_fetch_add_explicit((volatile global atomic_float *)out, in[get_global_id(0)],
                              memory_order_relaxed, memory_scope_device);
}
