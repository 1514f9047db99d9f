/* The jobs in examples/kernels on an emulated device, at every sub-group size: what they compute is
 * what the host computes from the same contents, and as long as predicted they take. argv[1] is
 * their folder, argv[2] the device, argv[3] its sizes. */
#include "filled.h"
#include "process.h"

#include "test.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder;
static char *device, *sizes;
static char said_path[64], expected_path[64], rows_path[64]; /* each device its own */

/* What is predicted of a launch by itself is what it takes below the driver, but for what a reading
 * of the timer has of it: a tick, of 83 ns at the most. */
static void expect_predicted(const char *job)
{
    const double tick_us = 0.084, share = 0.05;
    FILE *said = fopen(said_path, "r");
    char line[1024];

    assert_non_null(said);
    while (fgets(line, sizeof(line), said)) {
        const char *found = strstr(line, ": predicted ");
        double predicted, measured;

        if (found &&
            sscanf(found, ": predicted %lf us, measured %lf", &predicted, &measured) == 2 &&
            fabs(predicted - measured) > tick_us + share * measured)
            fail_msg("%s: %s", job, line);
    }
    fclose(said);
}

/* Runs a job, whose `output` must hold this; takes the memory. */
static void expect(const char *job, const char *output, void *expected, size_t bytes)
{
    char path[4096], buffer[128];
    char *argv[] = {getenv("VEBENCH"), "kernel", path,      "--buffer", buffer,
                    "--emulate",       device,   "--force", "-o",       rows_path,
                    "--rounds",        "10",     "--sizes", sizes,      NULL};
    FILE *out = fopen(expected_path, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(expected, 1, bytes, out), bytes);
    assert_int_equal(fclose(out), 0);
    free(expected);
    snprintf(path, sizeof(path), "%s/%s.yaml", folder, job);
    snprintf(buffer, sizeof(buffer), "%s=@%s", output, expected_path);
    if (process_run(argv, NULL, said_path, said_path) != 0 ||
        !process_file_says(said_path, " 0 failed")) {
        process_show_file(said_path);
        fail_msg("%s is not what the host computes", job);
    }
    expect_predicted(job);
    unlink(expected_path);
    unlink(said_path);
    unlink(rows_path);
}

static void test_transpose(void **state)
{
    enum { SIDE = 128 };
    uint32_t *out = malloc(sizeof(*out) * SIDE * SIDE);

    (void)state;
    for (uint32_t row = 0; row < SIDE; row++) {
        for (uint32_t column = 0; column < SIDE; column++)
            out[column * SIDE + row] = row * SIDE + column;
    }
    expect("transpose", "out", out, sizeof(*out) * SIDE * SIDE);
}

static void test_scan(void **state)
{
    enum { COUNT = 8192, GROUP = 256 };
    uint32_t *out = filled("random:13:1000", sizeof(*out) * COUNT);

    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        out[i] += i % GROUP ? out[i - 1] : 0;
    expect("scan", "out", out, sizeof(*out) * COUNT);
}

static void test_hash(void **state)
{
    enum { COUNT = 8192, ROUNDS = 16 };
    uint32_t *out = filled("random:14", sizeof(*out) * COUNT);

    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t value = out[i];

        for (uint32_t round = 0; round < ROUNDS; round++) {
            value = (value ^ value >> 16) * 0x7feb352du;
            value = (value ^ value >> 15) * 0x846ca68bu + round;
        }
        out[i] = value;
    }
    expect("hash", "out", out, sizeof(*out) * COUNT);
}

static void test_histogram(void **state)
{
    enum { COUNT = 16384, BINS = 256 };
    uint32_t *in = filled("random:12", sizeof(*in) * COUNT), *bins = calloc(BINS, sizeof(*bins));

    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        bins[in[i] % BINS]++;
    free(in);
    expect("histogram", "bins", bins, sizeof(*bins) * BINS);
}

static void test_matmul(void **state)
{
    enum { N = 64 };
    float *a = filled("float:3", sizeof(*a) * N * N), *b = filled("float:4", sizeof(*b) * N * N);
    float *c = malloc(sizeof(*c) * N * N);

    (void)state;
    for (size_t row = 0; row < N; row++) {
        for (size_t column = 0; column < N; column++) {
            double sum = 0.0;

            for (size_t k = 0; k < N; k++)
                sum += (double)a[row * N + k] * (double)b[k * N + column];
            c[row * N + column] = (float)sum;
        }
    }
    free(a);
    free(b);
    expect("matmul", "c", c, sizeof(*c) * N * N);
}

static void test_softmax(void **state)
{
    enum { ROWS = 512, LENGTH = 128 };
    float *out = filled("float:8", sizeof(*out) * ROWS * LENGTH);

    (void)state;
    for (size_t row = 0; row < ROWS; row++) {
        float *at = out + row * LENGTH;
        double sum = 0.0;

        for (size_t i = 0; i < LENGTH; i++)
            sum += exp((double)at[i]);
        for (size_t i = 0; i < LENGTH; i++)
            at[i] = (float)(exp((double)at[i]) / sum);
    }
    expect("softmax", "out", out, sizeof(*out) * ROWS * LENGTH);
}

/* In two launches, of which the second adds what the first has left. */
static void test_two_pass(void **state)
{
    enum { COUNT = 65536 };
    uint32_t *in = filled("random:15", sizeof(*in) * COUNT), *total = calloc(1, sizeof(*total));

    (void)state;
    assert_non_null(total);
    for (size_t i = 0; i < COUNT; i++)
        *total += in[i];
    free(in);
    expect("two-pass", "total", total, sizeof(*total));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transpose), cmocka_unit_test(test_scan),
        cmocka_unit_test(test_hash),      cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_matmul),    cmocka_unit_test(test_softmax),
        cmocka_unit_test(test_two_pass),
    };

    assert(argc == 4);
    folder = argv[1];
    device = argv[2];
    sizes = argv[3];
    snprintf(said_path, sizeof(said_path), "example-said-%.32s.txt", device);
    snprintf(expected_path, sizeof(expected_path), "example-expected-%.32s.bin", device);
    snprintf(rows_path, sizeof(rows_path), "example-%.32s.csv", device);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
