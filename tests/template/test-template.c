/* The benchmark that docs/adding-a-benchmark.md adds: does it build, run, verify and measure what
 * it says? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csv-file.h"
#include "process.h"
#include "sweep.h"

static void the_family_on_the_page_measures(void **state)
{
    /* More than one row of a size: from a single one a fit makes a cost, which predicts nothing. */
    static const char *const arguments[] = {"multiply", "--axis", "workgroup_size=S,64,256", NULL};
    struct csv_file csv;

    (void)state;
    sweep_rows(&csv, "template", arguments, NULL);
    assert_int_equal(csv.row_count, 18);
    for (size_t row = 0; row < csv.row_count; row++) {
        const char *variant = csv_file_field(&csv, row, "variant");

        assert_string_equal(csv_file_field(&csv, row, "benchmark"), "multiply");
        assert_string_equal(csv_file_field(&csv, row, "status"), "ok");
        assert_string_equal(csv_file_field(&csv, row, "verified"), "1");
        if (!strcmp(variant, "once"))
            assert_true(strtod(csv_file_field(&csv, row, "ci95_lo_ns"), NULL) > 0.0);
    }
    csv_file_free(&csv);
}

/* Runs vebench, which has to succeed; its output is left in `said`. */
static void run(const char *const *arguments, const char *said)
{
    char *argv[12] = {getenv("VEBENCH")};

    for (size_t i = 0; arguments[i]; i++)
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    int status = process_run(argv, NULL, said, said);
    if (status != 0)
        process_show_file(said);
    assert_int_equal(status, 0);
}

static void assert_in_file(const char *path, const char *wanted)
{
    char *text = process_read_file(path);

    assert_non_null(text);
    if (!strstr(text, wanted))
        fail_msg("%s does not say \"%s\":\n%s", path, wanted, text);
    free(text);
}

/* Runs after the sweep above, whose rows it uses. */
static void its_rows_are_fitted_and_drawn(void **state)
{
    static const char *const fit[] = {"fit",           "a380-template.csv", "--output",
                                      "template.json", "--force",           NULL};
    static const char *const check[] = {"check", "template.json", "a380-template.csv", NULL};
    static const char *const report[] = {
        "report",   "a380-template.csv", "--model", "template.json",
        "--output", "template-report",   "--force", NULL};

    (void)state;
    run(fit, "template-fit.out");
    assert_in_file("template-fit.out", "multiply.once.simd16");
    run(check, "template-check.out");
    assert_in_file("template-check.out", "rows by equation");
    run(report, "template-report.out");
    assert_in_file("template-report/multiply.csv", ",fit,");
    assert_in_file("template-report/index.html", "A dependent multiplication");
}

#define HOST_LINES 90

/* Whoever adds a family writes no more than this on the host's side. */
static void its_host_side_is_short(void **state)
{
    char *text = process_read_file("multiply.c");
    size_t lines = 0;

    (void)state;
    assert_non_null(text);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    if (lines > HOST_LINES)
        fail_msg("multiply.c has %zu lines, more than %d", lines, HOST_LINES);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_family_on_the_page_measures),
        cmocka_unit_test(its_rows_are_fitted_and_drawn),
        cmocka_unit_test(its_host_side_is_short),
    };

    sweep_device = "a380";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
