/* The order of the vector engines, against a search through all of them. */
#include "test.h"

#include <string.h>

#include "gpu/schedule.h"

enum { COUNT = 37 };

static uint64_t times[COUNT];

static uint32_t first_by_search(const struct schedule *schedule)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < schedule->count; i++)
        if (times[i] < times[best])
            best = i;
    return best;
}

static void expect_order(const struct schedule *schedule)
{
    uint32_t first = first_by_search(schedule);
    uint64_t second = UINT64_MAX;
    for (uint32_t i = 0; i < schedule->count; i++)
        if (i != first && times[i] < second)
            second = times[i];
    assert_int_equal(schedule_first(schedule), first); /* among equals the lowest number */
    assert_int_equal(schedule_first_time(schedule), times[first]);
    assert_int_equal(schedule_second_time(schedule), second);
}

static void test_follows_every_change(void **state)
{
    struct schedule schedule;
    uint32_t random = 1;
    (void)state;
    assert_int_equal(schedule_init(&schedule, COUNT), 0);
    memset(times, 0xff, sizeof(times));
    expect_order(&schedule);
    for (unsigned i = 0; i < 20000; i++) {
        random = random * 1664525 + 1013904223;
        uint64_t time = random >> 24 & 31; /* many equals */
        uint32_t entry = (random >> 8 & 0xffff) % COUNT;
        times[entry] = time == 31 ? UINT64_MAX : time;
        schedule_set(&schedule, entry, times[entry]);
        expect_order(&schedule);
    }
    schedule_release(&schedule);
}

static void test_one_and_two_entries(void **state)
{
    struct schedule schedule;
    (void)state;
    assert_int_equal(schedule_init(&schedule, 1), 0);
    schedule_set(&schedule, 0, 7);
    assert_int_equal(schedule_first(&schedule), 0);
    assert_int_equal(schedule_second_time(&schedule), UINT64_MAX);
    schedule_release(&schedule);
    assert_int_equal(schedule_init(&schedule, 2), 0);
    schedule_set(&schedule, 1, 7);
    assert_int_equal(schedule_first(&schedule), 1);
    schedule_set(&schedule, 0, 7);
    assert_int_equal(schedule_first(&schedule), 0);
    assert_int_equal(schedule_second_time(&schedule), 7);
    schedule_release(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_every_change),
        cmocka_unit_test(test_one_and_two_entries),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
