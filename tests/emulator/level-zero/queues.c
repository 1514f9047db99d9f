/* Several threads of the host, each with a context, queues and lists of its own, submit at once;
 * one context with several queues, whose work goes back and forth; and a queue of low priority.
 * level-zero-queues SPIRV_FILE
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "l0.h"

enum { THREADS = 4, ROUNDS = 6, ITEMS = 4096, BYTES = ITEMS * 4, QUEUES = 3 };

static const char *spirv;

/* Copies in, adds, copies out, each round by another queue. */
static void *work(void *argument)
{
    const uint32_t number = (uint32_t)(uintptr_t)argument;
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_group_count_t groups = {ITEMS / 64, 1, 1};
    ze_context_handle_t context;
    ze_command_queue_handle_t queues[QUEUES];

    CHECK(zeContextCreate(l0_driver, &description, &context));
    ze_module_handle_t module = l0_module(context, spirv);
    ze_kernel_handle_t kernel = l0_kernel(module, "add", 64);
    uint32_t *from = l0_allocate(context, MEMORY_HOST, BYTES);
    uint32_t *to = l0_allocate(context, MEMORY_SHARED, BYTES);
    uint32_t *data = l0_allocate(context, MEMORY_DEVICE, BYTES);
    uint32_t *wanted = malloc(BYTES);

    EXPECT(wanted != NULL);
    for (int i = 0; i < QUEUES; i++)
        queues[i] = l0_queue(context, 0);
    ze_command_list_handle_t list = l0_list(context, 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        l0_noise(from, BYTES, number * 100 + round);
        for (int i = 0; i < ITEMS; i++)
            wanted[i] = from[i] + 2 * (number + round);
        l0_arguments(kernel, data, number + round);
        CHECK(zeCommandListReset(list));
        CHECK(zeCommandListAppendMemoryCopy(list, data, from, BYTES, NULL, 0, NULL));
        for (int i = 0; i < 2; i++) {
            CHECK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
            CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
        }
        CHECK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
        CHECK(zeCommandListAppendMemoryCopy(list, to, data, BYTES, NULL, 0, NULL));
        CHECK(zeCommandListClose(list));
        l0_run(queues[round % QUEUES], list);
        EXPECT_BYTES(to, wanted, BYTES);
    }
    CHECK(zeCommandListDestroy(list));
    for (int i = 0; i < QUEUES; i++)
        CHECK(zeCommandQueueDestroy(queues[i]));
    CHECK(zeKernelDestroy(kernel));
    CHECK(zeModuleDestroy(module));
    l0_free(context, MEMORY_HOST, from);
    l0_free(context, MEMORY_SHARED, to);
    l0_free(context, MEMORY_DEVICE, data);
    free(wanted);
    CHECK(zeContextDestroy(context));
    return NULL;
}

static void threads_at_once(void)
{
    pthread_t threads[THREADS];

    for (uintptr_t i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_join(threads[i], NULL) == 0);
}

/* A kernel's result goes from queue to queue by events; all is submitted before any of it is
 * waited for. */
static void chain_of_queues(void)
{
    const ze_group_count_t groups = {ITEMS / 64, 1, 1};
    ze_module_handle_t module = l0_module(l0_context, spirv);
    ze_kernel_handle_t kernel = l0_kernel(module, "add", 64);
    struct event_set events = l0_events(l0_context, 0);
    uint32_t *data = l0_allocate(l0_context, MEMORY_SHARED, BYTES), total = 0;
    ze_command_queue_handle_t queues[6];
    ze_command_list_handle_t lists[6];

    memset(data, 0, BYTES);
    for (uint32_t i = 0; i < 6; i++) {
        queues[i] = l0_queue(l0_context, 0);
        lists[i] = l0_list(l0_context, 0);
        l0_arguments(kernel, data, 1u << 5 * i);
        total += 1u << 5 * i;
        CHECK(zeCommandListAppendLaunchKernel(lists[i], kernel, &groups, events.event[i], i ? 1 : 0,
                                              i ? &events.event[i - 1] : NULL));
        CHECK(zeCommandListClose(lists[i]));
    }
    for (int i = 0; i < 6; i++)
        CHECK(zeCommandQueueExecuteCommandLists(queues[i], 1, &lists[i], NULL));
    CHECK(zeEventHostSynchronize(events.event[5], UINT64_MAX));
    for (int i = 0; i < ITEMS; i++)
        EXPECT(data[i] == total);
    for (int i = 0; i < 6; i++) {
        CHECK(zeCommandQueueSynchronize(queues[i], UINT64_MAX));
        CHECK(zeCommandListDestroy(lists[i]));
        CHECK(zeCommandQueueDestroy(queues[i]));
    }
    l0_destroy_events(&events);
    CHECK(zeKernelDestroy(kernel));
    CHECK(zeModuleDestroy(module));
    l0_free(l0_context, MEMORY_SHARED, data);
}

static ze_command_queue_handle_t queue_of_low_priority(void)
{
    const ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                 .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                                 .priority =
                                                     ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW};
    ze_command_queue_handle_t queue;

    CHECK(zeCommandQueueCreate(l0_context, l0_device, &description, &queue));
    return queue;
}

/* In ticks of the device, which this takes too little time to wrap. */
static uint64_t start_of(ze_event_handle_t event)
{
    ze_kernel_timestamp_result_t result;

    CHECK(zeEventQueryKernelTimestamp(event, &result));
    return result.global.kernelStart;
}

/* Launches that are spread over stacks are not interrupted: the stacks meet instead. */
static bool spans_stacks(void)
{
    uint32_t count = 0;

    CHECK(zeDeviceGetSubDevices(l0_device, &count, NULL));
    return count > 0;
}

/* What waits for the first of the kernels in a queue of low priority comes before its last one. */
static void low_priority_waits(void)
{
    enum { KERNELS = 12, STEPS = 100000, FIRST = 0, LAST, OTHER };
    const ze_group_count_t groups = {1, 1, 1};
    ze_module_handle_t module = l0_module(l0_context, spirv);
    ze_kernel_handle_t kernel = l0_kernel(module, "chain", 16);
    struct event_set events = l0_events(l0_context, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);
    uint32_t *data = l0_allocate(l0_context, MEMORY_SHARED, BYTES);
    ze_command_queue_handle_t low = queue_of_low_priority(), normal = l0_queue(l0_context, 0);
    ze_command_list_handle_t several = l0_list(l0_context, 0), one = l0_list(l0_context, 0);

    l0_arguments(kernel, data, STEPS);
    for (int i = 0; i < KERNELS; i++) {
        ze_event_handle_t event = i == 0             ? events.event[FIRST]
                                  : i == KERNELS - 1 ? events.event[LAST]
                                                     : NULL;

        CHECK(zeCommandListAppendLaunchKernel(several, kernel, &groups, event, 0, NULL));
        CHECK(zeCommandListAppendBarrier(several, NULL, 0, NULL));
    }
    CHECK(zeCommandListAppendLaunchKernel(one, kernel, &groups, events.event[OTHER], 1,
                                          &events.event[FIRST]));
    CHECK(zeCommandListClose(several));
    CHECK(zeCommandListClose(one));
    CHECK(zeCommandQueueExecuteCommandLists(low, 1, &several, NULL));
    CHECK(zeCommandQueueExecuteCommandLists(normal, 1, &one, NULL));
    CHECK(zeCommandQueueSynchronize(normal, UINT64_MAX));
    CHECK(zeCommandQueueSynchronize(low, UINT64_MAX));
    EXPECT(start_of(events.event[OTHER]) > start_of(events.event[FIRST]));
    EXPECT(start_of(events.event[OTHER]) < start_of(events.event[LAST]));
    CHECK(zeCommandListDestroy(several));
    CHECK(zeCommandListDestroy(one));
    CHECK(zeCommandQueueDestroy(low));
    CHECK(zeCommandQueueDestroy(normal));
    l0_destroy_events(&events);
    CHECK(zeKernelDestroy(kernel));
    CHECK(zeModuleDestroy(module));
    l0_free(l0_context, MEMORY_SHARED, data);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    spirv = argv[1];
    l0_open();
    chain_of_queues();
    threads_at_once();
    if (!spans_stacks())
        low_priority_waits();
    l0_close();
    return 0;
}
