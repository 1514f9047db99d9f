#include "isa/message/surface.h"

#include "isa/message/access.h"
#include "layout/surface-state.h"

static int read_state(struct thread *thread, const struct inst *inst, uint64_t at,
                      struct surface_state *state)
{
    uint32_t dwords[render_surface_state_dwords];
    const void *host = address_space_host(thread->space, at, SURFACE_STATE_BYTES);

    if (!host)
        return thread_page_fault(thread, inst, at, "surface state at");
    memcpy(dwords, host, sizeof(dwords));
    const struct render_surface_state surface = render_surface_state_unpack(dwords);
    *state = (struct surface_state){
        .at = at,
        .address = address_cut(thread->space, surface.address),
        .known = true,
    };
    switch (surface.type) {
    case SURFACE_TYPE_BUFFER:
        state->bytes = surface_state_elements(&surface) * (surface.pitch + 1);
        return 0;
    case SURFACE_TYPE_SCRATCH:
        state->is_scratch = true;
        state->bytes = (uint64_t)(surface.pitch + 1) * (surface.extends_scratch ? 64 : 1);
        return 0;
    case SURFACE_TYPE_NULL:
        return 0;
    default:
        return thread_fault(thread, inst, "surface of type %u, which is not a buffer",
                            surface.type);
    }
}

/* Caches the last state: surface states do not change while a kernel runs. */
static const struct surface_state *find_state(struct thread *thread, const struct inst *inst,
                                              uint64_t at)
{
    struct surface_state *last = &thread->access->last_state, state;

    if (last->known && last->at == at)
        return last;
    if (read_state(thread, inst, at, &state))
        return NULL;
    *last = state;
    return last;
}

static struct surface make_surface(const struct thread *thread, const struct surface_state *state)
{
    struct surface surface = {.address = state->address, .bytes = state->bytes};

    if (state->is_scratch)
        surface.address += thread->hardware_id * state->bytes;
    return surface;
}

int surface_by_state(struct thread *thread, const struct inst *inst, uint64_t at,
                     struct surface *surface)
{
    const struct surface_state *state = find_state(thread, inst, at);

    if (!state)
        return -1;
    *surface = make_surface(thread, state);
    return 0;
}

/* Finds the host memory behind a surface. */
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

/* Scratch surfaces are not remembered: they differ from thread to thread. */
static void remember(struct thread *thread, unsigned index, const struct surface_state *state,
                     const struct surface *surface)
{
    if (index >= ACCESS_SURFACES || state->is_scratch)
        return;
    struct surface *known = &thread->access->surfaces[index];
    *known = *surface;
    map_surface(thread->space, known);
    known->known = true;
}

int surface_state_by_index(struct thread *thread, const struct inst *inst, unsigned index,
                           uint64_t *at)
{
    const struct walker *walker = thread->walker;
    uint64_t entry = walker->surface_state_base + walker->binding_table_offset + index * 4u;
    const void *host = address_space_host(thread->space, entry, 4);

    if (!host)
        return thread_page_fault(thread, inst, entry, "binding table at");
    uint32_t offset;
    memcpy(&offset, host, sizeof(offset));
    *at = walker->surface_state_base + (offset & ~UINT32_C(63));
    return 0;
}

int surface_by_index(struct thread *thread, const struct inst *inst, unsigned index,
                     struct surface *surface)
{
    uint64_t at = 0;

    if (index < ACCESS_SURFACES && thread->access->surfaces[index].known) {
        *surface = thread->access->surfaces[index];
        return 0;
    }
    if (surface_state_by_index(thread, inst, index, &at))
        return -1;
    const struct surface_state *state = find_state(thread, inst, at);
    if (!state)
        return -1;
    *surface = make_surface(thread, state);
    remember(thread, index, state, surface);
    return 0;
}
