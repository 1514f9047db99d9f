/* MI commands: flow of batches, registers and memory. */
#include <errno.h>
#include <inttypes.h>

#include "streamer/commands.h"
#include "streamer/context.h"

/* Dwords a command must have. Longer ones are refused too, since what their extra dwords ask for
 * would be lost. */
static int require_exactly(struct batch *batch, const uint32_t *d, uint32_t count, uint32_t wanted)
{
    if (count != wanted)
        return batch_fault(batch,
                           "command 0x%08" PRIx32 " has %" PRIu32 " dwords instead of %" PRIu32,
                           d[0], count, wanted);
    return 0;
}

bool compare_holds(unsigned operation, uint64_t memory, uint64_t data)
{
    switch (operation) {
    case 0:
        return memory > data;
    case 1:
        return memory >= data;
    case 2:
        return memory < data;
    case 3:
        return memory <= data;
    case 4:
        return memory == data;
    case 5:
        return memory != data;
    default:
        return false;
    }
}

static int batch_buffer_start(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_batch_buffer_start command = mi_batch_buffer_start_unpack(d);
    uint32_t predicate;

    if (require_exactly(batch, d, count, 3))
        return -EFAULT;
    if (command.predication_enable && !batch->by_result_2) {
        if (register_read(batch, REG_PREDICATE_RESULT, &predicate))
            return -EFAULT;
        if (!(predicate & 1))
            return 0;
    }
    if (command.second_level) {
        if (batch->level == BATCH_LEVELS_MAX)
            return batch_fault(batch, "batch buffers are nested deeper than %d", BATCH_LEVELS_MAX);
        batch->returns[batch->level++] = batch->next_pc;
    }
    batch->next_pc = command.indirect ? register_gpr(batch->context, 0) : command.address;
    return batch_jumps(batch);
}

static int batch_buffer_end(struct batch *batch)
{
    if (batch->level)
        batch->next_pc = batch->returns[--batch->level];
    else
        batch->ended = true;
    return 0;
}

/* Execution goes on while the comparison holds (PRM Vol 2a). */
static int conditional_batch_buffer_end(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_conditional_batch_buffer_end command =
        mi_conditional_batch_buffer_end_unpack(d);
    uint32_t memory;

    if (require_exactly(batch, d, count, 4))
        return -EFAULT;
    if (!command.compare_semaphore || command.compare_mask_mode)
        return batch_fault(batch, "this form of MI_CONDITIONAL_BATCH_BUFFER_END is not modelled");
    if (batch_read32(batch, command.address, &memory))
        return -EFAULT;
    if (compare_holds(command.compare_operation, memory, command.data))
        return 0;
    return batch_buffer_end(batch);
}

static int store_data(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_store_data_imm command = mi_store_data_imm_unpack(d);

    const uint64_t address =
        batch_partition_address(batch, command.partition_offset, command.address);

    if (require_exactly(batch, d, count, command.store_qword ? 5 : 4))
        return -EFAULT;
    if (command.store_qword)
        return batch_write64(batch, address, command.data);
    return batch_write32(batch, address, (uint32_t)command.data);
}

static int load_register_imm(struct batch *batch, const uint32_t *d, uint32_t count)
{
    if (count % 2 == 0)
        return batch_fault(batch, "MI_LOAD_REGISTER_IMM has half a pair");
    for (uint32_t i = 1; i < count; i += 2) {
        const struct register_pair pair = register_pair_unpack(d + i);

        if (register_write(batch, pair.offset, pair.data))
            return -EFAULT;
    }
    return 0;
}

static int load_register_mem(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_load_register_mem command = mi_load_register_mem_unpack(d);
    const uint64_t address =
        batch_partition_address(batch, command.partition_offset, command.address);
    uint32_t value;

    if (require_exactly(batch, d, count, 4) || batch_read32(batch, address, &value))
        return -EFAULT;
    return register_write(batch, command.offset, value);
}

static int load_register_reg(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_load_register_reg command = mi_load_register_reg_unpack(d);
    uint32_t value;

    if (require_exactly(batch, d, count, 3) || register_read(batch, command.source, &value))
        return -EFAULT;
    return register_write(batch, command.destination, value);
}

static int store_register_mem(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_store_register_mem command = mi_store_register_mem_unpack(d);
    uint32_t value, predicate;

    if (require_exactly(batch, d, count, 4))
        return -EFAULT;
    if (command.predicate_enable) {
        if (register_read(batch, REG_PREDICATE_RESULT, &predicate))
            return -EFAULT;
        if (!(predicate & 1))
            return 0;
    }
    if (register_read(batch, command.offset, &value))
        return -EFAULT;
    return batch_write32(
        batch, batch_partition_address(batch, command.partition_offset, command.address), value);
}

static int copy_mem_mem(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_copy_mem_mem command = mi_copy_mem_mem_unpack(d);
    uint32_t value;

    if (require_exactly(batch, d, count, 5) || batch_read32(batch, command.source, &value))
        return -EFAULT;
    return batch_write32(batch, command.destination, value);
}

/* MI_SET_PREDICATE makes no-ops of what follows, by PREDICATE_RESULT_2, until it says otherwise
 * (PRM Vol 2a, Predicate Enable). */
static int set_predicate(struct batch *batch, const uint32_t *d)
{
    uint32_t result;

    if (register_read(batch, REG_PREDICATE_RESULT_2, &result))
        return -EFAULT;
    const struct mi_set_predicate command = mi_set_predicate_unpack(d);
    uint32_t enable = command.predicate_enable;

    if (command.by_partition)
        return batch_fault(batch, "MI_SET_PREDICATE by the partition is not modelled");

    batch->by_result_2 = enable == 1 || enable == 2;
    switch (enable) {
    case 0: /* never */
        batch->skip = false;
        return 0;
    case 1: /* on Result 2 clear */
        batch->skip = !(result & 1);
        return 0;
    case 2: /* on Result 2 set */
        batch->skip = result & 1;
        return 0;
    case 15: /* always */
        batch->skip = true;
        return 0;
    default:
        return batch_fault(batch, "this form of MI_SET_PREDICATE is not modelled");
    }
}

/* Commands of a loop that polls. */
static bool only_looks(uint32_t opcode)
{
    switch (opcode) {
    case MI_NOOP:
    case MI_ARB_CHECK:
    case MI_SET_PREDICATE:
    case MI_BATCH_BUFFER_START:
    case MI_CONDITIONAL_BATCH_BUFFER_END:
    case MI_LOAD_REGISTER_IMM:
    case MI_LOAD_REGISTER_MEM:
    case MI_LOAD_REGISTER_REG:
    case MI_MATH:
        return true;
    default:
        return false;
    }
}

int command_mi(struct batch *batch, const uint32_t *d, uint32_t count)
{
    uint32_t opcode = mi_header_unpack(d).opcode;

    if (batch->skip && opcode != MI_SET_PREDICATE && opcode != MI_BATCH_BUFFER_END)
        return 0;
    if (!only_looks(opcode))
        batch->jumps = 0;
    switch (opcode) {
    case MI_NOOP:
    case MI_USER_INTERRUPT: /* nobody listens: waits poll memory or the buffer object */
    case MI_ARB_CHECK:      /* turns change at semaphores, jumps and ends of batches */
    case MI_MEM_FENCE:      /* commands are executed in order, and done before the next */
    case MI_ARB_ON_OFF:
        return 0;
    case MI_SET_PREDICATE:
        return set_predicate(batch, d);
    case MI_BATCH_BUFFER_START:
        return batch_buffer_start(batch, d, count);
    case MI_BATCH_BUFFER_END:
        return batch_buffer_end(batch);
    case MI_CONDITIONAL_BATCH_BUFFER_END:
        return conditional_batch_buffer_end(batch, d, count);
    case MI_STORE_DATA_IMM:
        return store_data(batch, d, count);
    case MI_LOAD_REGISTER_IMM:
        return load_register_imm(batch, d, count);
    case MI_LOAD_REGISTER_MEM:
        return load_register_mem(batch, d, count);
    case MI_LOAD_REGISTER_REG:
        return load_register_reg(batch, d, count);
    case MI_STORE_REGISTER_MEM:
        return store_register_mem(batch, d, count);
    case MI_COPY_MEM_MEM:
        return copy_mem_mem(batch, d, count);
    case MI_MATH:
        return command_math(batch, d, count);
    case MI_ATOMIC:
        return command_atomic(batch, d, count);
    case MI_SEMAPHORE_WAIT_64:
        return command_semaphore_wait_64(batch, d, count);
    case MI_SEMAPHORE_WAIT:
        return command_semaphore_wait(batch, d, count);
    case MI_FLUSH_DW:
        return command_flush_dw(batch, d, count);
    default:
        return batch_fault(batch, "MI command 0x%08" PRIx32 " is not modelled", d[0]);
    }
}
