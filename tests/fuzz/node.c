/* Hostile requests to the node of a kernel driver (node-i915.c, node-xe.c). The input is an arena
 * of memory, then requests: a byte that picks one and the bytes of its structure. A quadword with
 * ARENA_MARK in its upper half is a pointer into the arena, in requests as well as in the arena
 * itself; whatever else could be an address of this process is replaced by an unmapped one.
 * Addresses may also arise from two halves at an odd place, or from what a request has written; so
 * the node may only copy from and to the arena. A program may have its own heap overwritten; a
 * fuzzer may not. */
#include "node.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake-gpu.h"
#include "fuzz.h"

#define ARENA_INPUT_BYTES 1024
#define ARENA_MARK        UINT64_C(0xa7e4a)
#define REQUESTS_MAX      64

uint8_t *arena;

static struct memory untouched; /* the node's, before the first input */

/* Between inaccessible pages: an answer that the program asks to be written beyond its own arena
 * must not hit the fuzzer. */
static uint8_t *make_arena(void)
{
    enum { GUARD_BYTES = 1 << 20 };
    uint8_t *pages =
        mmap(NULL, ARENA_BYTES + 2 * GUARD_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED || mprotect(pages + GUARD_BYTES, ARENA_BYTES, PROT_READ | PROT_WRITE))
        abort();
    return pages + GUARD_BYTES;
}

static bool is_in_arena(uint64_t address, size_t size)
{
    uint64_t at = address - (uintptr_t)arena;

    return at < ARENA_BYTES && size <= ARENA_BYTES - at;
}

/* The linker puts these in the place of the node's own (--wrap). */
int __real_user_read(void *to, uint64_t address, size_t size);
int __real_user_write(uint64_t address, const void *from, size_t size);
int __wrap_user_read(void *to, uint64_t address, size_t size);
int __wrap_user_write(uint64_t address, const void *from, size_t size);

int __wrap_user_read(void *to, uint64_t address, size_t size)
{
    return is_in_arena(address, size) || size == 0 ? __real_user_read(to, address, size) : -EFAULT;
}

int __wrap_user_write(uint64_t address, const void *from, size_t size)
{
    return is_in_arena(address, size) || size == 0 ? __real_user_write(address, from, size)
                                                   : -EFAULT;
}

static void translate_pointers(uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at + 8 <= size; at += 8) {
        uint64_t value;

        memcpy(&value, bytes + at, sizeof(value));
        if (value >> 32 == ARENA_MARK)
            value = (uintptr_t)arena + value % ARENA_BYTES;
        else if (value >= UINT64_C(0x10000000) && value >> 48 == 0)
            value |= UINT64_C(1) << 63;
        memcpy(bytes + at, &value, sizeof(value));
    }
}

/* Makes one request; returns how many bytes of the input it took. */
static size_t make_request(struct node_file *file, const uint8_t *data, size_t size)
{
    unsigned long request = node_requests[data[0] % node_request_count];
    size_t wanted = _IOC_SIZE(request), given = size - 1 < wanted ? size - 1 : wanted;
    uint64_t copy[32] = {0};

    if (wanted > sizeof(copy))
        abort();
    memcpy(copy, data + 1, given);
    translate_pointers((uint8_t *)copy, wanted);
    if (!node_tame(file, request, copy))
        return 1 + given;
    int status = node_ioctl(file, request, copy);
    if (status > 0 || status < -4095)
        abort();
    if (status == 0)
        node_undo(request, copy);
    return 1 + given;
}

static struct node *get_node(void)
{
    const struct vesim_settings settings = vesim_settings_default();
    static struct node *node;
    struct vesim_device device;
    char error[512];

    if (!node && !vesim_device_load(&device, "a380", error, sizeof(error))) {
        device.kernel_driver = node_driver;
        node = node_create(&device, &settings, error, sizeof(error));
    }
    return node;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used = size < ARENA_INPUT_BYTES ? size : ARENA_INPUT_BYTES;
    struct node_file *file;
    int fd;

    if (!arena)
        arena = make_arena();
    struct node *node = get_node();
    if (!node || !(file = node_open(node, &fd)))
        abort();
    if (!untouched.fd)
        untouched = node->memory;
    fake_gpu = (struct fake_gpu){.walk_cycles = 1000};
    memset(arena, 0, ARENA_BYTES);
    memcpy(arena, data, used);
    translate_pointers(arena, ARENA_INPUT_BYTES);
    for (unsigned i = 0; used < size && i < REQUESTS_MAX; i++)
        used += make_request(file, data + used, size - used);
    close(fd);
    node_release(file);
    if (node->memory.used[LOCAL_REGION] || node->memory.used[HOST_REGION])
        abort();              /* something was forgotten */
    node->memory = untouched; /* physical addresses would run out eventually */
    return 0;
}
