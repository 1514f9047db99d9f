/* Atomic operations on global and local memory. */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#include "sub-group.h"

#define ALL_OPERATIONS(memory, at, type, value)                                                    \
    atomic_fetch_add_explicit((volatile memory atomic_##type *)at, value, memory_order_relaxed,    \
                              memory_scope_device);                                                \
    atomic_fetch_sub_explicit((volatile memory atomic_##type *)at + 1, value,                      \
                              memory_order_relaxed, memory_scope_device);                          \
    atomic_fetch_min_explicit((volatile memory atomic_##type *)at + 2, value,                      \
                              memory_order_relaxed, memory_scope_device);                          \
    atomic_fetch_max_explicit((volatile memory atomic_##type *)at + 3, value,                      \
                              memory_order_relaxed, memory_scope_device);                          \
    atomic_fetch_and_explicit((volatile memory atomic_##type *)at + 4, value,                      \
                              memory_order_relaxed, memory_scope_device);                          \
    atomic_fetch_or_explicit((volatile memory atomic_##type *)at + 5, value, memory_order_relaxed, \
                             memory_scope_device);                                                 \
    atomic_fetch_xor_explicit((volatile memory atomic_##type *)at + 6, value,                      \
                              memory_order_relaxed, memory_scope_device);

#define OPERATIONS(type)                                                                           \
    KERNEL void global_##type(global const type *in, global type *out){ALL_OPERATIONS(             \
        global, out, type, in[get_global_id(0)])} KERNEL void local_##type(global const type *in,  \
                                                                           global type *out)       \
    {                                                                                              \
        local type shared[7];                                                                      \
        for (uint i = get_local_id(0); i < 7; i += get_local_size(0))                              \
            shared[i] = out[i];                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        ALL_OPERATIONS(local, shared, type, in[get_global_id(0)])                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        for (uint i = get_local_id(0); i < 7; i += get_local_size(0))                              \
            out[i] = shared[i];                                                                    \
    }

OPERATIONS(int)
OPERATIONS(uint)

/* A ticket for each work-item, from each operation that returns one. */
KERNEL void tickets(global uint *counters, global uint *out)
{
    size_t id = get_global_id(0), n = get_global_size(0);
    out[id] = atomic_inc(counters);
    out[n + id] = atomic_dec(counters + 1);
    out[2 * n + id] = atomic_add(counters + 2, 3);
    uint seen = 0, next;
    do { /* compare and exchange until it is this work-item's turn */
        next = seen;
        seen = atomic_cmpxchg(counters + 3, next, next + 5);
    } while (seen != next);
    out[3 * n + id] = seen;
    out[4 * n + id] = atomic_xchg(counters + 4, (uint)id + 1);
    out[5 * n + id] = atomic_sub(counters + 5, 2);
}

KERNEL void local_tickets(global uint *out)
{
    local uint counter, lock, plain;
    if (get_local_id(0) == 0)
        counter = lock = plain = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_inc(&counter);
    bool done = false;
    while (!done) { /* a lock around a plain increment */
        if (atomic_cmpxchg(&lock, 0, 1) == 0) {
            plain++;
            mem_fence(CLK_LOCAL_MEM_FENCE);
            atomic_xchg(&lock, 0);
            done = true;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_size(0) + get_global_id(0)] = *(volatile local uint *)&plain;
}

/* Sum and maximum of floats by compare and exchange. */
KERNEL void float_exchange(global const float *in, volatile global uint *out)
{
    float x = in[get_global_id(0)];
    uint old = out[0], seen;
    while ((seen = atomic_cmpxchg(out, old, as_uint(as_float(old) + x))) != old)
        old = seen;
    old = out[1];
    while (as_float(old) < x && (seen = atomic_cmpxchg(out + 1, old, as_uint(x))) != old)
        old = seen;
}

/* Those that clang has for longs without an extension of the consumer's. */
KERNEL void long_atomics(global const long *in, global long *out)
{
    long x = in[get_global_id(0)];
    atom_add(out, x);
    atom_sub(out + 1, x);
    atom_min(out + 2, x);
    atom_max(out + 3, x);
    atom_and(out + 4, x);
    atom_or(out + 5, x);
    atom_xor(out + 6, x);
    atom_inc(out + 7);
    long old = out[8], seen;
    while ((seen = atom_cmpxchg(out + 8, old, old * 3 + 1)) != old)
        old = seen;
}
