/* Block messages: one address, with bytes contiguous in memory and in registers. Threads begin with
 * some, and use them for values that all lanes share. Those out of bounds, or not within one
 * mapping, take the general path, as in fast-message.c. */
#include "isa/fast/fast-block.h"

#include "isa/message/access.h"
#include "isa/message/last-mapping.h"
#include "isa/message/memory-access.h"

/* Where the block lies. */
struct block_memory {
    uint8_t *host;
    uint64_t physical;
};

static bool find_in_surface(const struct surface *surface, uint64_t offset, uint32_t bytes,
                            struct block_memory *block)
{
    if (bytes > surface->reach || offset > surface->reach - bytes)
        return false;
    *block = (struct block_memory){surface->host + offset, surface->physical + offset};
    return true;
}

static bool find_in_slm(const struct thread *thread, uint64_t offset, uint32_t bytes,
                        struct block_memory *block)
{
    if (offset + bytes > thread->slm_bytes)
        return false;
    *block = (struct block_memory){thread->slm + offset, 0};
    return true;
}

static bool find_global(struct thread *thread, const struct inst *inst, uint64_t base,
                        uint64_t offset, uint32_t bytes, struct block_memory *block)
{
    uint64_t address = address_cut(thread->space, base + offset);

    if (offset + bytes < offset)
        return false;
    const struct mapping *mapping = find_mapping(thread, inst, address, bytes);
    if (!mapping)
        return false;
    uint64_t within = address - mapping->address;
    *block = (struct block_memory){mapping->host + within, mapping->physical + within};
    return true;
}

static bool find_in_scratch(struct thread *thread, const struct inst *inst, uint64_t offset,
                            uint32_t bytes, struct block_memory *block)
{
    struct surface surface;

    return !memory_scratch(thread, inst, &inst->message, &surface) &&
           offset + bytes <= surface.bytes &&
           find_global(thread, inst, surface.address, offset, bytes, block);
}

static bool find_block(struct thread *thread, const struct inst *inst, struct block_memory *block)
{
    const struct message *m = &inst->message;
    uint64_t offset = memory_block_offset(thread, inst, m);

    switch (m->base) {
    case BASE_SURFACE:
        return find_in_surface(&thread->access->surfaces[m->surface], offset, m->end, block);
    case BASE_SLM:
        return find_in_slm(thread, offset, m->end, block);
    case BASE_SCRATCH:
        return find_in_scratch(thread, inst, offset, m->end, block);
    case BASE_STATELESS:
        return find_global(thread, inst, memory_stateless_base(thread, inst, m), offset, m->end,
                           block);
    default:
        return find_global(thread, inst, 0, offset, m->end, block);
    }
}

static void report_access(struct thread *thread, const struct inst *inst,
                          const struct block_memory *block)
{
    const struct message *m = &inst->message;
    struct message_access *access = thread->access;
    struct transfer *t = &access->transfer;

    access_begin(access, inst, m, 1);
    t->form = TRANSFER_RUN;
    t->run_bytes = m->end;
    t->host_count = 1;
    access->hosts[0] = block->host;
    if (m->base == BASE_SLM)
        access_add_banks(thread);
    else
        lines_add_bytes(thread, block->physical, m->end);
}

static int move_block(struct thread *thread, const struct inst *inst)
{
    const struct message *m = &inst->message;
    uint32_t mask = thread_write_mask(thread, inst);
    struct block_memory block;

    if (!mask || memory_is_partial(inst, m, mask) || !find_block(thread, inst, &block))
        return inst->general(thread, inst);
    thread->message = m;
    if (!thread->access->timeless)
        report_access(thread, inst, &block);
    if (m->base != BASE_SLM && thread->access->later)
        return 0;
    if (m->kind == MESSAGE_LOAD)
        memcpy(thread->registers + inst->destination.offset, block.host, m->end);
    else
        memcpy(block.host, thread->registers + inst->source[1].offset, m->end);
    return 0;
}

execute_function fast_block_select(const struct inst *inst)
{
    const struct message *m = &inst->message;

    if (!inst->has_message || inst->end_of_thread || !m->block || !m->may_run ||
        !memory_registers_fit(inst))
        return NULL;
    bool has_base = (m->base == BASE_SURFACE && m->surface < ACCESS_SURFACES) ||
                    m->base == BASE_SLM || m->base == BASE_FLAT || m->base == BASE_STATELESS ||
                    m->base == BASE_SCALAR || (m->base == BASE_SCRATCH && m->has_header);
    return has_base && m->address_bytes >= 4 ? move_block : NULL;
}
