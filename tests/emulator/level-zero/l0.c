#include "l0.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GROUPS_MAX = 8 };

ze_driver_handle_t l0_driver;
ze_device_handle_t l0_device;
ze_context_handle_t l0_context;
const char *const l0_memory_names[MEMORY_KINDS] = {"host", "device", "shared", "plain"};

static ze_command_queue_group_properties_t groups[GROUPS_MAX];
static uint32_t group_count;

void l0_check(ze_result_t result, const char *file, int line, const char *what)
{
    if (result == ZE_RESULT_SUCCESS)
        return;
    fprintf(stderr, "%s:%d: %s: 0x%x\n", file, line, what, (unsigned)result);
    exit(1);
}

void l0_expect(bool holds, const char *file, int line, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    exit(1);
}

void l0_expect_result(ze_result_t got, ze_result_t wanted, const char *file, int line,
                      const char *what)
{
    if (got == wanted)
        return;
    fprintf(stderr, "%s:%d: %s: 0x%x instead of 0x%x\n", file, line, what, (unsigned)got,
            (unsigned)wanted);
    exit(1);
}

void l0_expect_bytes(const void *got, const void *wanted, size_t size, const char *file, int line)
{
    const uint8_t *a = got, *b = wanted;

    for (size_t i = 0; i < size; i++) {
        if (a[i] == b[i])
            continue;
        fprintf(stderr, "%s:%d: byte %zu of %zu is 0x%02x instead of 0x%02x\n", file, line, i, size,
                a[i], b[i]);
        exit(1);
    }
}

void l0_open(void)
{
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    uint32_t count = 1;

    CHECK(zeInit(0));
    CHECK(zeDriverGet(&count, &l0_driver));
    count = 1;
    CHECK(zeDeviceGet(l0_driver, &count, &l0_device));
    CHECK(zeContextCreate(l0_driver, &description, &l0_context));
    group_count = GROUPS_MAX;
    CHECK(zeDeviceGetCommandQueueGroupProperties(l0_device, &group_count, groups));
    EXPECT(group_count > 0 && group_count <= GROUPS_MAX && l0_computes(0));
}

void l0_close(void)
{
    CHECK(zeContextDestroy(l0_context));
}

uint32_t l0_groups(void)
{
    return group_count;
}

ze_command_queue_group_properties_t l0_group(uint32_t ordinal)
{
    return groups[ordinal];
}

bool l0_computes(uint32_t ordinal)
{
    return groups[ordinal].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
}

bool l0_copy_group(uint32_t *ordinal)
{
    for (*ordinal = 0; *ordinal < group_count; (*ordinal)++) {
        if (!l0_computes(*ordinal) &&
            groups[*ordinal].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY)
            return true;
    }
    return false;
}

void *l0_allocate(ze_context_handle_t context, enum memory_kind kind, size_t size)
{
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *memory = NULL;

    if (kind == MEMORY_HOST)
        CHECK(zeMemAllocHost(context, &host, size, 64, &memory));
    else if (kind == MEMORY_DEVICE)
        CHECK(zeMemAllocDevice(context, &device, size, 64, l0_device, &memory));
    else if (kind == MEMORY_SHARED)
        CHECK(zeMemAllocShared(context, &device, &host, size, 64, l0_device, &memory));
    else
        memory = malloc(size);
    EXPECT(memory != NULL);
    return memory;
}

void l0_free(ze_context_handle_t context, enum memory_kind kind, void *memory)
{
    if (kind == MEMORY_PLAIN)
        free(memory);
    else
        CHECK(zeMemFree(context, memory));
}

ze_command_queue_handle_t l0_queue(ze_context_handle_t context, uint32_t ordinal)
{
    return l0_queue_at(context, ordinal, 0);
}

ze_command_queue_handle_t l0_queue_at(ze_context_handle_t context, uint32_t ordinal, uint32_t index)
{
    const ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                 .ordinal = ordinal,
                                                 .index = index,
                                                 .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_command_queue_handle_t queue;

    CHECK(zeCommandQueueCreate(context, l0_device, &description, &queue));
    return queue;
}

ze_command_list_handle_t l0_list(ze_context_handle_t context, uint32_t ordinal)
{
    const ze_command_list_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                                .commandQueueGroupOrdinal = ordinal};
    ze_command_list_handle_t list;

    CHECK(zeCommandListCreate(context, l0_device, &description, &list));
    return list;
}

ze_command_list_handle_t l0_immediate(ze_context_handle_t context, uint32_t ordinal,
                                      ze_command_queue_mode_t mode)
{
    const ze_command_queue_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .ordinal = ordinal, .mode = mode};
    ze_command_list_handle_t list;

    CHECK(zeCommandListCreateImmediate(context, l0_device, &description, &list));
    return list;
}

void l0_run(ze_command_queue_handle_t queue, ze_command_list_handle_t list)
{
    CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
}

static struct event_set make_events(ze_context_handle_t context, ze_event_pool_flags_t flags,
                                    const void *extension, ze_event_scope_flags_t scope)
{
    const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                       .pNext = extension,
                                       .flags = flags | ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                       .count = 8};
    struct event_set events;

    CHECK(zeEventPoolCreate(context, &pool, 1, &l0_device, &events.pool));
    for (uint32_t i = 0; i < 8; i++) {
        const ze_event_desc_t event = {
            .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i, .signal = scope, .wait = scope};

        CHECK(zeEventCreate(events.pool, &event, &events.event[i]));
    }
    return events;
}

struct event_set l0_events(ze_context_handle_t context, ze_event_pool_flags_t flags)
{
    return make_events(context, flags, NULL, ZE_EVENT_SCOPE_FLAG_HOST);
}

struct event_set l0_events_of(ze_context_handle_t context, ze_event_pool_flags_t flags,
                              const void *extension)
{
    return make_events(context, flags, extension, ZE_EVENT_SCOPE_FLAG_HOST);
}

struct event_set l0_timed_events(ze_context_handle_t context, ze_event_scope_flags_t scope)
{
    return make_events(context, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, NULL, scope);
}

void l0_destroy_events(struct event_set *events)
{
    for (int i = 0; i < 8; i++)
        CHECK(zeEventDestroy(events->event[i]));
    CHECK(zeEventPoolDestroy(events->pool));
}

static ze_module_handle_t make_module(ze_context_handle_t context, const char *path,
                                      const char *flags)
{
    static uint8_t spirv[1 << 16];
    FILE *file = fopen(path, "rb");
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                    .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                    .pInputModule = spirv,
                                    .pBuildFlags = flags};
    ze_module_handle_t module;

    if (!file) {
        perror(path);
        exit(1);
    }
    description.inputSize = fread(spirv, 1, sizeof(spirv), file);
    fclose(file);
    CHECK(zeModuleCreate(context, l0_device, &description, &module, NULL));
    return module;
}

ze_module_handle_t l0_module(ze_context_handle_t context, const char *path)
{
    return make_module(context, path, NULL);
}

ze_module_handle_t l0_library(ze_context_handle_t context, const char *path)
{
    return make_module(context, path, "-library-compilation");
}

ze_kernel_handle_t l0_kernel(ze_module_handle_t module, const char *name, uint32_t group_size)
{
    const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                          .pKernelName = name};
    ze_kernel_handle_t kernel;

    CHECK(zeKernelCreate(module, &description, &kernel));
    CHECK(zeKernelSetGroupSize(kernel, group_size, 1, 1));
    return kernel;
}

void l0_arguments(ze_kernel_handle_t kernel, void *data, uint32_t number)
{
    CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(data), &data));
    CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(number), &number));
}

void l0_noise(void *to, size_t size, uint32_t seed)
{
    uint8_t *bytes = to;

    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(seed >> 24);
    }
}

void l0_sleep_ms(unsigned milliseconds)
{
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000,
                                 .tv_nsec = (long)(milliseconds % 1000) * 1000000},
              NULL);
}
