/* Integer arithmetic of every width: 24 results for each pair of operands. */
#include "sub-group.h"

/* A shift count or rotation that the width allows. */
#define COUNT(type, bits) ((type)(y & (bits - 1)))

#define ARITHMETIC(type, bits)                                                                     \
    KERNEL void arithmetic_##type(global const type *a, global const type *b, global type *out)    \
    {                                                                                              \
        size_t id = get_global_id(0);                                                              \
        type x = a[id], y = b[id];                                                                 \
        global type *to = out + id * 24;                                                           \
        to[0] = x + y;                                                                             \
        to[1] = x - y;                                                                             \
        to[2] = x * y;                                                                             \
        to[3] = y != 0 ? x / y : 0;                                                                \
        to[4] = y != 0 ? x % y : 0;                                                                \
        to[5] = x << COUNT(type, bits);                                                            \
        to[6] = x >> COUNT(type, bits);                                                            \
        to[7] = rotate(x, y);                                                                      \
        to[8] = mul_hi(x, y);                                                                      \
        to[9] = add_sat(x, y);                                                                     \
        to[10] = sub_sat(x, y);                                                                    \
        to[11] = hadd(x, y);                                                                       \
        to[12] = rhadd(x, y);                                                                      \
        to[13] = min(x, y);                                                                        \
        to[14] = max(x, y);                                                                        \
        to[15] = abs_diff(x, y);                                                                   \
        to[16] = clz(x);                                                                           \
        to[17] = ctz(x);                                                                           \
        to[18] = popcount(x);                                                                      \
        to[19] = bitselect(x, y, (type)(x ^ 0x5a));                                                \
        to[20] = x < y ? (type)~x : (type)-y;                                                      \
        to[21] = (x & y) | (~x ^ y);                                                               \
        to[22] = mad_sat(x, y, (type)77);                                                          \
        to[23] = clamp(x, (type)3, (type)100);                                                     \
    }

ARITHMETIC(char, 8)
ARITHMETIC(uchar, 8)
ARITHMETIC(short, 16)
ARITHMETIC(ushort, 16)
ARITHMETIC(int, 32)
ARITHMETIC(uint, 32)
ARITHMETIC(long, 64)
ARITHMETIC(ulong, 64)

KERNEL void dword_only(global const int *a, global const int *b, global int *out)
{
    size_t id = get_global_id(0);
    int x = a[id], y = b[id];
    global int *to = out + id * 8;
    to[0] = mul24(x << 8 >> 8, y << 8 >> 8);
    to[1] = mad24(x << 8 >> 8, y << 8 >> 8, 99);
    to[2] = abs(x);
    to[3] = upsample((short)x, (ushort)y);
    to[4] = ((uint)x >> 7 & 0x1fff) + (x << 9 >> 21); /* bit fields */
    to[5] = (x & 0x00fff000) | (y & ~0x00fff000);
    to[6] = x / 7 + x % 10 + (int)((uint)y / 641);
    to[7] = (x > 0) + (y < 0) * 2 + (x == y) * 4 + ((uint)x <= (uint)y) * 8;
}

/* Wide arithmetic built from narrow: carries, full products, shifts across words. */
KERNEL void multiword(global const ulong *a, global const ulong *b, global ulong *out)
{
    size_t id = get_global_id(0);
    ulong a0 = a[2 * id], a1 = a[2 * id + 1], b0 = b[2 * id], b1 = b[2 * id + 1];
    ulong sum = a0 + b0, carry = sum < a0;
    out[id * 6] = sum;
    out[id * 6 + 1] = a1 + b1 + carry;
    out[id * 6 + 2] = a0 * b0;
    out[id * 6 + 3] = mul_hi(a0, b0) + a0 * b1 + a1 * b0;
    uint shift = (uint)b1 & 63;
    out[id * 6 + 4] = shift ? a0 >> shift | a1 << (64 - shift) : a0;
    out[id * 6 + 5] = (ulong)(uint)a0 * (uint)b0 + ((long)(int)a1 * (int)b1);
}

KERNEL void dot_products(global const char4 *a, global const uchar4 *b, global int *out)
{
    size_t id = get_global_id(0);
    int4 x = convert_int4(a[id]), y = convert_int4(as_char4(b[id])), z = convert_int4(b[id]);
    uint4 ux = convert_uint4(as_uchar4(a[id])), uz = convert_uint4(b[id]);
    out[id * 4] = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    out[id * 4 + 1] = ux.x * uz.x + ux.y * uz.y + ux.z * uz.z + ux.w * uz.w;
    out[id * 4 + 2] = x.x * z.x + x.y * z.y + x.z * z.z + x.w * z.w;
    out[id * 4 + 3] = add_sat(out[id * 4], 2147483600);
}

KERNEL void hashing(global const uchar *text, global uint *out, uint length)
{
    uint hash = 2166136261u ^ get_global_id(0), crc = ~0u, a = 1, b = 0;
    for (uint i = 0; i < length; i++) {
        hash = (hash ^ text[i]) * 16777619u;
        crc ^= text[i];
        for (uint bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        a = (a + text[i]) % 65521;
        b = (b + a) % 65521;
    }
    out[get_global_id(0) * 3] = hash;
    out[get_global_id(0) * 3 + 1] = ~crc;
    out[get_global_id(0) * 3 + 2] = b << 16 | a;
}

KERNEL void primes(global uchar *out)
{
    uint n = get_global_id(0), prime = n > 1;
    for (uint d = 2; d * d <= n; d++)
        if (n % d == 0) {
            prime = 0;
            break;
        }
    out[n] = prime;
}
