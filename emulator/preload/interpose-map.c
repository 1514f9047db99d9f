/* mmap on the node: a second mapping of a buffer's pages, which stay for as long as it does. */
#include "preload/interpose.h"

#include "memory/round-up.h"

#include <errno.h>
#include <sys/mman.h>

#define PAGE_BYTES 4096

typedef void *map_function(void *address, size_t size, int protection, int flags, int fd,
                           off_t offset);

static void *map(map_function *next, struct node_file *file, void *address, size_t size,
                 int protection, int flags, off_t offset)
{
    const int placing = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT);
    int type = flags & MAP_TYPE;

    if ((type != MAP_SHARED && type != MAP_SHARED_VALIDATE) || offset < 0 || offset % PAGE_BYTES) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    size = round_up(size, PAGE_BYTES);
    /* reserves the address, with all the checks of mmap */
    void *mapped = next(address, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | placing, -1, 0);
    if (mapped == MAP_FAILED)
        return mapped;
    int status = node_map(file, (uint64_t)offset, size, protection, mapped);
    if (!status && protection != (PROT_READ | PROT_WRITE) && mprotect(mapped, size, protection))
        status = -errno;
    if (!status)
        return mapped;
    munmap(mapped, size);
    errno = -status;
    return MAP_FAILED;
}

/* off_t and off64_t are the same on 64-bit systems. */
_Static_assert(sizeof(off_t) == 8, "needs a 64-bit system");

#define MMAP(name)                                                                                 \
    EXPORT void *name(void *address, size_t size, int protection, int flags, int fd, off_t offset) \
    {                                                                                              \
        NEXT(name, void *, void *, size_t, int, int, int, off_t)                                   \
        struct node_file *file = flags & MAP_ANONYMOUS ? NULL : interpose_file(fd);                \
                                                                                                   \
        return file ? map(next, file, address, size, protection, flags, offset)                    \
                    : next(address, size, protection, flags, fd, offset);                          \
    }

MMAP(mmap)
MMAP(mmap64)
