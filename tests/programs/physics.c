#include "programs.h"

#include <math.h>
#include <stdlib.h>

static void n_body(void)
{
    enum { COUNT = 192 };
    uint32_t count = COUNT;
    float step = 0.01f, *in = runtime_buffer(COUNT * 16), *out = runtime_buffer(COUNT * 16);
    static double expected[COUNT * 4];

    for (unsigned i = 0; i < COUNT * 4; i++)
        in[i] = runtime_random_float(i % 4 == 3 ? 0.1f : -1.0f, 1.0f);
    for (unsigned i = 0; i < COUNT; i++) {
        double force[3] = {0};

        for (unsigned j = 0; j < COUNT; j++) {
            double d[3], square = (double)0.01f;

            for (unsigned k = 0; k < 3; k++) {
                d[k] = (double)in[j * 4 + k] - (double)in[i * 4 + k];
                square += d[k] * d[k];
            }
            for (unsigned k = 0; k < 3; k++)
                force[k] += d[k] * (double)in[j * 4 + 3] / (square * sqrt(square));
        }
        for (unsigned k = 0; k < 3; k++)
            expected[i * 4 + k] = (double)in[i * 4 + k] + force[k] * (double)step;
        expected[i * 4 + 3] = (double)in[i * 4 + 3];
    }
    runtime_launch(&(struct launch){
        "physics",
        "n_body",
        {3},
        {64},
        {BUFFER(in), BUFFER(out), VALUE(count), VALUE(step), LOCAL_MEMORY(64 * 16)}});
    expect_floats("positions", out, expected, COUNT * 4, 4, 1e-4);
}

static void stencil_2d(void)
{
    enum { W = 36, H = 20 };
    float *in = runtime_buffer(W * H * 4), *out = runtime_buffer(W * H * 4);
    static double expected[W * H];

    for (unsigned i = 0; i < W * H; i++)
        in[i] = runtime_random_float(-100, 100);
    for (unsigned y = 0; y < H; y++)
        for (unsigned x = 0; x < W; x++) {
            const float *at = in + y * W + x;
            bool border = x == 0 || y == 0 || x == W - 1 || y == H - 1;

            expected[y * W + x] =
                border ? (double)*at
                       : 0.5 * (double)*at + 0.125 * ((double)at[-1] + (double)at[1] +
                                                      (double)at[-W] + (double)at[W]);
        }
    runtime_launch(&(struct launch){
        "physics", "stencil_2d", {W / 12, H / 5}, {12, 5}, {BUFFER(in), BUFFER(out)}});
    expect_floats("grid", out, expected, W * H, 2, 2e-5);
}

static void stencil_3d(void)
{
    enum { X = 15, Y = 6, Z = 8 };
    int32_t *in = runtime_buffer(X * Y * Z * 4), *out = runtime_buffer(X * Y * Z * 4);
    static int32_t expected[X * Y * Z];

    for (unsigned i = 0; i < X * Y * Z; i++)
        in[i] = (int32_t)runtime_random() >> 12;
    for (int z = 0; z < Z; z++)
        for (int y = 0; y < Y; y++)
            for (int x = 0; x < X; x++)
                for (int d = 0; d < 27; d++) {
                    int dx = d % 3 - 1, dy = d / 3 % 3 - 1, dz = d / 9 - 1;
                    int cx = x + dx < 0 ? 0 : x + dx >= X ? X - 1 : x + dx;
                    int cy = y + dy < 0 ? 0 : y + dy >= Y ? Y - 1 : y + dy;
                    int cz = z + dz < 0 ? 0 : z + dz >= Z ? Z - 1 : z + dz;

                    expected[(z * Y + y) * X + x] +=
                        in[(cz * Y + cy) * X + cx] * (1 + abs(dx) + 2 * abs(dy) + 3 * abs(dz));
                }
    runtime_launch(&(struct launch){
        "physics", "stencil_3d", {X / 5, Y / 3, Z / 2}, {5, 3, 2}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("grid", out, expected, 4, X * Y * Z);
}

static void blur_tiled(void)
{
    enum { W = 33, H = 14 };
    uint8_t *in = runtime_buffer(W * H), *out = runtime_buffer(W * H), expected[W * H];

    for (unsigned i = 0; i < W * H; i++)
        in[i] = (uint8_t)runtime_random();
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            unsigned sum = 0;

            for (int d = 0; d < 9; d++) {
                int cx = x + d % 3 - 1, cy = y + d / 3 - 1;

                cx = cx < 0 ? 0 : cx >= W ? W - 1 : cx;
                cy = cy < 0 ? 0 : cy >= H ? H - 1 : cy;
                sum += in[cy * W + cx];
            }
            expected[y * W + x] = (uint8_t)(sum / 9);
        }
    runtime_launch(&(struct launch){"physics",
                                    "blur_tiled",
                                    {W / 11, H / 7},
                                    {11, 7},
                                    {BUFFER(in), BUFFER(out), LOCAL_MEMORY(13 * 9)}});
    expect_bytes("image", out, expected, 1, W * H);
}

static void fft(void)
{
    enum { BITS = 7, N = 1 << BITS };
    uint32_t bits = BITS;
    float *in = runtime_buffer(N * 8), *out = runtime_buffer(N * 8);
    static double expected[N * 2];

    for (unsigned i = 0; i < N * 2; i++)
        in[i] = runtime_random_float(-1, 1);
    for (unsigned k = 0; k < N; k++)
        for (unsigned i = 0; i < N; i++) {
            double angle = -2 * acos(-1) * (double)(k * i % N) / N;
            double real = (double)in[2 * i], imaginary = (double)in[2 * i + 1];

            expected[2 * k] += real * cos(angle) - imaginary * sin(angle);
            expected[2 * k + 1] += real * sin(angle) + imaginary * cos(angle);
        }
    runtime_launch(&(struct launch){"physics",
                                    "fft",
                                    {1},
                                    {N / 2},
                                    {BUFFER(in), BUFFER(out), VALUE(bits), LOCAL_MEMORY(N * 8)}});
    expect_floats("spectrum", out, expected, N * 2, 4, 2e-5);
}

/* Points near the edge of the set depend on the last bit, so a few may differ. */
static void mandelbrot(void)
{
    enum { W = 48, H = 24 };
    uint32_t limit = 60, *out = runtime_buffer(W * H * 4), different = 0;

    runtime_launch(&(struct launch){
        "physics", "mandelbrot", {W / 16, H / 3}, {16, 3}, {BUFFER(out), VALUE(limit)}});
    for (unsigned i = 0; i < W * H; i++) {
        double cx = -2.2 + 3.0 * (i % W) / W, cy = -1.2 + 2.4 * (double)(i / W) / H, x = 0, y = 0;
        uint32_t count = 0;

        while (count < limit && x * x + y * y < 4) {
            double next = x * x - y * y + cx;

            y = 2 * x * y + cy;
            x = next;
            count++;
        }
        different += count != out[i];
    }
    if (different > W * H / 100)
        fail_msg("%u of %u pixels differ", different, W * H);
}

static void game_of_life(void)
{
    enum { W = 30, H = 10 };
    int8_t *in = runtime_buffer(W * H), *out = runtime_buffer(W * H), expected[W * H];

    for (unsigned i = 0; i < W * H; i++)
        in[i] = runtime_random() >> 31;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int neighbours = -in[y * W + x];

            for (int d = 0; d < 9; d++)
                neighbours += in[(y + d / 3 - 1 + H) % H * W + (x + d % 3 - 1 + W) % W];
            expected[y * W + x] = neighbours == 3 || (in[y * W + x] && neighbours == 2);
        }
    runtime_launch(&(struct launch){
        "physics", "game_of_life", {W / 6, H / 10}, {6, 10}, {BUFFER(in), BUFFER(out)}});
    expect_bytes("cells", out, expected, 1, W * H);
}

const struct program_test physics_tests[] = {
    {"n_body", n_body},
    {"stencil_2d", stencil_2d},
    {"stencil_3d", stencil_3d},
    {"blur_tiled", blur_tiled},
    {"fft", fft},
    {"mandelbrot", mandelbrot},
    {"game_of_life", game_of_life},
    {NULL, NULL},
};
