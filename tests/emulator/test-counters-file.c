/* The counters as CSV. */
#include "isa/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/counters-file.h"

static char path[] = "/tmp/vesim-counters-XXXXXX";

static char *contents(void)
{
    static char text[65536];
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static unsigned occurrences(const char *text, const char *what)
{
    unsigned count = 0;

    for (; (text = strstr(text, what)); text++)
        count++;
    return count;
}

static void test_rows_match_the_header(void **state)
{
    struct vesim_walk record = {.sequence = 4,
                                .kernel_address = 0xabc0,
                                .device = "mine, \"all\" mine",
                                .simd_width = 16,
                                .groups = 2,
                                .threads = 8,
                                .start = 100,
                                .end = 400,
                                .first_start = 200,
                                .last_end = 300,
                                .peak_threads = 8,
                                .thread_slots = 64};

    (void)state;
    close(mkstemp(path));
    record.counters[VESIM_COUNTER_thread_cycles] = 650;
    record.counters[VESIM_COUNTER_queue_cycles] = 77;
    assert_int_equal(counters_file_append(path, &record), 0);
    record.sequence++;
    assert_int_equal(counters_file_append(path, &record), 0);
    char *text = contents(), *row = strstr(text, "\r\n");
    unlink(path);
    assert_int_equal(occurrences(text, "\r\n"), 3); /* one header, two rows */
    assert_int_equal(occurrences(text, "process_id"), 1);
    *row = '\0';
    unsigned columns = occurrences(text, ",");
    row += 2;
    row[strcspn(row, "\r")] = '\0';
    assert_int_equal(occurrences(row, ","), columns + 1); /* one more, within the quotes */
    assert_non_null(
        strstr(row, ",4,\"mine, \"\"all\"\" mine\",0xabc0,16,2,8,100,400,300,6.500,8,64,0,"));
    assert_string_equal(row + strlen(row) - 3, ",77");
    assert_non_null(strstr(text, "duration_cycles"));
}

static void test_says_when_it_cannot_write(void **state)
{
    const struct vesim_walk record = {.device = "x"};

    (void)state;
    assert_int_equal(counters_file_append("/not/there/counters.csv", &record), -1);
    assert_int_equal(counters_file_append("/dev/full", &record), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_match_the_header),
        cmocka_unit_test(test_says_when_it_cannot_write),
    };

    return cmocka_run_group_tests_name("counters file", tests, NULL, NULL);
}
