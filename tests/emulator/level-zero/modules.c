/* Kernels that call functions of another module, linked by the driver or by their addresses, in
 * launches of both kinds in turn. */
#include <stdio.h>
#include <stdlib.h>

#include "l0.h"

enum { ITEMS = 64, ITEMS_PER_GROUP = 16 };

static ze_kernel_handle_t make_kernel(ze_module_handle_t module, const char *name, void *data)
{
    const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                          .pKernelName = name};
    ze_kernel_handle_t kernel;

    CHECK(zeKernelCreate(module, &description, &kernel));
    CHECK(zeKernelSetGroupSize(kernel, ITEMS_PER_GROUP, 1, 1));
    CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(data), &data));
    return kernel;
}

static void launch(ze_kernel_handle_t kernel, int *data)
{
    const ze_group_count_t groups = {ITEMS / ITEMS_PER_GROUP, 1, 1};
    ze_command_queue_handle_t queue = l0_queue(l0_context, 0);
    ze_command_list_handle_t list = l0_list(l0_context, 0);

    for (int i = 0; i < ITEMS; i++)
        data[i] = i;
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    l0_run(queue, list);
    CHECK(zeCommandListDestroy(list));
    CHECK(zeCommandQueueDestroy(queue));
}

int main(int argc, char **argv)
{
    void *function = NULL;

    if (argc != 3)
        return 2;
    l0_open();
    int *data = l0_allocate(l0_context, MEMORY_HOST, 4096);
    ze_module_handle_t modules[2] = {l0_library(l0_context, argv[1]),
                                     l0_library(l0_context, argv[2])};
    CHECK(zeModuleDynamicLink(2, modules, NULL));
    CHECK(zeModuleGetFunctionPointer(modules[0], "add_five", &function));
    ze_kernel_handle_t by_name = make_kernel(modules[1], "by_name", data);
    ze_kernel_handle_t by_address = make_kernel(modules[1], "by_address", data);
    CHECK(zeKernelSetArgumentValue(by_address, 1, sizeof(function), &function));
    for (unsigned round = 0; round < 2; round++) {
        launch(by_name, data);
        for (int i = 0; i < ITEMS; i++)
            EXPECT(data[i] == (i % 3 == 0 ? i : i * i) + 5);
        launch(by_address, data);
        for (int i = 0; i < ITEMS; i++)
            EXPECT(data[i] == i + 5);
    }
    CHECK(zeKernelDestroy(by_address));
    CHECK(zeKernelDestroy(by_name));
    CHECK(zeModuleDestroy(modules[1]));
    CHECK(zeModuleDestroy(modules[0]));
    l0_free(l0_context, MEMORY_HOST, data);
    l0_close();
    puts("linked: right");
    return 0;
}
