#include "programs.h"

#include <stddef.h>

enum { GROUPS = 2, LOCAL = 96, COUNT = GROUPS * LOCAL };

/* The width that the modules were compiled for; work-groups are whole sub-groups. */
static unsigned width(void)
{
    unsigned size = runtime_sub_group_size();

    if (size == 0)
        skip();
    return size;
}

static void launch(const char *kernel, void *in, void *out)
{
    runtime_launch(
        &(struct launch){"subgroups", kernel, {GROUPS}, {LOCAL}, {BUFFER(in), BUFFER(out)}});
}

static void reductions(void)
{
    unsigned n = width();
    int32_t *in = runtime_buffer(COUNT * 4), *out = runtime_buffer(COUNT * 48);
    static int32_t expected[COUNT * 12];

    for (unsigned i = 0; i < COUNT; i++)
        in[i] = (int32_t)(runtime_random() % 200) - 100;
    for (unsigned first = 0; first < COUNT; first += n) {
        int32_t sum = 0, least = INT32_MAX, most = INT32_MIN;

        for (unsigned i = first; i < first + n; i++) {
            int32_t *to = expected + i * 12;

            to[4] = sum;
            to[6] = least;
            sum += in[i];
            least = in[i] < least ? in[i] : least;
            most = in[i] > most ? in[i] : most;
            to[3] = sum;
            to[5] = most;
        }
        for (unsigned i = first; i < first + n; i++) {
            int32_t *to = expected + i * 12;

            to[0] = sum;
            to[1] = least;
            to[2] = most;
            to[7] = most > 90;
            to[8] = most < 99;
            to[9] = in[first + 3];
            to[10] = sum;
            to[11] = most;
        }
    }
    launch("reductions", in, out);
    expect_bytes("results", out, expected, 4, COUNT * 12);
}

static void shuffles(void)
{
    unsigned n = width();
    uint32_t *in = runtime_buffer(COUNT * 4), *out = runtime_buffer(COUNT * 32);
    static uint32_t expected[COUNT * 8];

    for (unsigned i = 0; i < COUNT; i++)
        in[i] = runtime_random();
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned lane = i % n;
        const uint32_t *group = in + (i - lane);
        uint32_t *to = expected + i * 8;

        to[0] = group[(lane * 5 + 1) % n];
        to[1] = group[lane ^ 3];
        to[2] = lane + 2 < n ? group[lane + 2] : group[lane + 2 - n] + 1;
        to[3] = lane >= 1 ? group[lane - 1] : group[n - 1] + 2;
        to[4] = group[n - 1 - lane];
        to[5] = (uint16_t)group[lane ^ 5];
        to[6] = group[lane ^ 1];
        to[7] = ~group[lane ^ 2];
    }
    launch("shuffles", in, out);
    expect_bytes("results", out, expected, 4, COUNT * 8);
}

static void ballots(void)
{
    unsigned n = width();
    uint32_t *in = runtime_buffer(COUNT * 4), *out = runtime_buffer(COUNT * 32);
    static uint32_t expected[COUNT * 8];

    for (unsigned i = 0; i < COUNT; i++)
        in[i] = runtime_random() >> 24;
    for (unsigned first = 0; first < COUNT; first += n) {
        uint32_t bits = 0, count = 0, any = 0, sum = 0, leader = 0;
        bool found = false;

        for (unsigned i = first; i < first + n; i++) {
            bits |= (in[i] & 1) << (i - first);
            count += in[i] & 1;
            expected[i * 8 + 2] = count;
            any |= in[i] > 200;
            if (!(in[i] & 2))
                continue;
            sum += in[i];
            leader = found ? leader : in[i];
            found = true;
        }
        for (unsigned i = first; i < first + n; i++) {
            uint32_t *to = expected + i * 8;

            to[0] = bits;
            to[1] = count;
            to[3] = in[i] & 1;
            to[4] = (bits & 3) ? bits & 1 ? 0 : 1 : 2;
            to[5] = i == first;
            to[6] = any;
            to[7] = in[i] & 2 ? sum + leader : 0;
        }
    }
    launch("ballots", in, out);
    expect_bytes("results", out, expected, 4, COUNT * 8);
}

static void blocks(void)
{
    unsigned n = width();

    if (n == 32)
        skip();
    uint32_t *in = runtime_buffer(COUNT * 28), *out = runtime_buffer(COUNT * 32);
    uint16_t *shorts = runtime_buffer(COUNT * 2);
    for (unsigned i = 0; i < COUNT * 7; i++)
        in[i] = runtime_random();
    for (unsigned i = 0; i < COUNT; i++)
        shorts[i] = (uint16_t)runtime_random();
    runtime_launch(&(struct launch){
        "blocks", "blocks", {GROUPS}, {LOCAL}, {BUFFER(in), BUFFER(shorts), BUFFER(out)}});
    for (unsigned first = 0; first < COUNT; first += n) {
        const uint32_t *from = in + first * 7, *is = out + first * 8;
        static const unsigned order[6] = {0, 1, 2, 6, 4, 3};

        for (unsigned lane = 0; lane < n; lane++) {
            for (unsigned k = 0; k < 6; k++)
                assert_int_equal(is[k * n + lane], from[order[k] * n + lane]);
            assert_int_equal(is[6 * n + lane], from[5 * n + lane] + shorts[first + lane]);
            assert_int_equal(((const uint16_t *)(is + 7 * n))[lane],
                             (uint16_t)(shorts[first + lane] + 1));
        }
    }
}

static void divergent(void)
{
    unsigned n = width();
    int32_t *in = runtime_buffer(COUNT * 4), *out = runtime_buffer(COUNT * 4), expected[COUNT];

    for (unsigned i = 0; i < COUNT; i++)
        in[i] = (int32_t)runtime_random();
    for (unsigned i = 0; i < COUNT; i++) {
        expected[i] = 0;
        for (int32_t round = 0; round < (in[i] & 7); round++)
            for (unsigned k = i / n * n; k < i / n * n + n; k++)
                expected[i] += (in[k] & 7) > round;
    }
    launch("divergent", in, out);
    expect_bytes("counts", out, expected, 4, COUNT);
}

const struct program_test subgroups_tests[] = {
    {"reductions", reductions}, {"shuffles", shuffles},   {"ballots", ballots},
    {"blocks", blocks},         {"divergent", divergent}, {NULL, NULL},
};
