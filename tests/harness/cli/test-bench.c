/* vebench bench end to end, on an emulated device. argv[1] is the program. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

#define OUT "test-bench.out"
#define ERR "test-bench.err"

static char *vebench;

static int bench(const char *command)
{
    char script[600];
    char *argv[] = {"/bin/sh", "-c", script, vebench, NULL};

    snprintf(script, sizeof(script), "rm -rf test-bench.d; exec \"$0\" bench %s", command);
    return process_run(argv, NULL, OUT, ERR);
}

/* A small sweep: findings, totals and three paths on stdout; the model and the page exist. */
static void test_whole(void **state)
{
    (void)state;
    assert_int_equal(bench("barrier --emulate a380 --preset quick --output test-bench.d/one "
                           "--note a=b"),
                     0);
    char *text = process_read_file(OUT);
    assert_non_null(strstr(text, "EMULATED"));
    assert_non_null(strstr(text, " 1. "));
    assert_non_null(strstr(text, " measured, 0 skipped, 0 unreliable, 0 failed\n"));
    assert_non_null(strstr(text, "rows   test-bench.d/one/results.csv\n"));
    assert_non_null(strstr(text, "model  test-bench.d/one/model.json\n"));
    assert_non_null(strstr(text, "page   test-bench.d/one/report/index.html\n"));
    assert_null(strstr(text, "ns/barrier")); /* no table */
    free(text);
    assert_int_equal(access("test-bench.d/one/model.json", R_OK), 0);
    assert_int_equal(access("test-bench.d/one/report/index.html", R_OK), 0);
    text = process_read_file("test-bench.d/one/results.csv");
    assert_non_null(strstr(text, ",a=b"));
    assert_null(strstr(text, ",hardware,"));
    free(text);
}

/* A failed measurement leaves no folder behind. */
static void test_refusals(void **state)
{
    (void)state;
    assert_int_equal(bench("barrier --emulate nosuch --output test-bench.d"), 2);
    assert_int_equal(access("test-bench.d", F_OK), -1);
    char *text = process_read_file(ERR);
    assert_non_null(strstr(text, "nosuch"));
    free(text);
    assert_int_equal(bench("barrier --emulate a380 --output /dev/null/a/b"), 1);
    text = process_read_file(ERR);
    assert_non_null(strstr(text, "vebench: cannot make the folder /dev/null/a"));
    free(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_refusals),
    };

    if (argc < 2) {
        fprintf(stderr, "usage: test-bench VEBENCH\n");
        return 1;
    }
    vebench = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
