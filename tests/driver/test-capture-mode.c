/*
 * Does Intel's driver accept what vebench does, on GPUs which neither this machine nor vesim has?
 *
 * In the driver's capture mode modules are compiled, lists recorded and submissions written to a
 * file, but nothing executes; `vebench run --build-only` stops where execution would be waited for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "process.h"

static void check_build(const char *const *device)
{
    const char *environment[8] = {
        "NEOReadDebugKeys=1",
        "SetCommandStreamReceiver=1",
        "AUBDumpCaptureFileName=/dev/null",
    };
    size_t count = 3;
    char *const argv[] = {getenv("VEBENCH"), "run", "barrier", "--build-only", NULL};

    assert_non_null(argv[0]);
    while (*device)
        environment[count++] = *device++;
    environment[count] = NULL;
    int status = process_run(argv, environment, "capture-mode.out", "capture-mode.err");
    if (status != 0) {
        process_show_file("capture-mode.out");
        process_show_file("capture-mode.err");
    }
    assert_int_equal(status, 0);
    char *output = process_read_file("capture-mode.out");
    char *messages = process_read_file("capture-mode.err");
    assert_true(output && messages);
    assert_true(strstr(output, " 0 failed") || strstr(messages, " 0 failed"));
    assert_false(strstr(output, "\n0 ok") || strstr(messages, "\n0 ok"));
    free(output);
    free(messages);
}

static void test_tiger_lake(void **state)
{
    (void)state;
    static const char *const device[] = {"ProductFamilyOverride=tgllp", NULL};
    check_build(device);
}

static void test_arc_a770(void **state)
{
    (void)state;
    static const char *const device[] = {"ProductFamilyOverride=dg2", "HardwareInfoOverride=8x4x16",
                                         "ForceDeviceId=0x56a0", NULL};
    check_build(device);
}

static void test_arc_a380(void **state)
{
    (void)state;
    static const char *const device[] = {"ProductFamilyOverride=dg2", "HardwareInfoOverride=2x4x16",
                                         "ForceDeviceId=0x56a5", NULL};
    check_build(device);
}

/* This device has no sub-groups of 8: those configurations are skipped, the others accepted. */
static void test_ponte_vecchio(void **state)
{
    (void)state;
    static const char *const device[] = {"ProductFamilyOverride=pvc", "HardwareInfoOverride=8x8x8",
                                         "ForceDeviceId=0x0bd5", NULL};
    check_build(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiger_lake),
        cmocka_unit_test(test_arc_a770),
        cmocka_unit_test(test_arc_a380),
        cmocka_unit_test(test_ponte_vecchio),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
