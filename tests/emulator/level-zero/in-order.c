/* In-order command lists and counter-based events, which need no reset: chains of kernels and
 * copies over two lists and over engines, submitted again and again, with the timestamps of each
 * step. Ends with 77 below a driver that does not have them.
 *
 *     in-order WORK.spv
 */
#include <stdio.h>
#include <string.h>

#include "l0.h"

enum { WORDS = 4096, BYTES = WORDS * 4, GROUP = 64, ROUNDS = 20, EVENTS = 4, SKIPPED = 77 };

/* Debian 12's headers are older. */
#ifndef ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME
#define ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME "ZE_experimental_event_pool_counter_based"

typedef struct {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
} ze_event_pool_counter_based_exp_desc_t;

enum {
    ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC = 0x00020014,
    ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE = 1,
    ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_NON_IMMEDIATE = 2,
    ZE_COMMAND_QUEUE_FLAG_IN_ORDER = 2,
    ZE_COMMAND_LIST_FLAG_IN_ORDER = 8,
};
#endif

static ze_kernel_handle_t kernel;
static uint32_t *first, *second; /* memory of the device, WORDS each */
static uint32_t *host, wanted[WORDS];

static bool driver_has_them(void)
{
    ze_driver_extension_properties_t extensions[256];
    uint32_t count = sizeof(extensions) / sizeof(*extensions);

    CHECK(zeDriverGetExtensionProperties(l0_driver, &count, extensions));
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(extensions[i].name, ZE_EVENT_POOL_COUNTER_BASED_EXP_NAME) == 0)
            return true;
    return false;
}

static struct event_set make_events(uint32_t counted, ze_event_pool_flags_t flags)
{
    const ze_event_pool_counter_based_exp_desc_t counter = {
        .stype = (ze_structure_type_t)ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC,
        .flags = counted};

    return l0_events_of(l0_context, flags, &counter);
}

static ze_command_list_handle_t immediate(uint32_t ordinal)
{
    const ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                 .ordinal = ordinal,
                                                 .flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
                                                 .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_command_list_handle_t list;

    CHECK(zeCommandListCreateImmediate(l0_context, l0_device, &description, &list));
    return list;
}

static ze_command_list_handle_t regular(uint32_t ordinal)
{
    const ze_command_list_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                                .commandQueueGroupOrdinal = ordinal,
                                                .flags = ZE_COMMAND_LIST_FLAG_IN_ORDER};
    ze_command_list_handle_t list;

    CHECK(zeCommandListCreate(l0_context, l0_device, &description, &list));
    return list;
}

static void add(ze_command_list_handle_t list, uint32_t *to, uint32_t value,
                ze_event_handle_t signal, uint32_t waits, ze_event_handle_t *wait)
{
    const ze_group_count_t groups = {WORDS / GROUP, 1, 1};

    l0_arguments(kernel, to, value);
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, signal, waits, wait));
}

static void copy(ze_command_list_handle_t list, void *to, const void *from,
                 ze_event_handle_t signal, uint32_t waits, ze_event_handle_t *wait)
{
    CHECK(zeCommandListAppendMemoryCopy(list, to, from, BYTES, signal, waits, wait));
}

/* Waits for all that the immediate list has been given. */
static void finish(ze_command_list_handle_t list)
{
    struct event_set events = make_events(ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE, 0);

    CHECK(zeCommandListAppendSignalEvent(list, events.event[0]));
    CHECK(zeEventHostSynchronize(events.event[0], UINT64_MAX));
    l0_destroy_events(&events);
}

/* Noise, in memory of the device. */
static void start(ze_command_list_handle_t list)
{
    l0_noise(host, BYTES, 1);
    memcpy(wanted, host, BYTES);
    copy(list, first, host, NULL, 0, NULL);
}

static void expect_added(uint32_t value)
{
    for (uint32_t i = 0; i < WORDS; i++)
        wanted[i] += value;
    EXPECT_BYTES(host, wanted, BYTES);
}

/* Commands of one list follow one another without events. */
static void one_list(uint32_t ordinal)
{
    struct event_set events = make_events(ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE, 0);
    ze_command_list_handle_t list = immediate(ordinal);

    start(list);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t value = l0_computes(ordinal) ? round + 1 : 0;

        if (value)
            add(list, first, value, NULL, 0, NULL);
        copy(list, second, first, NULL, 0, NULL);
        if (value)
            add(list, second, 7, NULL, 0, NULL);
        copy(list, first, second, NULL, 0, NULL);
        copy(list, host, first, events.event[0], 0, NULL);
        CHECK(zeEventHostSynchronize(events.event[0], UINT64_MAX));
        expect_added(value ? value + 7 : 0);
    }
    finish(list);
    CHECK(zeCommandListDestroy(list));
    l0_destroy_events(&events);
}

/* Two lists wait for each other in turns; the host only for the last step. */
static void two_lists(uint32_t other)
{
    struct event_set events = make_events(ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE, 0);
    ze_command_list_handle_t lists[2] = {immediate(0), immediate(other)};
    ze_event_handle_t *event = events.event;

    start(lists[0]);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        add(lists[0], first, round, event[0], 0, NULL);
        copy(lists[1], second, first, event[1], 1, &event[0]);
        add(lists[0], second, 3, event[2], 1, &event[1]);
        copy(lists[1], first, second, event[0], 1, &event[2]); /* once more in the same round */
        copy(lists[0], host, first, event[3], 1, &event[0]);
        if (round % 5 != 4)
            continue;
        CHECK(zeEventHostSynchronize(event[3], UINT64_MAX));
        CHECK(zeEventQueryStatus(event[2]));
        expect_added(5 * 3 + 5 * round - 10);
    }
    for (int i = 0; i < 2; i++) {
        finish(lists[i]);
        CHECK(zeCommandListDestroy(lists[i]));
    }
    l0_destroy_events(&events);
}

/* Lists that are closed once and executed again and again. To the driver an event of theirs has
 * been signalled once and for all when it has seen that, so the host waits for the queue. */
static void closed_lists(void)
{
    struct event_set events = make_events(ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_NON_IMMEDIATE, 0);
    ze_command_queue_handle_t queue = l0_queue(l0_context, 0);
    ze_command_list_handle_t list = regular(0), begin = immediate(0);

    start(begin);
    finish(begin);
    add(list, first, 5, events.event[0], 0, NULL);
    copy(list, second, first, events.event[1], 1, &events.event[0]);
    add(list, second, 6, NULL, 0, NULL);
    copy(list, first, second, NULL, 0, NULL);
    copy(list, host, first, events.event[2], 0, NULL);
    CHECK(zeCommandListClose(list));
    for (uint32_t round = 0; round < ROUNDS; round++) {
        CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
        CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
        CHECK(zeEventQueryStatus(events.event[2]));
        expect_added(11);
    }
    CHECK(zeCommandListDestroy(list));
    CHECK(zeCommandListDestroy(begin));
    CHECK(zeCommandQueueDestroy(queue));
    l0_destroy_events(&events);
}

/* A step begins when the one before it has ended. */
static void timestamps(void)
{
    struct event_set events = make_events(ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE,
                                          ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    ze_command_list_handle_t list = immediate(0);
    uint64_t last = 0;

    start(list);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < EVENTS; i++)
            add(list, first, 1, events.event[i], 0, NULL);
        CHECK(zeEventHostSynchronize(events.event[EVENTS - 1], UINT64_MAX));
        for (uint32_t i = 0; i < EVENTS; i++) {
            ze_kernel_timestamp_result_t time;

            CHECK(zeEventQueryKernelTimestamp(events.event[i], &time));
            EXPECT(time.global.kernelEnd > time.global.kernelStart);
            EXPECT(time.global.kernelStart >= last);
            last = time.global.kernelEnd;
        }
    }
    copy(list, host, first, events.event[0], 0, NULL);
    CHECK(zeEventHostSynchronize(events.event[0], UINT64_MAX));
    expect_added(ROUNDS * EVENTS);
    CHECK(zeCommandListDestroy(list));
    l0_destroy_events(&events);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    l0_open();
    if (!driver_has_them()) {
        puts("skipped: the driver has no counter-based events");
        l0_close();
        return SKIPPED;
    }
    ze_module_handle_t module = l0_module(l0_context, argv[1]);
    kernel = l0_kernel(module, "add", GROUP);
    first = l0_allocate(l0_context, MEMORY_DEVICE, BYTES);
    second = l0_allocate(l0_context, MEMORY_DEVICE, BYTES);
    host = l0_allocate(l0_context, MEMORY_HOST, BYTES);
    for (uint32_t ordinal = 0; ordinal < l0_groups(); ordinal++) {
        one_list(ordinal);
        two_lists(ordinal);
    }
    closed_lists();
    timestamps();
    l0_free(l0_context, MEMORY_DEVICE, first);
    l0_free(l0_context, MEMORY_DEVICE, second);
    l0_free(l0_context, MEMORY_HOST, host);
    CHECK(zeKernelDestroy(kernel));
    CHECK(zeModuleDestroy(module));
    l0_close();
    return 0;
}
