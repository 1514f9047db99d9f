/* The registers that batches can see: the block of their own engine, and whatever else drivers
 * write, which has no effect here but keeps its value. */
#include <errno.h>
#include <inttypes.h>

#include "streamer/context.h"

#define MMIO_BYTES   0x800000 /* register offsets have 23 bits */
#define BLOCK_BYTES  0x1000
#define RENDER_BLOCK 0x2000

/* Engines' register blocks (i915's intel_engine_regs.h). Offsets in the render engine's block
 * always mean the own engine: Gen12 drivers set "MMIO remap" wherever that matters, and a copy or
 * compute batch has no business with the render engine's registers. */
static bool in_own_block(const struct cs_context *context, uint32_t offset)
{
    static const uint32_t bases[] = {[CS_ENGINE_RENDER] = RENDER_BLOCK,
                                     [CS_ENGINE_COPY] = 0x22000,
                                     [CS_ENGINE_COMPUTE] = 0x1a000};
    uint32_t base = offset & ~(uint32_t)(BLOCK_BYTES - 1);

    return base == RENDER_BLOCK || base == bases[context->engine];
}

static int check_offset(struct batch *batch, uint32_t offset)
{
    if (offset % 4 || offset >= MMIO_BYTES)
        return batch_fault(batch, "there is no register 0x%" PRIx32, offset);
    return 0;
}

/* The slot of `offset`, or the free one where it belongs, or -1 if the table is full. */
static int other_slot(const struct other_registers *other, uint32_t offset)
{
    for (unsigned i = 0; i < OTHER_REGISTERS_MAX; i++) {
        unsigned slot = (offset / 4 + i) % OTHER_REGISTERS_MAX;

        if (other->offsets[slot] == offset || other->offsets[slot] == 0)
            return (int)slot;
    }
    return -1;
}

int register_read(struct batch *batch, uint32_t offset, uint32_t *value)
{
    const struct cs_context *context = batch->context;
    uint64_t ticks;

    if (check_offset(batch, offset))
        return -EFAULT;
    if (!in_own_block(context, offset)) {
        int slot = other_slot(&context->registers.other, offset);

        *value = slot < 0 ? 0 : context->registers.other.values[slot];
        return 0;
    }
    switch (RENDER_BLOCK + offset % BLOCK_BYTES) {
    case REG_TIMESTAMP:
    case REG_TIMESTAMP + 4:
        ticks = stack_ticks(batch->stack, batch->stack->clock);
        break;
    case REG_CTX_TIMESTAMP:
    case REG_CTX_TIMESTAMP + 4:
        ticks = context_ticks(batch->stack, batch->stack->clock, context_away_cycles(context));
        break;
    default:
        *value = context->registers.block[offset % BLOCK_BYTES / 4];
        return 0;
    }
    *value = (uint32_t)(offset & 4 ? ticks >> 32 : ticks);
    return 0;
}

/* Copies are not split: one engine makes them. */
static bool has_partners(const struct cs_context *context)
{
    return context->cs->device->stacks > 1 && context->engine != CS_ENGINE_COPY;
}

int register_write(struct batch *batch, uint32_t offset, uint32_t value)
{
    struct registers *registers = &batch->context->registers;

    if (check_offset(batch, offset))
        return -EFAULT;
    if (in_own_block(batch->context, offset)) {
        registers->block[offset % BLOCK_BYTES / 4] = value;
        if (RENDER_BLOCK + offset % BLOCK_BYTES == REG_PARTITION_ID)
            batch->context->has_partition = has_partners(batch->context);
        return 0;
    }
    int slot = other_slot(&registers->other, offset);
    if (slot < 0)
        return batch_fault(batch, "writes more than %d registers that the model does not know",
                           OTHER_REGISTERS_MAX);
    registers->other.offsets[slot] = offset;
    registers->other.values[slot] = value;
    return 0;
}

uint32_t register_own(const struct cs_context *context, uint32_t offset)
{
    return context->registers.block[offset % BLOCK_BYTES / 4];
}

uint64_t register_gpr(const struct cs_context *context, unsigned index)
{
    const uint32_t *gpr = &context->registers.block[REG_GPR0 % BLOCK_BYTES / 4 + index * 2];

    return gpr[0] | (uint64_t)gpr[1] << 32;
}

void register_set_gpr(struct cs_context *context, unsigned index, uint64_t value)
{
    uint32_t *gpr = &context->registers.block[REG_GPR0 % BLOCK_BYTES / 4 + index * 2];

    gpr[0] = (uint32_t)value;
    gpr[1] = (uint32_t)(value >> 32);
}
