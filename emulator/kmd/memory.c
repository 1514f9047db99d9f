/* Buffer objects and the physical memory under them. Physical addresses are handed out in order
 * and never again, so that what caches do depends on the program's allocations alone. The host's
 * memory is shared and nameless: a mapping that the program makes is a second one of the same
 * pages, and the pages go back to the host when the buffer and the last mapping are gone. Only
 * those that another process may ask for are a file's (prime.c). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kmd/node.h"
#include "kmd/page.h"
#include "memory/round-up.h"

/* The physical map, whose addresses are also the offsets at which programs map buffers. Each part
 * has room for 2^43 bytes of allocations over a process's life. */
#define LOCAL_BASE         UINT64_C(0x000010000) /* in the part of a stack */
#define SYSTEM_BASE        PHYSICAL_HOST_BASE
#define USERPTR_BASE       (UINT64_C(2) << 44) /* nothing to map */
#define PART_BYTES         (PHYSICAL_STACK_BYTES - LOCAL_BASE)

#define PHYSICAL_ALIGNMENT UINT64_C(65536) /* i915's page size in local memory */

/* Where this process maps the page at physical address 0, if nothing else is there. On hardware a
 * buffer's pages take no addresses of the program's. So they stay away from where the host places
 * mappings: there they could move into a range that the program has unmapped and is about to map
 * again (MAP_FIXED), as Intel's driver does with ranges that it reserves. */
#define HOST_MAPPINGS (UINT64_C(1) << 45)

unsigned region_count(const struct vesim_device *device)
{
    return LOCAL_REGION + (device->local_memory ? (unsigned)device->stacks : 0);
}

uint64_t region_bytes(const struct vesim_device *device, unsigned region)
{
    return (region == HOST_REGION ? device->system_memory : device->local_memory) << 20;
}

static uint64_t region_base(unsigned region)
{
    return region == HOST_REGION ? SYSTEM_BASE
                                 : (region - LOCAL_REGION) * PHYSICAL_STACK_BYTES + LOCAL_BASE;
}

int memory_init(struct memory *memory)
{
    int fd = memfd_create("vesim node", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd < 0)
        return -errno;
    /* Nobody must mistake it for a file to write to. */
    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    *memory = (struct memory){.fd = fd, .next_userptr = USERPTR_BASE};
    for (unsigned region = 0; region < REGIONS_MAX; region++)
        memory->next[region] = region_base(region);
    return 0;
}

/* Allocates `size` bytes of physical addresses; 0 when the part is exhausted. */
static uint64_t take_physical(uint64_t *next, uint64_t base, uint64_t size)
{
    uint64_t taken = *next;

    if (size > base + PART_BYTES - taken)
        return 0;
    *next = taken + round_up(size, PHYSICAL_ALIGNMENT);
    return taken;
}

/* `fd` is a file of pages, or -1 for new ones. */
static struct buffer_object *make_buffer(struct node *node, uint64_t size, unsigned region, int fd)
{
    struct memory *memory = &node->memory;
    uint64_t limit = region_bytes(&node->device, region), *used = &memory->used[region];
    struct buffer_object *buffer;

    if (size == 0 || size > limit)
        return NULL;
    size = round_up(size, PAGE_BYTES);
    if (size > limit - *used)
        return NULL;
    buffer = calloc(1, sizeof(*buffer));
    if (!buffer)
        return NULL;

    buffer->physical = take_physical(&memory->next[region], region_base(region), size);
    if (!buffer->physical)
        goto fail;
    buffer->host =
        mmap((void *)(uintptr_t)(HOST_MAPPINGS + buffer->physical), size, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_NORESERVE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
    if (buffer->host == MAP_FAILED)
        goto fail;
    buffer->size = size;
    buffer->region = region;
    buffer->references = 1;
    buffer->fd = -1;
    *used += size;
    return buffer;
fail:
    free(buffer);
    return NULL;
}

struct buffer_object *buffer_create(struct node *node, uint64_t size, unsigned region)
{
    return make_buffer(node, size, region, -1);
}

struct buffer_object *buffer_import(struct node *node, int fd, uint64_t size, unsigned region)
{
    struct buffer_object *buffer = make_buffer(node, size, region, fd);

    if (buffer)
        buffer_share(node, buffer, fd);
    else
        close(fd);
    return buffer;
}

void buffer_share(struct node *node, struct buffer_object *buffer, int fd)
{
    buffer->fd = fd;
    buffer->next_shared = node->shared;
    node->shared = buffer;
}

static void unshare_buffer(struct node *node, struct buffer_object *buffer)
{
    struct buffer_object **at = &node->shared;

    while (*at != buffer)
        at = &(*at)->next_shared;
    *at = buffer->next_shared;
    close(buffer->fd);
}

struct buffer_object *buffer_create_userptr(struct node *node, uint64_t pointer, uint64_t size)
{
    struct buffer_object *buffer = calloc(1, sizeof(*buffer));

    if (!buffer)
        return NULL;
    buffer->physical = take_physical(&node->memory.next_userptr, USERPTR_BASE, size);
    if (!buffer->physical) {
        free(buffer);
        return NULL;
    }
    buffer->host = (uint8_t *)(uintptr_t)pointer;
    buffer->size = size;
    buffer->userptr = true;
    buffer->references = 1;
    buffer->fd = -1;
    return buffer;
}

/* The kernel pins a user pointer's pages at first use, and returns EFAULT where the program may not
 * write them; drivers rely on that to detect bad pointers. */
int buffer_check_userptr(struct buffer_object *buffer)
{
    if (!buffer->userptr || buffer->userptr_checked)
        return 0;
    if (!user_may_write((uintptr_t)buffer->host, buffer->size))
        return -EFAULT;
    buffer->userptr_checked = true;
    return 0;
}

/* mremap(2) with an old size of 0 maps the same pages once more, where they are shared. */
int buffer_map(const struct buffer_object *buffer, uint64_t offset, size_t size, void *address)
{
    if (mremap(buffer->host + offset, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, address) ==
        MAP_FAILED)
        return -errno;
    return 0;
}

void buffer_put(struct node *node, struct buffer_object *buffer)
{
    struct memory *memory = &node->memory;

    if (--buffer->references)
        return;
    if (buffer->fd >= 0)
        unshare_buffer(node, buffer);
    if (!buffer->userptr) {
        munmap(buffer->host, buffer->size);
        memory->used[buffer->region] -= buffer->size;
    }
    free(buffer);
}
