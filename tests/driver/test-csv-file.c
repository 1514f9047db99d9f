/* The reader that the other tests here rely on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csv-file.h"

#define PATH "csv-file.csv"

static int load(struct csv_file *csv, const char *text)
{
    FILE *out = fopen(PATH, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, strlen(text), out), strlen(text));
    assert_int_equal(fclose(out), 0);
    return csv_file_load(csv, PATH);
}

static void test_quotes(void **state)
{
    (void)state;
    struct csv_file csv;
    assert_int_equal(load(&csv, "a,b\r\n\"1,\"\"x\"\"\n2\",\n,\"\"\n"), 0);
    assert_int_equal(csv.column_count, 2);
    assert_int_equal(csv.row_count, 2);
    assert_string_equal(csv_file_column(&csv, 1), "b");
    assert_string_equal(csv_file_field(&csv, 0, "a"), "1,\"x\"\n2");
    assert_string_equal(csv_file_field(&csv, 0, "b"), "");
    assert_string_equal(csv_file_field(&csv, 1, "a"), "");
    assert_string_equal(csv_file_field(&csv, 1, "b"), "");
    assert_null(csv_file_field(&csv, 1, "c"));
    csv_file_free(&csv);
}

static void test_last_line_without_line_feed(void **state)
{
    (void)state;
    struct csv_file csv;
    assert_int_equal(load(&csv, "a,b\n1,2"), 0);
    assert_string_equal(csv_file_field(&csv, 0, "b"), "2");
    csv_file_free(&csv);
}

static void test_broken(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "a,b\n1\n", "a\n\"1\n", "a\n1\"2\n", "a\n\"1\"2\n"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct csv_file csv;

        assert_int_equal(load(&csv, texts[i]), -1);
        csv_file_free(&csv);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_last_line_without_line_feed),
        cmocka_unit_test(test_broken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
