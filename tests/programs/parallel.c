#include "programs.h"

#include <stdlib.h>
#include <string.h>

static void reduce_tree(void)
{
    static const uint32_t sizes[] = {64, 100, 33, 7, 256};

    for (size_t test = 0; test < sizeof(sizes) / sizeof(sizes[0]); test++) {
        uint32_t local = sizes[test], groups = 5;
        int32_t *in = runtime_buffer(local * groups * 4), *out = runtime_buffer(groups * 4);
        int32_t expected[5] = {0};

        for (uint32_t i = 0; i < local * groups; i++) {
            in[i] = (int32_t)runtime_random() / 1024;
            expected[i / local] += in[i];
        }
        runtime_launch(&(struct launch){"parallel",
                                        "reduce_tree",
                                        {groups},
                                        {local},
                                        {BUFFER(in), BUFFER(out), LOCAL_MEMORY(local * 4)}});
        expect_bytes("sums", out, expected, 4, groups);
    }
}

static void reduce_atomic(void)
{
    uint32_t count = 3001, *in = runtime_buffer(count * 4), *sum = runtime_buffer(4),
             *greatest = runtime_buffer(4), total = 0, most = 0;

    for (uint32_t i = 0; i < count; i++) {
        in[i] = runtime_random();
        total += in[i];
        most = in[i] > most ? in[i] : most;
    }
    runtime_launch(&(struct launch){"parallel",
                                    "reduce_atomic",
                                    {4},
                                    {96},
                                    {BUFFER(in), BUFFER(sum), BUFFER(greatest), VALUE(count)}});
    expect_bytes("sum", sum, &total, 4, 1);
    expect_bytes("greatest", greatest, &most, 4, 1);
}

static void reduce_work_group(void)
{
    enum { LOCAL = 80, GROUPS = 3, COUNT = LOCAL * GROUPS };
    int32_t *in = runtime_buffer(COUNT * 4), *out = runtime_buffer(COUNT * 20);
    static int32_t expected[COUNT * 5];

    for (unsigned i = 0; i < COUNT; i++)
        in[i] = (int32_t)(runtime_random() % 1010) - (i / LOCAL == 1 ? 500 : 0);
    for (unsigned group = 0; group < GROUPS; group++) {
        int32_t sum = 0, most = in[group * LOCAL], any = 0, all = 1;

        for (unsigned i = group * LOCAL; i < (group + 1) * LOCAL; i++) {
            expected[i * 5 + 2] = sum;
            sum += in[i];
            most = in[i] > most ? in[i] : most;
            any |= in[i] > 990;
            all &= in[i] < 1000;
        }
        for (unsigned i = group * LOCAL; i < (group + 1) * LOCAL; i++) {
            expected[i * 5] = sum;
            expected[i * 5 + 1] = most;
            expected[i * 5 + 3] = any;
            expected[i * 5 + 4] = all;
        }
    }
    runtime_launch(&(struct launch){
        "parallel", "reduce_work_group", {GROUPS}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    for (unsigned i = 0; i < COUNT * 5; i++) /* any and all only have to be zero or nonzero alike */
        if (i % 5 >= 3)
            out[i] = out[i] != 0;
    expect_bytes("work-group functions", out, expected, 4, COUNT * 5);
}

static void scan_inclusive(void)
{
    static const uint32_t sizes[] = {128, 50};

    for (unsigned test = 0; test < 2; test++) {
        uint32_t local = sizes[test], groups = 3, expected[3 * 128], sum = 0;
        uint32_t *in = runtime_buffer(local * groups * 4),
                 *out = runtime_buffer(local * groups * 4);

        for (uint32_t i = 0; i < local * groups; i++) {
            in[i] = runtime_random();
            sum = i % local ? sum + in[i] : in[i];
            expected[i] = sum;
        }
        runtime_launch(&(struct launch){
            "parallel",
            "scan_inclusive",
            {groups},
            {local},
            {BUFFER(in), BUFFER(out), LOCAL_MEMORY(local * 4), LOCAL_MEMORY(local * 4)}});
        expect_bytes("sums", out, expected, 4, local * groups);
    }
}

static void scan_exclusive(void)
{
    enum { LOCAL = 64, GROUPS = 4, COUNT = 2 * LOCAL * GROUPS };
    float *in = runtime_buffer(COUNT * 4), *out = runtime_buffer(COUNT * 4), sum = 0;
    static float expected[COUNT];

    for (unsigned i = 0; i < COUNT; i++) {
        in[i] = (float)(runtime_random() % 1000) / 4; /* exact in any order */
        if (i % (2 * LOCAL) == 0)
            sum = 0;
        expected[i] = sum;
        sum += in[i];
    }
    runtime_launch(&(struct launch){"parallel",
                                    "scan_exclusive",
                                    {GROUPS},
                                    {LOCAL},
                                    {BUFFER(in), BUFFER(out), LOCAL_MEMORY(LOCAL * 8)}});
    expect_bytes("sums", out, expected, 4, COUNT);
}

static void histogram(void)
{
    uint32_t count = 5003, expected[256] = {0};
    uint8_t *in = runtime_buffer(count);
    uint32_t *out = runtime_buffer(sizeof(expected));

    for (uint32_t i = 0; i < count; i++) {
        in[i] = (uint8_t)(runtime_random() % 7 ? runtime_random() : 3);
        expected[in[i]]++;
    }
    runtime_launch(&(struct launch){"parallel",
                                    "histogram",
                                    {3},
                                    {60},
                                    {BUFFER(in), BUFFER(out), VALUE(count), LOCAL_MEMORY(1024)}});
    expect_bytes("bins", out, expected, 4, 256);
}

static int compare_int(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static void bitonic_local(void)
{
    enum { LOCAL = 128, GROUPS = 2, COUNT = 2 * LOCAL * GROUPS };
    int32_t *data = runtime_buffer(COUNT * 4), expected[COUNT];

    for (unsigned i = 0; i < COUNT; i++)
        expected[i] = data[i] = (int32_t)runtime_random() % 300;
    for (unsigned group = 0; group < GROUPS; group++)
        qsort(expected + group * 2 * LOCAL, 2 * LOCAL, 4, compare_int);
    runtime_launch(&(struct launch){
        "parallel", "bitonic_local", {GROUPS}, {LOCAL}, {BUFFER(data), LOCAL_MEMORY(LOCAL * 8)}});
    expect_bytes("sorted", data, expected, 4, COUNT);
}

static void bitonic_global(void)
{
    enum { COUNT = 256 };
    uint32_t *keys = runtime_buffer(COUNT * 4);
    uint16_t *values = runtime_buffer(COUNT * 2);

    for (unsigned i = 0; i < COUNT; i++) {
        keys[i] = (i * 167 + 13) % COUNT * 16000000u; /* each once */
        values[i] = (uint16_t)(keys[i] / 16000000u ^ 0x5a5a);
    }
    for (uint32_t size = 2; size <= COUNT; size *= 2)
        for (uint32_t stride = size / 2; stride > 0; stride /= 2)
            runtime_launch(
                &(struct launch){"parallel",
                                 "bitonic_step",
                                 {COUNT / 64},
                                 {32},
                                 {BUFFER(keys), BUFFER(values), VALUE(size), VALUE(stride)}});
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(keys[i], i * 16000000u);
        assert_int_equal(values[i], i ^ 0x5a5a);
    }
}

static int compare_uint(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void radix_sort(void)
{
    uint32_t count = 500, *a = runtime_buffer(count * 4), *b = runtime_buffer(count * 4),
             expected[500];

    for (uint32_t i = 0; i < count; i++)
        expected[i] = a[i] = runtime_random() >> 16;
    qsort(expected, count, 4, compare_uint);
    for (uint32_t shift = 0; shift < 16; shift += 4) {
        runtime_launch(&(struct launch){
            "parallel",
            "radix_pass",
            {1},
            {24},
            {BUFFER(a), BUFFER(b), VALUE(count), VALUE(shift), LOCAL_MEMORY(16 * 24 * 4)}});
        uint32_t *other = a;
        a = b;
        b = other;
    }
    expect_bytes("sorted", a, expected, 4, count);
}

const struct program_test parallel_tests[] = {
    {"reduce_tree", reduce_tree},
    {"reduce_atomic", reduce_atomic},
    {"reduce_work_group", reduce_work_group},
    {"scan_inclusive", scan_inclusive},
    {"scan_exclusive", scan_exclusive},
    {"histogram", histogram},
    {"bitonic_local", bitonic_local},
    {"bitonic_global", bitonic_global},
    {"radix_sort", radix_sort},
    {NULL, NULL},
};
