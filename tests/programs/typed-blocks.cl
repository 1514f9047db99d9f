/* Block reads and writes of every element type and every number of elements. */
#include "sub-group.h"

#define BLOCK(type, name, vector, count)                                                           \
    vector __attribute__((overloadable))                                                           \
    intel_sub_group_block_read##name(const global type *from);                                     \
    void __attribute__((overloadable)) intel_sub_group_block_write##name(global type *to, vector); \
    KERNEL void block_##vector(global const type *in, global type *out)                            \
    {                                                                                              \
        size_t n = get_max_sub_group_size(), base = get_global_id(0) / n * n * count;              \
        vector x = intel_sub_group_block_read##name(in + base);                                    \
        intel_sub_group_block_write##name(out + base, x + (type)get_sub_group_local_id());         \
    }

BLOCK(uchar, _uc, uchar, 1)
BLOCK(uchar, _uc2, uchar2, 2)
BLOCK(uchar, _uc4, uchar4, 4)
BLOCK(uchar, _uc8, uchar8, 8)
BLOCK(uchar, _uc16, uchar16, 16)
BLOCK(ushort, _us, ushort, 1)
BLOCK(ushort, _us2, ushort2, 2)
BLOCK(ushort, _us4, ushort4, 4)
BLOCK(ushort, _us8, ushort8, 8)
BLOCK(uint, , uint, 1)
BLOCK(uint, 2, uint2, 2)
BLOCK(uint, 4, uint4, 4)
BLOCK(uint, 8, uint8, 8)
BLOCK(ulong, _ul, ulong, 1)
BLOCK(ulong, _ul2, ulong2, 2)
BLOCK(ulong, _ul4, ulong4, 4)
BLOCK(ulong, _ul8, ulong8, 8)
