/* Runs a kernel that hangs the GPU, as a program that knows nothing of a model would:
 *     hang-program SPIRV_FILE KERNEL
 * or, with lost_page for the kernel, the driver's own that copies to memory of the process, which
 * the process takes away before it starts. Prints what the driver answers, cleans up, and exits
 * with 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <level_zero/ze_api.h>

#define BAD_ADDRESS UINT64_C(0xdead0000)
#define PAGE_BYTES  4096

#define CHECK(call)                                                                                \
    do {                                                                                           \
        ze_result_t result_ = (call);                                                              \
        if (result_ != ZE_RESULT_SUCCESS) {                                                        \
            fprintf(stderr, "line %d: %s: 0x%x\n", __LINE__, #call, (unsigned)result_);            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static ze_context_handle_t context;
static ze_device_handle_t device;

static void find_device(void)
{
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_driver_handle_t driver;
    uint32_t count = 1;

    CHECK(zeInit(0));
    CHECK(zeDriverGet(&count, &driver));
    count = 1;
    CHECK(zeDeviceGet(driver, &count, &device));
    CHECK(zeContextCreate(driver, &description, &context));
}

static ze_module_handle_t load_module(const char *path)
{
    static uint8_t spirv[1 << 16];
    FILE *file = fopen(path, "rb");
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                    .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                    .pInputModule = spirv};
    ze_module_handle_t module;

    if (!file) {
        perror(path);
        exit(1);
    }
    description.inputSize = fread(spirv, 1, sizeof(spirv), file);
    fclose(file);
    CHECK(zeModuleCreate(context, device, &description, &module, NULL));
    return module;
}

static ze_kernel_handle_t make_kernel(ze_module_handle_t module, const char *name, void *flag)
{
    const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                          .pKernelName = name};
    const uint64_t address = BAD_ADDRESS;
    ze_kernel_handle_t kernel;

    CHECK(zeKernelCreate(module, &description, &kernel));
    CHECK(zeKernelSetGroupSize(kernel, 32, 1, 1));
    CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof(flag), &flag));
    CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof(address), &address));
    return kernel;
}

static ze_event_handle_t make_event(ze_event_pool_handle_t *pool)
{
    const ze_event_pool_desc_t pool_description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                                   .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                                   .count = 1};
    const ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    ze_event_handle_t event;

    CHECK(zeEventPoolCreate(context, &pool_description, 1, &device, pool));
    CHECK(zeEventCreate(*pool, &description, &event));
    return event;
}

/* Launches the kernel, or the copy to `page`, twice: the first loses the context. */
static void launch(ze_kernel_handle_t kernel, void *flag, void *page)
{
    const ze_command_queue_desc_t queue_description = {.stype =
                                                           ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    const ze_command_list_desc_t list_description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    const ze_group_count_t groups = {4, 1, 1};
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
    ze_event_pool_handle_t pool;
    ze_event_handle_t event = make_event(&pool);

    CHECK(zeCommandQueueCreate(context, device, &queue_description, &queue));
    CHECK(zeCommandListCreate(context, device, &list_description, &list));
    if (page)
        CHECK(zeCommandListAppendMemoryCopy(list, page, flag, PAGE_BYTES, NULL, 1, &event));
    else
        CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 1, &event));
    CHECK(zeCommandListClose(list));
    for (int i = 0; i < 2; i++) {
        ze_result_t result = zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL);

        printf("execute 0x%x\n", (unsigned)result);
        if (page)
            mprotect(page, PAGE_BYTES, PROT_NONE);
        CHECK(zeEventHostSignal(event));
        if (result == ZE_RESULT_SUCCESS)
            printf("synchronize 0x%x\n", (unsigned)zeCommandQueueSynchronize(queue, UINT64_MAX));
    }
    zeEventDestroy(event);
    zeEventPoolDestroy(pool);
    zeCommandListDestroy(list);
    zeCommandQueueDestroy(queue);
}

int main(int argc, char **argv)
{
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *flag, *page = NULL;

    if (argc != 3)
        return 2;
    find_device();
    CHECK(zeMemAllocHost(context, &host, PAGE_BYTES, PAGE_BYTES, &flag));
    ((uint32_t *)flag)[0] = 0;
    ze_module_handle_t module = load_module(argv[1]);
    if (strcmp(argv[2], "lost_page") == 0)
        page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ze_kernel_handle_t kernel = make_kernel(module, page ? "bad_pointer" : argv[2], flag);
    launch(kernel, flag, page);
    zeKernelDestroy(kernel);
    zeModuleDestroy(module);
    zeMemFree(context, flag);
    zeContextDestroy(context);
    puts("alive");
    return 0;
}
