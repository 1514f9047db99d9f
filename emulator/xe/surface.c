#include "xe/surface.h"

/* RENDER_SURFACE_STATE (PRM Vol 2d, the same fields from Gen9 to Xe-HPG): what buffers use. */
enum {
    SURFACE_STATE_BYTES = 64,
    SURFACE_TYPE_BUFFER = 4,
    SURFACE_TYPE_SCRATCH = 6,
    SURFACE_TYPE_NULL = 7,
};

int surface_by_state(struct thread *thread, const struct inst *inst, uint64_t state,
                     struct surface *surface)
{
    uint32_t dwords[SURFACE_STATE_BYTES / 4];
    const void *host = address_space_host(thread->space, state, SURFACE_STATE_BYTES);
    if (!host)
        return thread_fault(thread, inst, "surface state at unmapped address 0x%llx",
                            (unsigned long long)state);
    memcpy(dwords, host, sizeof(dwords));
    uint32_t type = dwords[0] >> 29;
    /* the size of a buffer, less one, is spread over width, height and depth */
    uint64_t entries = (uint64_t)(dwords[2] & 0x7f) | (uint64_t)(dwords[2] >> 16 & 0x3fff) << 7 |
                       (uint64_t)(dwords[3] >> 21 & 0x7ff) << 21;
    uint64_t pitch = (dwords[3] & 0x3ffff) + 1;
    surface->address = ((uint64_t)dwords[9] << 32 | dwords[8]) & GPU_ADDRESS_MASK;
    switch (type) {
    case SURFACE_TYPE_BUFFER:
        surface->bytes = (entries + 1) * pitch;
        return 0;
    case SURFACE_TYPE_SCRATCH: /* one piece of `pitch` bytes for each thread of the device */
        surface->address += thread->hardware_id * pitch;
        surface->bytes = pitch;
        return 0;
    case SURFACE_TYPE_NULL:
        surface->bytes = 0;
        return 0;
    default:
        return thread_fault(thread, inst, "surface of type %u, which is no buffer", type);
    }
}

int surface_by_index(struct thread *thread, const struct inst *inst, unsigned index,
                     struct surface *surface)
{
    const struct walker *walker = thread->walker;
    uint64_t entry = walker->surface_state_base + walker->binding_table_offset + index * 4u;
    struct surface *known = index < THREAD_SURFACES ? &thread->surfaces[index] : NULL;
    if (known && known->known) { /* states do not change under a kernel */
        *surface = *known;
        return 0;
    }
    const void *host = address_space_host(thread->space, entry, 4);
    if (!host)
        return thread_fault(thread, inst, "binding table entry %u at unmapped address 0x%llx",
                            index, (unsigned long long)entry);
    uint32_t offset;
    memcpy(&offset, host, sizeof(offset));
    int status = surface_by_state(thread, inst,
                                  walker->surface_state_base + (offset & ~UINT32_C(63)), surface);
    if (!status && known) {
        *known = *surface;
        known->known = true;
    }
    return status;
}
