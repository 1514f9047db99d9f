/*
 * The sweep that `ninja bench` runs: every family with its default values on a modelled device. No
 * row may fail or be unreliable, what is measured is verified, and what is not has a reason.
 *
 * Argument: the modelled device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csv-file.h"
#include "family.h"
#include "sweep.h"

static struct csv_file csv;

static int run_sweep(void **state)
{
    static const char *const arguments[] = {NULL};

    (void)state;
    sweep_run(&csv, "default", arguments, NULL);
    return 0;
}

static int free_sweep(void **state)
{
    (void)state;
    csv_file_free(&csv);
    return 0;
}

static void no_row_fails(void **state)
{
    (void)state;
    for (size_t row = 0; row < csv.row_count; row++) {
        const char *status = csv_file_field(&csv, row, "status");
        const char *reason = csv_file_field(&csv, row, "reason");
        const char *verified = csv_file_field(&csv, row, "verified");
        bool ok = !strcmp(status, "ok") && !strcmp(verified, "1");
        bool skipped = !strcmp(status, "skipped") && *reason;

        if (!ok && !skipped) {
            fail_msg("%s %s, sub-group %s, work-group %s, %s: %s, verified \"%s\": %s",
                     csv_file_field(&csv, row, "benchmark"), csv_file_field(&csv, row, "variant"),
                     csv_file_field(&csv, row, "subgroup_size"),
                     csv_file_field(&csv, row, "workgroup_size"),
                     csv_file_field(&csv, row, "parameters"), status, verified, reason);
        }
        assert_string_equal(csv_file_field(&csv, row, "device_kind"), "emulated");
    }
}

/* Rows of a family and, unless it is NULL, of a variant, which are ok. */
static size_t count_ok(const char *family, const char *variant)
{
    size_t count = 0;

    for (size_t row = 0; row < csv.row_count; row++) {
        count += !strcmp(csv_file_field(&csv, row, "benchmark"), family) &&
                 (!variant || !strcmp(csv_file_field(&csv, row, "variant"), variant)) &&
                 !strcmp(csv_file_field(&csv, row, "status"), "ok");
    }
    return count;
}

/* Skipping everything would pass the test above. */
static void every_family_measures(void **state)
{
    (void)state;
    for (size_t f = 0; f < family_count; f++) {
        size_t measured = 0;

        for (size_t v = 0; v < families[f]->variant_count; v++)
            measured += count_ok(families[f]->name, families[f]->variants[v].name) > 0;
        print_message("%s: %zu rows, %zu of %zu variants\n", families[f]->name,
                      count_ok(families[f]->name, NULL), measured, families[f]->variant_count);
        assert_true(2 * measured >= families[f]->variant_count);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_row_fails),
        cmocka_unit_test(every_family_measures),
    };
    if (argc != 2)
        return 2;
    sweep_device = argv[1];
    return cmocka_run_group_tests(tests, run_sweep, free_sweep);
}
