#include "programs.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 128, LOCAL = 64, RESULTS = 9 };

struct type {
    const char *name;
    unsigned bytes;
    bool is_float;
};

static const struct type types[] = {
    {"char", 1, false}, {"uchar", 1, false}, {"short", 2, false}, {"ushort", 2, false},
    {"int", 4, false},  {"uint", 4, false},  {"long", 8, false},  {"ulong", 8, false},
    {"half", 2, true},  {"float", 4, true},
};

/* A small whole number as the type has it. */
static void put(uint8_t *at, const struct type *type, unsigned value)
{
    uint64_t bits = value;
    float single = (float)value;

    if (type->is_float && type->bytes == 4)
        memcpy(&bits, &single, 4);
    else if (type->is_float)
        bits = half_bits((double)value);
    memcpy(at, &bits, type->bytes);
}

static void all_of(const struct type *type, unsigned n)
{
    char kernel[32];
    unsigned x[COUNT], results[RESULTS];
    uint8_t *in = runtime_buffer(COUNT * type->bytes);
    uint8_t *out = runtime_buffer(COUNT * RESULTS * type->bytes);
    static uint8_t expected[COUNT * RESULTS * 8];

    for (unsigned i = 0; i < COUNT; i++)
        put(in + i * type->bytes, type, x[i] = runtime_random() % 100);
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned first = i / n * n, lane = i % n;

        memset(results, 0, sizeof(results));
        results[1] = x[first];
        for (unsigned k = 0; k < n; k++) {
            unsigned other = x[first + k];

            results[0] += other;
            results[1] = other < results[1] ? other : results[1];
            results[2] = other > results[2] ? other : results[2];
            results[3] += k <= lane ? other : 0;
            results[4] += k < lane ? other : 0;
            results[5] = k <= lane && other > results[5] ? other : results[5];
        }
        results[6] = x[first + 5];
        results[7] = x[first + (lane + 3) % n];
        results[8] = x[i ^ 1];
        for (unsigned k = 0; k < RESULTS; k++)
            put(expected + (i * RESULTS + k) * type->bytes, type, results[k]);
    }
    snprintf(kernel, sizeof(kernel), "collectives_%s", type->name);
    runtime_launch(&(struct launch){
        "collectives", kernel, {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    expect_bytes(kernel, out, expected, type->bytes, COUNT * RESULTS);
}

static void collectives(void)
{
    if (runtime_sub_group_size() == 0)
        skip();
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        all_of(&types[i], runtime_sub_group_size());
}

static void trees(void)
{
    static const struct type sums[] = {{"int", 4, false}, {"long", 8, false}, {"float", 4, true}};

    for (size_t t = 0; t < 3; t++) {
        char kernel[32];
        uint8_t *in = runtime_buffer(COUNT * 8), *out = runtime_buffer(COUNT * 8);
        uint8_t expected[COUNT / LOCAL * 8];
        unsigned sum[COUNT / LOCAL] = {0};

        for (unsigned i = 0; i < COUNT; i++) {
            unsigned value = runtime_random() % 1000;

            sum[i / LOCAL] += value;
            put(in + i * sums[t].bytes, &sums[t], value);
        }
        for (unsigned i = 0; i < COUNT / LOCAL; i++)
            put(expected + i * sums[t].bytes, &sums[t], sum[i]);
        snprintf(kernel, sizeof(kernel), "tree_%s", sums[t].name);
        runtime_launch(&(struct launch){
            "collectives", kernel, {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
        expect_bytes(kernel, out, expected, sums[t].bytes, COUNT / LOCAL);
    }
}

/* Component k of the lane's vector is the k-th run of the sub-group's width. */
static void block(const char *name, unsigned bytes, unsigned count, unsigned n)
{
    char kernel[32];
    unsigned elements = COUNT * count;
    uint8_t *in = runtime_buffer(elements * bytes), *out = runtime_buffer(elements * bytes);
    static uint8_t expected[COUNT * 16 * 8];

    for (unsigned i = 0; i < elements; i++) {
        uint64_t value = runtime_random64(), sum = value + i % n;

        memcpy(in + i * bytes, &value, bytes);
        memcpy(expected + i * bytes, &sum, bytes);
    }
    if (count == 1)
        snprintf(kernel, sizeof(kernel), "block_%s", name);
    else
        snprintf(kernel, sizeof(kernel), "block_%s%u", name, count);
    runtime_launch(&(struct launch){
        "typed-blocks", kernel, {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    expect_bytes(kernel, out, expected, bytes, elements);
}

static void typed_blocks(void)
{
    unsigned n = runtime_sub_group_size();

    if (n != 8 && n != 16) /* the compiler has none for 32 */
        skip();
    for (unsigned count = 1; count <= 8; count *= 2) {
        block("uchar", 1, count, n);
        block("ushort", 2, count, n);
        block("uint", 4, count, n);
        block("ulong", 8, count, n);
    }
    block("uchar", 1, 16, n);
}

const struct program_test collectives_tests[] = {
    {"collectives", collectives},
    {"trees", trees},
    {"typed_blocks", typed_blocks},
    {NULL, NULL},
};
