/* A Level Zero program that needs no kernel: run it under vesim. It prints what it saw, and exits
 * with 0, or with 1 after saying what went wrong. An argument names what else to check:
 *     device NAME CLOCK_MHZ VE_COUNT   the properties of the device
 *     memory                           that memory ends where it should */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <level_zero/ze_api.h>

#define BUFFER_BYTES 65536

#define CHECK(call)                                                                                \
    do {                                                                                           \
        ze_result_t result_ = (call);                                                              \
        if (result_ != ZE_RESULT_SUCCESS)                                                          \
            die(__LINE__, #call, (long)result_);                                                   \
    } while (0)
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            die(__LINE__, #condition, 0);                                                          \
    } while (0)

static void die(int line, const char *what, long result)
{
    fprintf(stderr, "line %d: %s: 0x%lx\n", line, what, result);
    exit(1);
}

static ze_driver_handle_t driver;
static ze_device_handle_t device;
static ze_context_handle_t context;

static void find_device(void)
{
    uint32_t count = 0;

    CHECK(zeInit(0));
    CHECK(zeDriverGet(&count, NULL));
    EXPECT(count == 1);
    CHECK(zeDriverGet(&count, &driver));
    count = 0;
    CHECK(zeDeviceGet(driver, &count, NULL));
    EXPECT(count == 1); /* the machine's own are hidden */
    CHECK(zeDeviceGet(driver, &count, &device));
    CHECK(zeContextCreate(driver, &(ze_context_desc_t){.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC},
                          &context));
}

static void check_properties(const char *name, unsigned long clock_mhz, unsigned long ves)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
    ze_pci_ext_properties_t pci = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
    const char *(*device_name)(void);

    CHECK(zeDeviceGetProperties(device, &properties));
    CHECK(zeDevicePciGetPropertiesExt(device, &pci));
    printf("%s: %u x %u x %u VEs, %u threads, %u MHz, timer %lu Hz, PCI %04x:%02x:%02x.%x\n",
           properties.name, properties.numSlices, properties.numSubslicesPerSlice,
           properties.numEUsPerSubslice, properties.numThreadsPerEU, properties.coreClockRate,
           (unsigned long)properties.timerResolution, pci.address.domain, pci.address.bus,
           pci.address.device, pci.address.function);
    EXPECT(properties.coreClockRate == clock_mhz);
    EXPECT(properties.numSlices * properties.numSubslicesPerSlice * properties.numEUsPerSubslice ==
           ves);
    EXPECT(properties.timerResolution == 19200000);
    EXPECT(pci.address.bus + pci.address.device > 0);
    *(void **)&device_name = dlsym(RTLD_DEFAULT, "vesim_device_name");
    EXPECT(device_name && strcmp(device_name(), name) == 0);
}

static ze_event_handle_t make_event(ze_event_pool_handle_t pool, uint32_t index)
{
    const ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                         .index = index,
                                         .signal = ZE_EVENT_SCOPE_FLAG_HOST,
                                         .wait = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t event;

    CHECK(zeEventCreate(pool, &description, &event));
    return event;
}

static void *signal_later(void *event)
{
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
    CHECK(zeEventHostSignal(event));
    return NULL;
}

/* The device waits for the host, then the host for the device; twice on the same list. */
static void check_events(bool immediate)
{
    const ze_event_pool_desc_t pool_description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                                   .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE |
                                                            ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                                                   .count = 2};
    const ze_command_queue_desc_t queue_description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    const ze_command_list_desc_t list_description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_event_pool_handle_t pool;
    ze_command_queue_handle_t queue = NULL;
    ze_command_list_handle_t list;
    pthread_t thread;

    CHECK(zeEventPoolCreate(context, &pool_description, 1, &device, &pool));
    ze_event_handle_t from_host = make_event(pool, 0);
    ze_event_handle_t from_device = make_event(pool, 1);
    if (immediate) {
        CHECK(zeCommandListCreateImmediate(context, device, &queue_description, &list));
    } else {
        CHECK(zeCommandQueueCreate(context, device, &queue_description, &queue));
        CHECK(zeCommandListCreate(context, device, &list_description, &list));
        CHECK(zeCommandListAppendWaitOnEvents(list, 1, &from_host));
        CHECK(zeCommandListAppendSignalEvent(list, from_device));
        CHECK(zeCommandListClose(list));
    }
    for (int round = 0; round < 2; round++) {
        EXPECT(zeEventQueryStatus(from_device) == ZE_RESULT_NOT_READY);
        EXPECT(pthread_create(&thread, NULL, signal_later, from_host) == 0);
        if (immediate) {
            /* The driver may wait for the GPU in each of these: Gen12LP's always does. */
            CHECK(zeCommandListAppendWaitOnEvents(list, 1, &from_host));
            CHECK(zeCommandListAppendSignalEvent(list, from_device));
        } else {
            CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
        }
        CHECK(zeEventHostSynchronize(from_device, UINT64_MAX));
        pthread_join(thread, NULL);
        if (queue)
            CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
        CHECK(zeEventHostReset(from_host));
        CHECK(zeEventHostReset(from_device));
    }
    CHECK(zeCommandListDestroy(list));
    if (queue)
        CHECK(zeCommandQueueDestroy(queue));
    CHECK(zeEventDestroy(from_host));
    CHECK(zeEventDestroy(from_device));
    CHECK(zeEventPoolDestroy(pool));
}

static void check_timestamps(void)
{
    uint64_t host[2], ticks[2];

    CHECK(zeDeviceGetGlobalTimestamps(device, &host[0], &ticks[0]));
    CHECK(zeDeviceGetGlobalTimestamps(device, &host[1], &ticks[1]));
    EXPECT(ticks[1] >= ticks[0]);
}

/* Host memory written by the GPU's streamer: a global timestamp in a list. */
static void check_list_timestamp(void)
{
    const ze_command_queue_desc_t queue_description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    const ze_host_mem_alloc_desc_t host_description = {.stype =
                                                           ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    ze_command_list_handle_t list;
    uint64_t *written, host, now;

    CHECK(zeMemAllocHost(context, &host_description, 4096, 64, (void **)&written));
    *written = UINT64_MAX;
    CHECK(zeCommandListCreateImmediate(context, device, &queue_description, &list));
    CHECK(zeCommandListAppendWriteGlobalTimestamp(list, written, NULL, 0, NULL));
    CHECK(zeDeviceGetGlobalTimestamps(device, &host, &now));
    EXPECT(*written <= now);
    CHECK(zeCommandListDestroy(list));
    CHECK(zeMemFree(context, written));
}

/* The copy engine where the driver has one: a copy of whole rows and an odd rest. */
static void check_copy_engine(void)
{
    ze_command_queue_group_properties_t groups[8] = {0};
    uint32_t count = 8, ordinal;
    const ze_host_mem_alloc_desc_t host_description = {.stype =
                                                           ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    const ze_device_mem_alloc_desc_t device_description = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_command_queue_desc_t queue_description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                 .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    ze_command_list_handle_t list;
    uint8_t *from, *to, pattern = 0x5a;
    void *middle;

    CHECK(zeDeviceGetCommandQueueGroupProperties(device, &count, groups));
    for (ordinal = 0; ordinal < count; ordinal++) {
        if (!(groups[ordinal].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE))
            break;
    }
    if (ordinal == count) {
        puts("the driver offers no copy engine");
        return;
    }
    queue_description.ordinal = ordinal;
    CHECK(zeMemAllocHost(context, &host_description, 3 * BUFFER_BYTES, 64, (void **)&from));
    CHECK(zeMemAllocHost(context, &host_description, 3 * BUFFER_BYTES, 64, (void **)&to));
    CHECK(zeMemAllocDevice(context, &device_description, 3 * BUFFER_BYTES, 64, device, &middle));
    for (unsigned i = 0; i < 3 * BUFFER_BYTES; i++)
        from[i] = (uint8_t)(i * 31 >> 3);
    memset(to, 0, 3 * BUFFER_BYTES);
    CHECK(zeCommandListCreateImmediate(context, device, &queue_description, &list));
    CHECK(zeCommandListAppendMemoryCopy(list, middle, from, 2 * BUFFER_BYTES + 77, NULL, 0, NULL));
    CHECK(zeCommandListAppendMemoryFill(list, (char *)middle + 16, &pattern, 1, 32, NULL, 0, NULL));
    CHECK(zeCommandListAppendMemoryCopy(list, to, middle, 2 * BUFFER_BYTES + 77, NULL, 0, NULL));
    for (unsigned i = 0; i < 3 * BUFFER_BYTES; i++) {
        uint8_t wanted = i >= 2 * BUFFER_BYTES + 77 ? 0 : i >= 16 && i < 48 ? pattern : from[i];

        EXPECT(to[i] == wanted);
    }
    CHECK(zeCommandListDestroy(list));
    CHECK(zeMemFree(context, from));
    CHECK(zeMemFree(context, to));
    CHECK(zeMemFree(context, middle));
}

static void check_memory_kinds(void)
{
    const ze_host_mem_alloc_desc_t host_description = {.stype =
                                                           ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    const ze_device_mem_alloc_desc_t device_description = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *allocated[3];

    for (int round = 0; round < 100; round++) {
        CHECK(zeMemAllocHost(context, &host_description, BUFFER_BYTES, 64, &allocated[0]));
        CHECK(zeMemAllocShared(context, &device_description, &host_description, BUFFER_BYTES, 64,
                               device, &allocated[1]));
        CHECK(zeMemAllocDevice(context, &device_description, BUFFER_BYTES, 64, device,
                               &allocated[2]));
        memset(allocated[0], round, BUFFER_BYTES);
        memset(allocated[1], round, BUFFER_BYTES);
        EXPECT(((uint8_t *)allocated[0])[BUFFER_BYTES - 1] == round);
        EXPECT(((uint8_t *)allocated[1])[BUFFER_BYTES - 1] == round);
        for (int i = 0; i < 3; i++)
            CHECK(zeMemFree(context, allocated[i]));
    }
}

/* Allocates device memory until that fails, which must be an error, and then frees it. */
static void check_memory_end(void)
{
    const ze_device_mem_alloc_desc_t description = {.stype =
                                                        ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *allocated[256];
    int count = 0;
    ze_result_t result = ZE_RESULT_SUCCESS;

    while (count < 256) {
        result =
            zeMemAllocDevice(context, &description, (size_t)1 << 28, 64, device, &allocated[count]);
        if (result != ZE_RESULT_SUCCESS)
            break;
        count++;
    }
    printf("%d blocks of 256 MB, then 0x%x\n", count, result);
    EXPECT(result == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY ||
           result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT(count > 2);
    while (count)
        CHECK(zeMemFree(context, allocated[--count]));
    CHECK(zeMemAllocDevice(context, &description, (size_t)1 << 28, 64, device, &allocated[0]));
    CHECK(zeMemFree(context, allocated[0]));
}

int main(int argc, char **argv)
{
    find_device();
    if (argc == 5 && strcmp(argv[1], "device") == 0)
        check_properties(argv[2], strtoul(argv[3], NULL, 10), strtoul(argv[4], NULL, 10));
    if (argc == 2 && strcmp(argv[1], "memory") == 0)
        check_memory_end();
    check_memory_kinds();
    check_events(false);
    check_events(true);
    check_timestamps();
    check_list_timestamp();
    check_copy_engine();
    CHECK(zeContextDestroy(context));
    return 0;
}
