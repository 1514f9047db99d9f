/* The end of memory: what the driver says, and that freed memory goes back to the host; and host
 * memory that the device may not access. Argument: in how many rounds memory is filled and freed, 3
 * without; the model has allocated what it keeps before the last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "l0.h"

enum { BLOCK_MIN = 64 << 20, BLOCKS_MAX = 512, FILLED = 24 << 20, PAGE = 4096 };

/* From 2025 on the driver keeps freed memory for 10 s, for whoever allocates next, then frees a
 * piece every 15 ms (unified_memory_reuse_cleaner.h). */
enum { KEPT_MS = 30000 };

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

/* Of host memory the driver gives away as much as the whole GPU has, even where it shows each stack
 * as a device of its own (Context::allocHostMem). */
static void too_large(void)
{
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    uint32_t devices = 0;
    void *memory;

    CHECK(zeDeviceGet(l0_driver, &devices, NULL));
    CHECK(zeDeviceGetProperties(l0_device, &properties));
    const uint64_t most = properties.maxMemAllocSize;
    printf("maxMemAllocSize %lu\n", (unsigned long)most);
    for (enum memory_kind kind = MEMORY_HOST; kind <= MEMORY_SHARED; kind++)
        EXPECT_RESULT(allocate(kind, (kind == MEMORY_HOST ? devices * most : most) + 1, &memory),
                      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
}

/* A device with its own memory: allocates all of it, then gets an error, and succeeds again after a
 * free. */
static void until_full(uint64_t total)
{
    ze_result_t result = ZE_RESULT_SUCCESS;
    size_t block = BLOCK_MIN;
    int count = 0;

    while (total / block > BLOCKS_MAX / 2)
        block *= 2;
    while (count < BLOCKS_MAX && result == ZE_RESULT_SUCCESS) {
        result = allocate(MEMORY_DEVICE, block, &blocks[count]);
        count += result == ZE_RESULT_SUCCESS;
    }
    printf("%d blocks of %zu MB, then 0x%x\n", count, block >> 20, (unsigned)result);
    EXPECT_RESULT(result, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    /* the driver reports 95 % of what it can allocate */
    EXPECT((uint64_t)count * block > total / 20 * 19 && (uint64_t)count * block < total / 19 * 20);
    for (int round = 0; round < 3; round++) {
        CHECK(zeMemFree(l0_context, blocks[round]));
        CHECK(allocate(MEMORY_DEVICE, block, &blocks[round]));
        EXPECT_RESULT(allocate(MEMORY_DEVICE, block, &blocks[count]),
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

/* Megabytes once they are no more than `wanted`, or after so long as the driver may keep memory. */
static long resident_at_last(long wanted)
{
    for (int ms = 0; ms < KEPT_MS && resident() > wanted; ms += 50)
        l0_sleep_ms(50);
    return resident();
}

static void fill(ze_command_list_handle_t list, enum memory_kind kind, void *memory)
{
    uint8_t pattern = 0x77;

    if (kind == MEMORY_DEVICE)
        CHECK(zeCommandListAppendMemoryFill(list, memory, &pattern, 1, FILLED, NULL, 0, NULL));
    else
        memset(memory, pattern, FILLED);
}

/* Memory of each kind is resident once it has been written. Returns the megabytes then. */
static long fill_all(ze_command_list_handle_t list, void *memory[])
{
    for (enum memory_kind kind = MEMORY_HOST; kind <= MEMORY_SHARED; kind++) {
        memory[kind] = l0_allocate(l0_context, kind, FILLED);
        const long before = resident(); /* what the driver still had to free it has by now */

        fill(list, kind, memory[kind]);
        printf("%s: %ld MB, %ld MB filled\n", l0_memory_names[kind], before, resident());
        EXPECT(resident() >= before + (FILLED >> 20) - 4);
    }
    return resident();
}

/* And is not any longer after it has been freed. */
static void goes_back(int rounds)
{
    /* one for all: on some devices the driver keeps a queue for each list that there was */
    ze_command_list_handle_t list = l0_immediate(l0_context, 0, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    void *memory[MEMORY_KINDS];

    /* in the first rounds the model and the driver allocate what they keep */
    for (int round = 0; round < rounds; round++) {
        const long before = resident(), full = fill_all(list, memory);

        for (enum memory_kind kind = MEMORY_HOST; kind <= MEMORY_SHARED; kind++)
            CHECK(zeMemFree(l0_context, memory[kind]));
        const long wanted =
            round == rounds - 1 ? before + (FILLED >> 22) - 1 : full - 3 * ((FILLED >> 20) - 4);
        const long after = resident_at_last(wanted);
        printf("%ld MB, %ld MB freed\n", full, after);
        EXPECT(!GIVES_BACK || after <= wanted);
    }
    CHECK(zeCommandListDestroy(list));
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

int main(int argc, char **argv)
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
    goes_back(argc > 1 ? atoi(argv[1]) : 3);
    read_only_page();
    l0_close();
    return 0;
}
