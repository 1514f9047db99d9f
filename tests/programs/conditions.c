#include "programs.h"

#include <string.h>

/* The sizes of conditions.cl. */
enum { EXPRESSIONS = 28, ORDERS = 6, TRIPLES = 2 * ORDERS };

enum { ITEMS = 64, LOCAL = 32 };

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

struct integer {
    int bits;
    bool is_signed;
};

/* The low bits of a value, in their type. */
static wide wrap(wide value, struct integer type)
{
    int above = 128 - type.bits;
    unsigned_wide high = (unsigned_wide)value << above;

    return type.is_signed ? (wide)high >> above : (wide)(high >> above);
}

static wide limit(wide value, struct integer type)
{
    wide high = ((wide)1 << (type.is_signed ? type.bits - 1 : type.bits)) - 1;
    wide low = type.is_signed ? -high - 1 : 0;

    return value < low ? low : value > high ? high : value;
}

static wide least(wide x, wide y)
{
    return x < y ? x : y;
}

static wide greatest(wide x, wide y)
{
    return x > y ? x : y;
}

/* What each expression of conditions.cl is worth, in the order there. The products of two unsigned
 * quadwords have 128 bits. */
static void evaluate(wide x, wide y, wide z, struct integer type, wide to[EXPRESSIONS])
{
    const struct integer without_sign = {type.bits, false}, byte = {8, true}, word = {16, false};
    unsigned_wide product = (unsigned_wide)x * (unsigned_wide)y;
    wide bits = wrap(x, without_sign);
    int count = (int)(z & (type.bits - 1));
    const wide values[EXPRESSIONS] = {
        x + y,
        x - y,
        -x,
        x + y + z,
        x - y - z,
        (wide)product,
        (wide)(product + (unsigned_wide)z),
        (wide)((unsigned_wide)x << count),
        x >> count,
        bits >> count,
        x & y,
        x | y,
        x ^ y,
        ~x,
        (x & y) | (~x & z),
        limit(x + y, type),
        limit(x - y, type),
        (x + y) >> 1,
        (x + y + 1) >> 1,
        type.is_signed ? (wide)product >> type.bits : (wide)(product >> type.bits),
        (wide)((unsigned_wide)bits << count | (unsigned_wide)bits >> (type.bits - count)),
        x > y ? x - y : y - x,
        greatest(x, least(y, z)),
        x + 7,
        x * 8,
        x + 2 * y,
        wrap(x + y, byte),
        wrap(x - y, word),
    };

    for (unsigned n = 0; n < EXPRESSIONS; n++)
        to[n] = wrap(values[n], type);
}

static bool holds(unsigned order, wide value)
{
    const bool answers[ORDERS] = {value == 0, value != 0, value > 0,
                                  value >= 0, value < 0,  value <= 0};

    return answers[order];
}

/* Half of them at the edges of their type, or near 0. */
static uint64_t operand(struct integer type)
{
    static const uint64_t near[] = {0, 1, 2, 3, UINT64_MAX, UINT64_MAX - 1};
    uint64_t edge = UINT64_C(1) << (type.bits - 1), bits = runtime_random64();

    switch (bits >> 61) {
    case 0:
    case 1:
        return near[bits % (sizeof(near) / sizeof(near[0]))];
    case 2:
        return edge + bits % 5 - 2;
    case 3:
        return (edge >> 1) + bits % 5 - 2;
    case 4:
        return bits >> (bits % 50);
    default:
        return bits;
    }
}

/* Known fault of Intel's compiler (IGC 1.0.12504 and 2.40.14, before Xe2): it lets the product of
 * two bytes answer a comparison, and then makes it a product of words, as such GPUs multiply no
 * bytes into bytes, but leaves the condition with it: mul (16|M0) (gt)f1.0 r40.0<1>:w r6.0<2;1,0>:b
 * r13.0<1;1,0>:w mov (16|M0)          r28.0<2>:b r40.0<1;1,0>:w What the condition then says of one
 * that has the result `should`. */
enum { PRODUCT = 5 };

static bool answer_of_word(wide x, wide y, unsigned order, struct integer type, bool should)
{
    /* of values without a sign, those above zero are known to be the others than zero */
    static const uint8_t without_sign[ORDERS] = {0, 1, 1, ORDERS, ORDERS, 0};
    const struct integer byte = {8, true}, word = {16, true};

    if (!type.is_signed)
        order = without_sign[order];
    return order == ORDERS ? should : holds(order, wrap(wrap(x, byte) * wrap(y, byte), word));
}

static void conditions(const char *kernel, struct integer type)
{
    unsigned bytes = (unsigned)type.bits / 8;
    uint8_t *in = runtime_buffer(ITEMS * TRIPLES * 3 * bytes),
            *out = runtime_buffer(ITEMS * EXPRESSIONS * ORDERS * bytes),
            *flags = runtime_buffer(ITEMS * EXPRESSIONS);
    static uint8_t results[ITEMS * EXPRESSIONS * ORDERS * 8], answers[ITEMS * EXPRESSIONS],
        of_words[ITEMS * ORDERS];

    memset(answers, 0, sizeof(answers));
    for (unsigned triple = 0; triple < ITEMS * TRIPLES; triple++) {
        unsigned item = triple / TRIPLES, order = triple % ORDERS;
        wide xyz[3], values[EXPRESSIONS];

        for (unsigned i = 0; i < 3; i++) {
            uint64_t raw = operand(type);

            memcpy(in + (triple * 3 + i) * bytes, &raw, bytes);
            xyz[i] = wrap((wide)raw, type);
        }
        evaluate(xyz[0], xyz[1], xyz[2], type, values);
        for (unsigned n = 0; n < EXPRESSIONS; n++) {
            bool answer = holds(order, values[n]);
            uint64_t result = (uint64_t)(answer ? -values[n] : values[n] + 1);
            unsigned row = item * EXPRESSIONS + n;

            if (triple % TRIPLES < ORDERS)
                memcpy(results + (row * ORDERS + order) * bytes, &result, bytes);
            else
                answers[row] |= (uint8_t)(answer << order);
            if (triple % TRIPLES < ORDERS && n == PRODUCT) {
                answer = answer_of_word(xyz[0], xyz[1], order, type, answer);
                of_words[item * ORDERS + order] = (uint8_t)(answer ? -values[n] : values[n] + 1);
            }
        }
    }
    runtime_launch(&(struct launch){
        "conditions", kernel, {ITEMS / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out), BUFFER(flags)}});
    for (unsigned i = 0; type.bits == 8 && i < ITEMS * ORDERS; i++) {
        unsigned at = (i / ORDERS * EXPRESSIONS + PRODUCT) * ORDERS + i % ORDERS;

        if (out[at] == of_words[i])
            results[at] = of_words[i];
    }
    expect_bytes("results (28 expressions, 6 orders each)", out, results, bytes,
                 (size_t)ITEMS * EXPRESSIONS * ORDERS);
    expect_bytes("answers (28 expressions)", flags, answers, 1, (size_t)ITEMS * EXPRESSIONS);
}

#define CONDITIONS(type, bits, is_signed)                                                          \
    static void conditions_##type(void)                                                            \
    {                                                                                              \
        conditions("conditions_" #type, (struct integer){bits, is_signed});                        \
    }
CONDITIONS(char, 8, true)
CONDITIONS(uchar, 8, false)
CONDITIONS(short, 16, true)
CONDITIONS(ushort, 16, false)
CONDITIONS(int, 32, true)
CONDITIONS(uint, 32, false)
CONDITIONS(long, 64, true)
CONDITIONS(ulong, 64, false)

const struct program_test conditions_tests[] = {
    {"char", conditions_char},     {"uchar", conditions_uchar}, {"short", conditions_short},
    {"ushort", conditions_ushort}, {"int", conditions_int},     {"uint", conditions_uint},
    {"long", conditions_long},     {"ulong", conditions_ulong}, {NULL, NULL},
};
