/* MI_MATH: the streamer's ALU over its 16 general-purpose registers (PRM Vol 2a, MI_MATH). */
#include <errno.h>
#include <inttypes.h>

#include "streamer/context.h"

enum alu_opcode {
    ALU_NOOP = 0x000,
    ALU_FENCE_RD = 0x001, /* Xe-HPC and later, as are LOADIND and STOREIND */
    ALU_FENCE_WR = 0x002,
    ALU_LOAD = 0x080,
    ALU_LOADINV = 0x480,
    ALU_LOAD0 = 0x081,
    ALU_LOADIND = 0x082,
    ALU_LOAD1 = 0x481,
    ALU_ADD = 0x100,
    ALU_SUB = 0x101,
    ALU_AND = 0x102,
    ALU_OR = 0x103,
    ALU_XOR = 0x104,
    ALU_SHL = 0x105, /* Xe-HP and later */
    ALU_SHR = 0x106,
    ALU_SAR = 0x107,
    ALU_STORE = 0x180,
    ALU_STOREIND = 0x181,
    ALU_STOREINV = 0x580,
};

enum alu_operand {
    ALU_GPR_MAX = 0x0f,
    ALU_SRCA = 0x20,
    ALU_SRCB = 0x21,
    ALU_ACCU = 0x31,
    ALU_ZF = 0x32,
    ALU_CF = 0x33,
};

struct alu {
    uint64_t a, b, accumulator;
    bool zero, carry;
};

static int load_operand(struct batch *batch, const struct alu *alu, uint32_t operand,
                        uint64_t *value)
{
    if (operand <= ALU_GPR_MAX)
        *value = register_gpr(batch->context, operand);
    else if (operand == ALU_ACCU)
        *value = alu->accumulator;
    else if (operand == ALU_ZF)
        *value = alu->zero ? UINT64_MAX : 0;
    else if (operand == ALU_CF)
        *value = alu->carry ? UINT64_MAX : 0;
    else
        return batch_fault(batch, "MI_MATH has no source 0x%" PRIx32, operand);
    return 0;
}

static int set_source(struct batch *batch, struct alu *alu, uint32_t operand, uint64_t value)
{
    if (operand == ALU_SRCA)
        alu->a = value;
    else if (operand == ALU_SRCB)
        alu->b = value;
    else
        return batch_fault(batch, "MI_MATH cannot load 0x%" PRIx32, operand);
    return 0;
}

/* Shift counts are powers of two below 64; the ALU takes no others. */
static int shift(struct batch *batch, struct alu *alu, uint32_t opcode)
{
    if (alu->b >= 64)
        return batch_fault(batch, "MI_MATH shifts by %" PRIu64, alu->b);
    if (opcode == ALU_SHL)
        alu->accumulator = alu->a << alu->b;
    else if (opcode == ALU_SHR)
        alu->accumulator = alu->a >> alu->b;
    else
        alu->accumulator = (uint64_t)((int64_t)alu->a >> alu->b);
    alu->carry = false;
    return 0;
}

static int compute(struct batch *batch, struct alu *alu, uint32_t opcode)
{
    switch (opcode) {
    case ALU_ADD:
        alu->carry = __builtin_add_overflow(alu->a, alu->b, &alu->accumulator);
        break;
    case ALU_SUB:
        alu->carry = __builtin_sub_overflow(alu->a, alu->b, &alu->accumulator);
        break;
    case ALU_AND:
        alu->accumulator = alu->a & alu->b;
        alu->carry = false;
        break;
    case ALU_OR:
        alu->accumulator = alu->a | alu->b;
        alu->carry = false;
        break;
    case ALU_XOR:
        alu->accumulator = alu->a ^ alu->b;
        alu->carry = false;
        break;
    case ALU_SHL:
    case ALU_SHR:
    case ALU_SAR:
        if (batch->device->architecture == VESIM_GEN12LP)
            return batch_fault(batch, "MI_MATH cannot shift on this device");
        if (shift(batch, alu, opcode))
            return -EFAULT;
        break;
    default:
        return batch_fault(batch, "MI_MATH has no opcode 0x%" PRIx32, opcode);
    }
    alu->zero = alu->accumulator == 0;
    return 0;
}

/* A quadword of memory into a general-purpose register. */
static int load_indirect(struct batch *batch, const struct alu *alu, uint32_t to, uint32_t from)
{
    uint64_t address = 0;
    uint32_t low, high;

    if (to > ALU_GPR_MAX)
        return batch_fault(batch, "MI_MATH cannot store to 0x%" PRIx32, to);
    if (load_operand(batch, alu, from, &address) || batch_read32(batch, address, &low) ||
        batch_read32(batch, address + 4, &high))
        return -EFAULT;
    register_set_gpr(batch->context, to, low | (uint64_t)high << 32);
    return 0;
}

static int store_indirect(struct batch *batch, const struct alu *alu, uint32_t to, uint32_t from)
{
    uint64_t address = 0, value = 0;

    if (load_operand(batch, alu, to, &address) || load_operand(batch, alu, from, &value))
        return -EFAULT;
    return batch_write64(batch, address, value);
}

static int execute_alu(struct batch *batch, struct alu *alu, const uint32_t *d)
{
    const struct alu_instruction instruction = alu_instruction_unpack(d);
    const uint32_t operand1 = instruction.operand1, operand2 = instruction.operand2;
    uint64_t value = 0;

    switch (instruction.opcode) {
    case ALU_NOOP:
    case ALU_FENCE_RD: /* accesses are done in order */
    case ALU_FENCE_WR:
        return 0;
    case ALU_LOAD:
    case ALU_LOADINV:
        if (load_operand(batch, alu, operand2, &value))
            return -EFAULT;
        return set_source(batch, alu, operand1, instruction.opcode == ALU_LOADINV ? ~value : value);
    case ALU_LOADIND:
        return load_indirect(batch, alu, operand1, operand2);
    case ALU_STOREIND:
        return store_indirect(batch, alu, operand1, operand2);
    case ALU_LOAD0:
        return set_source(batch, alu, operand1, 0);
    case ALU_LOAD1:
        return set_source(batch, alu, operand1, UINT64_MAX);
    case ALU_STORE:
    case ALU_STOREINV:
        if (operand1 > ALU_GPR_MAX)
            return batch_fault(batch, "MI_MATH cannot store to 0x%" PRIx32, operand1);
        if (load_operand(batch, alu, operand2, &value))
            return -EFAULT;
        register_set_gpr(batch->context, operand1,
                         instruction.opcode == ALU_STOREINV ? ~value : value);
        return 0;
    default:
        return compute(batch, alu, instruction.opcode);
    }
}

int command_math(struct batch *batch, const uint32_t *d, uint32_t count)
{
    struct alu alu = {0};

    for (uint32_t i = 1; i < count; i++) {
        if (execute_alu(batch, &alu, &d[i]))
            return -EFAULT;
    }
    return 0;
}
