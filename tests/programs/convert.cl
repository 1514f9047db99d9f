/* Conversions between all types. A result's bits fill the low end of a slot of 64. */
#include "sub-group.h"

#define TO_WHOLE(to, bits)                                                                         \
    *out++ = (bits)convert_##to(x);                                                                \
    *out++ = (bits)convert_##to##_sat(x);
#define TO_WHOLE_ROUNDED(to, bits)                                                                 \
    *out++ = (bits)convert_##to##_sat_rtz(x);                                                      \
    *out++ = (bits)convert_##to##_sat_rte(x);                                                      \
    *out++ = (bits)convert_##to##_sat_rtp(x);                                                      \
    *out++ = (bits)convert_##to##_sat_rtn(x);
#define TO_FLOAT                                                                                   \
    *out++ = as_uint(convert_float_rte(x));                                                        \
    *out++ = as_uint(convert_float_rtz(x));                                                        \
    *out++ = as_uint(convert_float_rtp(x));                                                        \
    *out++ = as_uint(convert_float_rtn(x));
#define TO_HALF                                                                                    \
    *out++ = as_ushort(convert_half_rte(x));                                                       \
    *out++ = as_ushort(convert_half_rtz(x));                                                       \
    *out++ = as_ushort(convert_half_rtp(x));                                                       \
    *out++ = as_ushort(convert_half_rtn(x));

#define WHOLE_TYPES(X)                                                                             \
    X(char, uchar)                                                                                 \
    X(uchar, uchar)                                                                                \
    X(short, ushort) X(ushort, ushort) X(int, uint) X(uint, uint) X(long, ulong) X(ulong, ulong)

#define FROM_WHOLE(from)                                                                           \
    KERNEL void from_##from(global const from *in, global ulong *out)                              \
    {                                                                                              \
        from x = in[get_global_id(0)];                                                             \
        out += get_global_id(0) * 24;                                                              \
        WHOLE_TYPES(TO_WHOLE)                                                                      \
        TO_FLOAT                                                                                   \
        TO_HALF                                                                                    \
    }
#define FROM_FLOAT(from, also)                                                                     \
    KERNEL void from_##from(global const from *in, global ulong *out)                              \
    {                                                                                              \
        from x = in[get_global_id(0)];                                                             \
        out += get_global_id(0) * 36;                                                              \
        WHOLE_TYPES(TO_WHOLE_ROUNDED)                                                              \
        also                                                                                       \
    }

FROM_WHOLE(char)
FROM_WHOLE(uchar)
FROM_WHOLE(short)
FROM_WHOLE(ushort)
FROM_WHOLE(int)
FROM_WHOLE(uint)
FROM_WHOLE(long)
FROM_WHOLE(ulong)
FROM_FLOAT(float, TO_HALF)
FROM_FLOAT(half, TO_FLOAT)

/* Vectors, and halves in memory for a kernel that computes in single precision. */
KERNEL void vectors(global const float *in, global char4 *bytes, global half *halves,
                    global float *back)
{
    size_t id = get_global_id(0);
    float4 x = vload4(id, in);
    bytes[id] = convert_char4_sat_rte(x);
    vstore_half4_rtz(x, id, halves);
    vstore4(vload_half4(id, halves) + convert_float4(convert_uchar4_sat(x)), id, back);
}
