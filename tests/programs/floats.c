#include "programs.h"

#include <math.h>
#include <string.h>

enum { COUNT = 160, LOCAL = 40 };

static const float corners[] = {0.0f, -0.0f,    1.0f,   -1.0f,      0.5f,     1.5f,
                                2.5f, -2.5f,    1e10f,  -1e-10f,    INFINITY, -INFINITY,
                                NAN,  0x1p100f, 1e-30f, 8388607.5f, 3.0f};

enum { CORNERS = sizeof(corners) / sizeof(corners[0]) };

static void operands(float *a, float *b)
{
    for (unsigned i = 0; i < COUNT; i++) {
        a[i] = i < 100 ? corners[i % CORNERS] : runtime_random_float(-50, 50);
        b[i] = i < 100 ? corners[(i * 5 + i / 17) % CORNERS] : runtime_random_float(-50, 50);
    }
}

/* Compares one column of the results, one row for each work-item. */
static void expect_column(const char *what, const float *out, unsigned columns, unsigned column,
                          const double *expected, unsigned rows, double ulps, double absolute)
{
    static float values[COUNT * 4];

    for (unsigned i = 0; i < rows; i++)
        values[i] = out[i * columns + column];
    expect_floats(what, values, expected, rows, ulps, absolute);
}

static double minimum(double x, double y)
{
    return isnan(x) ? y : isnan(y) ? x : x < y ? x : y;
}

static double maximum(double x, double y)
{
    return isnan(x) ? y : isnan(y) ? x : x > y ? x : y;
}

static void arithmetic(void)
{
    static const char *const names[24] = {"add",
                                          "subtract",
                                          "multiply",
                                          "divide",
                                          "fma",
                                          "fmin",
                                          "fmax",
                                          "floor",
                                          "ceil",
                                          "rint",
                                          "trunc",
                                          "round",
                                          "copysign",
                                          "sqrt",
                                          "rsqrt",
                                          "select",
                                          "clamp",
                                          "fmod",
                                          "ldexp",
                                          "fract",
                                          "fract's floor",
                                          "frexp",
                                          "frexp's exponent",
                                          "fdim"};
    bool exact = runtime_divides_exactly();
    const double ulps[24] = {[3] = exact ? 0 : 2.5, [13] = exact ? 0 : 3, [14] = 2};
    float *a = runtime_buffer(COUNT * 4), *b = runtime_buffer(COUNT * 4),
          *out = runtime_buffer(COUNT * 24 * 4);
    static double expected[24][COUNT];

    operands(a, b);
    for (unsigned i = 0; i < COUNT; i++) {
        double x = (double)a[i], y = (double)b[i], low = floor(x);
        int exponent = 0;
        double fraction = frexp(x, &exponent);
        double rows[24] = {x + y,
                           x - y,
                           x * y,
                           x / y,
                           (double)fmaf(a[i], b[i], 1.5f),
                           minimum(x, y),
                           maximum(x, y),
                           low,
                           ceil(x),
                           nearbyint(x),
                           trunc(x),
                           round(x),
                           fabs(x) - copysign(2, y),
                           sqrt(fabs(x)),
                           1 / sqrt(fabs(x)),
                           x > y      ? x
                           : isnan(x) ? 3
                                      : -y,
                           minimum(maximum(x, -1), 1),
                           fmod(x, y),
                           ldexp(x, (int)minimum(maximum(y, -20), 20)),
                           isnan(x)   ? NAN
                           : isinf(x) ? copysign(0, x)
                                      : minimum(x - low, 0x1.fffffep-1),
                           low,
                           fraction,
                           exponent,
                           isnan(x) || isnan(y) ? NAN
                           : x > y              ? x - y
                                                : 0};

        for (unsigned k = 0; k < 24; k++)
            expected[k][i] = rows[k];
    }
    runtime_launch(&(struct launch){
        "floats", "arithmetic", {COUNT / LOCAL}, {LOCAL}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    for (unsigned i = 0; i < COUNT; i++) {
        if (isnan(a[i])) /* what clamp gives is left open */
            expected[16][i] = (double)out[i * 24 + 16];
        if (isnan(b[i])) /* and so is the exponent that comes of clamping */
            expected[18][i] = (double)out[i * 24 + 18];
        if (!isfinite(a[i])) /* nor has the number an exponent */
            expected[22][i] = (double)out[i * 24 + 22];
    }
    for (unsigned k = 0; k < 24; k++)
        expect_column(names[k], out, 24, k, expected[k], COUNT, ulps[k], 0);
}

static void compare(void)
{
    float *a = runtime_buffer(COUNT * 4), *b = runtime_buffer(COUNT * 4);
    uint32_t *out = runtime_buffer(COUNT * 4), expected[COUNT];

    operands(a, b);
    for (unsigned i = 0; i < COUNT; i++) {
        float x = a[i], y = b[i];
        bool bits[18] = {x == y,
                         x != y,
                         x<y, x <= y, x>
                             y,
                         x >= y,
                         isless(x, y),
                         isunordered(x, y),
                         islessgreater(x, y),
                         isnan(x),
                         isinf(y),
                         isfinite(x),
                         signbit(x),
                         isnormal(x),
                         !isunordered(x, y),
                         !(x < y),
                         x < y && y < 10.0f,
                         !(x > y) || x == 1.0f};

        expected[i] = 0;
        for (unsigned bit = 0; bit < 18; bit++)
            expected[i] |= (uint32_t)bits[bit] << bit;
    }
    runtime_launch(&(struct launch){
        "floats", "compare", {COUNT / LOCAL}, {LOCAL}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    expect_bytes("comparisons", out, expected, 4, COUNT);
}

static void functions(void)
{
    static const struct {
        const char *name;
        double ulps, absolute; /* as the OpenCL specification allows, or a little more */
    } rows[32] = {{"sin", 4, 0},           {"cos", 4, 0},         {"tan", 5, 0},
                  {"exp", 3, 0},           {"log", 3, 0},         {"pow", 16, 0},
                  {"exp2", 3, 0},          {"log2", 3, 0},        {"exp10", 3, 0},
                  {"log10", 3, 0},         {"atan2", 6, 0},       {"asin", 4, 0},
                  {"acos", 4, 0},          {"atan", 5, 0},        {"sinh", 4, 0},
                  {"tanh", 5, 0},          {"cbrt", 2, 0},        {"hypot", 4, 0},
                  {"erf", 16, 0},          {"expm1", 3, 0},       {"log1p", 2, 0},
                  {"sincos: sin", 4, 0},   {"sincos: cos", 4, 0}, {"remainder", 0, 0},
                  {"sin of large", 4, 0},  {"pown", 16, 0},       {"mix", 2, 1e-6},
                  {"smoothstep", 6, 1e-6}, {"length", 4, 0},      {"cross", 2, 3e-5},
                  {"tgamma", 16, 0},       {"rootn", 16, 0}};
    float *a = runtime_buffer(COUNT * 4), *b = runtime_buffer(COUNT * 4),
          *out = runtime_buffer(COUNT * 32 * 4);
    static double expected[32][COUNT];

    for (unsigned i = 0; i < COUNT; i++) {
        a[i] = runtime_random_float(0.001f, 20);
        b[i] = runtime_random_float(0.001f, 20);
        double x = (double)a[i], y = (double)b[i], t = x / 20;
        double values[32] = {sin(x),
                             cos(x),
                             tan(x),
                             exp(x),
                             log(x),
                             pow(x, y * 0.25),
                             exp2(x),
                             log2(x),
                             pow(10, (double)(a[i] * 0.5f)),
                             log10(x),
                             atan2(x, y),
                             asin((double)(a[i] * 0.05f)),
                             acos((double)(a[i] * 0.05f)),
                             atan(x),
                             sinh(x * 0.25),
                             tanh(x * 0.25),
                             cbrt(x),
                             hypot(x, y),
                             erf((double)(a[i] * 0.1f)),
                             expm1((double)(a[i] * 0.1f)),
                             log1p(x),
                             sin(y),
                             cos(y),
                             remainder(x, y),
                             sin((double)(a[i] * 100000.0f)),
                             pow(x, 5),
                             x + (y - x) * 0.25,
                             t * t * (3 - 2 * t),
                             sqrt(2 * (x * x + y * y)),
                             x * x - y * y,
                             tgamma((double)(a[i] * 0.25f + 0.5f)),
                             cbrt(x)};
        for (unsigned k = 0; k < 32; k++)
            expected[k][i] = values[k];
    }
    runtime_launch(&(struct launch){
        "floats", "functions", {COUNT / LOCAL}, {LOCAL}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    for (unsigned k = 0; k < 32; k++)
        expect_column(rows[k].name, out, 32, k, expected[k], COUNT, rows[k].ulps, rows[k].absolute);
}

static void native_functions(void)
{
    float *a = runtime_buffer(COUNT * 4), *b = runtime_buffer(COUNT * 4),
          *out = runtime_buffer(COUNT * 10 * 4);
    static double expected[10][COUNT];

    for (unsigned i = 0; i < COUNT; i++) {
        a[i] = runtime_random_float(0.01f, 10);
        b[i] = runtime_random_float(0.01f, 10);
        double x = (double)a[i], y = (double)b[i];
        double values[10] = {sin(x),      cos(x), exp(x), log(x),           sqrt(x),
                             1 / sqrt(x), 1 / x,  x / y,  pow(x, y * 0.25), exp2(x * 0.5)};
        for (unsigned k = 0; k < 10; k++)
            expected[k][i] = values[k];
    }
    runtime_launch(&(struct launch){"floats",
                                    "native_functions",
                                    {COUNT / LOCAL},
                                    {LOCAL},
                                    {BUFFER(a), BUFFER(b), BUFFER(out)}});
    for (unsigned k = 0; k < 10; k++)
        expect_column("a native function", out, 10, k, expected[k], COUNT, 64, 1e-6);
}

static void halves(void)
{
    if (!runtime_has_half())
        skip();
    static const char *const names[12] = {"add",    "subtract", "multiply", "fma",
                                          "fmin",   "fmax",     "floor",    "rint",
                                          "select", "fabs",     "divide",   "sqrt"};
    uint16_t *a = runtime_buffer(COUNT * 2), *b = runtime_buffer(COUNT * 2),
             *out = runtime_buffer(COUNT * 24);
    float floats[2 * COUNT];
    operands(floats, floats + COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        a[i] = half_bits((double)floats[i]);
        b[i] = half_bits((double)floats[COUNT + i]);
    }
    runtime_launch(&(struct launch){
        "floats", "halves", {COUNT / LOCAL}, {LOCAL}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    for (unsigned i = 0; i < COUNT; i++) {
        double x = half_value(a[i]), y = half_value(b[i]);
        double expected[12] = {x + y,          x - y,         x * y,    fma(x, y, 1.5),
                               minimum(x, y),  maximum(x, y), floor(x), nearbyint(x),
                               x < y ? x : -y, fabs(x),       x / y,    sqrt(fabs(x))};

        for (unsigned k = 0; k < 12; k++) {
            double is = half_value(out[i * 12 + k]), should = half_value(half_bits(expected[k]));
            double allowed = k < 10 ? 0 : fabs(should) * 0x1p-10; /* one unit */

            if (!(isnan(is) && isnan(should)) && !(is == should) && !(fabs(is - should) <= allowed))
                fail_msg("%s of %g and %g: %g, not %g", names[k], x, y, is, should);
        }
    }
}

static void half_vectors(void)
{
    if (!runtime_has_half())
        skip();
    uint16_t *a = runtime_buffer(COUNT * 16), *out = runtime_buffer(COUNT * 16);
    for (unsigned i = 0; i < COUNT * 8; i++)
        a[i] = half_bits((double)(runtime_random() % 64) - 32);
    runtime_launch(&(struct launch){
        "floats", "half_vectors", {COUNT / LOCAL}, {LOCAL}, {BUFFER(a), BUFFER(out)}});
    for (unsigned i = 0; i < COUNT * 8; i++) {
        unsigned base = i / 8 * 8, k = i % 8;
        double other = half_value(a[base + (k < 4 ? 2 * k + 1 : 2 * k - 8)]);
        double should = other * half_value(a[i]) + half_value(a[base]);

        assert_true(half_value(out[i]) == should);
    }
}

/* Denormals are either all kept or all flushed to zero. */
static void denormals(void)
{
    float *a = runtime_buffer(COUNT * 4), *out = runtime_buffer(COUNT * 12);

    for (unsigned i = 0; i < COUNT; i++)
        a[i] = ldexpf(runtime_random_float(1, 2), -125 + (int)(i % 30)) * (i % 2 ? -1.0f : 1.0f);
    runtime_launch(&(struct launch){
        "floats", "denormals", {COUNT / LOCAL}, {LOCAL}, {BUFFER(a), BUFFER(out)}});
    unsigned kept = 0, flushed = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        double x = (double)a[i];
        double expected[3] = {x * 0x1p-20, x * 0.75, x - 0x1.8p-126};

        for (unsigned k = 0; k < 3; k++) {
            float should = (float)expected[k], is = out[i * 3 + k];

            if (should != 0 && fabsf(should) < 0x1p-126f) {
                kept += is == should;
                flushed += is == 0;
                assert_true(is == should || is == 0);
            } else if (is != should) {
                fail_msg("%a: %a, not %a", x, (double)is, expected[k]);
            }
        }
    }
    assert_true(kept == 0 || flushed == 0);
}

static void doubles(void)
{
    if (!runtime_has_double())
        skip();
    double *a = runtime_buffer(COUNT * 8), *b = runtime_buffer(COUNT * 8),
           *out = runtime_buffer(COUNT * 80);
    static double expected[COUNT * 10];
    for (unsigned i = 0; i < COUNT; i++) {
        double x = a[i] = ((double)runtime_random64() - 0x1p63) * 0x1p-40;
        double y = b[i] = ((double)runtime_random64() - 0x1p63) * 0x1p-41;
        double values[10] = {x + y,         x - y,          x * y,
                             x / y,         fma(x, y, 1.5), minimum(x, y),
                             sqrt(fabs(x)), floor(x),       (double)(float)x + (double)(int64_t)y,
                             x < y ? x : -y};

        memcpy(expected + i * 10, values, sizeof(values));
    }
    runtime_launch(&(struct launch){
        "doubles", "doubles", {COUNT / LOCAL}, {LOCAL}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    expect_bytes("results", out, expected, 8, COUNT * 10);
}

/* Of any exponent, denormals included; some are zero, infinite or NaN. */
static double any_double(unsigned index)
{
    static const double special[] = {
        0.0,       -0.0,      INFINITY, -INFINITY, NAN,
        0x1p-1074, 0x1p-1022, -1.0,     1.0,       0x1.fffffffffffffp1023};
    uint64_t bits = runtime_random64();
    double value;

    if (index % 4 == 0)
        return special[bits % (sizeof(special) / sizeof(special[0]))];
    if (index % 4 == 1) /* near one another */
        bits = (bits & UINT64_C(0x800fffffffffffff)) | (uint64_t)(1020 + bits % 7) << 52;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void expect_close(const char *what, double x, double y, double is, long double should,
                         int units)
{
    double nearest = (double)should;
    double one_unit = fabs(nextafter(nearest, INFINITY) - nearest);

    if (!(isnan(is) && isnan(nearest)) && is != nearest &&
        !(units > 0 && fabs(is - nearest) <= units * one_unit))
        fail_msg("%s of %a and %a: %a, not %a", what, x, y, is, nearest);
}

/* sqrt and the quotients are rounded correctly; the others may be off by as much as OpenCL allows.
 */
static void double_roots(void)
{
    if (!runtime_has_double())
        skip();
    double *a = runtime_buffer(COUNT * 8), *b = runtime_buffer(COUNT * 8),
           *out = runtime_buffer(COUNT * 48);
    for (unsigned i = 0; i < COUNT; i++) {
        a[i] = any_double(i);
        b[i] = any_double(i / 4);
    }
    runtime_launch(&(struct launch){
        "doubles", "double_roots", {COUNT / LOCAL}, {LOCAL}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    for (unsigned i = 0; i < COUNT; i++) {
        const double *row = out + i * 6;
        double x = a[i], y = b[i];

        expect_close("the quotient", x, y, row[0], (long double)(x / y), 0);
        expect_close("the inverse", x, y, row[1], (long double)(1.0 / x), 0);
        expect_close("sqrt", x, y, row[2], (long double)sqrt(x), 0);
        expect_close("sqrt of the second", x, y, row[3], (long double)sqrt(fabs(y)), 0);
        expect_close("rsqrt", x, y, row[4], 1 / sqrtl((long double)x), 2);
        expect_close("hypot", x, y, row[5], hypotl((long double)x, (long double)y), 4);
    }
}

const struct program_test floats_tests[] = {
    {"arithmetic", arithmetic},
    {"compare", compare},
    {"functions", functions},
    {"native_functions", native_functions},
    {"halves", halves},
    {"half_vectors", half_vectors},
    {"denormals", denormals},
    {"doubles", doubles},
    {"double_roots", double_roots},
    {NULL, NULL},
};
