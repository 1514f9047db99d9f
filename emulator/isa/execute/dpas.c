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

/* Element `index` of the operand's packed array, sign- or zero-extended; a float's bits. */
static int32_t element(const struct thread *thread, const struct operand *operand, unsigned index)
{
    unsigned bits = type_bits((enum type)operand->type), at = index * bits;
    uint16_t pair;

    memcpy(&pair, thread->registers + operand->offset + at / 16 * 2, sizeof(pair));
    uint32_t value = (uint32_t)pair >> at % 16 << (32 - bits);
    return type_is_signed((enum type)operand->type) ? (int32_t)value >> (32 - bits)
                                                    : (int32_t)(value >> (32 - bits));
}

static float float_element(const struct thread *thread, const struct operand *operand,
                           unsigned index)
{
    uint16_t bits = (uint16_t)element(thread, operand, index);

    return operand->type == TYPE_HF ? half_to_float(bits) : bfloat_to_float(bits);
}

/* The two factors, unpacked: each element takes part in several products. */
union factors {
    struct {
        int32_t first[ARRAY_DEPTH * COLUMNS_MAX * GROUP_MAX];
        int32_t second[ARRAY_DEPTH * ARRAY_DEPTH * GROUP_MAX];
    } integer;
    struct {
        float first[ARRAY_DEPTH * COLUMNS_MAX * 2];
        float second[ARRAY_DEPTH * ARRAY_DEPTH * 2];
    } real;
};

static void unpack(const struct thread *thread, const struct inst *inst, union factors *factors)
{
    unsigned group = group_elements(inst), first = inst->systolic_depth * inst->lanes * group;
    unsigned second = ((inst->systolic_repeat - 1) * ARRAY_DEPTH + inst->systolic_depth) * group;

    if (inst->destination.type == TYPE_F) {
        for (unsigned i = 0; i < first; i++)
            factors->real.first[i] = float_element(thread, &inst->source[1], i);
        for (unsigned i = 0; i < second; i++)
            factors->real.second[i] = float_element(thread, &inst->source[2], i);
        return;
    }
    for (unsigned i = 0; i < first; i++)
        factors->integer.first[i] = element(thread, &inst->source[1], i);
    for (unsigned i = 0; i < second; i++)
        factors->integer.second[i] = element(thread, &inst->source[2], i);
}

/* Integer sums wrap, as the encoding has no saturation. */
static uint32_t integer_product(const union factors *factors, const struct inst *inst, unsigned row,
                                unsigned column)
{
    unsigned group = group_elements(inst);
    uint32_t sum = 0;

    for (unsigned d = 0; d < inst->systolic_depth; d++)
        for (unsigned k = 0; k < group; k++)
            sum += (uint32_t)(factors->integer.first[(d * inst->lanes + column) * group + k] *
                              factors->integer.second[(row * ARRAY_DEPTH + d) * group + k]);
    return sum;
}

/* Products are added one by one, each sum rounded to single precision. */
static float float_product(const union factors *factors, const struct inst *inst, unsigned row,
                           unsigned column, float sum)
{
    for (unsigned d = 0; d < inst->systolic_depth; d++)
        for (unsigned k = 0; k < 2; k++)
            sum += factors->real.first[(d * inst->lanes + column) * 2 + k] *
                   factors->real.second[(row * ARRAY_DEPTH + d) * 2 + k];
    return sum;
}

static uint32_t product(const union factors *factors, const struct inst *inst, unsigned row,
                        unsigned column, uint32_t addend)
{
    if (inst->destination.type == TYPE_F) {
        float sum;

        memcpy(&sum, &addend, sizeof(sum));
        sum = float_product(factors, inst, row, column, sum);
        memcpy(&addend, &sum, sizeof(sum));
        return sum == sum ? addend : FLOAT_NAN;
    }
    return addend + integer_product(factors, inst, row, column);
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
    uint32_t result[ARRAY_DEPTH * COLUMNS_MAX];
    const struct operand *addend = &inst->source[0];
    const bool follows = inst > thread->program->insts && inst[-1].written_late;
    uint8_t *late = thread->registers + ARF_SYSTOLIC;
    union factors factors;

    unpack(thread, inst, &factors);
    for (unsigned row = 0; row < inst->systolic_repeat; row++)
        for (unsigned column = 0; column < inst->lanes; column++) {
            unsigned index = row * inst->lanes + column;

            result[index] =
                product(&factors, inst, row, column,
                        addend->is_null ? 0 : thread_read32(thread, addend->offset + index * 4));
        }
    if (follows)
        write_result(thread, &inst[-1], late);
    if (inst->written_late)
        memcpy(late, result, inst->systolic_repeat * inst->lanes * sizeof(*result));
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
