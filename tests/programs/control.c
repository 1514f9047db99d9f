#include "programs.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 180, LOCAL = 60 };

/* One integer in, one out, computed by a function of the host. */
static void map(const char *kernel, int32_t low, int32_t high, int32_t (*reference)(int32_t))
{
    int32_t *in = runtime_buffer(COUNT * 4), *out = runtime_buffer(COUNT * 4), expected[COUNT];

    for (unsigned i = 0; i < COUNT; i++) {
        in[i] = low + (int32_t)(runtime_random() % (uint32_t)(high - low));
        expected[i] = reference(in[i]);
    }
    runtime_launch(
        &(struct launch){"control", kernel, {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    expect_bytes(kernel, out, expected, 4, COUNT);
}

static int32_t host_nested(int32_t x)
{
    if (!(x & 1))
        return x & 8 ? x & 16 ? (int32_t)((uint32_t)x << 3) : x >> 1 : 7;
    if (!(x & 2))
        return -x;
    return (x & 4 ? x * 3 : x * 5) + (x % 3 == 0 ? 1000 : 0);
}

static void nested(void)
{
    map("nested", -200, 200, host_nested);
}

static int32_t host_loops(int32_t x)
{
    int32_t r = 0;

    for (int32_t i = 0; i < x && r <= 5000; i++) {
        if (i % 3 == 1)
            continue;
        for (int32_t j = i; j < 20 && (i + j) % 7 != 6; j++)
            r += j == x ? 0 : j * (i + 1);
    }
    do
        r -= 3;
    while (r > 100 && r % 17);
    return r;
}

static void loops(void)
{
    map("loops", 0, 40, host_loops);
}

static int32_t host_choose(int32_t x)
{
    static const int32_t powers[] = {1, 3, 9, 27, 81};
    int32_t k = x % 11;

    return k == 0   ? 10
           : k == 1 ? 50
           : k == 2 ? 31
           : k <= 4 ? powers[x % 5]
           : k == 7 ? -1
           : k == 9 ? x
                    : x / 2;
}

static void choose(void)
{
    map("choose", 0, 1000, host_choose);
}

static int32_t host_early_return(int32_t x)
{
    int32_t steps = 0;

    if (x < 0)
        return 0;
    for (; x > 1; x = x & 1 ? 3 * x + 1 : x / 2)
        if (++steps > 100)
            return 0;
    return steps;
}

static void early_return(void)
{
    map("early_return", -50, 100, host_early_return);
}

static int32_t host_twice_and(int32_t x, int32_t y)
{
    return x > 10 ? y * 2 : x * y + 1;
}

static int32_t host_calls(int32_t in)
{
    int32_t x = in & 15, values[6], r = host_twice_and(x, 5);

    if (!(x & 1)) {
        double sum = x;

        for (int32_t i = 0; i < x; i++)
            sum += host_twice_and(i, x) * 0.5;
        r = (int32_t)(sum + (x << 17));
    }
    for (int32_t i = 0; i < 6; i++)
        values[i] = x + i;
    for (int32_t i = 1; i < x % 6 + 1; i++)
        values[i] += values[i - 1];
    for (int32_t i = 0; i < 6; i++)
        r += values[i] << i;
    return r;
}

static void calls(void)
{
    map("calls", 0, 1000, host_calls);
}

static void barriers_in_loop(void)
{
    static const uint32_t sizes[] = {8, 45, 100};

    for (unsigned test = 0; test < 3; test++) {
        uint32_t n = sizes[test];
        int32_t rounds = 12, *out = runtime_buffer(n * 8), now[100], next[100];

        for (uint32_t i = 0; i < n; i++)
            now[i] = (int32_t)i;
        for (int32_t round = 0; round < rounds; round++) {
            for (uint32_t i = 0; i < n; i++)
                next[i] = now[(i + 1) % n] + ((int32_t)i % 5 == round % 5 ? 100 : 0);
            memcpy(now, next, sizeof(now));
        }
        runtime_launch(&(struct launch){"control",
                                        "barriers_in_loop",
                                        {2},
                                        {n},
                                        {BUFFER(out), LOCAL_MEMORY(n * 4), VALUE(rounds)}});
        expect_bytes("first group", out, now, 4, n);
        expect_bytes("second group", out + n, now, 4, n);
    }
}

static void private_small(void)
{
    uint8_t *in = runtime_buffer(64);
    int32_t *out = runtime_buffer(COUNT * 4), expected[COUNT];

    for (unsigned i = 0; i < 64; i++)
        in[i] = (uint8_t)runtime_random();
    for (unsigned id = 0; id < COUNT; id++) {
        int32_t table[8], at = in[id & 63] & 7;
        uint32_t r = 0;

        for (unsigned i = 0; i < 8; i++)
            table[i] = in[(id + i) & 63] * ((int32_t)i + 1);
        for (int32_t i = 0; i < 12; i++) {
            at = table[at] & 7;
            table[(at + i) & 7] += at;
            r = r * 3 + (uint32_t)table[at];
        }
        expected[id] = (int32_t)r;
    }
    runtime_launch(&(struct launch){
        "control", "private_small", {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("results", out, expected, 4, COUNT);
}

static void private_bytes(void)
{
    uint8_t *in = runtime_buffer(64), *out = runtime_buffer(COUNT), expected[COUNT];

    for (unsigned i = 0; i < 64; i++)
        in[i] = (uint8_t)runtime_random();
    for (unsigned id = 0; id < COUNT; id++) {
        uint8_t a[16];
        uint16_t b[12];
        uint32_t r = 0;

        for (unsigned i = 0; i < 16; i++)
            a[i] = in[(id * 3 + i) & 63];
        for (unsigned i = 0; i < 12; i++)
            b[i] = (uint16_t)(a[a[i] & 15] * 257);
        for (unsigned i = 0; i < 12; i++)
            r = r * 5 + b[a[i] % 12] + (a[b[i] & 15] ^ i);
        expected[id] = (uint8_t)(r >> 3);
    }
    runtime_launch(&(struct launch){
        "control", "private_bytes", {COUNT / LOCAL}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("results", out, expected, 1, COUNT);
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void private_large(void)
{
    enum { ITEMS = 40 };
    uint32_t *in = runtime_buffer(ITEMS * 400), *out = runtime_buffer(ITEMS * 400);
    static uint32_t expected[ITEMS * 100];

    for (unsigned i = 0; i < ITEMS * 100; i++)
        expected[i] = in[i] = runtime_random();
    for (unsigned i = 0; i < ITEMS; i++)
        qsort(expected + i * 100, 100, 4, compare);
    runtime_launch(
        &(struct launch){"control", "private_large", {2}, {ITEMS / 2}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("sorted", out, expected, 4, ITEMS * 100);
}

static void spills(void)
{
    enum { ITEMS = 64 };
    uint32_t *in = runtime_buffer((ITEMS + 7 * 16) * 4), *out = runtime_buffer(ITEMS * 64);
    static uint32_t expected[ITEMS * 16], a[7][16];

    for (unsigned i = 0; i < ITEMS + 7 * 16; i++)
        in[i] = runtime_random();
    for (unsigned id = 0; id < ITEMS; id++) {
        for (unsigned i = 0; i < 7; i++)
            memcpy(a[i], in + id + i * 16, 64);
        for (unsigned k = 0; k < 3; k++)
            for (unsigned i = 0; i < 7; i++) {
                uint32_t result[16];

                for (unsigned c = 0; c < 16; c++)
                    result[c] = a[i][c] * a[(i + 2) % 7][(c + 1) % 16] + a[(i + 4) % 7][15 - c];
                memcpy(a[i], result, 64);
            }
        for (unsigned i = 0; i < 7; i++)
            for (unsigned c = 0; c < 16; c++)
                expected[id * 16 + c] ^= a[i][c] + i;
    }
    runtime_launch(
        &(struct launch){"spills", "spills", {2}, {ITEMS / 2}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("results", out, expected, 4, ITEMS * 16);
}

static int32_t step_down(int32_t x)
{
    return x > 0 ? x - 1 : 0;
}

static int32_t step(int32_t operation, int32_t x, int32_t y)
{
    if (operation & 1)
        return step_down(x) + y;
    for (int32_t i = 0; i < (operation & 3); i++)
        x = step_down(x) * 2 + i;
    return x ^ y;
}

/* What the kernel does between two tests of its inner loop, as a table of cases; false ends it. */
static bool interpret(int32_t in, int32_t *at, int32_t *a, int32_t *b)
{
    switch ((*at * 5 + *a) % 7) {
    case 0:
        *a = step(*at, *a, *b) & 1023;
        break;
    case 1:
        for (*b = *b * 3 & 255; *b != (in & 255) && (*b & 8);)
            *b = *b * 3 & 255;
        break;
    case 2:
        *at += 2;
        return true;
    case 3:
    case 4:
        *a += (*at * 5 + *a) % 7 == 3 ? *b : 0;
        *b = step(*a & 7, *b, *a) & 511;
        break;
    case 5:
        if (!(*a & 1))
            break;
        *at = *at > 6 ? 1 : *at + 3;
        *a >>= 1;
        return true;
    default:
        *a = (*a + 1) & 1023;
    }
    bool goes_on = *a != *b;
    *at += goes_on;
    return goes_on;
}

static int32_t host_interpreter(int32_t in)
{
    int32_t a = in & 31, b = 1, rounds = 0;

    for (int32_t start = 0; start < 3; start++) {
        int32_t at = in >> start * 3 & 7;

        while (at < 12) {
            if (++rounds > 40)
                return -a;
            if (!interpret(in, &at, &a, &b))
                break;
        }
        a ^= start;
    }
    return a + (b << 16) + rounds;
}

static void interpreter(void)
{
    map("interpreter", 0, 4096, host_interpreter);
}

static void queens(void)
{
    static const int32_t solutions[6] = {0, 1, 1, 1, 1, 0};
    int32_t *out = runtime_buffer(48 * 4);

    runtime_launch(&(struct launch){"control", "queens", {2}, {24}, {BUFFER(out)}});
    for (unsigned i = 0; i < 48; i++)
        assert_int_equal(out[i], solutions[i % 6]);
}

const struct program_test control_tests[] = {
    {"nested", nested},
    {"loops", loops},
    {"choose", choose},
    {"early_return", early_return},
    {"calls", calls},
    {"barriers_in_loop", barriers_in_loop},
    {"private_small", private_small},
    {"private_bytes", private_bytes},
    {"private_large", private_large},
    {"spills", spills},
    {"interpreter", interpreter},
    {"queens", queens},
    {NULL, NULL},
};
