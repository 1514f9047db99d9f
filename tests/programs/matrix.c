#include "programs.h"

#include <math.h>

enum { N = 32 };

/* Entries are small whole numbers, so that every product is exact in any order. */
static void multiply(const char *kernel, struct launch launch)
{
    float *a = runtime_buffer(N * N * 4), *b = runtime_buffer(N * N * 4),
          *c = runtime_buffer(N * N * 4);
    uint32_t n = N;
    static double expected[N * N];

    for (unsigned i = 0; i < N * N; i++) {
        a[i] = (float)(int32_t)(runtime_random() % 201) - 100;
        b[i] = (float)(int32_t)(runtime_random() % 201) - 100;
        expected[i] = 0;
    }
    for (unsigned i = 0; i < N * N * N; i++)
        expected[i / N] += (double)a[i / (N * N) * N + i % N] * (double)b[i % N * N + i / N % N];
    launch.module = "matrix";
    launch.kernel = kernel;
    launch.arguments[0] = BUFFER(a);
    launch.arguments[1] = BUFFER(b);
    launch.arguments[2] = BUFFER(c);
    launch.arguments[3] = VALUE(n);
    runtime_launch(&launch);
    expect_floats("product", c, expected, N * N, 0, 0);
}

static void multiply_naive(void)
{
    multiply("multiply_naive", (struct launch){.groups = {N / 16, N / 4}, .local = {16, 4}});
}

static void multiply_tiled(void)
{
    multiply("multiply_tiled", (struct launch){.groups = {N / 8, N / 8}, .local = {8, 8}});
}

static void multiply_broadcast(void)
{
    multiply("multiply_broadcast", (struct launch){.groups = {N / 32, N / 8}, .local = {32, 1}});
}

static void multiply_vector(void)
{
    multiply("multiply_vector", (struct launch){.groups = {1, N / 8}, .local = {N / 16, 8}});
}

static void multiply_half(void)
{
    if (!runtime_has_half())
        skip();
    /* whole numbers up to 2048 are exact in half precision */
    uint16_t *a = runtime_buffer(N * N * 2), *b = runtime_buffer(N * N * 2),
             *c = runtime_buffer(N * N * 2), expected[N * N];
    uint32_t n = N;
    for (unsigned i = 0; i < N * N; i++) {
        a[i] = half_bits((int32_t)(runtime_random() % 11) - 5);
        b[i] = half_bits((int32_t)(runtime_random() % 11) - 5);
    }
    for (unsigned i = 0; i < N * N; i++) {
        double sum = 0;

        for (unsigned k = 0; k < N; k++)
            sum += half_value(a[i / N * N + k]) * half_value(b[k * N + i % N]);
        expected[i] = half_bits(sum);
    }
    runtime_launch(&(struct launch){"matrix",
                                    "multiply_half",
                                    {N / 8, N / 8},
                                    {8, 8},
                                    {BUFFER(a), BUFFER(b), BUFFER(c), VALUE(n)}});
    for (unsigned i = 0; i < N * N; i++)
        assert_true(half_value(c[i]) == half_value(expected[i]));
}

static void transpose_tiled(void)
{
    enum { W = 64, H = 32 };
    uint32_t *in = runtime_buffer(W * H * 4), *out = runtime_buffer(W * H * 4);
    static uint32_t expected[W * H];

    for (unsigned i = 0; i < W * H; i++)
        expected[i % W * H + i / W] = in[i] = runtime_random();
    runtime_launch(&(struct launch){
        "matrix", "transpose_tiled", {W / 16, H / 16}, {16, 16}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("transposed", out, expected, 4, W * H);
}

static void transpose_shuffle(void)
{
    unsigned n = runtime_sub_group_size();

    if (n == 0 || n == 32)
        skip();
    uint32_t *in = runtime_buffer(n * n * 4), *out = runtime_buffer(n * n * 4), expected[32 * 32];
    for (unsigned i = 0; i < n * n; i++)
        expected[i % n * n + i / n] = in[i] = runtime_random();
    runtime_launch(
        &(struct launch){"blocks", "transpose_shuffle", {1}, {n}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("transposed", out, expected, 4, n * n);
}

const struct program_test matrix_tests[] = {
    {"multiply_naive", multiply_naive},         {"multiply_tiled", multiply_tiled},
    {"multiply_broadcast", multiply_broadcast}, {"multiply_vector", multiply_vector},
    {"multiply_half", multiply_half},           {"transpose_tiled", transpose_tiled},
    {"transpose_shuffle", transpose_shuffle},   {NULL, NULL},
};
