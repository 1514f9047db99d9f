/* The line that shows how far a long kernel is. */
#include "isa/test.h"

#include <string.h>

#include "preload/progress-line.h"

static char written[192];

static size_t line_at(double seconds, double shown, bool ended)
{
    const struct vesim_progress progress = {.instructions = UINT64_C(8612345678),
                                            .groups = 4096,
                                            .groups_done = 120,
                                            .seconds = seconds,
                                            .ended = ended};

    return progress_line_write(written, sizeof(written), &progress, shown);
}

static void comes_after_seconds(void **state)
{
    (void)state;
    assert_int_equal(line_at(4.9, 0, false), 0);
    size_t bytes = line_at(5.1, 0, false);
    assert_int_equal(bytes, strlen(written));
    assert_non_null(strstr(written, " 5 s, 8.6 billion instructions, 120 of 4096 work-groups"));
    assert_int_equal(line_at(5.9, 5.1, false), 0);
    assert_true(line_at(6.2, 5.1, false) > 0);
}

/* Behind what the program has written, where the cursor stays, and on one line. */
static void leaves_the_cursor(void **state)
{
    (void)state;
    assert_true(line_at(7, 0, false) > 0);
    assert_memory_equal(written, "\0337\033[?7l", 7);
    assert_string_equal(written + strlen(written) - 10, "\033[K\033[?7h\0338");
    assert_null(strchr(written, '\n'));
    assert_null(strchr(written, '\r'));
}

static void goes_at_the_end(void **state)
{
    (void)state;
    assert_int_equal(line_at(3, 0, true), 0); /* there was none */
    assert_int_equal(line_at(9, 8, true), 3);
    assert_string_equal(written, "\033[K");
}

static void does_not_fit(void **state)
{
    const struct vesim_progress progress = {.seconds = 9};
    char small[8];

    (void)state;
    assert_int_equal(progress_line_write(small, sizeof(small), &progress, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_after_seconds),
        cmocka_unit_test(leaves_the_cursor),
        cmocka_unit_test(goes_at_the_end),
        cmocka_unit_test(does_not_fit),
    };

    return cmocka_run_group_tests_name("progress line", tests, NULL, NULL);
}
