/* The GPU's view of memory during one submission: which GPU virtual addresses are mapped, to
 * which bytes of the host process, and at which physical address of the emulated memory. */
#ifndef VESIM_ADDRESS_SPACE_H
#define VESIM_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* GPU virtual addresses are 48 bits wide, of some devices 57; the bits above are a sign extension
 * ("canonical form"). */
#define GPU_ADDRESS_MASK UINT64_C(0xffffffffffff)

/* Physical addresses from here on are of the host's memory, below it of the device's own. */
#define PHYSICAL_HOST_BASE (UINT64_C(1) << 44)

/* And from here on of what mirrors the process's own addresses. */
#define PHYSICAL_MIRROR_BASE (UINT64_C(1) << 48)

/* Of the device's own, each stack has so much. */
#define PHYSICAL_STACK_BYTES (UINT64_C(1) << 43)

/* The stack that has an address of the device's own memory. */
static inline unsigned physical_stack(uint64_t physical)
{
    return (unsigned)(physical / PHYSICAL_STACK_BYTES);
}

struct mapping {
    uint64_t address;  /* first GPU virtual address, without the canonical sign extension */
    uint64_t size;     /* bytes */
    uint8_t *host;     /* first byte in this process; valid as long as the submission runs */
    uint64_t physical; /* first physical address: what caches index by. Deterministic: it depends
                          on the order of allocations only, never on where the host put them */
    bool local;        /* in the device's own memory; otherwise in the host's */
    bool mirrors;      /* the process's own addresses, whether or not it has memory there */
};

struct address_space {
    struct mapping *mappings; /* sorted by address, disjoint */
    size_t count;
    size_t capacity;
    uint64_t wide; /* the bits above the 48th that addresses have */
};

/* The bits above the 48th of addresses that are so wide. */
static inline uint64_t address_wide(unsigned bits)
{
    return ((UINT64_C(1) << bits) - 1) & ~GPU_ADDRESS_MASK;
}

/* The address without the sign extension. */
static inline uint64_t address_cut(const struct address_space *space, uint64_t address)
{
    return address & (GPU_ADDRESS_MASK | space->wide);
}

/* Adds a mapping; keeps order. Returns 0, or -ENOMEM, or -EEXIST if it overlaps another, or
 * -EINVAL if it is empty or reaches beyond the address space. */
int address_space_add(struct address_space *space, const struct mapping *mapping);

/* Maps what is left free of [from, to) to the same addresses of this process, whose physical
 * addresses begin at `physical` for address 0. Returns 0 or -ENOMEM. */
int address_space_mirror(struct address_space *space, uint64_t from, uint64_t to,
                         uint64_t physical);

/* Whether the process can read [address, address + bytes), which lies in one page. Where a sandbox
 * forbids to ask, it can. */
bool process_has(uint64_t address, uint64_t bytes);

/* Makes `to` a copy of the table, not of what it maps. Returns 0 or -ENOMEM. */
int address_space_copy(struct address_space *to, const struct address_space *from);

/* Takes out the mapping that begins at `address`. Returns 0, or -ENOENT where none does. */
int address_space_remove(struct address_space *space, uint64_t address);

/* The mapping that holds all of [address, address + size), or NULL. `address` may be canonical. */
const struct mapping *address_space_find(const struct address_space *space, uint64_t address,
                                         uint64_t size);

/* How many of the `size` bytes from `address` on lie in one mapping; 0: nothing is mapped there. */
uint64_t address_space_run(const struct address_space *space, uint64_t address, uint64_t size);

/* The host's bytes behind [address, address + size), or NULL if not wholly in one mapping. */
void *address_space_host(const struct address_space *space, uint64_t address, uint64_t size);

/* Frees the table, not what it maps: the address space is empty then. */
void address_space_release(struct address_space *space);

#endif
