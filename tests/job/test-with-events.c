/* What `vebench kernel` says of a launch on an emulated device is what a program that knows nothing
 * of vebench reads from its events. Arguments: that program, its module, and the device. */
#include "csv-file.h"
#include "process.h"

#include "test.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *program, *module, *device;
static char said_path[64], rows_path[64]; /* in the build folder, of the device */

/* By the program's event, in ns; and the lanes it ran with. */
static double by_event(char *kernel, char *groups, char *bytes, char *number, unsigned *lanes)
{
    char *argv[] = {getenv("VESIM"), "--quiet", "--device", device, "--",   program,
                    module,          kernel,    groups,     bytes,  number, NULL};
    double ns;

    if (process_run(argv, NULL, said_path, said_path) != 0) {
        process_show_file(said_path);
        fail_msg("the program failed");
    }
    char *said = process_read_file(said_path);
    assert_int_equal(sscanf(said, "%lf %u", &ns, lanes), 2);
    free(said);
    return ns;
}

static void expect_same(char *kernel, char *groups, char *bytes, char *number)
{
    char global[32], sizes[16], buffer[32], value[32];
    char *argv[] = {getenv("VEBENCH"),
                    "kernel",
                    module,
                    "--kernel",
                    kernel,
                    "--emulate",
                    device,
                    "--global",
                    global,
                    "--local",
                    "256",
                    "--arg",
                    buffer,
                    "--arg",
                    value,
                    "--buffer",
                    "0=zeros",
                    "--sizes",
                    sizes,
                    "--force",
                    "-o",
                    rows_path,
                    NULL};
    unsigned lanes = 0;
    double ns = by_event(kernel, groups, bytes, number, &lanes);
    struct csv_file rows;

    snprintf(global, sizeof(global), "%d", 256 * atoi(groups));
    snprintf(sizes, sizeof(sizes), "%u", lanes);
    snprintf(buffer, sizeof(buffer), "0=%s", bytes);
    snprintf(value, sizeof(value), "1=%s", number);
    if (process_run(argv, NULL, said_path, said_path) != 0) {
        process_show_file(said_path);
        fail_msg("vebench kernel failed");
    }
    assert_int_equal(csv_file_load(&rows, rows_path), 0);
    assert_int_equal(rows.row_count, 1);
    double low = strtod(csv_file_field(&rows, 0, "ci95_lo_ns"), NULL);
    double high = strtod(csv_file_field(&rows, 0, "ci95_hi_ns"), NULL);
    double tick = 1e9 / strtod(csv_file_field(&rows, 0, "timer_hz"), NULL);

    printf("%s, %s: %.0f ns by its event, %.0f to %.0f by vebench, a tick is %.1f ns\n", device,
           kernel, ns, low, high, tick);
    assert_true(tick > 0.0);
    assert_true(ns >= low - tick && ns <= high + tick);
    csv_file_free(&rows);
    unlink(rows_path);
    unlink(said_path);
}

static void test_chain(void **state)
{
    (void)state;
    expect_same("chain", "64", "65536", "500");
}

/* One load and one store a work-item, from and to the L3. */
static void test_memory(void **state)
{
    (void)state;
    expect_same("add", "1024", "1048576", "7");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_memory),
    };

    assert(argc == 4);
    program = argv[1];
    module = argv[2];
    device = argv[3];
    snprintf(said_path, sizeof(said_path), "with-events-%s-said.txt", device);
    snprintf(rows_path, sizeof(rows_path), "with-events-%s.csv", device);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
