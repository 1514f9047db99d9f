/* The edges of what programs ask for: copies and fills of nothing, copies onto themselves, memory
 * that host and device use in turns, events that only the device sees.
 * level-zero-edges SPIRV_FILE */
#include <stdlib.h>
#include <string.h>

#include "l0.h"

enum { BYTES = 64 * 1024, ITEMS = BYTES / 4, ROUNDS = 4 };

static ze_module_handle_t module;

/* Without events, for on Xe-HPG the driver itself crashes where a copy of nothing has one. No
 * region of height 0: driver 26.27 has copy engines copy one row (blit_properties.cpp,
 * constructPropertiesForCopy). */
static void nothing_to_do(uint32_t ordinal)
{
    ze_command_list_handle_t list =
        l0_immediate(l0_context, ordinal, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    uint8_t *data = l0_allocate(l0_context, MEMORY_SHARED, BYTES), *wanted = malloc(BYTES);
    const ze_copy_region_t thin = {0, 0, 0, 0, 16, 1};
    struct event_set events = l0_events(l0_context, 0);
    uint8_t pattern = 1;

    EXPECT(wanted != NULL);
    l0_noise(data, BYTES, 1);
    memcpy(wanted, data, BYTES);
    CHECK(zeCommandListAppendMemoryCopy(list, data + 64, data, 0, NULL, 0, NULL));
    CHECK(zeCommandListAppendMemoryFill(list, data, &pattern, 1, 0, NULL, 0, NULL));
    CHECK(zeCommandListAppendMemoryCopyRegion(list, data, &thin, 16, 0, data + 64, &thin, 16, 0,
                                              NULL, 0, NULL));
    CHECK(zeCommandListAppendBarrier(list, events.event[0], 0, NULL));
    CHECK(zeEventHostSynchronize(events.event[0], UINT64_MAX));
    EXPECT_BYTES(data, wanted, BYTES);
    CHECK(zeCommandListDestroy(list));
    l0_destroy_events(&events);
    l0_free(l0_context, MEMORY_SHARED, data);
    free(wanted);
}

/* Onto the same place, which changes nothing, and onto adjacent places that do not overlap. */
static void neighbours(uint32_t ordinal)
{
    ze_command_list_handle_t list =
        l0_immediate(l0_context, ordinal, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    uint8_t *data = l0_allocate(l0_context, MEMORY_SHARED, BYTES), *wanted = malloc(BYTES);
    static const size_t lengths[] = {1, 31, 64, 1000, 16385};

    EXPECT(wanted != NULL);
    l0_noise(data, BYTES, 2);
    memcpy(wanted, data, BYTES);
    for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        size_t n = lengths[i], at = 3 + i;

        CHECK(zeCommandListAppendMemoryCopy(list, data + at, data + at, n, NULL, 0, NULL));
        CHECK(zeCommandListAppendMemoryCopy(list, data + at + n, data + at, n, NULL, 0, NULL));
        memcpy(wanted + at + n, wanted + at, n);
        CHECK(zeCommandListAppendMemoryCopy(list, data + at, data + at + n + 1, n, NULL, 0, NULL));
        memcpy(wanted + at, wanted + at + n + 1, n);
        EXPECT_BYTES(data, wanted, BYTES);
    }
    CHECK(zeCommandListDestroy(list));
    l0_free(l0_context, MEMORY_SHARED, data);
    free(wanted);
}

/* The host reads and writes what the device has written, and vice versa, with nothing in between
 * but the end of the kernel, on each kind of memory that both see. */
static void in_turns(enum memory_kind kind)
{
    ze_command_list_handle_t list = l0_immediate(l0_context, 0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    const ze_group_count_t groups = {ITEMS / 64, 1, 1};
    ze_kernel_handle_t kernel = l0_kernel(module, "add", 64);
    uint32_t *data = l0_allocate(l0_context, kind, BYTES);
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};

    CHECK(zeMemGetAllocProperties(l0_context, data, &properties, NULL));
    EXPECT(properties.type == (kind == MEMORY_HOST ? ZE_MEMORY_TYPE_HOST : ZE_MEMORY_TYPE_SHARED));
    for (uint32_t i = 0; i < ITEMS; i++)
        data[i] = i;
    l0_arguments(kernel, data, 5);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        CHECK(zeCommandListAppendMemoryPrefetch(list, data, BYTES));
        CHECK(zeCommandListAppendMemAdvise(list, l0_device, data, BYTES,
                                           ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
        CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
        for (uint32_t i = 0; i < ITEMS; i++) {
            EXPECT(data[i] == i + 8 * round - 3);
            data[i] += 3;
        }
    }
    CHECK(zeCommandListDestroy(list));
    CHECK(zeKernelDestroy(kernel));
    l0_free(l0_context, kind, data);
}

/* Whether memory is in one place for both: where shared memory moves between the two, the driver
 * moves it as soon as the host touches it. */
static bool is_integrated(void)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};

    CHECK(zeDeviceGetProperties(l0_device, &properties));
    return properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
}

/* The host writes to one half of a buffer while a kernel works on the other. */
static void at_once(enum memory_kind kind)
{
    ze_command_queue_handle_t queue = l0_queue(l0_context, 0);
    ze_command_list_handle_t list = l0_list(l0_context, 0);
    const ze_group_count_t groups = {ITEMS / 128, 1, 1};
    ze_kernel_handle_t kernel = l0_kernel(module, "add", 64);
    uint32_t *data = l0_allocate(l0_context, kind, BYTES), passes = 0;

    memset(data, 0, BYTES);
    l0_arguments(kernel, data, 1);
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    do {
        passes++;
        for (uint32_t i = ITEMS / 2; i < ITEMS; i++)
            data[i]++;
    } while (zeCommandQueueSynchronize(queue, 0) == ZE_RESULT_NOT_READY);
    for (uint32_t i = 0; i < ITEMS; i++)
        EXPECT(data[i] == (i < ITEMS / 2 ? 1 : passes));
    CHECK(zeCommandListDestroy(list));
    CHECK(zeCommandQueueDestroy(queue));
    CHECK(zeKernelDestroy(kernel));
    l0_free(l0_context, kind, data);
}

/* An event pool that the host does not see still orders the device's work. */
static void events_of_the_device(void)
{
    const ze_event_pool_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                              .count = ROUNDS};
    const ze_group_count_t groups = {ITEMS / 64, 1, 1};
    ze_kernel_handle_t kernel = l0_kernel(module, "add", 64);
    uint32_t *data = l0_allocate(l0_context, MEMORY_SHARED, BYTES);
    ze_command_queue_handle_t queues[ROUNDS];
    ze_command_list_handle_t lists[ROUNDS];
    ze_event_handle_t events[ROUNDS];
    ze_event_pool_handle_t pool;

    memset(data, 0, BYTES);
    l0_arguments(kernel, data, 7);
    CHECK(zeEventPoolCreate(l0_context, &description, 1, &l0_device, &pool));
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};

        CHECK(zeEventCreate(pool, &event, &events[i]));
        queues[i] = l0_queue(l0_context, 0);
        lists[i] = l0_list(l0_context, 0);
        CHECK(zeCommandListAppendLaunchKernel(lists[i], kernel, &groups, events[i], i ? 1 : 0,
                                              i ? &events[i - 1] : NULL));
        CHECK(zeCommandListClose(lists[i]));
        CHECK(zeCommandQueueExecuteCommandLists(queues[i], 1, &lists[i], NULL));
    }
    CHECK(zeCommandQueueSynchronize(queues[ROUNDS - 1], UINT64_MAX));
    for (uint32_t i = 0; i < ITEMS; i++)
        EXPECT(data[i] == 7 * ROUNDS);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        CHECK(zeCommandQueueSynchronize(queues[i], UINT64_MAX));
        CHECK(zeEventDestroy(events[i]));
        CHECK(zeCommandListDestroy(lists[i]));
        CHECK(zeCommandQueueDestroy(queues[i]));
    }
    CHECK(zeEventPoolDestroy(pool));
    CHECK(zeKernelDestroy(kernel));
    l0_free(l0_context, MEMORY_SHARED, data);
}

int main(int argc, char **argv)
{
    EXPECT(argc == 2);
    l0_open();
    module = l0_module(l0_context, argv[1]);
    for (uint32_t ordinal = 0; ordinal < l0_groups(); ordinal++) {
        nothing_to_do(ordinal);
        neighbours(ordinal);
    }
    in_turns(MEMORY_HOST);
    in_turns(MEMORY_SHARED);
    at_once(MEMORY_HOST);
    if (is_integrated())
        at_once(MEMORY_SHARED);
    events_of_the_device();
    CHECK(zeModuleDestroy(module));
    l0_close();
    return 0;
}
