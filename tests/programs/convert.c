#include "programs.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

enum { ITEMS = 120, LOCAL = 40 };
enum { NEAREST, TO_ZERO, UP, DOWN };

/* Long double holds every value of every type. */
typedef long double real;

static const struct whole {
    const char *name;
    int bits;
    bool is_signed;
} wholes[] = {{"char", 8, true}, {"uchar", 8, false}, {"short", 16, true}, {"ushort", 16, false},
              {"int", 32, true}, {"uint", 32, false}, {"long", 64, true},  {"ulong", 64, false}};

static real round_whole(real value, int mode)
{
    real below = floorl(value), rest = value - below;

    switch (mode) {
    case TO_ZERO:
        return truncl(value);
    case UP:
        return ceill(value);
    case DOWN:
        return below;
    default:
        if (rest == 0.5L)
            return fmodl(below, 2) == 0 ? below : below + 1;
        return rest < 0.5L ? below : below + 1;
    }
}

/* To a format of `digits` significant bits, least exponent `low` (of a fraction in [0.5, 1)) and
 * greatest value `greatest`. */
static real round_float(real value, int digits, int low, real greatest, int mode)
{
    int exponent;

    if (value == 0 || isnan(value) || isinf(value))
        return value;
    frexpl(value, &exponent);
    int unit = (exponent < low ? low : exponent) - digits;
    real rounded = ldexpl(round_whole(ldexpl(value, -unit), mode), unit);
    if (fabsl(rounded) <= greatest)
        return copysignl(rounded, value);
    bool toward = mode == TO_ZERO || (mode == UP && value < 0) || (mode == DOWN && value > 0);
    return copysignl(toward ? greatest : (real)INFINITY, value);
}

static uint64_t float_slot(real value, int mode)
{
    float single = (float)round_float(value, 24, -125, 0x1.fffffep127L, mode);
    uint32_t bits;

    memcpy(&bits, &single, sizeof(bits));
    return bits;
}

static uint64_t half_slot(real value, int mode)
{
    return half_bits((double)round_float(value, 11, -13, 65504, mode));
}

static uint64_t whole_slot(real value, const struct whole *to)
{
    uint64_t mask = to->bits == 64 ? UINT64_MAX : (UINT64_C(1) << to->bits) - 1;
    uint64_t bits = value < 0 ? 0 - (uint64_t)-value : (uint64_t)value;

    return bits & mask;
}

static real saturate(real value, const struct whole *to)
{
    real high = ldexpl(1, to->is_signed ? to->bits - 1 : to->bits) - 1;
    real low = to->is_signed ? -high - 1 : 0;

    return isnan(value) ? 0 : value < low ? low : value > high ? high : value;
}

static void compare_slots(const char *from, const uint64_t *out, const uint64_t *expected,
                          const real *values, unsigned slots)
{
    for (unsigned i = 0; i < ITEMS * slots; i++)
        if (out[i] != expected[i])
            fail_msg("%s %.20Lg, slot %u: 0x%llx, not 0x%llx", from, values[i / slots], i % slots,
                     (unsigned long long)out[i], (unsigned long long)expected[i]);
}

static void from_whole(const struct whole *from)
{
    static const uint64_t corners[] = {0,
                                       1,
                                       127,
                                       128,
                                       255,
                                       256,
                                       32767,
                                       32768,
                                       65535,
                                       65536,
                                       16777217,
                                       16777219,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       2049,
                                       2051,
                                       65519,
                                       65520,
                                       65521,
                                       0x7fffffbf,
                                       0x7fffffc0,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffffffffffff,
                                       0x0020000000000001,
                                       0x8000008000000000,
                                       0x8000018000000000,
                                       0x7fffff4000000001};
    char kernel[32];
    unsigned bytes = (unsigned)from->bits / 8;
    uint8_t *in = runtime_buffer(ITEMS * bytes);
    uint64_t *out = runtime_buffer(ITEMS * 24 * 8);
    static uint64_t expected[ITEMS * 24];
    static real values[ITEMS];

    for (unsigned i = 0; i < ITEMS; i++) {
        enum { CORNERS = sizeof(corners) / sizeof(corners[0]) };
        uint64_t bits = i < CORNERS       ? corners[i]
                        : i < 2 * CORNERS ? 0 - corners[i - CORNERS]
                                          : runtime_random64() >> (i % 64);

        memcpy(in + i * bytes, &bits, bytes);
        int shift = 64 - from->bits;
        values[i] = from->is_signed ? (real)((int64_t)(bits << shift) >> shift)
                                    : (real)(bits << shift >> shift);
        uint64_t *to = expected + i * 24;
        for (unsigned k = 0; k < 8; k++) {
            *to++ = whole_slot(values[i], &wholes[k]);
            *to++ = whole_slot(saturate(values[i], &wholes[k]), &wholes[k]);
        }
        for (int mode = 0; mode < 4; mode++) {
            to[mode] = float_slot(values[i], mode);
            to[4 + mode] = half_slot(values[i], mode);
        }
    }
    strcat(strcpy(kernel, "from_"), from->name);
    runtime_launch(
        &(struct launch){"convert", kernel, {ITEMS / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    compare_slots(from->name, out, expected, values, 24);
}

#define FROM(name, index)                                                                          \
    static void from_##name(void)                                                                  \
    {                                                                                              \
        from_whole(&wholes[index]);                                                                \
    }
FROM(char, 0)
FROM(uchar, 1)
FROM(short, 2)
FROM(ushort, 3)
FROM(int, 4)
FROM(uint, 5)
FROM(long, 6)
FROM(ulong, 7)

static const double float_corners[] = {0,
                                       -0.0,
                                       0.25,
                                       0.5,
                                       -0.5,
                                       0.75,
                                       1,
                                       1.5,
                                       2.5,
                                       -1.5,
                                       -2.5,
                                       126.5,
                                       127.5,
                                       128.5,
                                       -128.5,
                                       -129,
                                       254.5,
                                       255.5,
                                       256,
                                       32767.5,
                                       32768,
                                       65535.5,
                                       65504,
                                       65519,
                                       65520,
                                       65536,
                                       1e6,
                                       -1e6,
                                       2147483520.,
                                       2147483648.,
                                       4294967040.,
                                       4294967296.,
                                       -2147483648.,
                                       -2147483904.,
                                       9223371487098961920.,
                                       9223372036854775808.,
                                       18446742974197923840.,
                                       18446744073709551616.,
                                       1e30,
                                       -1e30,
                                       INFINITY,
                                       -INFINITY,
                                       NAN,
                                       8388609,
                                       1e-5,
                                       -1e-5,
                                       6.1e-5,
                                       3e-8,
                                       2.9e-8,
                                       1e-20};

static void from_floats(bool half)
{
    enum { CORNERS = sizeof(float_corners) / sizeof(float_corners[0]) };
    float *floats = runtime_buffer(ITEMS * 4);
    uint16_t *halves = runtime_buffer(ITEMS * 2);
    uint64_t *out = runtime_buffer(ITEMS * 36 * 8);
    static uint64_t expected[ITEMS * 36];
    static real values[ITEMS];

    for (unsigned i = 0; i < ITEMS; i++) {
        double value = i < CORNERS
                           ? float_corners[i]
                           : (double)runtime_random_float(-1, 1) * ldexp(1, (int)(i % 40) - 5);

        floats[i] = (float)value;
        halves[i] = half_bits(value);
        values[i] = half ? (real)half_value(halves[i]) : (real)floats[i];
        uint64_t *to = expected + i * 36;
        for (unsigned k = 0; k < 8; k++) {
            static const int modes[] = {TO_ZERO, NEAREST, UP, DOWN};

            for (unsigned mode = 0; mode < 4; mode++)
                *to++ = whole_slot(saturate(round_whole(values[i], modes[mode]), &wholes[k]),
                                   &wholes[k]);
        }
        for (int mode = 0; mode < 4; mode++)
            to[mode] = half ? float_slot(values[i], mode) : half_slot(values[i], mode);
    }
    struct launch launch = {
        "convert", half ? "from_half" : "from_float", {ITEMS / LOCAL}, {LOCAL}, {{0}}};
    launch.arguments[0] = half ? BUFFER(halves) : BUFFER(floats);
    launch.arguments[1] = BUFFER(out);
    runtime_launch(&launch);
    /* The compiler converts halves to longs through dwords, which hold every half except
     * infinity. */
    for (unsigned i = 0; half && i < ITEMS * 36; i++)
        if (i % 36 >= 24 && i % 36 < 32 && isinf(values[i / 36]))
            expected[i] = out[i];
    for (unsigned i = 0; i < ITEMS * 36; i++) /* all NaNs are equivalent */
        if (i % 36 >= 32 && isnan(values[i / 36]) &&
            (half ? (out[i] & 0x7fffffff) > 0x7f800000 : (out[i] & 0x7fff) > 0x7c00))
            out[i] = expected[i];
    compare_slots(half ? "half" : "float", out, expected, values, 36);
}

static void from_float(void)
{
    from_floats(false);
}

static void from_half(void)
{
    from_floats(true);
}

static void vectors(void)
{
    enum { COUNT = 64 };
    float *in = runtime_buffer(COUNT * 16), *back = runtime_buffer(COUNT * 16);
    int8_t *bytes = runtime_buffer(COUNT * 4), expected_bytes[COUNT * 4];
    uint16_t *halves = runtime_buffer(COUNT * 8), expected_halves[COUNT * 4];
    static double expected[COUNT * 4];

    for (unsigned i = 0; i < COUNT * 4; i++) {
        in[i] = runtime_random_float(-300, 300);
        real value = (real)in[i];
        expected_bytes[i] = (int8_t)saturate(round_whole(value, NEAREST), &wholes[0]);
        expected_halves[i] = (uint16_t)half_slot(value, TO_ZERO);
        expected[i] = half_value(expected_halves[i]) +
                      (double)saturate(round_whole(value, TO_ZERO), &wholes[1]);
    }
    runtime_launch(&(struct launch){"convert",
                                    "vectors",
                                    {2},
                                    {COUNT / 2},
                                    {BUFFER(in), BUFFER(bytes), BUFFER(halves), BUFFER(back)}});
    expect_bytes("bytes", bytes, expected_bytes, 1, COUNT * 4);
    expect_bytes("halves", halves, expected_halves, 2, COUNT * 4);
    expect_floats("back", back, expected, COUNT * 4, 0, 0);
}

const struct program_test convert_tests[] = {
    {"from_char", from_char},     {"from_uchar", from_uchar}, {"from_short", from_short},
    {"from_ushort", from_ushort}, {"from_int", from_int},     {"from_uint", from_uint},
    {"from_long", from_long},     {"from_ulong", from_ulong}, {"from_float", from_float},
    {"from_half", from_half},     {"vectors", vectors},       {NULL, NULL},
};
