/* dpas: products of small matrices on the systolic array of Xe-HPG and Xe2. An instruction of depth
 * D and repeat count R multiplies R rows (source 2) with D x 8 columns (x 16 on Xe2: its lanes)
 * (source 1) of groups of elements and adds source 0:
 *
 *     destination[r][lane] = source0[r][lane] + sum over d, k of source1[d][lane][k] *
 * source2[r][d][k]
 *
 * A group is what lies in the place of a dword of bytes: two half or bfloat numbers, four integers,
 * eight where none of the two sources is wider than 4 bits. How the operands are packed follows
 * from the register footprints that Intel's assembler library computes (getDPASSrcDepUpBound).
 *
 * Those marked {Atomic} enter the array back to back: one reads its sources before the result of
 * the one in front of it is written. Intel's compiler relies on that: for a fault of Arc A-series
 * GPUs it begins such a run with a product that the next one overwrites
 * (createADummyDpasRSWAInst). */
#include "isa/execute/execute.h"
#include "isa/execute/operand.h"

enum { COLUMNS_MAX = 16, ARRAY_DEPTH = 8, GROUP_MAX = 8 };

static unsigned group_elements(const struct inst *inst)
{
    unsigned first = type_bits((enum type)inst->source[1].type);
    unsigned second = type_bits((enum type)inst->source[2].type);

    if (first == 16)
        return 2;
    return first <= 4 && second <= 4 ? 8 : 4;
}

/* The elements of a factor, unpacked: each takes part in several products. */
union factor {
    int32_t integers[ARRAY_DEPTH * COLUMNS_MAX * GROUP_MAX];
    float floats[ARRAY_DEPTH * COLUMNS_MAX * 2];
    uint32_t bits[ARRAY_DEPTH * COLUMNS_MAX * GROUP_MAX];
};

/* Element `index` of a packed array of parts of bytes, sign- or zero-extended. */
static int32_t part(const uint8_t *from, unsigned bits, bool is_signed, unsigned index)
{
    uint32_t above = 32 - bits,
             value = (uint32_t)from[index * bits / 8] >> index * bits % 8 << above;

    return is_signed ? (int32_t)value >> above : (int32_t)(value >> above);
}

static void unpack_integers(int32_t *to, const uint8_t *from, enum type type, unsigned count)
{
    unsigned bits = type_bits(type);

    if (type == TYPE_B)
        for (unsigned i = 0; i < count; i++)
            to[i] = (int8_t)from[i];
    else if (type == TYPE_UB)
        for (unsigned i = 0; i < count; i++)
            to[i] = from[i];
    else
        for (unsigned i = 0; i < count; i++)
            to[i] = part(from, bits, type_is_signed(type), i);
}

static void unpack_floats(float *to, const uint8_t *from, enum type type, unsigned count)
{
    uint16_t bits[ARRAY_DEPTH * COLUMNS_MAX * 2];

    memcpy(bits, from, count * sizeof(*bits));
    if (type == TYPE_BF)
        for (unsigned i = 0; i < count; i++)
            to[i] = bfloat_to_float(bits[i]);
    else
        for (unsigned i = 0; i < count; i++)
            to[i] = half_to_float(bits[i]);
}

/* Of the first factor's elements, those that the columns use at the same time, side by side. */
static void transpose(uint32_t *to, const uint32_t *from, unsigned depth, unsigned columns,
                      unsigned group)
{
    for (unsigned d = 0; d < depth; d++)
        for (unsigned column = 0; column < columns; column++)
            for (unsigned k = 0; k < group; k++)
                to[(d * group + k) * columns + column] = *from++;
}

/* Integer sums wrap, as the encoding has no saturation. */
static void multiply_integers(const struct inst *inst, const uint8_t *first, const uint8_t *second,
                              uint32_t *sums)
{
    unsigned group = group_elements(inst), columns = inst->lanes, rows = inst->systolic_repeat,
             steps = inst->systolic_depth * group;
    union factor packed, a, b;

    unpack_integers(packed.integers, first, (enum type)inst->source[1].type, steps * columns);
    transpose(a.bits, packed.bits, inst->systolic_depth, columns, group);
    unpack_integers(b.integers, second, (enum type)inst->source[2].type,
                    (rows - 1) * ARRAY_DEPTH * group + steps);
    for (unsigned row = 0; row < rows; row++)
        for (unsigned step = 0; step < steps; step++)
            for (unsigned column = 0; column < columns; column++)
                sums[row * columns + column] +=
                    a.bits[step * columns + column] * b.bits[row * ARRAY_DEPTH * group + step];
}

/* Products are added one by one, each sum rounded to single precision. */
static void multiply_floats(const struct inst *inst, const uint8_t *first, const uint8_t *second,
                            float *sums)
{
    unsigned columns = inst->lanes, rows = inst->systolic_repeat, steps = inst->systolic_depth * 2;
    union factor packed, a, b;

    unpack_floats(packed.floats, first, (enum type)inst->source[1].type, steps * columns);
    transpose(a.bits, packed.bits, inst->systolic_depth, columns, 2);
    unpack_floats(b.floats, second, (enum type)inst->source[2].type,
                  (rows - 1) * ARRAY_DEPTH * 2 + steps);
    for (unsigned row = 0; row < rows; row++)
        for (unsigned step = 0; step < steps; step++)
            for (unsigned column = 0; column < columns; column++)
                sums[row * columns + column] +=
                    a.floats[step * columns + column] * b.floats[row * ARRAY_DEPTH * 2 + step];
}

/* Adds the product to what `sums` holds, a row's columns side by side. */
static void multiply(const struct thread *thread, const struct inst *inst, uint32_t *sums)
{
    const uint8_t *first = thread->registers + inst->source[1].offset;
    const uint8_t *second = thread->registers + inst->source[2].offset;
    unsigned count = inst->systolic_repeat * inst->lanes;
    float reals[ARRAY_DEPTH * COLUMNS_MAX];

    if (inst->destination.type != TYPE_F) {
        multiply_integers(inst, first, second, sums);
        return;
    }
    memcpy(reals, sums, count * sizeof(*reals));
    multiply_floats(inst, first, second, reals);
    memcpy(sums, reals, count * sizeof(*reals));
    for (unsigned i = 0; i < count; i++)
        if (reals[i] != reals[i])
            sums[i] = FLOAT_NAN;
}

/* `result` has a row's columns side by side. */
static void write_result(struct thread *thread, const struct inst *inst, const uint8_t *result)
{
    uint32_t mask = thread_write_mask(thread, inst);
    uint8_t *to = thread->registers + inst->destination.offset;

    for (unsigned row = 0; row < inst->systolic_repeat; row++)
        for (unsigned column = 0; column < inst->lanes; column++)
            if (mask >> column & 1) {
                unsigned at = (row * inst->lanes + column) * 4;

                memcpy(to + at, result + at, 4);
            }
}

static int execute_dpas(struct thread *thread, const struct inst *inst)
{
    uint32_t result[ARRAY_DEPTH * COLUMNS_MAX] = {0};
    const size_t bytes = inst->systolic_repeat * inst->lanes * sizeof(*result);
    const bool follows = inst > thread->program->insts && inst[-1].written_late;
    uint8_t *late = thread->registers + ARF_SYSTOLIC;

    if (!inst->source[0].is_null)
        memcpy(result, thread->registers + inst->source[0].offset, bytes);
    multiply(thread, inst, result);
    if (follows)
        write_result(thread, &inst[-1], late);
    if (inst->written_late)
        memcpy(late, result, bytes);
    else
        write_result(thread, inst, (const uint8_t *)result);
    return 0;
}

/* A register holds as many dwords as there are columns. */
static bool in_general_registers(const struct inst *inst, const struct operand *operand,
                                 unsigned bytes)
{
    return operand->kind == OPERAND_REGISTER &&
           operand->offset + bytes <= GRF_COUNT * inst->lanes * 4u;
}

/* Whether all operands are present, in the architecture's shape. */
static bool fits(const struct inst *inst)
{
    unsigned group = group_elements(inst), depth = inst->systolic_depth,
             repeat = inst->systolic_repeat;
    unsigned first = type_bits((enum type)inst->source[1].type),
             second = type_bits((enum type)inst->source[2].type);
    unsigned rows = (repeat - 1) * ARRAY_DEPTH + depth; /* groups of source 2 up to the last */

    return (inst->lanes == 8 || inst->lanes == COLUMNS_MAX) && depth >= 1 && depth <= ARRAY_DEPTH &&
           repeat >= 1 && repeat <= 8 &&
           in_general_registers(inst, &inst->destination, repeat * inst->lanes * 4u) &&
           (inst->source[0].is_null ||
            in_general_registers(inst, &inst->source[0], repeat * inst->lanes * 4u)) &&
           in_general_registers(inst, &inst->source[1], depth * inst->lanes * group * first / 8) &&
           in_general_registers(inst, &inst->source[2], rows * group * second / 8);
}

static bool is_at_most_byte(enum type type)
{
    return type_bits(type) >= 2 && type_bits(type) <= 8;
}

static bool has_types(const struct inst *inst)
{
    enum type to = (enum type)inst->destination.type, addend = (enum type)inst->source[0].type,
              first = (enum type)inst->source[1].type, second = (enum type)inst->source[2].type;

    if (to == TYPE_F)
        return addend == TYPE_F && first == second && (first == TYPE_HF || first == TYPE_BF);
    return (to == TYPE_D || to == TYPE_UD) && (addend == TYPE_D || addend == TYPE_UD) &&
           is_at_most_byte(first) && is_at_most_byte(second);
}

execute_function dpas_select(const struct inst *inst)
{
    if (inst->opcode != OP_dpas || inst->source_count != 3)
        return NULL;
    return has_types(inst) && fits(inst) ? execute_dpas : NULL;
}
