/* The columns of the CSV files: docs/csv.md has the table that the program has. */
#include "test.h"
#include "whole-file.h"

#include "base/columns.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

/* Where the documentation differs, the whole table is printed to be put there. */
static void assert_documented(const struct column *columns, size_t count)
{
    char *documentation = whole_file_read(CSV_DOCUMENTATION);
    char *table;
    size_t bytes;
    FILE *out = open_memstream(&table, &bytes);

    assert_non_null(out);
    columns_print(columns, count, out);
    fclose(out);
    if (!strstr(documentation, table)) {
        fputs(table, stderr);
        fail_msg("%s does not have the table above", CSV_DOCUMENTATION);
    }
    free(table);
    free(documentation);
}

static void test_results(void **state)
{
    (void)state;
    assert_documented(results_columns, RESULTS_COLUMNS);
}

static void test_samples(void **state)
{
    (void)state;
    assert_documented(samples_columns, SAMPLES_COLUMNS);
}

static void test_counters(void **state)
{
    (void)state;
    assert_documented(counters_columns, COUNTERS_COLUMNS);
}

/* What nobody filled in is an empty field. */
static void test_clear(void **state)
{
    struct samples_row row;

    (void)state;
    memset(&row, 0x5a, sizeof(row));
    columns_clear(samples_columns, SAMPLES_COLUMNS, &row);
    assert_null(row.benchmark);
    assert_true(row.ns != row.ns);
    assert_int_equal(row.kernel_ticks, 0);
    assert_int_equal(row.round, 0);
}

/* One row with a text of everything that needs escaping, a count, a number and what is not known.
 */
static void write_row(enum row_format format, char *text, size_t bytes)
{
    struct samples_row row;
    struct error error;
    struct csv csv;
    FILE *out = fmemopen(text, bytes, "w");

    assert_non_null(out);
    columns_clear(samples_columns, SAMPLES_COLUMNS, &row);
    row.benchmark = "a|b\n\"c\",d";
    row.subgroup_size = 16;
    row.kernel_ticks = 1234567890123;
    row.ns = 0.1;
    csv_attach(&csv, out, "memory");
    csv.format = format;
    assert_int_equal(columns_write_header(samples_columns, SAMPLES_COLUMNS, &csv, &error),
                     STATUS_OK);
    assert_int_equal(columns_write_row(samples_columns, SAMPLES_COLUMNS, &row, &csv, &error),
                     STATUS_OK);
    if (format != ROWS_MARKDOWN)
        assert_int_equal(columns_write_row(samples_columns, SAMPLES_COLUMNS, &row, &csv, &error),
                         STATUS_OK);
    assert_int_equal(columns_write_end(&csv, &error), STATUS_OK);
    assert_int_equal(csv_close(&csv, &error), STATUS_OK); /* leaves the stream open */
    assert_int_equal(fclose(out), 0);
}

static void assert_row(const json_t *row)
{
    assert_string_equal(json_string_value(json_object_get(row, "benchmark")), "a|b\n\"c\",d");
    assert_int_equal(json_integer_value(json_object_get(row, "subgroup_size")), 16);
    assert_int_equal(json_integer_value(json_object_get(row, "kernel_ticks")), 1234567890123);
    assert_near(json_real_value(json_object_get(row, "ns")), 0.1, 1e-12);
    assert_true(json_is_null(json_object_get(row, "observed")));
    assert_true(json_is_null(json_object_get(row, "variant")));
    assert_int_equal(json_object_size(row), SAMPLES_COLUMNS);
}

static void test_json(void **state)
{
    char text[4096];

    (void)state;
    write_row(ROWS_JSON, text, sizeof(text));
    json_t *rows = json_loads(text, 0, NULL);
    assert_int_equal(json_array_size(rows), 2);
    assert_row(json_array_get(rows, 1));
    json_decref(rows);
    write_row(ROWS_JSONL, text, sizeof(text));
    char *second = strchr(text, '\n') + 1;
    rows = json_loads(second, 0, NULL);
    assert_row(rows);
    json_decref(rows);
    assert_int_equal(strlen(second), strlen(text) / 2);
}

static void test_markdown(void **state)
{
    char text[4096];

    (void)state;
    write_row(ROWS_MARKDOWN, text, sizeof(text));
    assert_non_null(strstr(text, "| run_id | benchmark | "));
    assert_non_null(strstr(text,
                           "|\n|  | a\\|b \"c\",d |  | 16 | 0 | 0 | 0 | 0 | 1234567890123 | 0 | "
                           "0.1 |  |  |  |  |  |  |  |\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),  cmocka_unit_test(test_samples),
        cmocka_unit_test(test_counters), cmocka_unit_test(test_clear),
        cmocka_unit_test(test_json),     cmocka_unit_test(test_markdown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
