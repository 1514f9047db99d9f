#include "memory/address-space.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The index of the first mapping whose end lies above `address`. */
static size_t first_ending_above(const struct address_space *space, uint64_t address)
{
    size_t low = 0, high = space->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct mapping *mapping = &space->mappings[middle];

        if (mapping->address + mapping->size > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int make_room(struct address_space *space)
{
    if (space->count < space->capacity)
        return 0;
    size_t capacity = space->capacity ? space->capacity * 2 : 32;
    struct mapping *grown = realloc(space->mappings, capacity * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    space->mappings = grown;
    space->capacity = capacity;
    return 0;
}

int address_space_add(struct address_space *space, const struct mapping *mapping)
{
    struct mapping added = *mapping;

    added.address = address_cut(space, added.address);
    if (added.size == 0 || added.size - 1 > address_cut(space, UINT64_MAX) - added.address)
        return -EINVAL;

    size_t at = first_ending_above(space, added.address);
    if (at < space->count && space->mappings[at].address < added.address + added.size)
        return -EEXIST;
    if (make_room(space))
        return -ENOMEM;

    memmove(&space->mappings[at + 1], &space->mappings[at],
            (space->count - at) * sizeof(*space->mappings));
    space->mappings[at] = added;
    space->count++;
    return 0;
}

static struct mapping mirrored(uint64_t from, uint64_t to, uint64_t physical)
{
    return (struct mapping){.address = from,
                            .size = to - from,
                            .host = (uint8_t *)(uintptr_t)from,
                            .physical = physical + from,
                            .mirrors = true};
}

int address_space_mirror(struct address_space *space, uint64_t from, uint64_t to, uint64_t physical)
{
    for (size_t i = first_ending_above(space, from); from < to; i++) {
        const bool is_last = i == space->count || space->mappings[i].address >= to;
        const uint64_t end = is_last ? to : space->mappings[i].address;

        if (from < end) {
            const struct mapping free_part = mirrored(from, end, physical);
            int status = address_space_add(space, &free_part);

            if (status)
                return status;
            i++; /* it lies before the one that it ends at */
        }
        if (is_last)
            return 0;
        from = space->mappings[i].address + space->mappings[i].size;
    }
    return 0;
}

bool process_has(uint64_t address, uint64_t bytes)
{
    uint8_t read[64];
    const struct iovec here = {read, bytes < sizeof(read) ? bytes : sizeof(read)};
    const struct iovec there = {(void *)(uintptr_t)address, here.iov_len};

    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) >= 0 || errno != EFAULT;
}

int address_space_copy(struct address_space *to, const struct address_space *from)
{
    *to = (struct address_space){.wide = from->wide};
    if (from->count == 0)
        return 0;
    to->mappings = malloc(from->count * sizeof(*to->mappings));
    if (!to->mappings)
        return -ENOMEM;
    memcpy(to->mappings, from->mappings, from->count * sizeof(*to->mappings));
    to->count = to->capacity = from->count;
    return 0;
}

int address_space_remove(struct address_space *space, uint64_t address)
{
    address = address_cut(space, address);
    size_t at = first_ending_above(space, address);
    if (at == space->count || space->mappings[at].address != address)
        return -ENOENT;
    space->count--;
    memmove(&space->mappings[at], &space->mappings[at + 1],
            (space->count - at) * sizeof(*space->mappings));
    return 0;
}

const struct mapping *address_space_find(const struct address_space *space, uint64_t address,
                                         uint64_t size)
{
    address = address_cut(space, address);
    size_t at = first_ending_above(space, address);
    if (at == space->count)
        return NULL;
    const struct mapping *mapping = &space->mappings[at];
    if (address < mapping->address || size > mapping->address + mapping->size - address)
        return NULL;
    return mapping;
}

uint64_t address_space_run(const struct address_space *space, uint64_t address, uint64_t size)
{
    const struct mapping *mapping = address_space_find(space, address, 0);

    if (!mapping)
        return 0;
    uint64_t left = mapping->address + mapping->size - address_cut(space, address);
    return left < size ? left : size;
}

void *address_space_host(const struct address_space *space, uint64_t address, uint64_t size)
{
    const struct mapping *mapping = address_space_find(space, address, size);

    if (!mapping)
        return NULL;
    return mapping->host + (address_cut(space, address) - mapping->address);
}

void address_space_release(struct address_space *space)
{
    free(space->mappings);
    *space = (struct address_space){.wide = space->wide};
}
