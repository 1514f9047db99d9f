#include "xe/operand.h"

#include <math.h>

/* Where the lanes of an operand begin: one pointer and the offsets of the layout, or for indirect
 * access an offset of its own for each lane. */
struct place {
    uint8_t *base;
    const uint16_t *offsets;
    uint16_t own[MAX_LANES];
};

static int place_indirect(struct thread *thread, const struct inst *inst,
                          const struct operand *operand, struct place *place)
{
    unsigned size = type_bytes((enum type)operand->type);
    for (unsigned lane = 0; lane < inst->lanes; lane++) {
        unsigned row = operand->vxh ? lane / operand->width : 0;
        uint32_t column = operand->lane_offset[lane];
        if (operand->vxh)
            column = lane % operand->width * operand->horizontal_stride * size;
        uint16_t address;
        if (operand->offset + row * 2 + 2 > ARF_ACC)
            return thread_fault(thread, inst, "address register past a0.15");
        memcpy(&address, thread->registers + operand->offset + row * 2, sizeof(address));
        int64_t at = (int64_t)address + operand->immediate_offset + column;
        if (at < 0 || at + size > GRF_COUNT * GRF_BYTES)
            return thread_fault(thread, inst, "register-indirect access to byte %lld",
                                (long long)at);
        place->own[lane] = (uint16_t)at;
    }
    place->base = thread->registers;
    place->offsets = place->own;
    return 0;
}

static int place_find(struct thread *thread, const struct inst *inst, const struct operand *operand,
                      struct place *place)
{
    if (operand->kind == OPERAND_INDIRECT)
        return place_indirect(thread, inst, operand, place);
    place->base = thread->registers + operand->offset;
    place->offsets = operand->lane_offset;
    return 0;
}

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
        return (int64_t)(bits >> (lane % 8 * 4) & 15);
    case TYPE_V: {
        int64_t nibble = (int64_t)(bits >> (lane % 8 * 4) & 15);
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
        return vf_to_float((uint8_t)(low >> (lane % 4 * 8)));
    case TYPE_DF:
        memcpy(&value, &operand->immediate, sizeof(value));
        return value;
    default:
        return (double)immediate_integer(operand, lane);
    }
}

/* Reads every lane as C type `ctype` and stores `expression` of it, called `x`. */
#define READ_LANES(ctype, expression)                                                              \
    for (unsigned lane = 0; lane < count; lane++) {                                                \
        ctype x;                                                                                   \
        memcpy(&x, place.base + place.offsets[lane], sizeof(x));                                   \
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
    struct place place;
    if (place_find(thread, inst, operand, &place))
        return -1;
    if (type_bytes((enum type)operand->type) == 4) {
        if (operand->shape == SHAPE_CONTIGUOUS && operand->kind == OPERAND_REGISTER) {
            memcpy(lanes, place.base, count * sizeof(*lanes));
            return 0;
        }
        if (operand->shape == SHAPE_SCALAR && operand->kind == OPERAND_REGISTER) {
            uint32_t value;
            memcpy(&value, place.base, sizeof(value));
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
    struct place place;
    if (place_find(thread, inst, operand, &place))
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

int fetch_f32(struct thread *thread, const struct inst *inst, unsigned index, float *lanes)
{
    const struct operand *operand = &inst->source[index];
    unsigned count = inst->lanes;
    if (operand->kind == OPERAND_IMMEDIATE) {
        for (unsigned lane = 0; lane < count; lane++)
            lanes[lane] = (float)immediate_double(operand, lane);
    } else {
        struct place place;
        if (place_find(thread, inst, operand, &place))
            return -1;
        switch (operand->type) {
        case TYPE_F:
            READ_LANES(float, x);
        case TYPE_HF:
            READ_LANES(uint16_t, half_to_float(x));
        case TYPE_BF:
            READ_LANES(uint16_t, bfloat_to_float(x));
        case TYPE_DF:
            READ_LANES(double, (float)x);
        case TYPE_UB:
            READ_LANES(uint8_t, x);
        case TYPE_B:
            READ_LANES(int8_t, x);
        case TYPE_UW:
            READ_LANES(uint16_t, x);
        case TYPE_W:
            READ_LANES(int16_t, x);
        case TYPE_UD:
            READ_LANES(uint32_t, (float)x);
        case TYPE_D:
            READ_LANES(int32_t, (float)x);
        case TYPE_UQ:
            READ_LANES(uint64_t, (float)x);
        default:
            READ_LANES(int64_t, (float)x);
        }
    }
    for (unsigned lane = 0; operand->absolute && lane < count; lane++)
        lanes[lane] = fabsf(lanes[lane]);
    for (unsigned lane = 0; operand->negate && lane < count; lane++)
        lanes[lane] = -lanes[lane];
    return 0;
}

int fetch_f64(struct thread *thread, const struct inst *inst, unsigned index, double *lanes)
{
    const struct operand *operand = &inst->source[index];
    unsigned count = inst->lanes;
    if (operand->kind == OPERAND_IMMEDIATE) {
        for (unsigned lane = 0; lane < count; lane++)
            lanes[lane] = immediate_double(operand, lane);
    } else {
        struct place place;
        if (place_find(thread, inst, operand, &place))
            return -1;
        switch (operand->type) {
        case TYPE_F:
            READ_LANES(float, (double)x);
        case TYPE_HF:
            READ_LANES(uint16_t, (double)half_to_float(x));
        case TYPE_BF:
            READ_LANES(uint16_t, (double)bfloat_to_float(x));
        case TYPE_DF:
            READ_LANES(double, x);
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
        case TYPE_UQ:
            READ_LANES(uint64_t, (double)x);
        default:
            READ_LANES(int64_t, (double)x);
        }
    }
    for (unsigned lane = 0; operand->absolute && lane < count; lane++)
        lanes[lane] = fabs(lanes[lane]);
    for (unsigned lane = 0; operand->negate && lane < count; lane++)
        lanes[lane] = -lanes[lane];
    return 0;
}

int fetch_raw(struct thread *thread, const struct inst *inst, unsigned index, uint64_t *lanes)
{
    const struct operand *operand = &inst->source[index];
    unsigned count = inst->lanes;
    if (operand->kind == OPERAND_IMMEDIATE) {
        for (unsigned lane = 0; lane < count; lane++)
            lanes[lane] = operand->immediate;
        return 0;
    }
    struct place place;
    if (place_find(thread, inst, operand, &place))
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

/* Writes `expression` of lane value `x` as C type `ctype` for the lanes in the mask. */
#define WRITE_LANES(ctype, expression)                                                             \
    for (unsigned lane = 0; lane < inst->lanes; lane++) {                                          \
        if (!(mask >> lane & 1))                                                                   \
            continue;                                                                              \
        ctype x = (ctype)(expression);                                                             \
        memcpy(place.base + place.offsets[lane], &x, sizeof(x));                                   \
    }                                                                                              \
    break

int store_u32(struct thread *thread, const struct inst *inst, const uint32_t *lanes, uint32_t mask)
{
    const struct operand *operand = &inst->destination;
    if (operand->is_null || operand->kind == OPERAND_NONE)
        return 0;
    struct place place;
    if (place_find(thread, inst, operand, &place))
        return -1;
    unsigned size = type_bytes((enum type)operand->type);
    if (size == 4 && operand->shape == SHAPE_CONTIGUOUS && operand->kind == OPERAND_REGISTER &&
        mask == (inst->lanes == 32 ? UINT32_MAX : (1u << inst->lanes) - 1)) {
        memcpy(place.base, lanes, inst->lanes * sizeof(*lanes));
        return 0;
    }
    switch (size) {
    case 1:
        WRITE_LANES(uint8_t, lanes[lane]);
    case 2:
        WRITE_LANES(uint16_t, lanes[lane]);
    case 8:
        WRITE_LANES(uint64_t, lanes[lane]);
    default:
        WRITE_LANES(uint32_t, lanes[lane]);
    }
    return 0;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static int64_t saturate_integer(int64_t value, enum type type)
{
    switch (type) {
    case TYPE_UB:
        return clamp(value, 0, UINT8_MAX);
    case TYPE_B:
        return clamp(value, INT8_MIN, INT8_MAX);
    case TYPE_UW:
        return clamp(value, 0, UINT16_MAX);
    case TYPE_W:
        return clamp(value, INT16_MIN, INT16_MAX);
    case TYPE_UD:
        return clamp(value, 0, UINT32_MAX);
    case TYPE_D:
        return clamp(value, INT32_MIN, INT32_MAX);
    default:
        return value;
    }
}

int store_i64(struct thread *thread, const struct inst *inst, const int64_t *lanes, uint32_t mask)
{
    const struct operand *operand = &inst->destination;
    if (operand->is_null || operand->kind == OPERAND_NONE)
        return 0;
    struct place place;
    if (place_find(thread, inst, operand, &place))
        return -1;
    int64_t clamped[MAX_LANES];
    if (inst->saturate) {
        for (unsigned lane = 0; lane < inst->lanes; lane++)
            clamped[lane] = saturate_integer(lanes[lane], (enum type)operand->type);
        lanes = clamped;
    }
    switch (type_bytes((enum type)operand->type)) {
    case 1:
        WRITE_LANES(uint8_t, lanes[lane]);
    case 2:
        WRITE_LANES(uint16_t, lanes[lane]);
    case 4:
        WRITE_LANES(uint32_t, lanes[lane]);
    default:
        WRITE_LANES(uint64_t, lanes[lane]);
    }
    return 0;
}

int store_f64(struct thread *thread, const struct inst *inst, const double *lanes, uint32_t mask)
{
    const struct operand *operand = &inst->destination;
    if (operand->is_null || operand->kind == OPERAND_NONE)
        return 0;
    struct place place;
    if (place_find(thread, inst, operand, &place))
        return -1;
    double clamped[MAX_LANES];
    if (inst->saturate) {
        for (unsigned lane = 0; lane < inst->lanes; lane++)
            clamped[lane] = fmin(fmax(lanes[lane], 0.0), 1.0);
        lanes = clamped;
    }
    switch (operand->type) {
    case TYPE_DF:
        WRITE_LANES(double, lanes[lane]);
    case TYPE_HF:
        WRITE_LANES(uint16_t, double_to_half(lanes[lane]));
    case TYPE_BF:
        WRITE_LANES(uint16_t, float_to_bfloat((float)lanes[lane]));
    default:
        WRITE_LANES(float, lanes[lane]);
    }
    return 0;
}

int store_f32(struct thread *thread, const struct inst *inst, const float *lanes, uint32_t mask)
{
    const struct operand *operand = &inst->destination;
    if (operand->is_null || operand->kind == OPERAND_NONE)
        return 0;
    struct place place;
    if (place_find(thread, inst, operand, &place))
        return -1;
    float clamped[MAX_LANES];
    if (inst->saturate) {
        for (unsigned lane = 0; lane < inst->lanes; lane++)
            clamped[lane] = fminf(fmaxf(lanes[lane], 0.0f), 1.0f);
        lanes = clamped;
    }
    switch (operand->type) {
    case TYPE_DF:
        WRITE_LANES(double, lanes[lane]);
    case TYPE_HF:
        WRITE_LANES(uint16_t, float_to_half(lanes[lane]));
    case TYPE_BF:
        WRITE_LANES(uint16_t, float_to_bfloat(lanes[lane]));
    default:
        WRITE_LANES(float, lanes[lane]);
    }
    return 0;
}

int store_raw(struct thread *thread, const struct inst *inst, const uint64_t *lanes, uint32_t mask)
{
    const struct operand *operand = &inst->destination;
    if (operand->is_null || operand->kind == OPERAND_NONE)
        return 0;
    struct place place;
    if (place_find(thread, inst, operand, &place))
        return -1;
    switch (type_bytes((enum type)operand->type)) {
    case 1:
        WRITE_LANES(uint8_t, lanes[lane]);
    case 2:
        WRITE_LANES(uint16_t, lanes[lane]);
    case 4:
        WRITE_LANES(uint32_t, lanes[lane]);
    default:
        WRITE_LANES(uint64_t, lanes[lane]);
    }
    return 0;
}
