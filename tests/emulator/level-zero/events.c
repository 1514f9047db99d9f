/* Events, barriers and fences: from the host, between lists on two queues, on immediate lists; used
 * again after a reset. */
#include <pthread.h>
#include <string.h>

#include "l0.h"

enum { BYTES = 8192, ROUNDS = 3 };

static uint8_t *first, *second, *third;
static struct event_set events;

static void *signal_later(void *event)
{
    l0_sleep_ms(10);
    CHECK(zeEventHostSignal(event));
    return NULL;
}

static void reset_all(void)
{
    for (int i = 0; i < 8; i++) {
        CHECK(zeEventHostReset(events.event[i]));
        EXPECT_RESULT(zeEventQueryStatus(events.event[i]), ZE_RESULT_NOT_READY);
    }
}

/* A list that waits for three events, each signalled before or after its submission, then copies.
 */
static void host_signals(uint32_t ordinal)
{
    ze_command_queue_handle_t queue = l0_queue(l0_context, ordinal);
    ze_command_list_handle_t list = l0_list(l0_context, ordinal);

    CHECK(zeCommandListAppendMemoryCopy(list, second, first, BYTES, events.event[3], 3,
                                        events.event));
    CHECK(zeCommandListClose(list));
    for (int before = 0; before <= 3; before++) {
        l0_noise(first, BYTES, (uint32_t)before);
        memset(second, 0, BYTES);
        for (int i = 0; i < before; i++)
            CHECK(zeEventHostSignal(events.event[i]));
        CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
        if (before < 3) {
            EXPECT_RESULT(zeCommandQueueSynchronize(queue, 0), ZE_RESULT_NOT_READY);
            EXPECT_RESULT(zeEventHostSynchronize(events.event[3], 2000000), ZE_RESULT_NOT_READY);
            EXPECT(second[BYTES - 1] == 0 && second[0] == 0);
        }
        for (int i = before; i < 3; i++)
            CHECK(zeEventHostSignal(events.event[i]));
        CHECK(zeEventHostSynchronize(events.event[3], UINT64_MAX));
        EXPECT_BYTES(second, first, BYTES);
        CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
        reset_all();
    }
    CHECK(zeCommandListDestroy(list));
    CHECK(zeCommandQueueDestroy(queue));
}

/* One list copies after the other has copied. The device itself resets the events for the next
 * round. Queues of one engine execute in order of submission, so only queues of two engines may
 * wait for a later submission. */
static void two_lists(uint32_t ordinal, uint32_t other, bool waiting_first)
{
    ze_command_queue_handle_t queues[2] = {l0_queue(l0_context, ordinal),
                                           l0_queue(l0_context, other)};
    ze_command_list_handle_t lists[2] = {l0_list(l0_context, ordinal), l0_list(l0_context, other)};
    uint8_t *middle = l0_allocate(l0_context, MEMORY_DEVICE, BYTES);

    CHECK(zeCommandListAppendMemoryCopy(lists[0], middle, first, BYTES, events.event[0], 0, NULL));
    CHECK(zeCommandListAppendWaitOnEvents(lists[1], 1, &events.event[0]));
    CHECK(zeCommandListAppendEventReset(lists[1], events.event[0]));
    CHECK(zeCommandListAppendMemoryCopy(lists[1], second, middle, BYTES, NULL, 0, NULL));
    CHECK(zeCommandListAppendBarrier(lists[1], events.event[1], 0, NULL));
    CHECK(zeCommandListClose(lists[0]));
    CHECK(zeCommandListClose(lists[1]));
    for (uint32_t round = 0; round < ROUNDS; round++) {
        l0_noise(first, BYTES, 10 + round);
        for (int i = 0; i < 2; i++) {
            int which = waiting_first ? 1 - i : i;

            CHECK(zeCommandQueueExecuteCommandLists(queues[which], 1, &lists[which], NULL));
        }
        CHECK(zeEventHostSynchronize(events.event[1], UINT64_MAX));
        EXPECT_BYTES(second, first, BYTES);
        CHECK(zeCommandQueueSynchronize(queues[0], UINT64_MAX));
        CHECK(zeCommandQueueSynchronize(queues[1], UINT64_MAX));
        EXPECT_RESULT(zeEventQueryStatus(events.event[0]), ZE_RESULT_NOT_READY);
        CHECK(zeEventHostReset(events.event[1]));
    }
    for (int i = 0; i < 2; i++) {
        CHECK(zeCommandListDestroy(lists[i]));
        CHECK(zeCommandQueueDestroy(queues[i]));
    }
    l0_free(l0_context, MEMORY_DEVICE, middle);
}

/* The driver may wait for the GPU in each call, so the host signals from another thread. */
static void immediate(uint32_t ordinal, ze_command_queue_mode_t mode)
{
    ze_command_list_handle_t list = l0_immediate(l0_context, ordinal, mode);
    pthread_t thread;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        l0_noise(first, BYTES, 20 + round);
        memset(second, 0, BYTES);
        memset(third, 0, BYTES);
        CHECK(zeEventHostSignal(events.event[1]));
        EXPECT(pthread_create(&thread, NULL, signal_later, events.event[0]) == 0);
        CHECK(zeCommandListAppendMemoryCopy(list, second, first, BYTES, events.event[2], 2,
                                            events.event));
        CHECK(zeCommandListAppendBarrier(list, events.event[3], 1, &events.event[2]));
        CHECK(zeCommandListAppendMemoryCopy(list, third, second, BYTES, events.event[4], 0, NULL));
        CHECK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
        CHECK(zeCommandListAppendSignalEvent(list, events.event[5]));
        CHECK(zeEventHostSynchronize(events.event[5], UINT64_MAX));
        EXPECT(pthread_join(thread, NULL) == 0);
        for (int i = 0; i < 6; i++)
            CHECK(zeEventQueryStatus(events.event[i]));
        EXPECT_BYTES(second, first, BYTES);
        EXPECT_BYTES(third, first, BYTES);
        reset_all();
    }
    CHECK(zeCommandListDestroy(list));
}

static void fences(uint32_t ordinal)
{
    const ze_fence_desc_t description = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_command_queue_handle_t queue = l0_queue(l0_context, ordinal);
    ze_command_list_handle_t list = l0_list(l0_context, ordinal);
    ze_fence_handle_t fence;

    CHECK(zeFenceCreate(queue, &description, &fence));
    CHECK(zeCommandListAppendWaitOnEvents(list, 1, events.event));
    CHECK(zeCommandListAppendMemoryCopy(list, second, first, BYTES, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    for (uint32_t round = 0; round < ROUNDS; round++) {
        l0_noise(first, BYTES, 30 + round);
        EXPECT_RESULT(zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
        CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
        EXPECT_RESULT(zeFenceQueryStatus(fence), ZE_RESULT_NOT_READY);
        EXPECT_RESULT(zeFenceHostSynchronize(fence, 1000000), ZE_RESULT_NOT_READY);
        CHECK(zeEventHostSignal(events.event[0]));
        CHECK(zeFenceHostSynchronize(fence, UINT64_MAX));
        CHECK(zeFenceQueryStatus(fence));
        EXPECT_BYTES(second, first, BYTES);
        CHECK(zeFenceReset(fence));
        reset_all();
    }
    CHECK(zeFenceDestroy(fence));
    CHECK(zeCommandListDestroy(list));
    CHECK(zeCommandQueueDestroy(queue));
}

int main(void)
{
    uint32_t copy;

    l0_open();
    events = l0_events(l0_context, 0);
    first = l0_allocate(l0_context, MEMORY_HOST, BYTES);
    second = l0_allocate(l0_context, MEMORY_HOST, BYTES);
    third = l0_allocate(l0_context, MEMORY_SHARED, BYTES);
    for (uint32_t ordinal = 0; ordinal < l0_groups(); ordinal++) {
        host_signals(ordinal);
        two_lists(ordinal, ordinal, false);
        immediate(ordinal, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
        immediate(ordinal, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        fences(ordinal);
    }
    if (l0_copy_group(&copy)) {
        for (int waiting_first = 0; waiting_first < 2; waiting_first++) {
            two_lists(0, copy, waiting_first);
            two_lists(copy, 0, waiting_first);
        }
    }
    l0_free(l0_context, MEMORY_HOST, first);
    l0_free(l0_context, MEMORY_HOST, second);
    l0_free(l0_context, MEMORY_SHARED, third);
    l0_destroy_events(&events);
    l0_close();
    return 0;
}
