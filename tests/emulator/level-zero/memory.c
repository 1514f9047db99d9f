/* The end of memory: what the driver says, and that freed memory goes back to the host; and host
 * memory that the device may not access. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "l0.h"

enum { BLOCK = 64 << 20, BLOCKS_MAX = 512, FILLED = 24 << 20, PAGE = 4096 };

static void *blocks[BLOCKS_MAX];

static ze_result_t allocate(enum memory_kind kind, size_t size, void **memory)
{
    const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};

    if (kind == MEMORY_HOST)
        return zeMemAllocHost(l0_context, &host, size, 64, memory);
    if (kind == MEMORY_DEVICE)
        return zeMemAllocDevice(l0_context, &device, size, 64, l0_device, memory);
    return zeMemAllocShared(l0_context, &device, &host, size, 64, l0_device, memory);
}

static void too_large(void)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    void *memory;

    CHECK(zeDeviceGetProperties(l0_device, &properties));
    printf("maxMemAllocSize %lu\n", (unsigned long)properties.maxMemAllocSize);
    for (enum memory_kind kind = MEMORY_HOST; kind <= MEMORY_SHARED; kind++)
        EXPECT_RESULT(allocate(kind, properties.maxMemAllocSize + 1, &memory),
                      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
}

/* A device with its own memory: allocates all of it, then gets an error, and succeeds again after a
 * free. */
static void until_full(uint64_t total)
{
    ze_result_t result = ZE_RESULT_SUCCESS;
    int count = 0;

    while (count < BLOCKS_MAX && result == ZE_RESULT_SUCCESS) {
        result = allocate(MEMORY_DEVICE, BLOCK, &blocks[count]);
        count += result == ZE_RESULT_SUCCESS;
    }
    printf("%d blocks of %d MB, then 0x%x\n", count, BLOCK >> 20, (unsigned)result);
    EXPECT_RESULT(result, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    /* the driver reports 95 % of what it can allocate */
    EXPECT((uint64_t)count * BLOCK > total / 20 * 19 && (uint64_t)count * BLOCK < total / 19 * 20);
    for (int round = 0; round < 3; round++) {
        CHECK(zeMemFree(l0_context, blocks[round]));
        CHECK(allocate(MEMORY_DEVICE, BLOCK, &blocks[round]));
        EXPECT_RESULT(allocate(MEMORY_DEVICE, BLOCK, &blocks[count]),
                      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    }
    while (count)
        CHECK(zeMemFree(l0_context, blocks[--count]));
}

/* Megabytes of this process in the host's memory. */
static long resident(void)
{
    char line[256];
    long kilobytes = -1;
    FILE *file = fopen("/proc/self/status", "r");

    EXPECT(file != NULL);
    while (fgets(line, sizeof(line), file))
        sscanf(line, "VmRSS: %ld", &kilobytes);
    fclose(file);
    return kilobytes >> 10;
}

/* Under a sanitizer, freed memory stays for a while where the driver takes it from malloc. */
#ifdef SANITIZED
enum { GIVES_BACK = 0 };
#else
enum { GIVES_BACK = 1 };
#endif

static void goes_back(enum memory_kind kind)
{
    ze_command_list_handle_t list = l0_immediate(l0_context, 0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    uint8_t pattern = 0x77;
    long before = 0, full = 0;

    /* twice: in the first round the model and the driver allocate what they keep */
    for (int round = 0; round < 2; round++) {
        before = resident();
        void *memory = l0_allocate(l0_context, kind, FILLED);
        if (kind == MEMORY_DEVICE)
            CHECK(zeCommandListAppendMemoryFill(list, memory, &pattern, 1, FILLED, NULL, 0, NULL));
        else
            memset(memory, pattern, FILLED);
        full = resident();
        CHECK(zeMemFree(l0_context, memory));
    }
    CHECK(zeCommandListDestroy(list));
    printf("%s: %ld MB, %ld MB filled, %ld MB freed\n", l0_memory_names[kind], before, full,
           resident());
    EXPECT(full >= before + (FILLED >> 20) - 4);
    EXPECT(!GIVES_BACK || resident() < before + (FILLED >> 22));
}

/* The device reads memory that is read-only to the program, through a copy that the driver makes
 * when the node refuses the pages. */
static void read_only_page(void)
{
    ze_command_list_handle_t list = l0_immediate(l0_context, 0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    uint8_t *to = l0_allocate(l0_context, MEMORY_HOST, PAGE);
    uint8_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    EXPECT(page != MAP_FAILED);
    l0_noise(page, PAGE, 9);
    EXPECT(mprotect(page, PAGE, PROT_READ) == 0);
    memset(to, 0, PAGE);
    CHECK(zeCommandListAppendMemoryCopy(list, to, page, PAGE, NULL, 0, NULL));
    EXPECT_BYTES(to, page, PAGE);
    CHECK(zeCommandListDestroy(list));
    l0_free(l0_context, MEMORY_HOST, to);
    munmap(page, PAGE);
}

int main(void)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
    uint32_t count = 1;

    l0_open();
    CHECK(zeDeviceGetProperties(l0_device, &properties));
    CHECK(zeDeviceGetMemoryProperties(l0_device, &count, &memory));
    printf("%lu MB of memory\n", (unsigned long)(memory.totalSize >> 20));
    too_large();
    if (!(properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED))
        until_full(memory.totalSize);
    for (enum memory_kind kind = MEMORY_HOST; kind <= MEMORY_SHARED; kind++)
        goes_back(kind);
    read_only_page();
    l0_close();
    return 0;
}
