#include "kmd/shared-pages.h"
#include "kmd/page.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK_BYTES = 4 << 20 };

/* Where the process has mapped a part of the memory. */
struct area {
    uint8_t *start;
    size_t size;
    size_t offset; /* of its first byte in the memory */
    int protection;
    unsigned major, minor; /* what is mapped there: a device and an inode of it */
    unsigned long inode;
};

struct areas {
    struct area *items;
    size_t count, capacity;
};

/* A line of /proc/self/maps. */
static bool parse_area(const char *line, struct area *area)
{
    unsigned long start, end, offset;
    char flags[5];

    if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu", &start, &end, flags, &offset, &area->major,
               &area->minor, &area->inode) != 7)
        return false;
    /* The kernel's own number. */
    memcpy(&area->start, &start, sizeof(start));
    area->size = end - start;
    area->offset = offset;
    area->protection = (flags[0] == 'r' ? PROT_READ : 0) | (flags[1] == 'w' ? PROT_WRITE : 0) |
                       (flags[2] == 'x' ? PROT_EXEC : 0);
    return flags[3] == 's';
}

static int add_area(struct areas *areas, const struct area *area)
{
    if (areas->count == areas->capacity) {
        size_t capacity = areas->capacity ? 2 * areas->capacity : 256;
        struct area *grown = realloc(areas->items, capacity * sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        areas->items = grown;
        areas->capacity = capacity;
    }
    areas->items[areas->count++] = *area;
    return 0;
}

/* All that the process has mapped and may share with others. */
static int read_areas(struct areas *areas)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t capacity = 0;
    int status = maps ? 0 : -errno;

    while (!status && getline(&line, &capacity, maps) >= 0) {
        struct area area;

        if (parse_area(line, &area))
            status = add_area(areas, &area);
    }
    free(line);
    if (maps)
        fclose(maps);
    return status;
}

/* Leaves those of the same memory as what is at `memory`. Returns 0, or -EINVAL if that is none. */
static int select_areas(struct areas *areas, const uint8_t *memory)
{
    const struct area *areas_end = areas->items + areas->count, *found = areas->items;
    size_t count = 0;

    while (found < areas_end && (memory < found->start || memory >= found->start + found->size))
        found++;
    if (found == areas_end)
        return -EINVAL;
    const struct area same = *found;
    for (size_t i = 0; i < areas->count; i++) {
        const struct area *area = &areas->items[i];

        if (area->inode == same.inode && area->major == same.major && area->minor == same.minor)
            areas->items[count++] = *area;
    }
    areas->count = count;
    return 0;
}

/* Writes what is not zero: the file stays as sparse as memory was. */
static int write_pages(const uint8_t *from, size_t size, int fd, size_t offset)
{
    static const uint8_t zeros[PAGE_BYTES];

    for (size_t at = 0; at < size; at += PAGE_BYTES)
        if (memcmp(from + at, zeros, PAGE_BYTES) != 0 &&
            pwrite(fd, from + at, PAGE_BYTES, (off_t)(offset + at)) != (ssize_t)PAGE_BYTES)
            return -ENOMEM;
    return 0;
}

/* Maps the file's bytes from `offset` on wherever the memory's are mapped. */
static int remap(const struct areas *areas, size_t offset, size_t size, int fd)
{
    for (size_t i = 0; i < areas->count; i++) {
        const struct area *area = &areas->items[i];
        size_t from = area->offset > offset ? area->offset : offset;
        size_t area_end = area->offset + area->size, end = offset + size;

        end = area_end < end ? area_end : end;
        if (from < end && mmap(area->start + (from - area->offset), end - from, area->protection,
                               MAP_SHARED | MAP_FIXED, fd, (off_t)from) == MAP_FAILED)
            return -errno;
    }
    return 0;
}

/* Repeats what others have written to `old` since the copy, unless they have written there again.
 */
static void repeat_writes(uint32_t *memory, const uint32_t *old, const uint32_t *copy, size_t size)
{
    for (size_t i = 0; i < size / sizeof(*copy); i++) {
        uint32_t written = __atomic_load_n(&old[i], __ATOMIC_RELAXED), expected = copy[i];

        if (written != expected)
            __atomic_compare_exchange_n(&memory[i], &expected, written, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED);
    }
}

/* `old` is another mapping of the memory, which stays. */
static int move_chunk(const struct areas *areas, uint8_t *memory, uint8_t *old, size_t offset,
                      size_t size, int fd, uint32_t *copy)
{
    memcpy(copy, old + offset, size);
    int status = write_pages((const uint8_t *)copy, size, fd, offset);
    if (!status)
        status = remap(areas, offset, size, fd);
    if (status)
        return status;
    repeat_writes((uint32_t *)(void *)(memory + offset), (uint32_t *)(void *)(old + offset), copy,
                  size);
    madvise(old + offset, size, MADV_REMOVE);
    return 0;
}

static int move_chunks(const struct areas *areas, uint8_t *memory, size_t size, int fd)
{
    uint32_t *copy = malloc(CHUNK_BYTES);
    uint8_t *old = mremap(memory, 0, size, MREMAP_MAYMOVE);
    int status = copy && old != MAP_FAILED ? 0 : -ENOMEM;

    for (size_t at = 0; !status && at < size; at += CHUNK_BYTES)
        status = move_chunk(areas, memory, old, at,
                            size - at < CHUNK_BYTES ? size - at : CHUNK_BYTES, fd, copy);
    if (old != MAP_FAILED)
        munmap(old, size);
    free(copy);
    return status;
}

int shared_pages_move(uint8_t *memory, size_t size, int fd)
{
    struct areas areas = {0};
    int status = read_areas(&areas);

    if (!status)
        status = select_areas(&areas, memory);
    if (!status)
        status = move_chunks(&areas, memory, size, fd);
    free(areas.items);
    return status;
}
