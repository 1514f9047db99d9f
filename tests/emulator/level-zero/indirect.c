/* Memory that a kernel reaches through an address in memory: every kind of it, beside an argument
 * of every kind, flagged for one kind or for all, through a queue and through an immediate list.
 *
 *     indirect WORK.spv [plain]
 *
 * Where the device can reach any memory of the program, that is one more kind; with `plain` it has
 * to. */
#include <stdio.h>
#include <string.h>

#include "l0.h"

enum { ITEMS = 64 };

static const ze_kernel_indirect_access_flags_t flag_of[] = {
    [MEMORY_HOST] = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST,
    [MEMORY_DEVICE] = ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE,
    [MEMORY_SHARED] = ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED,
    [MEMORY_PLAIN] = 0,
};

struct reach {
    enum memory_kind table, data;
    ze_kernel_indirect_access_flags_t flags;
    bool immediate;
};

static void copy(void *to, const void *from, size_t size)
{
    ze_command_list_handle_t list = l0_immediate(l0_context, 0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);

    CHECK(zeCommandListAppendMemoryCopy(list, to, from, size, NULL, 0, NULL));
    CHECK(zeCommandListDestroy(list));
}

static void launch(ze_kernel_handle_t kernel, bool immediate)
{
    const ze_group_count_t groups = {ITEMS / 16, 1, 1};

    if (immediate) {
        ze_command_list_handle_t list =
            l0_immediate(l0_context, 0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);

        CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
        CHECK(zeCommandListDestroy(list));
    } else {
        ze_command_queue_handle_t queue = l0_queue(l0_context, 0);
        ze_command_list_handle_t list = l0_list(l0_context, 0);

        CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
        CHECK(zeCommandListClose(list));
        l0_run(queue, list);
        CHECK(zeCommandListDestroy(list));
        CHECK(zeCommandQueueDestroy(queue));
    }
}

static void reaches(ze_module_handle_t module, const struct reach *reach)
{
    uint32_t wanted[ITEMS], got[ITEMS];
    uint64_t *table = l0_allocate(l0_context, reach->table, sizeof(*table));
    uint32_t *data = l0_allocate(l0_context, reach->data, sizeof(wanted));
    uint64_t address = (uintptr_t)data;
    ze_kernel_handle_t kernel = l0_kernel(module, "add_through", 16);

    l0_noise(wanted, sizeof(wanted), 7);
    copy(data, wanted, sizeof(wanted));
    copy(table, &address, sizeof(address));
    CHECK(zeKernelSetIndirectAccess(kernel, reach->flags));
    l0_arguments(kernel, table, 5);
    launch(kernel, reach->immediate);
    copy(got, data, sizeof(got));
    for (unsigned i = 0; i < ITEMS; i++)
        wanted[i] += 5;
    EXPECT_BYTES(got, wanted, sizeof(wanted));
    CHECK(zeKernelDestroy(kernel));
    l0_free(l0_context, reach->data, data);
    l0_free(l0_context, reach->table, table);
}

static bool reaches_plain_memory(void)
{
    ze_device_memory_access_properties_t access = {
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};

    CHECK(zeDeviceGetMemoryAccessProperties(l0_device, &access));
    return access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
}

int main(int argc, char **argv)
{
    const ze_kernel_indirect_access_flags_t all = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST |
                                                  ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                                                  ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;

    if (argc < 2)
        return 2;
    l0_open();
    const enum memory_kind last = reaches_plain_memory() ? MEMORY_PLAIN : MEMORY_SHARED;
    EXPECT(last == MEMORY_PLAIN || argc == 2);
    ze_module_handle_t module = l0_module(l0_context, argv[1]);
    for (enum memory_kind table = MEMORY_HOST; table <= last; table++)
        for (enum memory_kind data = MEMORY_HOST; data <= last; data++)
            for (unsigned i = 0; i < 4; i++) {
                struct reach reach = {table, data, i & 1 ? all : flag_of[data], i & 2};

                printf("%s through %s%s%s\n", l0_memory_names[data], l0_memory_names[table],
                       i & 1 ? ", all flagged" : "", i & 2 ? ", immediate" : "");
                reaches(module, &reach);
            }
    CHECK(zeModuleDestroy(module));
    l0_close();
    return 0;
}
