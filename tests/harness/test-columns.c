/* The columns of the CSV files: docs/csv.md has the table that the program has. */
#include "test.h"

#include "base/columns.h"

#include <stdlib.h>
#include <string.h>

/* The whole file as text; the caller frees it. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);

    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* Where the documentation differs, the whole table is printed to be put there. */
static void assert_documented(const struct column *columns, size_t count)
{
    char *documentation = read_text(CSV_DOCUMENTATION);
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

/* What nobody filled in is an empty field. */
static void test_clear(void **state)
{
    struct samples_row row;

    (void)state;
    memset(&row, 0x5a, sizeof row);
    columns_clear(samples_columns, SAMPLES_COLUMNS, &row);
    assert_null(row.benchmark);
    assert_true(row.ns != row.ns);
    assert_int_equal(row.kernel_ticks, 0);
    assert_int_equal(row.round, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
