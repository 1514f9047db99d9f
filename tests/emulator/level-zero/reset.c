/* One queue is lost to a faulting kernel; another waits on the GPU for that kernel's signal. It is
 * reset too, and the program gets its errors and can end. */
#include <stdio.h>

#include "l0.h"

#define BAD_ADDRESS UINT64_C(0xdead0000)

int main(int argc, char **argv)
{
    const ze_group_count_t groups = {1, 1, 1};
    uint32_t copies;

    if (argc != 2)
        return 2;
    l0_open();
    if (!l0_copy_group(&copies)) {
        puts("skipped: a device with one engine, where nothing waits for another");
        return 77;
    }
    ze_module_handle_t module = l0_module(l0_context, argv[1]);
    ze_kernel_handle_t kernel = l0_kernel(module, "add_through", 16);
    uint64_t *table = l0_allocate(l0_context, MEMORY_HOST, 4096);
    table[0] = BAD_ADDRESS;
    l0_arguments(kernel, table, 1);
    struct event_set events = l0_events(l0_context, 0);
    ze_command_queue_handle_t lost = l0_queue(l0_context, 0);
    ze_command_queue_handle_t waiting = l0_queue(l0_context, copies);
    ze_command_list_handle_t fault = l0_list(l0_context, 0);
    ze_command_list_handle_t wait = l0_list(l0_context, copies);
    CHECK(zeCommandListAppendLaunchKernel(fault, kernel, &groups, events.event[0], 0, NULL));
    CHECK(zeCommandListClose(fault));
    CHECK(zeCommandListAppendMemoryCopy(wait, table + 1, table, 8, NULL, 1, &events.event[0]));
    CHECK(zeCommandListClose(wait));
    CHECK(zeCommandQueueExecuteCommandLists(waiting, 1, &wait, NULL));
    CHECK(zeCommandQueueExecuteCommandLists(lost, 1, &fault, NULL));
    EXPECT_RESULT(zeCommandQueueSynchronize(lost, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    EXPECT_RESULT(zeCommandQueueSynchronize(waiting, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    EXPECT(table[1] == 0);
    zeCommandListDestroy(wait);
    zeCommandListDestroy(fault);
    zeCommandQueueDestroy(waiting);
    zeCommandQueueDestroy(lost);
    l0_destroy_events(&events);
    l0_free(l0_context, MEMORY_HOST, table);
    zeKernelDestroy(kernel);
    zeModuleDestroy(module);
    puts("alive");
    return 0;
}
