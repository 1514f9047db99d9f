/* Sources: lanes from the register file or an immediate, converted to one lane type. */
#include <math.h>

#include "isa/execute/operand.h"
#include "isa/execute/region.h"

static int64_t immediate_integer(const struct operand *operand, unsigned lane)
{
    uint64_t bits = operand->immediate;

    switch (operand->type) {
    case TYPE_UB:
        return (uint8_t)bits;
    case TYPE_B:
        return (int8_t)bits;
    case TYPE_UW:
        return (uint16_t)bits;
    case TYPE_W:
        return (int16_t)bits;
    case TYPE_UD:
        return (uint32_t)bits;
    case TYPE_D:
        return (int32_t)bits;
    case TYPE_UV:
        return (int64_t)(bits >> (lane * operand->packed_step % 8 * 4) & 15);
    case TYPE_V: {
        int64_t nibble = (int64_t)(bits >> (lane * operand->packed_step % 8 * 4) & 15);

        return nibble & 8 ? nibble - 16 : nibble;
    }
    default:
        return (int64_t)bits;
    }
}

static double immediate_double(const struct operand *operand, unsigned lane)
{
    double value;
    float single;
    uint32_t low = (uint32_t)operand->immediate;

    switch (operand->type) {
    case TYPE_F:
        memcpy(&single, &low, sizeof(single));
        return single;
    case TYPE_HF:
        return half_to_float((uint16_t)low);
    case TYPE_BF:
        return bfloat_to_float((uint16_t)low);
    case TYPE_VF:
        return vf_to_float((uint8_t)(low >> (lane * operand->packed_step % 4 * 8)));
    case TYPE_DF:
        memcpy(&value, &operand->immediate, sizeof(value));
        return value;
    default:
        return (double)immediate_integer(operand, lane);
    }
}

/* Reads every lane as C type `ctype`, called `x`, and stores `expression`. */
#define READ_LANES(ctype, expression)                                                              \
    for (unsigned lane = 0; lane < count; lane++) {                                                \
        ctype x;                                                                                   \
        memcpy(&x, region.base + region.offsets[lane], sizeof(x));                                 \
        lanes[lane] = (expression);                                                                \
    }                                                                                              \
    break

/* Integers of at most 32 bits, sign- or zero-extended; no modifiers yet. */
static int read_u32(struct thread *thread, const struct inst *inst, const struct operand *operand,
                    uint32_t *lanes)
{
    unsigned count = inst->lanes;

    if (operand->kind == OPERAND_IMMEDIATE) {
        for (unsigned lane = 0; lane < count; lane++)
            lanes[lane] = (uint32_t)immediate_integer(operand, lane);
        return 0;
    }
    struct region region;
    if (region_find(thread, inst, operand, &region))
        return -1;
    if (type_bytes((enum type)operand->type) == 4) {
        if (operand->shape == SHAPE_CONTIGUOUS && operand->kind == OPERAND_REGISTER) {
            memcpy(lanes, region.base, count * sizeof(*lanes));
            return 0;
        }
        if (operand->shape == SHAPE_SCALAR && operand->kind == OPERAND_REGISTER) {
            uint32_t value;

            memcpy(&value, region.base, sizeof(value));
            for (unsigned lane = 0; lane < count; lane++)
                lanes[lane] = value;
            return 0;
        }
    }
    switch (operand->type) {
    case TYPE_UB:
        READ_LANES(uint8_t, x);
    case TYPE_B:
        READ_LANES(int8_t, (uint32_t)(int32_t)x);
    case TYPE_UW:
        READ_LANES(uint16_t, x);
    case TYPE_W:
        READ_LANES(int16_t, (uint32_t)(int32_t)x);
    default:
        READ_LANES(uint32_t, x);
    }
    return 0;
}

int fetch_u32(struct thread *thread, const struct inst *inst, unsigned index, uint32_t *lanes)
{
    const struct operand *operand = &inst->source[index];

    if (read_u32(thread, inst, operand, lanes))
        return -1;
    if (operand->absolute)
        for (unsigned lane = 0; lane < inst->lanes; lane++)
            lanes[lane] = (int32_t)lanes[lane] < 0 ? 0u - lanes[lane] : lanes[lane];
    if (operand->negate)
        for (unsigned lane = 0; lane < inst->lanes; lane++)
            lanes[lane] = 0u - lanes[lane];
    return 0;
}

int fetch_logic_u32(struct thread *thread, const struct inst *inst, unsigned index, uint32_t *lanes)
{
    const struct operand *operand = &inst->source[index];

    if (read_u32(thread, inst, operand, lanes))
        return -1;
    if (operand->negate)
        for (unsigned lane = 0; lane < inst->lanes; lane++)
            lanes[lane] = ~lanes[lane];
    return 0;
}

static int read_i64(struct thread *thread, const struct inst *inst, const struct operand *operand,
                    int64_t *lanes)
{
    unsigned count = inst->lanes;

    if (operand->kind == OPERAND_IMMEDIATE) {
        for (unsigned lane = 0; lane < count; lane++)
            lanes[lane] = immediate_integer(operand, lane);
        return 0;
    }
    struct region region;
    if (region_find(thread, inst, operand, &region))
        return -1;
    switch (operand->type) {
    case TYPE_UB:
        READ_LANES(uint8_t, x);
    case TYPE_B:
        READ_LANES(int8_t, x);
    case TYPE_UW:
        READ_LANES(uint16_t, x);
    case TYPE_W:
        READ_LANES(int16_t, x);
    case TYPE_UD:
        READ_LANES(uint32_t, x);
    case TYPE_D:
        READ_LANES(int32_t, x);
    default:
        READ_LANES(int64_t, x);
    }
    return 0;
}

int fetch_i64(struct thread *thread, const struct inst *inst, unsigned index, int64_t *lanes)
{
    const struct operand *operand = &inst->source[index];

    if (read_i64(thread, inst, operand, lanes))
        return -1;
    for (unsigned lane = 0; (operand->absolute || operand->negate) && lane < inst->lanes; lane++) {
        if (operand->absolute && lanes[lane] < 0)
            lanes[lane] = (int64_t)(0 - (uint64_t)lanes[lane]);
        if (operand->negate)
            lanes[lane] = (int64_t)(0 - (uint64_t)lanes[lane]);
    }
    return 0;
}

int fetch_logic_i64(struct thread *thread, const struct inst *inst, unsigned index, int64_t *lanes)
{
    const struct operand *operand = &inst->source[index];

    if (read_i64(thread, inst, operand, lanes))
        return -1;
    for (unsigned lane = 0; operand->negate && lane < inst->lanes; lane++)
        lanes[lane] = ~lanes[lane];
    return 0;
}

/* Lanes of C type `ctype`, of any type of source. */
#define FETCH_REALS(name, ctype, magnitude)                                                        \
    int name(struct thread *thread, const struct inst *inst, unsigned index, ctype *lanes)         \
    {                                                                                              \
        const struct operand *operand = &inst->source[index];                                      \
        unsigned count = inst->lanes;                                                              \
                                                                                                   \
        if (operand->kind == OPERAND_IMMEDIATE) {                                                  \
            for (unsigned lane = 0; lane < count; lane++)                                          \
                lanes[lane] = (ctype)immediate_double(operand, lane);                              \
        } else {                                                                                   \
            struct region region;                                                                  \
                                                                                                   \
            if (region_find(thread, inst, operand, &region))                                       \
                return -1;                                                                         \
            READ_ANY(ctype);                                                                       \
        }                                                                                          \
        for (unsigned lane = 0; operand->absolute && lane < count; lane++)                         \
            lanes[lane] = magnitude(lanes[lane]);                                                  \
        for (unsigned lane = 0; operand->negate && lane < count; lane++)                           \
            lanes[lane] = -lanes[lane];                                                            \
        return 0;                                                                                  \
    }
#define READ_ANY(ctype)                                                                            \
    switch (operand->type) {                                                                       \
    case TYPE_F:                                                                                   \
        READ_LANES(float, (ctype)x);                                                               \
    case TYPE_HF:                                                                                  \
        READ_LANES(uint16_t, (ctype)half_to_float(x));                                             \
    case TYPE_BF:                                                                                  \
        READ_LANES(uint16_t, (ctype)bfloat_to_float(x));                                           \
    case TYPE_DF:                                                                                  \
        READ_LANES(double, (ctype)x);                                                              \
    case TYPE_UB:                                                                                  \
        READ_LANES(uint8_t, (ctype)x);                                                             \
    case TYPE_B:                                                                                   \
        READ_LANES(int8_t, (ctype)x);                                                              \
    case TYPE_UW:                                                                                  \
        READ_LANES(uint16_t, (ctype)x);                                                            \
    case TYPE_W:                                                                                   \
        READ_LANES(int16_t, (ctype)x);                                                             \
    case TYPE_UD:                                                                                  \
        READ_LANES(uint32_t, (ctype)x);                                                            \
    case TYPE_D:                                                                                   \
        READ_LANES(int32_t, (ctype)x);                                                             \
    case TYPE_UQ:                                                                                  \
        READ_LANES(uint64_t, (ctype)x);                                                            \
    default:                                                                                       \
        READ_LANES(int64_t, (ctype)x);                                                             \
    }
FETCH_REALS(fetch_f32, float, fabsf)
FETCH_REALS(fetch_f64, double, fabs)

int fetch_raw(struct thread *thread, const struct inst *inst, unsigned index, uint64_t *lanes)
{
    const struct operand *operand = &inst->source[index];
    unsigned count = inst->lanes;

    if (operand->kind == OPERAND_IMMEDIATE) {
        for (unsigned lane = 0; lane < count; lane++)
            lanes[lane] = operand->immediate;
        return 0;
    }
    struct region region;
    if (region_find(thread, inst, operand, &region))
        return -1;
    switch (type_bytes((enum type)operand->type)) {
    case 1:
        READ_LANES(uint8_t, x);
    case 2:
        READ_LANES(uint16_t, x);
    case 4:
        READ_LANES(uint32_t, x);
    default:
        READ_LANES(uint64_t, x);
    }
    return 0;
}
