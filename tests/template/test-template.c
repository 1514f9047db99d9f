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

#include "../driver/csv-file.h"
#include "../driver/sweep.h"

static void the_family_on_the_page_measures(void **state)
{
    static const char *const arguments[] = {"multiply", NULL};
    struct csv_file csv;

    (void)state;
    sweep_run(&csv, "template", arguments, NULL);
    assert_int_equal(csv.row_count, 6);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_family_on_the_page_measures),
    };

    sweep_device = "a380";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
