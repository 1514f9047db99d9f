#include "programs.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 192, LOCAL = 48 };

static const struct {
    const char *name;
    unsigned bytes;
} types[] = {{"char", 1}, {"ushort", 2}, {"int", 4}, {"long", 8}};

enum { TYPES = 4 };

static uint64_t get(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;

    memcpy(&value, at, bytes);
    return value;
}

static void fill(uint8_t *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(runtime_random() >> 24);
}

static void run(const char *kind, unsigned type, const uint8_t *in, uint8_t *out)
{
    char kernel[32];

    snprintf(kernel, sizeof(kernel), "%s_%s", kind, types[type].name);
    runtime_launch(
        &(struct launch){"memory", kernel, {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
}

static void copies(void)
{
    for (unsigned type = 0; type < TYPES; type++) {
        unsigned size = types[type].bytes;
        uint8_t *in = runtime_buffer(COUNT * size), *out = runtime_buffer(COUNT * size),
                expected[COUNT * 8];

        fill(in, COUNT * size);
        for (unsigned i = 0; i < COUNT; i++) {
            uint64_t value = get(in + i * size, size) + 1;

            memcpy(expected + i * size, &value, size);
        }
        run("copy", type, in, out);
        expect_bytes(types[type].name, out, expected, size, COUNT);
    }
}

static void gathers(void)
{
    for (unsigned type = 0; type < TYPES; type++) {
        unsigned size = types[type].bytes;
        char kernel[32];
        uint8_t *in = runtime_buffer(COUNT * size), *out = runtime_buffer(COUNT * size),
                expected[COUNT * 8];
        uint32_t *where = runtime_buffer(COUNT * 4);

        fill(in, COUNT * size);
        for (unsigned i = 0; i < COUNT; i++)
            where[i] = (i * 77 + 5) % COUNT; /* each place once */
        for (unsigned i = 0; i < COUNT; i++)
            memcpy(expected + where[i] * size, in + where[COUNT - 1 - i] * size, size);
        snprintf(kernel, sizeof(kernel), "gather_%s", types[type].name);
        runtime_launch(&(struct launch){
            "memory", kernel, {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(where), BUFFER(out)}});
        expect_bytes(types[type].name, out, expected, size, COUNT);
    }
}

static void vectors(void)
{
    for (unsigned type = 0; type < TYPES; type++) {
        static const unsigned widths[] = {2, 3, 4, 8, 16};
        unsigned size = types[type].bytes;
        uint8_t *in = runtime_buffer(COUNT * 33 * size), *out = runtime_buffer(COUNT * 33 * size);
        static uint8_t expected[COUNT * 33 * 8];

        fill(in, COUNT * 33 * size);
        for (unsigned i = 0; i < COUNT; i++)
            for (unsigned k = 0, first = i * 33; k < 5; first += widths[k++])
                for (unsigned c = 0; c < widths[k]; c++)
                    memcpy(expected + (first + c) * size, in + (first + widths[k] - 1 - c) * size,
                           size);
        run("vectors", type, in, out);
        expect_bytes(types[type].name, out, expected, size, COUNT * 33);
        for (unsigned i = 0; i < COUNT * 16; i++)
            memcpy(expected + i * size, in + (i ^ 1) * size, size);
        run("aligned", type, in, out);
        expect_bytes(types[type].name, out, expected, size, COUNT * 16);
    }
}

static void local_memory(void)
{
    for (unsigned type = 0; type < TYPES; type++) {
        unsigned size = types[type].bytes;
        uint8_t *in = runtime_buffer(COUNT * size), *out = runtime_buffer(COUNT * size),
                expected[COUNT * 8];

        fill(in, COUNT * size);
        for (unsigned i = 0; i < COUNT; i++) {
            unsigned first = i / LOCAL * LOCAL, id = i % LOCAL;
            uint64_t quad = get(in + (first + (id * 7 + 3) % LOCAL) * size, size);
            uint64_t value =
                get(in + (first + LOCAL - 1 - id) * size, size) + quad + 2 * (quad + 3);

            memcpy(expected + i * size, &value, size);
        }
        run("local", type, in, out);
        expect_bytes(types[type].name, out, expected, size, COUNT);
    }
}

struct record {
    int8_t tag;
    int16_t id;
    float value;
    int64_t serial;
    uint8_t name[5];
};

static void records(void)
{
    struct record *in = runtime_buffer(COUNT * sizeof(*in)),
                  *out = runtime_buffer(COUNT * sizeof(*in));

    fill((uint8_t *)in, COUNT * sizeof(*in));
    for (unsigned i = 0; i < COUNT; i++)
        in[i].value = runtime_random_float(-1000, 1000);
    runtime_launch(
        &(struct launch){"memory", "records", {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    for (unsigned i = 0; i < COUNT; i++) {
        struct record r = in[i], is = out[COUNT - 1 - i];

        r.tag = (int8_t)-r.tag;
        r.id = (int16_t)(r.id + r.name[2]);
        r.value *= 2;
        r.serial = (int64_t)((uint64_t)r.serial - (uint64_t)(int64_t)r.id);
        r.name[r.tag & 3] = r.name[4];
        assert_int_equal(is.tag, r.tag);
        assert_int_equal(is.id, r.id);
        assert_true(is.value == r.value);
        assert_true(is.serial == r.serial);
        assert_memory_equal(is.name, r.name, 5);
    }
}

static void chase(void)
{
    uint32_t steps = 40, *next = runtime_buffer(COUNT * 4), *out = runtime_buffer(COUNT * 4),
             expected[COUNT];

    for (unsigned i = 0; i < COUNT; i++)
        next[i] = (i * 85 + 11) % COUNT;
    for (unsigned i = 0; i < COUNT; i++) {
        expected[i] = i;
        for (unsigned k = 0; k < steps; k++)
            expected[i] = next[expected[i]];
    }
    runtime_launch(&(struct launch){
        "memory", "chase", {COUNT / LOCAL}, {LOCAL}, {BUFFER(next), BUFFER(out), VALUE(steps)}});
    expect_bytes("ends", out, expected, 4, COUNT);
}

struct node {
    struct node *next;
    uint64_t value;
};

static void linked_list(void)
{
    struct node *nodes = runtime_buffer(COUNT * sizeof(*nodes));
    uint64_t *out = runtime_buffer(COUNT * 8), expected[COUNT];

    for (unsigned i = 0; i < COUNT; i++) {
        nodes[i].next = i % 10 == 9 ? NULL : &nodes[(i + 1) % COUNT];
        nodes[i].value = runtime_random64();
    }
    nodes[COUNT - 1].next = NULL;
    for (unsigned i = 0; i < COUNT; i++) {
        expected[i] = 0;
        for (const struct node *node = &nodes[i]; node; node = node->next)
            expected[i] = expected[i] * 3 + node->value;
    }
    runtime_launch(&(struct launch){
        "memory", "linked_list", {COUNT / LOCAL}, {LOCAL}, {BUFFER(nodes), BUFFER(out)}});
    expect_bytes("sums", out, expected, 8, COUNT);
}

static void constants(void)
{
    static const uint32_t table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
    static const char letters[] = "constant memory";
    uint32_t *out = runtime_buffer(COUNT * 4), *more = runtime_buffer(28), expected[COUNT];

    for (unsigned i = 0; i < 7; i++)
        more[i] = runtime_random();
    for (unsigned i = 0; i < COUNT; i++)
        expected[i] = table[i & 15] * 1000 + (uint32_t)letters[i % 15] + more[i % 7];
    runtime_launch(&(struct launch){
        "memory", "constants", {COUNT / LOCAL}, {LOCAL}, {BUFFER(out), BUFFER(more)}});
    expect_bytes("results", out, expected, 4, COUNT);
}

static void generic_pointers(void)
{
    int32_t *data = runtime_buffer(COUNT * 4), expected[COUNT];

    for (unsigned i = 0; i < COUNT; i++) {
        unsigned id = i % LOCAL;

        data[i] = (int32_t)(runtime_random() >> 4);
        expected[i] = 2 * (id % 3 == 0   ? data[i]
                           : id % 3 == 1 ? (int32_t)((id + 1) % LOCAL)
                                         : (int32_t)(id & 3) + 1);
    }
    runtime_launch(&(struct launch){"memory",
                                    "generic_pointers",
                                    {COUNT / LOCAL},
                                    {LOCAL},
                                    {BUFFER(data), LOCAL_MEMORY(LOCAL * 4)}});
    expect_bytes("results", data, expected, 4, COUNT);
}

static void many_arguments(void)
{
    uint32_t *out = runtime_buffer(COUNT * 4), expected[COUNT], c = 3000000000u;
    uint8_t a = 200;
    uint16_t b = 60000;
    uint64_t d = 0x123456789abcdef0;
    float e = 1234.5f;
    struct {
        uint32_t x, y, z, w;
    } f = {1, 20, 300, 4000};

    for (uint32_t i = 0; i < COUNT; i++)
        expected[i] = a + b + c + (uint32_t)d + (uint32_t)(d >> 32) + 1234 + 4321 + i;
    runtime_launch(&(struct launch){
        "memory",
        "many_arguments",
        {COUNT / LOCAL},
        {LOCAL},
        {BUFFER(out), VALUE(a), VALUE(b), VALUE(c), VALUE(d), VALUE(e), VALUE(f)}});
    expect_bytes("results", out, expected, 4, COUNT);
}

const struct program_test memory_tests[] = {
    {"copies", copies},
    {"gathers", gathers},
    {"vectors", vectors},
    {"local_memory", local_memory},
    {"records", records},
    {"chase", chase},
    {"linked_list", linked_list},
    {"constants", constants},
    {"generic_pointers", generic_pointers},
    {"many_arguments", many_arguments},
    {NULL, NULL},
};
