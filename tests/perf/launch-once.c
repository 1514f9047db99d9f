/* Launches a kernel once through Level Zero, as a program does. The words are those of `vebench
 * predict`, but shared local memory is `INDEX=local:BYTES`:
 *     launch-once MODULE KERNEL GLOBAL LOCAL ARGUMENT... [-- CONTENTS...] */
#include "base/error.h"
#include "job/contents.h"

#include <level_zero/ze_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ze_context_handle_t context;
static ze_device_handle_t device;
static ze_kernel_handle_t kernel;

static void check(ze_result_t result, const char *call)
{
    if (result == ZE_RESULT_SUCCESS)
        return;
    fprintf(stderr, "launch-once: %s: 0x%x\n", call, (unsigned)result);
    exit(1);
}

#define CHECK(call) check((call), #call)

static void read_sizes(const char *text, uint32_t sizes[3])
{
    sizes[0] = sizes[1] = sizes[2] = 1;
    if (sscanf(text, "%u,%u,%u", &sizes[0], &sizes[1], &sizes[2]) < 1)
        exit(2);
}

static ze_module_handle_t load(const char *path)
{
    static uint8_t code[1 << 20];
    FILE *file = fopen(path, "rb");
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                    .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                    .pInputModule = code};
    ze_module_handle_t module;

    if (!file)
        exit(2);
    description.inputSize = fread(code, 1, sizeof(code), file);
    fclose(file);
    CHECK(zeModuleCreate(context, device, &description, &module, NULL));
    return module;
}

static void open_device(void)
{
    ze_driver_handle_t driver;
    uint32_t one = 1;

    CHECK(zeInit(0));
    CHECK(zeDriverGet(&one, &driver));
    CHECK(zeDeviceGet(driver, &one, &device));
    CHECK(zeContextCreate(driver, &(ze_context_desc_t){.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC},
                          &context));
}

/* The contents that the words after "--" give the argument; zeros if none does. */
static void fill(void *memory, size_t bytes, const char *index, char *const *words)
{
    struct contents contents = {.rule = CONTENTS_ZEROS};
    size_t length = strcspn(index, "=") + 1;
    struct error error;

    for (; *words; words++) {
        if (strncmp(*words, index, length) == 0 &&
            contents_read(&contents, "contents", *words + length, &error) != STATUS_OK)
            exit(2);
    }
    if (contents_fill(&contents, memory, bytes, &error) != STATUS_OK)
        exit(1);
}

static void set_argument(const char *word, char *const *contents)
{
    uint32_t index = (uint32_t)strtoul(word, NULL, 10);
    const char *text = word + strcspn(word, "=") + 1;
    bool is_local = strncmp(text, "local:", 6) == 0;
    char *end;
    unsigned long number = strtoul(is_local ? text + 6 : text, &end, 10);
    uint32_t value = (uint32_t)number;
    size_t bytes = number << (*end == 'M' ? 20 : *end == 'K' ? 10 : 0);
    void *memory;

    if (is_local) {
        CHECK(zeKernelSetArgumentValue(kernel, index, bytes, NULL));
    } else if (*end) {
        CHECK(zeMemAllocShared(
            context,
            &(ze_device_mem_alloc_desc_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC},
            &(ze_host_mem_alloc_desc_t){.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC}, bytes, 64,
            device, &memory));
        fill(memory, bytes, word, contents);
        CHECK(zeKernelSetArgumentValue(kernel, index, sizeof(memory), &memory));
    } else {
        CHECK(zeKernelSetArgumentValue(kernel, index, sizeof(value), &value));
    }
}

static void launch(const uint32_t global[3], const uint32_t local[3])
{
    const ze_group_count_t groups = {global[0] / local[0], global[1] / local[1],
                                     global[2] / local[2]};
    ze_command_list_handle_t list;

    CHECK(zeCommandListCreateImmediate(
        context, device,
        &(ze_command_queue_desc_t){.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                   .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS},
        &list));
    CHECK(zeKernelSetGroupSize(kernel, local[0], local[1], local[2]));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
}

int main(int argc, char **argv)
{
    uint32_t global[3], local[3];
    int words = 5;

    if (argc < 5)
        return 2;
    while (words < argc && strcmp(argv[words], "--") != 0)
        words++;
    read_sizes(argv[3], global);
    read_sizes(argv[4], local);
    open_device();
    CHECK(zeKernelCreate(
        load(argv[1]),
        &(ze_kernel_desc_t){.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = argv[2]},
        &kernel));
    for (int i = 5; i < words; i++)
        set_argument(argv[i], argv + words + (words < argc));
    launch(global, local);
    return 0;
}
