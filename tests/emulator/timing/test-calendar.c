/* The calendar's order of vector engines, against a search through all of them. */
#include "test.h"

#include <stdbool.h>
#include <string.h>

#include "gpu/calendar.h"

static uint64_t times[CALENDAR_ENTRIES];

static uint32_t first_by_search(void)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < CALENDAR_ENTRIES; i++)
        if (times[i] < times[best])
            best = i;
    return best;
}

/* The bound of the others may be too early, but not before the first's time, nor if one is near. */
static void expect_order(struct calendar *calendar)
{
    uint32_t first = first_by_search();
    uint64_t second = UINT64_MAX;

    for (uint32_t i = 0; i < CALENDAR_ENTRIES; i++)
        if (i != first && times[i] < second)
            second = times[i];
    assert_int_equal(calendar_first_time(calendar), times[first]);
    if (times[first] == UINT64_MAX)
        return;
    assert_int_equal(calendar_take(calendar), first); /* among equals the lowest number */
    uint64_t found = calendar_bound(calendar);
    calendar_add(calendar, first, times[first]);
    assert_true(found <= second && found >= times[first]);
    if (!calendar->later)
        assert_int_equal(found, second);
}

static uint32_t random_number(void)
{
    static uint32_t random = 1;

    random = random * 1664525 + 1013904223;
    return random >> 8;
}

/* As an Xe-core does: the first acts and is due again, mostly soon; others change in between, some
 * to an earlier cycle than the first's. */
static void test_follows_every_change(void **state)
{
    static const uint32_t spread[] = {2, 8, 64, 65, 1000};
    struct calendar calendar;
    uint64_t now = 0;

    (void)state;
    calendar_clear(&calendar);
    memset(times, 0xff, sizeof(times));
    expect_order(&calendar);
    for (unsigned i = 0; i < 100000; i++) {
        bool other = random_number() % 8 == 0;
        uint32_t entry = other || calendar_first_time(&calendar) == UINT64_MAX
                             ? random_number() % CALENDAR_ENTRIES
                             : first_by_search();
        uint64_t time = now + random_number() % spread[random_number() % 5];
        if (other && random_number() % 4 == 0)
            time -= time < 100 ? time : 100;
        times[entry] = random_number() % 16 == 0 ? UINT64_MAX : time;
        calendar_set(&calendar, entry, times[entry]);
        expect_order(&calendar);
        if (calendar_first_time(&calendar) != UINT64_MAX)
            now = calendar_first_time(&calendar);
    }
}

static void test_one_entry_far_away(void **state)
{
    struct calendar calendar;

    (void)state;
    calendar_clear(&calendar);
    assert_int_equal(calendar_first_time(&calendar), UINT64_MAX);
    calendar_set(&calendar, 31, UINT64_C(1) << 60);
    assert_int_equal(calendar_first_time(&calendar), UINT64_C(1) << 60);
    assert_int_equal(calendar_take(&calendar), 31);
    assert_int_equal(calendar_bound(&calendar), UINT64_MAX);
    assert_int_equal(calendar_first_time(&calendar), UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_every_change),
        cmocka_unit_test(test_one_entry_far_away),
    };

    return cmocka_run_group_tests_name("calendar", tests, NULL, NULL);
}
