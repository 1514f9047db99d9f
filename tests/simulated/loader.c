/* A Level Zero loader and driver for a GPU whose time is simulated (engine.c). It does what
 * vebench asks of a driver, and fails what it does not know. */
#include "simulated.h"

#include "host-clock.h"
#include "host-files.h"

#include "base/prng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMANDS_MAX 24u
#define WAKE_NS      9000.0 /* until a waiting host notices an event */
#define POLL_NS      500.0

struct settings settings;

enum command_kind { COMMAND_KERNEL, COMMAND_COPY, COMMAND_SIGNAL };

struct command {
    enum command_kind kind;
    struct simulated_launch launch;
    void *to;
    const void *from;
    size_t bytes;
    struct simulated_event *signal;
};

struct list {
    bool is_immediate;
    struct command commands[COMMANDS_MAX];
    unsigned count;
};

struct module {
    char nothing;
};

struct kernel {
    char name[80];
    struct simulated_launch launch;
};

static struct simulated_device devices[4]; /* two tiles, the card, and a card with one tile left */
static unsigned shown[2], shown_count;     /* by zeDeviceGet() */
static bool is_flat;                       /* tiles are called devices, not tiles */
static struct prng host_noise;
static unsigned long calls;
static char driver_place, context_place, queue_place;

/* As Intel's driver does on the GPUs that have several tiles: FLAT unless told otherwise; a mask
 * that leaves one tile makes a card of it that has no tiles. */
static void show_devices(void)
{
    const char *hierarchy = getenv("ZE_FLAT_DEVICE_HIERARCHY"), *mask = getenv("ZE_AFFINITY_MASK");
    bool is_composite = hierarchy && !strcmp(hierarchy, "COMPOSITE");

    is_flat = !is_composite && !(hierarchy && !strcmp(hierarchy, "COMBINED"));
    shown_count = 1;
    devices[0] = (struct simulated_device){settings.tiles > 1.0, 0};
    devices[1] = (struct simulated_device){true, 1};
    if (settings.tiles <= 1.0)
        return;
    if (mask && mask[0]) {
        devices[3].tile = (uint32_t)atoi(mask + (is_composite ? strcspn(mask, ".") + 1 : 0));
        shown[0] = 3;
    } else if (is_composite) {
        shown[0] = 2;
    } else {
        shown[1] = 1;
        shown_count = 2;
    }
}

static void begin(void)
{
    static bool begun;

    if (begun)
        return;
    begun = true;
    settings_read(&settings, getenv("SIMULATED_GPU"));
    prng_seed(&host_noise, (uint64_t)settings.seed + 1);
    host_clock_begin(settings.reading_ns);
    if (settings.wsl > 0.0)
        host_files_begin_wsl();
    engine_begin();
    show_devices();
}

/* Each process has its own count of calls, but one mark. */
static bool is_to_fail(const char *call)
{
    if (!settings.fail_call[0] ||
        (strcmp(settings.fail_call, "any") != 0 && strcmp(call, settings.fail_call) != 0) ||
        ++calls != (unsigned long)settings.fail_count)
        return false;
    if (!settings.fail_mark[0])
        return true;
    FILE *mark = fopen(settings.fail_mark, "wx");
    if (!mark)
        return false;
    fprintf(mark, "%s", call);
    fclose(mark);
    return true;
}

ze_result_t enter(const char *call)
{
    begin();
    host_clock_advance(settings.call_ns *
                       (0.8 + 0.4 * (double)prng_below(&host_noise, 1000) / 1e3));
    return is_to_fail(call) ? ZE_RESULT_ERROR_UNKNOWN : ZE_RESULT_SUCCESS;
}

#define ENTER()                                                                                    \
    do {                                                                                           \
        ze_result_t wanted = enter(__func__);                                                      \
        if (wanted != ZE_RESULT_SUCCESS)                                                           \
            return wanted;                                                                         \
    } while (0)

ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags)
{
    (void)flags;
    ENTER();
    return ZE_RESULT_SUCCESS;
}

/* Gives one handle, as functions that enumerate do. */
#define GIVE(count, handles, type, place)                                                          \
    do {                                                                                           \
        if ((handles) && *(count) > 0)                                                             \
            *(handles) = (type)(void *)(place);                                                    \
        *(count) = 1;                                                                              \
    } while (0)

ze_result_t ZE_APICALL zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers)
{
    ENTER();
    GIVE(count, drivers, ze_driver_handle_t, &driver_place);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGetProperties(ze_driver_handle_t driver,
                                             ze_driver_properties_t *properties)
{
    (void)driver;
    ENTER();
    properties->driverVersion = 1u << 24 | 3u << 16 | 27000u;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGetExtensionProperties(ze_driver_handle_t driver, uint32_t *count,
                                                      ze_driver_extension_properties_t *extensions)
{
    (void)driver;
    (void)extensions;
    ENTER();
    *count = 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGet(ze_driver_handle_t driver, uint32_t *count,
                                   ze_device_handle_t *handles)
{
    (void)driver;
    ENTER();
    for (uint32_t i = 0; handles && i < *count && i < shown_count; i++)
        handles[i] = (ze_device_handle_t)(void *)&devices[shown[i]];
    *count = shown_count;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetSubDevices(ze_device_handle_t handle, uint32_t *count,
                                             ze_device_handle_t *handles)
{
    bool is_card = (void *)handle == &devices[2];

    ENTER();
    for (uint32_t i = 0; is_card && handles && i < *count && i < 2; i++)
        handles[i] = (ze_device_handle_t)(void *)&devices[i];
    *count = is_card ? 2 : 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetProperties(ze_device_handle_t handle, ze_device_properties_t *p)
{
    const struct simulated_device *device = (const void *)handle;
    bool is_card = device == &devices[2];

    ENTER();
    p->type = ZE_DEVICE_TYPE_GPU;
    p->vendorId = 0x8086;
    p->deviceId = 0x56a5;
    p->flags = device->is_tile && !is_flat ? ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE : 0;
    p->subdeviceId = device->is_tile ? device->tile : 0;
    p->coreClockRate = (uint32_t)settings.max_mhz;
    p->numThreadsPerEU = THREADS_PER_EU;
    p->numEUsPerSubslice = EUS_PER_CORE;
    p->physicalEUSimdWidth = 8;
    p->numSubslicesPerSlice = XE_CORES;
    p->numSlices = is_card ? 2 : 1;
    p->timerResolution = (uint64_t)settings.timer_hz;
    p->timestampValidBits = 64;
    p->kernelTimestampValidBits = (uint32_t)settings.timer_bits;
    memset(&p->uuid, 0, sizeof(p->uuid));
    p->uuid.id[0] = 0x51;
    p->uuid.id[15] = device->is_tile || device == &devices[3] ? (uint8_t)(device->tile + 1) : 0;
    snprintf(p->name, sizeof(p->name), "%s",
             settings.device_name[0] ? settings.device_name : "Simulated GPU");
    for (char *at = p->name; (at = strchr(at, '_'));)
        *at = ' ';
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetComputeProperties(ze_device_handle_t device,
                                                    ze_device_compute_properties_t *compute)
{
    (void)device;
    ENTER();
    compute->maxTotalGroupSize = 1024;
    compute->maxSharedLocalMemory = 65536;
    compute->numSubGroupSizes = 1;
    compute->subGroupSizes[0] = 16;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t device, uint32_t *count, ze_command_queue_group_properties_t *groups)
{
    (void)device;
    ENTER();
    if (groups && *count > 0) {
        groups->flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
        groups->numQueues = (uint32_t)settings.engines;
    }
    *count = 1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDevicePciGetPropertiesExt(ze_device_handle_t device,
                                                   ze_pci_ext_properties_t *pci)
{
    (void)device;
    ENTER();
    pci->address = (ze_pci_address_ext_t){0, 3, 0, 0};
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetGlobalTimestamps(ze_device_handle_t device, uint64_t *host,
                                                   uint64_t *ticks)
{
    (void)device;
    ENTER();
    if (!(settings.has_correlation > 0.0))
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    *host = (uint64_t)host_clock_now();
    *ticks = engine_ticks(host_clock_now());
    host_clock_advance(2000.0);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeContextCreate(ze_driver_handle_t driver, const ze_context_desc_t *desc,
                                       ze_context_handle_t *context)
{
    (void)driver;
    (void)desc;
    ENTER();
    *context = (ze_context_handle_t)(void *)&context_place;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeContextDestroy(ze_context_handle_t context)
{
    (void)context;
    ENTER();
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
                                            const ze_command_queue_desc_t *desc,
                                            ze_command_queue_handle_t *queue)
{
    const struct simulated_device *used = (const void *)device;

    (void)context;
    (void)desc;
    ENTER();
    engine_tile = used->tile;
    *queue = (ze_command_queue_handle_t)(void *)&queue_place;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueDestroy(ze_command_queue_handle_t queue)
{
    (void)queue;
    ENTER();
    return ZE_RESULT_SUCCESS;
}

static void execute(const struct command *command)
{
    if (command->kind == COMMAND_KERNEL)
        engine_launch(&command->launch, command->signal);
    else if (command->kind == COMMAND_COPY)
        engine_copy(command->to, command->from, command->bytes);
    if (command->kind != COMMAND_KERNEL)
        engine_signal(command->signal);
}

static double queue_done_ns;

ze_result_t ZE_APICALL zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue,
                                                         uint32_t count,
                                                         ze_command_list_handle_t *lists,
                                                         ze_fence_handle_t fence)
{
    struct simulated_event end = {0};

    (void)queue;
    (void)fence;
    ENTER();
    host_clock_advance(5000.0);
    engine_submit();
    for (uint32_t i = 0; i < count; i++) {
        const struct list *list = (const void *)lists[i];

        for (unsigned c = 0; c < list->count; c++)
            execute(&list->commands[c]);
    }
    engine_signal(&end);
    queue_done_ns = end.signalled_ns;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t wait_until(double done_ns, uint64_t timeout)
{
    if (done_ns < 0.0 || done_ns > host_clock_now() + (double)timeout) {
        host_clock_advance(timeout ? (double)timeout : POLL_NS);
        return ZE_RESULT_NOT_READY;
    }
    host_clock_advance_to(done_ns + WAKE_NS);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueSynchronize(ze_command_queue_handle_t queue, uint64_t timeout)
{
    (void)queue;
    ENTER();
    return wait_until(queue_done_ns, timeout);
}

static ze_result_t create_list(bool is_immediate, ze_command_list_handle_t *handle)
{
    struct list *list = calloc(1, sizeof(*list));

    if (!list)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    list->is_immediate = is_immediate;
    *handle = (ze_command_list_handle_t)(void *)list;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
                                           const ze_command_list_desc_t *desc,
                                           ze_command_list_handle_t *list)
{
    (void)context;
    (void)device;
    (void)desc;
    ENTER();
    return create_list(false, list);
}

ze_result_t ZE_APICALL zeCommandListCreateImmediate(ze_context_handle_t context,
                                                    ze_device_handle_t device,
                                                    const ze_command_queue_desc_t *desc,
                                                    ze_command_list_handle_t *list)
{
    (void)context;
    (void)device;
    (void)desc;
    ENTER();
    return create_list(true, list);
}

ze_result_t ZE_APICALL zeCommandListDestroy(ze_command_list_handle_t list)
{
    ENTER();
    free((void *)list);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListClose(ze_command_list_handle_t list)
{
    (void)list;
    ENTER();
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListReset(ze_command_list_handle_t list)
{
    ENTER();
    ((struct list *)(void *)list)->count = 0;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t append(ze_command_list_handle_t handle, const struct command *command)
{
    struct list *list = (struct list *)(void *)handle;

    if (list->is_immediate) {
        host_clock_advance(4000.0);
        engine_submit();
        execute(command);
        return ZE_RESULT_SUCCESS;
    }
    if (list->count == COMMANDS_MAX)
        return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    list->commands[list->count++] = *command;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListAppendBarrier(ze_command_list_handle_t list,
                                                  ze_event_handle_t signal, uint32_t count,
                                                  ze_event_handle_t *events)
{
    struct command command = {.kind = COMMAND_SIGNAL, .signal = (void *)signal};

    (void)count;
    (void)events;
    ENTER();
    return append(list, &command);
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *to,
                                                     const void *from, size_t bytes,
                                                     ze_event_handle_t signal, uint32_t count,
                                                     ze_event_handle_t *events)
{
    struct command command = {
        .kind = COMMAND_COPY, .to = to, .from = from, .bytes = bytes, .signal = (void *)signal};

    (void)count;
    (void)events;
    ENTER();
    return append(list, &command);
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
                                                       ze_kernel_handle_t handle,
                                                       const ze_group_count_t *groups,
                                                       ze_event_handle_t signal, uint32_t count,
                                                       ze_event_handle_t *events)
{
    const struct kernel *kernel = (const void *)handle;
    struct command command = {
        .kind = COMMAND_KERNEL, .launch = kernel->launch, .signal = (void *)signal};

    (void)count;
    (void)events;
    ENTER();
    command.launch.name = kernel->name;
    command.launch.group_count = groups->groupCountX * groups->groupCountY * groups->groupCountZ;
    return append(list, &command);
}

ze_result_t ZE_APICALL zeEventPoolCreate(ze_context_handle_t context,
                                         const ze_event_pool_desc_t *desc, uint32_t count,
                                         ze_device_handle_t *handles, ze_event_pool_handle_t *pool)
{
    (void)context;
    (void)count;
    (void)handles;
    ENTER();
    *pool = calloc(desc->count, sizeof(struct simulated_event));
    return *pool ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

ze_result_t ZE_APICALL zeEventPoolDestroy(ze_event_pool_handle_t pool)
{
    ENTER();
    free((void *)pool);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventCreate(ze_event_pool_handle_t pool, const ze_event_desc_t *desc,
                                     ze_event_handle_t *event)
{
    struct simulated_event *events = (void *)pool;

    ENTER();
    events[desc->index].signalled_ns = -1.0;
    *event = (ze_event_handle_t)(void *)&events[desc->index];
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventDestroy(ze_event_handle_t event)
{
    (void)event;
    ENTER();
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventHostReset(ze_event_handle_t event)
{
    ENTER();
    ((struct simulated_event *)(void *)event)->signalled_ns = -1.0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventHostSynchronize(ze_event_handle_t event, uint64_t timeout)
{
    ENTER();
    return wait_until(((const struct simulated_event *)(void *)event)->signalled_ns, timeout);
}

ze_result_t ZE_APICALL zeEventQueryKernelTimestamp(ze_event_handle_t event,
                                                   ze_kernel_timestamp_result_t *result)
{
    const struct simulated_event *asked = (const void *)event;

    ENTER();
    if (asked->signalled_ns < 0.0 || asked->signalled_ns > host_clock_now())
        return ZE_RESULT_NOT_READY;
    *result = asked->stamps;
    /* The host now works on what it has measured. */
    host_clock_advance(settings.host_ms * 1e6 * 2.0 * (double)prng_below(&host_noise, 1000) / 1e3);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t allocate(size_t bytes, void **memory)
{
    *memory = calloc(1, bytes);
    return *memory ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

ze_result_t ZE_APICALL zeMemAllocHost(ze_context_handle_t context,
                                      const ze_host_mem_alloc_desc_t *desc, size_t bytes,
                                      size_t alignment, void **memory)
{
    (void)context;
    (void)desc;
    (void)alignment;
    ENTER();
    return allocate(bytes, memory);
}

ze_result_t ZE_APICALL zeMemAllocDevice(ze_context_handle_t context,
                                        const ze_device_mem_alloc_desc_t *desc, size_t bytes,
                                        size_t alignment, ze_device_handle_t device, void **memory)
{
    (void)context;
    (void)desc;
    (void)alignment;
    (void)device;
    ENTER();
    return allocate(bytes, memory);
}

ze_result_t ZE_APICALL zeMemFree(ze_context_handle_t context, void *memory)
{
    (void)context;
    ENTER();
    free(memory);
    return ZE_RESULT_SUCCESS;
}

/* Is this one of the module's entry points? A name in SPIR-V ends with a NUL. */
static bool has_entry_point(const ze_module_desc_t *desc, const char *name)
{
    size_t bytes = strlen(name) + 1;

    for (size_t i = 0; name[0] && i + bytes <= desc->inputSize; i++) {
        if (!memcmp(desc->pInputModule + i, name, bytes))
            return true;
    }
    return false;
}

ze_result_t ZE_APICALL zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
                                      const ze_module_desc_t *desc, ze_module_handle_t *module,
                                      ze_module_build_log_handle_t *log)
{
    (void)context;
    (void)device;
    ENTER();
    if (log)
        *log = NULL;
    if (has_entry_point(desc, settings.fail_module) ||
        (!(settings.has_counter > 0.0) && has_entry_point(desc, "spin_counting")) ||
        (!strcmp(settings.fail_module, "spin*") &&
         (has_entry_point(desc, "spin_counting") || has_entry_point(desc, "spin"))))
        return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    *module = calloc(1, sizeof(struct module));
    return *module ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

ze_result_t ZE_APICALL zeModuleDestroy(ze_module_handle_t module)
{
    ENTER();
    free((void *)module);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleBuildLogDestroy(ze_module_build_log_handle_t log)
{
    (void)log;
    ENTER();
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleBuildLogGetString(ze_module_build_log_handle_t log, size_t *bytes,
                                                 char *text)
{
    (void)log;
    (void)text;
    ENTER();
    *bytes = 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *desc,
                                      ze_kernel_handle_t *handle)
{
    struct kernel *kernel = calloc(1, sizeof(*kernel));

    (void)module;
    ENTER();
    if (!kernel || !strcmp(desc->pKernelName, settings.fail_kernel)) {
        free(kernel);
        return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
    }
    snprintf(kernel->name, sizeof(kernel->name), "%s", desc->pKernelName);
    *handle = (ze_kernel_handle_t)(void *)kernel;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelDestroy(ze_kernel_handle_t kernel)
{
    ENTER();
    free((void *)kernel);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSetGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y,
                                            uint32_t z)
{
    ENTER();
    ((struct kernel *)(void *)kernel)->launch.group_size = x * y * z;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSetArgumentValue(ze_kernel_handle_t handle, uint32_t index,
                                                size_t bytes, const void *value)
{
    struct kernel *kernel = (void *)handle;

    ENTER();
    if (index >= 8 || (value && bytes > sizeof(uint64_t)))
        return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
    kernel->launch.arguments[index] = 0;
    if (value)
        memcpy(&kernel->launch.arguments[index], value, bytes);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelGetProperties(ze_kernel_handle_t kernel,
                                             ze_kernel_properties_t *properties)
{
    (void)kernel;
    ENTER();
    properties->requiredSubgroupSize = 16;
    properties->maxSubgroupSize = 16;
    properties->spillMemSize = properties->privateMemSize = properties->localMemSize = 0;
    return ZE_RESULT_SUCCESS;
}
