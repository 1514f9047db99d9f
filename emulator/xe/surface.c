#include "xe/surface.h"

/* RENDER_SURFACE_STATE (PRM Vol 2d, the same fields from Gen9 to Xe-HPG): what buffers use. */
enum {
    SURFACE_STATE_BYTES = 64,
    SURFACE_TYPE_BUFFER = 4,
    SURFACE_TYPE_SCRATCH = 6,
    SURFACE_TYPE_NULL = 7,
};

static int read_state(struct thread *thread, const struct inst *inst, uint64_t state,
                      struct surface *surface, uint32_t *type)
{
    uint32_t dwords[SURFACE_STATE_BYTES / 4];
    const void *host = address_space_host(thread->space, state, SURFACE_STATE_BYTES);
    if (!host)
        return thread_fault(thread, inst, "surface state at unmapped address 0x%llx",
                            (unsigned long long)state);
    memcpy(dwords, host, sizeof(dwords));
    *type = dwords[0] >> 29;
    /* the size of a buffer, less one, is spread over width, height and depth */
    uint64_t entries = (uint64_t)(dwords[2] & 0x7f) | (uint64_t)(dwords[2] >> 16 & 0x3fff) << 7 |
                       (uint64_t)(dwords[3] >> 21 & 0x7ff) << 21;
    uint64_t pitch = (dwords[3] & 0x3ffff) + 1;
    *surface =
        (struct surface){.address = ((uint64_t)dwords[9] << 32 | dwords[8]) & GPU_ADDRESS_MASK};
    switch (*type) {
    case SURFACE_TYPE_BUFFER:
        surface->bytes = (entries + 1) * pitch;
        return 0;
    case SURFACE_TYPE_SCRATCH: /* one piece of `pitch` bytes for each thread of the device */
        surface->address += thread->hardware_id * pitch;
        surface->bytes = pitch;
        return 0;
    case SURFACE_TYPE_NULL:
        return 0;
    default:
        return thread_fault(thread, inst, "surface of type %u, which is no buffer", *type);
    }
}

int surface_by_state(struct thread *thread, const struct inst *inst, uint64_t state,
                     struct surface *surface)
{
    uint32_t type;
    return read_state(thread, inst, state, surface, &type);
}

/* Finds the host's memory behind a surface. */
static void map_surface(const struct address_space *space, struct surface *surface)
{
    const struct mapping *mapping = address_space_find(space, surface->address, 1);
    if (!mapping)
        return;
    uint64_t within = surface->address - mapping->address, left = mapping->size - within;
    surface->host = mapping->host + within;
    surface->physical = mapping->physical + within;
    surface->reach = surface->bytes < left ? surface->bytes : left;
}

/* States do not change under a kernel. One of scratch memory is another for each thread. */
static void remember(struct thread *thread, unsigned index, uint32_t type,
                     const struct surface *surface)
{
    if (index >= ACCESS_SURFACES || type == SURFACE_TYPE_SCRATCH)
        return;
    struct surface *known = &thread->access->surfaces[index];
    *known = *surface;
    map_surface(thread->space, known);
    known->known = true;
}

int surface_by_index(struct thread *thread, const struct inst *inst, unsigned index,
                     struct surface *surface)
{
    const struct walker *walker = thread->walker;
    uint64_t entry = walker->surface_state_base + walker->binding_table_offset + index * 4u;
    if (index < ACCESS_SURFACES && thread->access->surfaces[index].known) {
        *surface = thread->access->surfaces[index];
        return 0;
    }
    const void *host = address_space_host(thread->space, entry, 4);
    if (!host)
        return thread_fault(thread, inst, "binding table entry %u at unmapped address 0x%llx",
                            index, (unsigned long long)entry);
    uint32_t offset, type;
    memcpy(&offset, host, sizeof(offset));
    int status = read_state(thread, inst, walker->surface_state_base + (offset & ~UINT32_C(63)),
                            surface, &type);
    if (!status)
        remember(thread, index, type, surface);
    return status;
}
