/* Results of integer arithmetic that are compared with zero at once, which compilers leave to the
 * instruction that computes them: its condition must judge the result as it is stored, in every
 * type and for every order. */
#include "sub-group.h"

enum { EXPRESSIONS = 28, ORDERS = 6, TRIPLES = 2 * ORDERS };

/* The expression for six triples of operands, the result compared in another way each time and
 * used, and for six more, where only the answer counts. Sums and products are of type W, which has
 * no sign and wraps. */
#define ONE(n, expression, order, relation)                                                        \
    {                                                                                              \
        global const T *v = from + 3 * order;                                                      \
        T r = (T)(expression);                                                                     \
        to[n * ORDERS + order] = (T)(r relation 0 ? 0 - (W)r : (W)r + 1);                          \
    }                                                                                              \
    {                                                                                              \
        global const T *v = from + 3 * (ORDERS + order);                                           \
        answers |= (uint)((T)(expression)relation 0) << order;                                     \
    }
#define EACH(n, expression)                                                                        \
    {                                                                                              \
        uint answers = 0;                                                                          \
        ONE(n, expression, 0, ==)                                                                  \
        ONE(n, expression, 1, !=)                                                                  \
        ONE(n, expression, 2, >)                                                                   \
        ONE(n, expression, 3, >=)                                                                  \
        ONE(n, expression, 4, <)                                                                   \
        ONE(n, expression, 5, <=)                                                                  \
        flags[n] = (uchar)answers;                                                                 \
    }

/* The operands of a triple. */
#define x     v[0]
#define y     v[1]
#define z     v[2]

#define COUNT (z & (BITS - 1))

#define CONDITIONS(name)                                                                           \
    KERNEL void name(global const T *in, global T *out, global uchar *flags)                       \
    {                                                                                              \
        size_t id = get_global_id(0);                                                              \
        global const T *from = in + id * 3 * TRIPLES;                                              \
        global T *to = out + id * EXPRESSIONS * ORDERS;                                            \
        flags += id * EXPRESSIONS;                                                                 \
        EACH(0, (W)x + (W)y)                                                                       \
        EACH(1, (W)x - (W)y)                                                                       \
        EACH(2, 0 - (W)x)                                                                          \
        EACH(3, (W)x + (W)y + (W)z)                                                                \
        EACH(4, (W)x - (W)y - (W)z)                                                                \
        EACH(5, (W)x *(W)y)                                                                        \
        EACH(6, (W)x *(W)y + (W)z)                                                                 \
        EACH(7, (W)x << COUNT)                                                                     \
        EACH(8, x >> COUNT)                                                                        \
        EACH(9, (U)x >> COUNT)                                                                     \
        EACH(10, x &y)                                                                             \
        EACH(11, x | y)                                                                            \
        EACH(12, x ^ y)                                                                            \
        EACH(13, ~x)                                                                               \
        EACH(14, (x & y) | (~x & z))                                                               \
        EACH(15, add_sat(x, y))                                                                    \
        EACH(16, sub_sat(x, y))                                                                    \
        EACH(17, hadd(x, y))                                                                       \
        EACH(18, rhadd(x, y))                                                                      \
        EACH(19, mul_hi(x, y))                                                                     \
        EACH(20, rotate(x, (T)COUNT))                                                              \
        EACH(21, abs_diff(x, y))                                                                   \
        EACH(22, max(x, min(y, z)))                                                                \
        EACH(23, (W)x + 7)                                                                         \
        EACH(24, (W)x << 3)                                                                        \
        EACH(25, (W)x + ((W)y << 1))                                                               \
        EACH(26, (char)((W)x + (W)y))                                                              \
        EACH(27, (ushort)((W)x - (W)y))                                                            \
    }

#define T    char
#define U    uchar
#define W    uint
#define BITS 8
CONDITIONS(conditions_char)
#undef T
#define T uchar
CONDITIONS(conditions_uchar)
#undef T
#undef U
#undef BITS
#define T    short
#define U    ushort
#define BITS 16
CONDITIONS(conditions_short)
#undef T
#define T ushort
CONDITIONS(conditions_ushort)
#undef T
#undef U
#undef BITS
#define T    int
#define U    uint
#define BITS 32
CONDITIONS(conditions_int)
#undef T
#define T uint
CONDITIONS(conditions_uint)
#undef T
#undef U
#undef W
#undef BITS
#define T    long
#define U    ulong
#define W    ulong
#define BITS 64
CONDITIONS(conditions_long)
#undef T
#define T ulong
CONDITIONS(conditions_ulong)
