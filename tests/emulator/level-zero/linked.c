/* Two modules that the driver links, each with a function that the other calls, and one with a
 * variable that kernels of both use.
 *
 *     linked LINKED-KERNELS.spv LINKED-LIBRARY.spv
 */
#include "l0.h"

enum { ITEMS = 64, GROUP = 16 };

static void run(ze_module_handle_t module, const char *name, int *data, uint32_t items)
{
    const ze_group_count_t groups = {items > GROUP ? items / GROUP : 1, 1, 1};
    ze_command_queue_handle_t queue = l0_queue(l0_context, 0);
    ze_command_list_handle_t list = l0_list(l0_context, 0);
    ze_kernel_handle_t kernel = l0_kernel(module, name, items > GROUP ? GROUP : items);

    CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(data), &data));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    l0_run(queue, list);
    CHECK(zeKernelDestroy(kernel));
    CHECK(zeCommandListDestroy(list));
    CHECK(zeCommandQueueDestroy(queue));
}

int main(int argc, char **argv)
{
    int sum = 100;

    EXPECT(argc == 3);
    l0_open();
    ze_module_handle_t modules[2] = {l0_library(l0_context, argv[1]),
                                     l0_library(l0_context, argv[2])};
    int *data = l0_allocate(l0_context, MEMORY_HOST, ITEMS * sizeof(*data));

    CHECK(zeModuleDynamicLink(2, modules, NULL));
    for (int i = 0; i < ITEMS; i++)
        data[i] = i;
    run(modules[0], "across", data, ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        EXPECT(data[i] == 2 * (i + i % 4) + 4);
        sum += data[i];
    }
    run(modules[1], "read_sum", data, 1);
    EXPECT(data[0] == sum);
    l0_free(l0_context, MEMORY_HOST, data);
    for (int i = 0; i < 2; i++)
        CHECK(zeModuleDestroy(modules[i]));
    l0_close();
    return 0;
}
