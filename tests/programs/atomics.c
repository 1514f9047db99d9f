#include "programs.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 120, LOCAL = 60 };

static void seven(const char *kernel, unsigned groups, bool is_signed)
{
    int32_t *in = runtime_buffer(COUNT * 4), *out = runtime_buffer(28), expected[7];

    for (unsigned i = 0; i < 7; i++)
        expected[i] = out[i] = (int32_t)runtime_random();
    for (unsigned i = 0; i < groups * LOCAL; i++) {
        int32_t x = in[i] = (int32_t)(runtime_random() | runtime_random() >> 1);
        uint32_t ux = (uint32_t)x;
        bool less = is_signed ? x < expected[2] : ux < (uint32_t)expected[2];
        bool more = is_signed ? x > expected[3] : ux > (uint32_t)expected[3];

        expected[0] = (int32_t)((uint32_t)expected[0] + ux);
        expected[1] = (int32_t)((uint32_t)expected[1] - ux);
        expected[2] = less ? x : expected[2];
        expected[3] = more ? x : expected[3];
        expected[4] &= x;
        expected[5] |= x;
        expected[6] ^= x;
    }
    runtime_launch(
        &(struct launch){"atomics", kernel, {groups}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    expect_bytes(kernel, out, expected, 4, 7);
}

static void global_int(void)
{
    seven("global_int", 2, true);
}

static void global_uint(void)
{
    seven("global_uint", 2, false);
}

static void local_int(void)
{
    seven("local_int", 1, true);
}

static void local_uint(void)
{
    seven("local_uint", 1, false);
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void tickets(void)
{
    uint32_t *counters = runtime_buffer(24), *out = runtime_buffer(COUNT * 24);

    counters[1] = counters[5] = COUNT * 2;
    runtime_launch(&(struct launch){
        "atomics", "tickets", {COUNT / LOCAL}, {LOCAL}, {BUFFER(counters), BUFFER(out)}});
    uint32_t last = counters[4], final[] = {COUNT, COUNT, COUNT * 3, COUNT * 5, last, 0};
    expect_bytes("counters", counters, final, 4, 6);
    for (unsigned i = 0; i < 6; i++)
        qsort(out + i * COUNT, COUNT, 4, compare);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(out[i], i);
        assert_int_equal(out[COUNT + i], COUNT + 1 + i);
        assert_int_equal(out[2 * COUNT + i], 3 * i);
        assert_int_equal(out[3 * COUNT + i], 5 * i);
        /* of the exchanged values, all but the last, and the initial 0 */
        assert_int_equal(out[4 * COUNT + i], i < last ? i : i + 1);
        assert_int_equal(out[5 * COUNT + i], 2 * i + 2);
    }
}

static void local_tickets(void)
{
    uint32_t *out = runtime_buffer(COUNT * 8);

    runtime_launch(
        &(struct launch){"atomics", "local_tickets", {COUNT / LOCAL}, {LOCAL}, {BUFFER(out)}});
    qsort(out, LOCAL, 4, compare);
    qsort(out + LOCAL, LOCAL, 4, compare);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(out[i], i % LOCAL);
        assert_int_equal(out[COUNT + i], LOCAL);
    }
}

static void add_floats(const char *module, const char *kernel)
{
    float *in = runtime_buffer(COUNT * 4), *out = runtime_buffer(8), expected[2] = {0, 0};

    for (unsigned i = 0; i < COUNT; i++) {
        in[i] = (float)(runtime_random() % 1000) / 8; /* exact in any order */
        expected[0] += in[i];
        expected[1] = in[i] > expected[1] ? in[i] : expected[1];
    }
    runtime_launch(
        &(struct launch){module, kernel, {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("sum", out, expected, 4, strcmp(kernel, "float_add") == 0 ? 1 : 2);
}

static void float_exchange(void)
{
    add_floats("atomics", "float_exchange");
}

static void float_add(void)
{
    add_floats("float-atomics", "float_add");
}

static void long_atomics(void)
{
    if (!runtime_has_long_atomics())
        skip();
    int64_t *in = runtime_buffer(COUNT * 8), *out = runtime_buffer(72), expected[9];
    for (unsigned i = 0; i < 9; i++)
        expected[i] = out[i] = (int64_t)runtime_random64();
    for (unsigned i = 0; i < COUNT; i++) {
        int64_t x = in[i] = (int64_t)(runtime_random64() | runtime_random64() >> 1);

        expected[0] = (int64_t)((uint64_t)expected[0] + (uint64_t)x);
        expected[1] = (int64_t)((uint64_t)expected[1] - (uint64_t)x);
        expected[2] = x < expected[2] ? x : expected[2];
        expected[3] = x > expected[3] ? x : expected[3];
        expected[4] &= x;
        expected[5] |= x;
        expected[6] ^= x;
        expected[7]++;
        expected[8] = (int64_t)((uint64_t)expected[8] * 3 + 1);
    }
    runtime_launch(&(struct launch){
        "atomics", "long_atomics", {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("results", out, expected, 8, 9);
}

const struct program_test atomics_tests[] = {
    {"global_int", global_int},
    {"global_uint", global_uint},
    {"local_int", local_int},
    {"local_uint", local_uint},
    {"tickets", tickets},
    {"local_tickets", local_tickets},
    {"float_exchange", float_exchange},
    {"float_add", float_add},
    {"long_atomics", long_atomics},
    {NULL, NULL},
};
