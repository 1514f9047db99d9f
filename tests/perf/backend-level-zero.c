/* Plain kernels on Level Zero, from SPIR-V. */
#include "plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <level_zero/ze_api.h>

static ze_context_handle_t context;
static ze_device_handle_t device;
static ze_command_queue_handle_t queue;
static ze_command_list_handle_t list;
static ze_module_handle_t module;
static ze_kernel_handle_t ready;
static void *buffers[3];
static size_t out_bytes;

static void check(ze_result_t result, const char *call)
{
    char code[32];

    snprintf(code, sizeof(code), "0x%lx", (unsigned long)result);
    if (result != ZE_RESULT_SUCCESS)
        fail(call, code);
}

#define CHECK(call) check((call), #call)

void backend_open(const char *path)
{
    ze_driver_handle_t driver;
    uint32_t one = 1;
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                    .format = ZE_MODULE_FORMAT_IL_SPIRV};
    uint8_t *code = read_file(path, &description.inputSize);

    description.pInputModule = code;
    CHECK(zeInit(0));
    CHECK(zeDriverGet(&one, &driver));
    CHECK(zeDeviceGet(driver, &one, &device));
    CHECK(zeContextCreate(driver, &(ze_context_desc_t){.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC},
                          &context));
    CHECK(zeCommandQueueCreate(
        context, device, &(ze_command_queue_desc_t){.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC},
        &queue));
    CHECK(zeCommandListCreate(
        context, device, &(ze_command_list_desc_t){.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC},
        &list));
    CHECK(zeModuleCreate(context, device, &description, &module, NULL));
    free(code);
}

static void *buffer(uint32_t words, const uint32_t *content)
{
    void *pointer;
    size_t bytes = words * sizeof(uint32_t);

    CHECK(zeMemAllocHost(
        context, &(ze_host_mem_alloc_desc_t){.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC}, bytes,
        64, &pointer));
    if (content)
        memcpy(pointer, content, bytes);
    else
        memset(pointer, 0, bytes);
    return pointer;
}

void backend_prepare(const struct plain_kernel *kernel, const uint32_t *a, const uint32_t *b)
{
    buffers[0] = buffer(kernel->in_words, a);
    buffers[1] = buffer(kernel->in_words, b);
    buffers[2] = buffer(kernel->out_words, NULL);
    out_bytes = kernel->out_words * sizeof(uint32_t);
    CHECK(zeKernelCreate(
        module,
        &(ze_kernel_desc_t){.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = kernel->name},
        &ready));
    CHECK(zeKernelSetGroupSize(ready, kernel->local[0], kernel->local[1], 1));
    for (uint32_t i = 0; i < 3; i++)
        CHECK(zeKernelSetArgumentValue(ready, i, sizeof(*buffers), &buffers[i]));
    CHECK(zeKernelSetArgumentValue(ready, 3, sizeof(kernel->count), &kernel->count));
    if (kernel->factor != 0)
        CHECK(zeKernelSetArgumentValue(ready, 4, sizeof(kernel->factor), &kernel->factor));
    ze_group_count_t groups = {kernel->items[0] / kernel->local[0],
                               kernel->items[1] / kernel->local[1], 1};
    CHECK(zeCommandListReset(list));
    CHECK(zeCommandListAppendLaunchKernel(list, ready, &groups, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
}

void backend_launch(void)
{
    CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
}

void backend_finish(uint32_t *out)
{
    memcpy(out, buffers[2], out_bytes);
    CHECK(zeKernelDestroy(ready));
    for (unsigned i = 0; i < 3; i++)
        CHECK(zeMemFree(context, buffers[i]));
}
