#include "timing/inst-cost.h"

#include "timing/register-banks.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The widest element that the instruction reads or writes, bytes. */
static unsigned widest_element(const struct inst *inst)
{
    unsigned bytes = inst->destination.is_null ? 0 : type_bytes((enum type)inst->destination.type);

    for (unsigned i = 0; i < inst->source_count; i++)
        bytes = (unsigned)larger(bytes, type_bytes((enum type)inst->source[i].type));
    return bytes;
}

static bool works_on_doubles(const struct inst *inst)
{
    bool works = inst->destination.type == TYPE_DF;

    for (unsigned i = 0; i < inst->source_count; i++)
        works |= inst->source[i].type == TYPE_DF;
    return works && inst->pipe == PIPE_LONG;
}

/* Lanes per cycle of the instruction's pipe; of doubles, per `double_interval`. */
static uint64_t pipe_width(const struct inst *inst, const struct vesim_device *device)
{
    switch (inst->pipe) {
    case PIPE_MATH:
        return device->math_lanes;
    case PIPE_LONG:
        return works_on_doubles(inst) ? device->double_lanes : device->long_lanes;
    case PIPE_FLOAT:
        return widest_element(inst) <= 2 ? device->lanes_16bit_float : device->lanes_32bit;
    case PIPE_INTEGER:
        return widest_element(inst) <= 2 ? device->lanes_16bit_integer : device->lanes_32bit;
    default:
        return device->lanes_32bit;
    }
}

static bool is_dword(const struct operand *operand)
{
    return type_bytes((enum type)operand->type) == 4;
}

/* A product of two dwords takes two passes of the multipliers, which are half as wide. Where the
 * compiler writes it as two instructions, mul by one half and mach by the other, each is one. */
static bool is_wide_product(const struct inst *inst)
{
    if (inst->pipe != PIPE_INTEGER)
        return false;
    return ((inst->opcode == OP_mul || inst->opcode == OP_mullh) && is_dword(&inst->source[0]) &&
            is_dword(&inst->source[1])) ||
           (inst->opcode == OP_mad && is_dword(&inst->source[1]) && is_dword(&inst->source[2]));
}

/* Whether the operand has an element per lane in general registers. */
static bool is_vector(const struct operand *operand)
{
    return operand->kind == OPERAND_REGISTER && operand->offset < ARF_NULL &&
           operand->shape != SHAPE_SCALAR;
}

/* Whether two of three operands come from the same general register. */
static bool reads_register_twice(const struct inst *inst, uint64_t register_bytes)
{
    if (inst->source_count < 3 || inst->pipe >= PIPE_SYSTOLIC)
        return false;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = i + 1; j < 3; j++)
            if (is_vector(&inst->source[i]) && is_vector(&inst->source[j]) &&
                inst->source[i].offset / register_bytes == inst->source[j].offset / register_bytes)
                return true;
    return false;
}

/* Rows of registers, each as wide as the pipe, from an operand's first element to its last. */
static uint64_t rows_of(const struct operand *operand, unsigned lanes, uint64_t row_bytes)
{
    if (operand->kind != OPERAND_REGISTER || operand->offset >= ARF_NULL || operand->is_null)
        return 1;
    uint64_t last = operand->lane_offset[lanes - 1];

    return (last + type_bytes((enum type)operand->type) + row_bytes - 1) / row_bytes;
}

/* Passes for which the registers are read or written: elements that lie apart take more of them. */
static uint64_t register_passes(const struct inst *inst, const struct vesim_device *device)
{
    uint64_t row = larger(device->lanes_32bit * 4, pipe_width(inst, device) * widest_element(inst));
    uint64_t passes = rows_of(&inst->destination, inst->lanes, row);

    for (unsigned i = 0; i < inst->source_count; i++)
        passes = larger(passes, rows_of(&inst->source[i], inst->lanes, row));
    return passes;
}

/* Whether each lane addresses its own element. */
static bool is_gathered(const struct inst *inst)
{
    for (unsigned i = 0; i < inst->source_count; i++)
        if (inst->source[i].kind == OPERAND_INDIRECT && inst->source[i].vxh)
            return true;
    return false;
}

/* The registers that lane `lane` of the instruction reads, each once; returns how many. */
static unsigned registers_of_lane(const struct inst *inst, unsigned lane, uint64_t register_bytes,
                                  unsigned registers[3])
{
    unsigned count = 0;

    for (unsigned i = 0; i < inst->source_count; i++) {
        const struct operand *source = &inst->source[i];
        unsigned number = (unsigned)((source->offset + source->lane_offset[lane]) / register_bytes);
        bool counts = source->kind == OPERAND_REGISTER && source->offset < ARF_NULL;

        for (unsigned j = 0; j < count; j++)
            counts = counts && registers[j] != number;
        if (counts)
            registers[count++] = number;
    }
    return count;
}

/* Xe-LP reads an operand of the next instruction beside two of this one, and which banks Xe-HPC has
 * depends on its stepping. */
static bool has_known_banks(const struct vesim_device *device)
{
    return device->architecture == VESIM_XE_HPG || device->architecture >= VESIM_XE2;
}

/* Of three operands, each is read register by register. The long pipe takes several cycles for one,
 * and waits for no read. */
unsigned inst_bank_cycles(const struct inst *inst, const struct vesim_device *device)
{
    unsigned registers[3], conflicts = 0;
    uint64_t reads = 1;

    if (inst->source_count < 3 || inst->pipe >= PIPE_LONG || !has_known_banks(device))
        return 0;
    for (unsigned i = 0; i < inst->source_count; i++)
        reads = larger(reads, rows_of(&inst->source[i], inst->lanes, device->grf_bytes));
    for (uint64_t read = 0; read < reads; read++) {
        unsigned lane = (unsigned)(read * inst->lanes / reads);
        unsigned count = registers_of_lane(inst, lane, device->grf_bytes, registers);

        conflicts += register_bank_conflicts(device, registers, count);
    }
    return conflicts;
}

/* Cycles for which an instruction other than a message occupies its port. */
static uint64_t occupancy(const struct inst *inst, const struct vesim_device *device)
{
    uint64_t lanes = inst->is_flow || inst->pipe >= PIPE_SEND ? 1 : inst->lanes;
    uint64_t width = pipe_width(inst, device), cycles = (lanes + width - 1) / width;

    if (lanes > 1 && inst->pipe < PIPE_SYSTOLIC)
        cycles = larger(cycles, register_passes(inst, device));
    if (is_wide_product(inst))
        cycles *= 2;
    if (works_on_doubles(inst))
        cycles *= device->double_interval;
    if (inst->opcode == OP_add3)
        cycles *= device->add3_passes;
    else if (reads_register_twice(inst, device->grf_bytes))
        cycles *= device->same_register_passes;
    cycles += inst_bank_cycles(inst, device);
    return is_gathered(inst) ? larger(cycles, lanes) : cycles;
}

/* A row of the result follows the other, but the next product can not start before the array has
 * got its first factor. */
static void set_systolic_cost(struct inst *inst, const struct vesim_device *device)
{
    uint64_t rows = inst->systolic_repeat, added = device->systolic_latency_8;

    added = added > device->systolic_latency ? added - device->systolic_latency : 0;
    inst->occupancy = (uint8_t)(larger(rows * device->systolic_interval, device->systolic_least) +
                                device->systolic_gap);
    inst->latency = (uint16_t)(device->systolic_latency + added * (rows - 1) / 7);
}

/* The port of a vector engine through which instructions of a pipe issue: with one, integers and
 * qwords share that of the floats; with two, extended math shares that of the integers. */
static uint8_t port_of(const struct inst *inst, const struct vesim_device *device)
{
    bool integer = inst->pipe == PIPE_INTEGER || inst->pipe == PIPE_LONG;

    if (device->alu_ports == 1)
        return integer ? PIPE_FLOAT : inst->pipe;
    return inst->pipe == PIPE_MATH ? PIPE_INTEGER : inst->pipe;
}

void inst_set_cost(struct inst *inst, const struct vesim_device *device)
{
    inst->port = port_of(inst, device);
    if (inst->pipe == PIPE_SYSTOLIC) {
        set_systolic_cost(inst, device);
        return;
    }
    /* The published latencies hold for 8 lanes; each further cycle of occupancy adds one. */
    uint64_t width = pipe_width(inst, device), published = (7 + width) / width;
    uint64_t latency = inst->pipe == PIPE_MATH ? device->math_latency : device->fpu_latency;
    uint64_t cycles = occupancy(inst, device);

    if (works_on_doubles(inst))
        published *= device->double_interval;
    inst->occupancy = (uint8_t)cycles;
    inst->latency =
        (uint16_t)(latency + (cycles > published ? (cycles - published) * device->wide_step : 0));
}
