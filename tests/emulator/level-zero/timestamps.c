/* The device's clock by every way there is to it: global timestamps from the host and in a list,
 * and those of kernels, which must lie between them and count in the same unit.
 *     level-zero-timestamps SPIRV_FILE */
#include <stdio.h>
#include <time.h>

#include "l0.h"

enum { ITEMS = 64 };

static ze_kernel_handle_t kernel;
static uint32_t *data;
static uint64_t *written; /* global timestamps that lists write */
static ze_kernel_timestamp_result_t *queried;
static struct event_set events;
static uint64_t mask; /* of the bits that both kinds of timestamp have */

static uint64_t bits(uint32_t count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* From `start` to `end` on a counter that wraps. */
static uint64_t ticks(uint64_t start, uint64_t end)
{
    return ((end & mask) - (start & mask)) & mask;
}

static void append(ze_command_list_handle_t list)
{
    const ze_group_count_t groups = {1, 1, 1};

    CHECK(zeCommandListAppendWriteGlobalTimestamp(list, &written[0], NULL, 0, NULL));
    CHECK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, events.event[0], 0, NULL));
    CHECK(zeCommandListAppendBarrier(list, NULL, 1, &events.event[0]));
    CHECK(zeCommandListAppendWriteGlobalTimestamp(list, &written[1], NULL, 0, NULL));
    CHECK(zeCommandListAppendQueryKernelTimestamps(list, 1, &events.event[0], queried, NULL,
                                                   events.event[1], 1, &events.event[0]));
}

static bool same(const ze_kernel_timestamp_data_t *a, const ze_kernel_timestamp_data_t *b)
{
    return a->kernelStart == b->kernelStart && a->kernelEnd == b->kernelEnd;
}

/* Runs the kernel for so many steps; returns how many ticks it took. */
static uint64_t measure(uint32_t steps, bool immediate)
{
    ze_kernel_timestamp_result_t result;
    uint64_t host[2], device[2];
    ze_command_list_handle_t list;
    ze_command_queue_handle_t queue = NULL;

    l0_arguments(kernel, data, steps);
    CHECK(zeDeviceGetGlobalTimestamps(l0_device, &host[0], &device[0]));
    if (immediate) {
        list = l0_immediate(l0_context, 0, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        append(list);
    } else {
        queue = l0_queue(l0_context, 0);
        list = l0_list(l0_context, 0);
        append(list);
        CHECK(zeCommandListClose(list));
        l0_run(queue, list);
    }
    CHECK(zeEventHostSynchronize(events.event[1], UINT64_MAX));
    CHECK(zeDeviceGetGlobalTimestamps(l0_device, &host[1], &device[1]));
    CHECK(zeEventQueryKernelTimestamp(events.event[0], &result));

    uint64_t took = ticks(result.global.kernelStart, result.global.kernelEnd);
    printf("%u steps: %lu ticks of %lu\n", steps, (unsigned long)took,
           (unsigned long)ticks(device[0], device[1]));
    /* host, list, start, end, list, host: the intervals add up only in this order */
    EXPECT(ticks(device[0], written[0]) + ticks(written[0], result.global.kernelStart) + took +
               ticks(result.global.kernelEnd, written[1]) + ticks(written[1], device[1]) ==
           ticks(device[0], device[1]));
    EXPECT(host[1] >= host[0]);
    /* nothing else runs: the kernel is most of it, unless the host submits one thing at a time */
    EXPECT(took > 0 && (immediate || took >= ticks(written[0], written[1]) / 2));
    /* time of the context does not stand still while its kernel runs; both count in steps of two
     * ticks, from beginnings of their own */
    EXPECT(ticks(result.context.kernelStart, result.context.kernelEnd) + 2 >= took);
    EXPECT(same(&queried[0].global, &result.global));
    EXPECT(same(&queried[0].context, &result.context));

    CHECK(zeEventHostReset(events.event[0]));
    CHECK(zeEventHostReset(events.event[1]));
    CHECK(zeCommandListDestroy(list));
    if (queue)
        CHECK(zeCommandQueueDestroy(queue));
    return took;
}

/* More than what Intel's driver takes from a larger allocation of its own, at whose beginning it
 * looks for places. */
enum { PLACES_BYTES = 16 << 20 };

/* Several events in one query, at places of the program's choice; copies have times, too. */
static void query_several(uint32_t ordinal)
{
    size_t *places = l0_allocate(l0_context, MEMORY_HOST, PLACES_BYTES);
    ze_command_list_handle_t list =
                                 l0_immediate(l0_context, ordinal, ZE_COMMAND_QUEUE_MODE_DEFAULT),
                             compute = l0_immediate(l0_context, 0, ZE_COMMAND_QUEUE_MODE_DEFAULT);
    ze_kernel_timestamp_result_t result;
    uint64_t host, device[2];

    places[0] = 4 * sizeof(result);
    places[1] = 2 * sizeof(result);
    CHECK(zeDeviceGetGlobalTimestamps(l0_device, &host, &device[0]));
    for (int i = 0; i < 2; i++) {
        CHECK(zeCommandListAppendMemoryCopy(list, data, data + ITEMS, ITEMS * sizeof(*data),
                                            events.event[i], 0, NULL));
        CHECK(zeEventHostSynchronize(events.event[i], UINT64_MAX));
    }
    CHECK(zeCommandListAppendQueryKernelTimestamps(compute, 2, events.event, queried, places,
                                                   events.event[2], 2, events.event));
    CHECK(zeEventHostSynchronize(events.event[2], UINT64_MAX));
    CHECK(zeDeviceGetGlobalTimestamps(l0_device, &host, &device[1]));
    for (int i = 0; i < 2; i++) {
        const ze_kernel_timestamp_result_t *there = &queried[places[i] / sizeof(*queried)];

        CHECK(zeEventQueryKernelTimestamp(events.event[i], &result));
        EXPECT(same(&there->global, &result.global));
        EXPECT(ticks(device[0], result.global.kernelStart) +
                   ticks(result.global.kernelStart, result.global.kernelEnd) +
                   ticks(result.global.kernelEnd, device[1]) ==
               ticks(device[0], device[1]));
    }
    for (int i = 0; i < 3; i++)
        CHECK(zeEventHostReset(events.event[i]));
    CHECK(zeCommandListDestroy(list));
    CHECK(zeCommandListDestroy(compute));
    l0_free(l0_context, MEMORY_HOST, places);
}

/* The device's time goes on while nothing runs: at least as long as the host sleeps between two
 * readings, and no longer than from before the first to after the second. */
static void sleep_between(uint64_t hz)
{
    struct timespec before, after;
    uint64_t host[2], device[2];

    /* An engine may be ending its last job, and be in the time of that, when its fence has been
     * seen; idle, it follows the host. */
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &before);
    CHECK(zeDeviceGetGlobalTimestamps(l0_device, &host[0], &device[0]));
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    CHECK(zeDeviceGetGlobalTimestamps(l0_device, &host[1], &device[1]));
    clock_gettime(CLOCK_MONOTONIC, &after);
    double seconds = (double)((device[1] - device[0]) & mask) / (double)hz;
    double around =
        (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
    printf("slept 0.2 s: %.6f s of the device, %.6f s of the host\n", seconds, around);
    EXPECT(seconds > 0.2 * 0.999 && seconds < around * 1.001 + 1e-5);
}

int main(int argc, char **argv)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};

    EXPECT(argc == 2);
    l0_open();
    CHECK(zeDeviceGetProperties(l0_device, &properties));
    /* Gen12LP's driver clears the lowest bit of what kernels write. */
    mask = bits(properties.timestampValidBits) & bits(properties.kernelTimestampValidBits) &
           ~UINT64_C(1);
    ze_module_handle_t module = l0_module(l0_context, argv[1]);
    kernel = l0_kernel(module, "chain", ITEMS);
    data = l0_allocate(l0_context, MEMORY_SHARED, 2 * ITEMS * sizeof(*data));
    written = l0_allocate(l0_context, MEMORY_HOST, 64);
    queried = l0_allocate(l0_context, MEMORY_HOST, 8 * sizeof(*queried));
    events = l0_events(l0_context, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP);

    for (int immediate = 0; immediate < 2; immediate++) {
        measure(2000, immediate); /* the first one misses in the instruction cache */
        uint64_t base = measure(2000, immediate);
        /* four times the steps, four times the ticks, but for start and end */
        uint64_t longer = measure(8000, immediate);
        EXPECT(longer > base * 7 / 2 && longer < base * 9 / 2);
        /* a step is a multiplication and an addition or two: tens of cycles for 64 lanes */
        double cycles = (double)(longer - base) / (double)properties.timerResolution *
                        properties.coreClockRate * 1e6 / 6000;
        printf("%.2f cycles a step\n", cycles);
        EXPECT(cycles > 4 && cycles < 100);
    }
    sleep_between(properties.timerResolution);
    for (uint32_t ordinal = 0; ordinal < l0_groups(); ordinal++)
        query_several(ordinal);

    l0_destroy_events(&events);
    l0_free(l0_context, MEMORY_SHARED, data);
    l0_free(l0_context, MEMORY_HOST, written);
    l0_free(l0_context, MEMORY_HOST, queried);
    CHECK(zeKernelDestroy(kernel));
    CHECK(zeModuleDestroy(module));
    l0_close();
    return 0;
}
