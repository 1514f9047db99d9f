/* Messages and lines of accesses, counted by hand. */
#include "test.h"

#include "families/memory/traffic.h"

static void assert_work(const struct work *work, double bytes, double messages, double lines)
{
    assert_true(work->bytes == bytes);
    assert_true(work->messages == messages);
    assert_true(work->lines == lines);
}

static void count(const struct access *access, double times, double bytes, double messages,
                  double lines)
{
    struct work work = {0};

    work_add_access(&work, access, times);
    assert_work(&work, bytes, messages, lines);
}

static void test_rows(void **state)
{
    struct access aligned = access_row(16, 4, 0);
    struct access across = access_row(16, 4, 32);
    struct access wide = access_row(32, 4, 0);
    struct access halves = access_row(32, 2, 0);

    (void)state;
    count(&aligned, 3, 192, 3, 3);
    count(&across, 1, 64, 1, 2);
    count(&wide, 1, 128, 2, 2);
    /* Both messages touch the same line. */
    count(&halves, 1, 64, 2, 2);
}

static void test_columns(void **state)
{
    struct access apart = access_column(16, 4, 256);
    struct access two_per_line = access_column(8, 4, 32);
    struct access one_address = access_column(16, 4, 0);

    (void)state;
    count(&apart, 1, 64, 1, 16);
    count(&two_per_line, 1, 32, 1, 4);
    count(&one_address, 1, 64, 1, 1);
}

static void test_idle_lanes(void **state)
{
    struct access column = access_column(32, 4, 64);

    (void)state;
    for (unsigned lane = 0; lane < 31; lane++)
        column.offset[lane] = TRAFFIC_IDLE;
    count(&column, 1, 4, 2, 1);
    column.offset[31] = TRAFFIC_IDLE;
    count(&column, 1, 0, 0, 0);
}

static void test_adds_up(void **state)
{
    struct access row = access_row(8, 4, 0);
    struct work work = {0};

    (void)state;
    work_add_access(&work, &row, 2);
    work_add_access(&work, &row, 5);
    assert_work(&work, 7 * 32, 7, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_idle_lanes),
        cmocka_unit_test(test_adds_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
