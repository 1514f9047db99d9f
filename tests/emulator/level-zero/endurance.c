/* Many submissions of many kinds: what the process holds does not grow with them.
 * level-zero-endurance SPIRV_FILE [ROUNDS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "l0.h"

enum { ITEMS = 64, BYTES = ITEMS * 4, ROUNDS = 600, SLACK_KB = 4096 };

static long resident_kb(void)
{
    char line[256];
    long kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");

    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file))
        sscanf(line, "VmRSS: %ld", &kilobytes);
    fclose(file);
    return kilobytes;
}

/* A list that is executed again and again, an immediate list, and memory and a context that come
 * and go. */
static void rounds(ze_command_queue_handle_t queue, ze_command_list_handle_t list,
                   ze_command_list_handle_t immediate, uint32_t *data, uint32_t *copy, long count)
{
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};

    for (long i = 0; i < count; i++) {
        l0_run(queue, list);
        CHECK(zeCommandListAppendMemoryCopy(immediate, copy, data, BYTES, NULL, 0, NULL));
        if (i % 16)
            continue;
        void *memory = l0_allocate(l0_context, MEMORY_DEVICE, 1 << 20);
        uint8_t zero = 0;

        CHECK(zeCommandListAppendMemoryFill(immediate, memory, &zero, 1, 100, NULL, 0, NULL));
        l0_free(l0_context, MEMORY_DEVICE, memory);
        if (i % 64)
            continue;
        ze_context_handle_t context;

        CHECK(zeContextCreate(l0_driver, &description, &context));
        ze_command_queue_handle_t other = l0_queue(context, 0);
        ze_command_list_handle_t other_list = l0_list(context, 0);

        memory = l0_allocate(context, MEMORY_DEVICE, 1 << 16);
        CHECK(zeCommandListAppendMemoryCopy(other_list, memory, data, BYTES, NULL, 0, NULL));
        CHECK(zeCommandListClose(other_list));
        l0_run(other, other_list);
        CHECK(zeCommandListDestroy(other_list));
        CHECK(zeCommandQueueDestroy(other));
        l0_free(context, MEMORY_DEVICE, memory);
        CHECK(zeContextDestroy(context));
    }
}

int main(int argc, char **argv)
{
    const ze_group_count_t one = {1, 1, 1};
    long count = argc > 2 ? atol(argv[2]) : ROUNDS;

    EXPECT(argc >= 2 && count >= 2);
    l0_open();
    ze_module_handle_t module = l0_module(l0_context, argv[1]);
    ze_kernel_handle_t kernel = l0_kernel(module, "add", ITEMS);
    ze_command_queue_handle_t queue = l0_queue(l0_context, 0);
    ze_command_list_handle_t list = l0_list(l0_context, 0);
    ze_command_list_handle_t immediate =
        l0_immediate(l0_context, 0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    uint32_t *data = l0_allocate(l0_context, MEMORY_SHARED, BYTES);
    uint32_t *copy = l0_allocate(l0_context, MEMORY_HOST, BYTES);

    memset(data, 0, BYTES);
    l0_arguments(kernel, data, 1);
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    /* in the first part, driver and model allocate what they keep */
    rounds(queue, list, immediate, data, copy, count / 2);
    long before = resident_kb();
    rounds(queue, list, immediate, data, copy, count - count / 2);
    long after = resident_kb();
    for (int i = 0; i < ITEMS; i++)
        EXPECT(data[i] == (uint32_t)count && copy[i] == (uint32_t)count);
    printf("%ld KB after %ld rounds, %ld KB after %ld\n", before, count / 2, after, count);
#ifndef SANITIZED /* which keeps what is freed */
    EXPECT(after <= before + SLACK_KB);
#endif
    l0_free(l0_context, MEMORY_SHARED, data);
    l0_free(l0_context, MEMORY_HOST, copy);
    CHECK(zeCommandListDestroy(immediate));
    CHECK(zeCommandListDestroy(list));
    CHECK(zeCommandQueueDestroy(queue));
    CHECK(zeKernelDestroy(kernel));
    CHECK(zeModuleDestroy(module));
    l0_close();
    return 0;
}
