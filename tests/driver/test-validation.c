/*
 * Are vebench's Level Zero calls right by the loader's validation layer, which refuses a call with
 * a missing handle, pointer or descriptor before the driver sees it? A refused call ends a run.
 *
 * Argument: the emulated device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glob.h>

#include "csv-file.h"
#include "process.h"
#include "sweep.h"

enum { TEXT_CHARS = 256 };

static void remove_traces(const char *pattern)
{
    glob_t found;

    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            remove(found.gl_pathv[i]);
        globfree(&found);
    }
}

/* The number of traces of the dynamic linker, one for each process, that name the library. */
static size_t count_traces_with(const char *pattern, const char *library)
{
    glob_t found;
    size_t count = 0;

    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *trace = process_read_file(found.gl_pathv[i]);

        count += trace && strstr(trace, library);
        free(trace);
    }
    globfree(&found);
    return count;
}

static void test_calls_are_valid(void **state)
{
    (void)state;
    static const char *const arguments[] = {
        "barrier", "--axis", "subgroup_size=8,32", "--axis", "workgroup_size=64", NULL};
    char trace[TEXT_CHARS], pattern[TEXT_CHARS];
    const char *const environment[] = {
        "ZE_ENABLE_VALIDATION_LAYER=1",
        "ZE_ENABLE_PARAMETER_VALIDATION=1",
        /* Only the trace tells a clean run from one in which no layer was loaded. */
        "LD_DEBUG=files",
        trace,
        NULL,
    };
    struct csv_file csv;

    snprintf(trace, sizeof(trace), "LD_DEBUG_OUTPUT=%s-validation-trace", sweep_device);
    snprintf(pattern, sizeof(pattern), "%s-validation-trace.*", sweep_device);
    remove_traces(pattern);
    sweep_rows(&csv, "validation", arguments, environment);
    assert_true(count_traces_with(pattern, "libze_validation_layer.so.1") > 0);
    remove_traces(pattern);

    assert_int_equal(csv.row_count, 18);
    for (size_t row = 0; row < csv.row_count; row++)
        assert_string_equal(csv_file_field(&csv, row, "status"), "ok");
    csv_file_free(&csv);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_are_valid),
    };

    if (argc != 2)
        return 2;
    sweep_device = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
