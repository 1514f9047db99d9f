/* The event queue's order of Xe-cores, against a search through all of them. */
#include "test.h"

#include <string.h>

#include "gpu/event-queue.h"

enum { COUNT = 37 };

static uint64_t times[COUNT];

static uint32_t first_by_search(const struct event_queue *queue)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < queue->count; i++)
        if (times[i] < times[best])
            best = i;
    return best;
}

static void expect_order(const struct event_queue *queue)
{
    uint32_t first = first_by_search(queue);
    uint64_t second = UINT64_MAX;

    for (uint32_t i = 0; i < queue->count; i++)
        if (i != first && times[i] < second)
            second = times[i];
    assert_int_equal(event_queue_first(queue), first); /* among equals the lowest number */
    assert_int_equal(event_queue_first_time(queue), times[first]);
    assert_int_equal(event_queue_second_time(queue), second);
}

static void test_follows_every_change(void **state)
{
    struct event_queue queue;
    uint32_t random = 1;

    (void)state;
    assert_int_equal(event_queue_init(&queue, COUNT), 0);
    memset(times, 0xff, sizeof(times));
    expect_order(&queue);
    for (unsigned i = 0; i < 20000; i++) {
        random = random * 1664525 + 1013904223;
        uint64_t time = random >> 24 & 31; /* many equals */
        uint32_t entry = (random >> 8 & 0xffff) % COUNT;
        times[entry] = time == 31 ? UINT64_MAX : time;
        event_queue_set(&queue, entry, times[entry]);
        expect_order(&queue);
    }
    event_queue_release(&queue);
}

static void test_one_and_two_entries(void **state)
{
    struct event_queue queue;

    (void)state;
    assert_int_equal(event_queue_init(&queue, 1), 0);
    event_queue_set(&queue, 0, 7);
    assert_int_equal(event_queue_first(&queue), 0);
    assert_int_equal(event_queue_second_time(&queue), UINT64_MAX);
    event_queue_release(&queue);
    assert_int_equal(event_queue_init(&queue, 2), 0);
    event_queue_set(&queue, 1, 7);
    assert_int_equal(event_queue_first(&queue), 1);
    event_queue_set(&queue, 0, 7);
    assert_int_equal(event_queue_first(&queue), 0);
    assert_int_equal(event_queue_second_time(&queue), 7);
    event_queue_release(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_every_change),
        cmocka_unit_test(test_one_and_two_entries),
    };

    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
