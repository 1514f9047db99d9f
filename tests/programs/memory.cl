/* Loads and stores of every width and vector, aligned or not, gathered or scattered. */
#include "sub-group.h"

#define COPIES(type)                                                                               \
    KERNEL void copy_##type(global const type *in, global type *out)                               \
    {                                                                                              \
        out[get_global_id(0)] = in[get_global_id(0)] + (type)1;                                    \
    }                                                                                              \
    KERNEL void gather_##type(global const type *in, global const uint *where, global type *out)   \
    {                                                                                              \
        out[where[get_global_id(0)]] = in[where[get_global_size(0) - 1 - get_global_id(0)]];       \
    }                                                                                              \
    KERNEL void vectors_##type(global const type *in, global type *out)                            \
    {                                                                                              \
        size_t id = get_global_id(0);                                                              \
        in += id * 33;                                                                             \
        out += id * 33;                                                                            \
        vstore2(vload2(0, in).yx, 0, out);                                                         \
        vstore3(vload3(0, in + 2).zyx, 0, out + 2);                                                \
        vstore4(vload4(0, in + 5).wzyx, 0, out + 5);                                               \
        vstore8(vload8(0, in + 9).s76543210, 0, out + 9);                                          \
        vstore16(vload16(0, in + 17).sfedcba9876543210, 0, out + 17);                              \
    }                                                                                              \
    KERNEL void aligned_##type(global const type##16 * in, global type##16 * out)                  \
    {                                                                                              \
        out[get_global_id(0)] = in[get_global_id(0)].s1032547698badcfe;                            \
    }                                                                                              \
    KERNEL void local_##type(global const type *in, global type *out)                              \
    {                                                                                              \
        local type shared[64];                                                                     \
        local type##4 quads[64];                                                                   \
        uint id = get_local_id(0), n = get_local_size(0);                                          \
        shared[id] = in[get_global_id(0)];                                                         \
        quads[id] = (type##4)(shared[id]) + (type##4)(0, 1, 2, 3);                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        type##4 q = quads[(id * 7 + 3) % n];                                                       \
        out[get_global_id(0)] = shared[n - 1 - id] + q.x + q.w * (type)2;                          \
    }

COPIES(char)
COPIES(ushort)
COPIES(int)
COPIES(long)

struct record {
    char tag;
    short id;
    float value;
    long serial;
    uchar name[5];
};

KERNEL void records(global const struct record *in, global struct record *out)
{
    struct record r = in[get_global_id(0)];
    r.tag = -r.tag;
    r.id += r.name[2];
    r.value *= 2;
    r.serial -= r.id;
    r.name[r.tag & 3] = r.name[4];
    out[get_global_size(0) - 1 - get_global_id(0)] = r;
}

KERNEL void chase(global const uint *next, global uint *out, uint steps)
{
    uint at = get_global_id(0);
    for (uint i = 0; i < steps; i++)
        at = next[at];
    out[get_global_id(0)] = at;
}

struct node {
    global struct node *next;
    ulong value;
};

/* The host links the nodes: pointers are the same on both sides. */
KERNEL void linked_list(global const struct node *nodes, global ulong *out)
{
    ulong sum = 0;
    global const struct node *node = nodes + get_global_id(0);
    while (node) {
        sum = sum * 3 + node->value;
        node = node->next;
    }
    out[get_global_id(0)] = sum;
}

constant int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
constant uchar letters[] = "constant memory";

KERNEL void constants(global uint *out, constant uint *more)
{
    size_t id = get_global_id(0);
    out[id] = table[id & 15] * 1000 + letters[id % 15] + more[id % 7];
}

KERNEL void generic_pointers(global int *data, local int *shared)
{
    int own[4] = {1, 2, 3, 4};
    uint id = get_local_id(0);
    shared[id] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *pointer = id % 3 == 0   ? (int *)(data + get_global_id(0))
                   : id % 3 == 1 ? (int *)(shared + (id + 1) % get_local_size(0))
                                 : own + (id & 3);
    int value = *pointer;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = value * 2;
}

KERNEL void many_arguments(global uint *out, uchar a, ushort b, uint c, ulong d, float e, uint4 f)
{
    size_t id = get_global_id(0);
    out[id] = a + b + c + (uint)d + (uint)(d >> 32) + (uint)e + f.x + f.y + f.z + f.w + id;
}
