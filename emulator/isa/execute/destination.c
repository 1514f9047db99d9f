/* Destinations: lanes of one type, clamped where the instruction saturates, to the register file.
 */
#include <math.h>

#include "isa/execute/operand.h"
#include "isa/execute/region.h"

/* Writes `expression` of lane value `x` as C type `ctype` for the lanes in the mask. */
#define WRITE_LANES(ctype, expression)                                                             \
    for (unsigned lane = 0; lane < inst->lanes; lane++) {                                          \
        if (!(mask >> lane & 1))                                                                   \
            continue;                                                                              \
        ctype x = (ctype)(expression);                                                             \
        memcpy(region.base + region.offsets[lane], &x, sizeof(x));                                 \
    }                                                                                              \
    break

/* 1; or 0 if there is none; or -1 with a fault. */
static int find_destination(struct thread *thread, const struct inst *inst, struct region *region)
{
    const struct operand *operand = &inst->destination;

    if (operand->is_null || operand->kind == OPERAND_NONE)
        return 0;
    return region_find(thread, inst, operand, region) ? -1 : 1;
}

int store_u32(struct thread *thread, const struct inst *inst, const uint32_t *lanes, uint32_t mask)
{
    const struct operand *operand = &inst->destination;
    struct region region;
    int found = find_destination(thread, inst, &region);

    if (found <= 0)
        return found;
    unsigned size = type_bytes((enum type)operand->type);
    if (size == 4 && operand->shape == SHAPE_CONTIGUOUS && operand->kind == OPERAND_REGISTER &&
        mask == (inst->lanes == 32 ? UINT32_MAX : (1u << inst->lanes) - 1)) {
        memcpy(region.base, lanes, inst->lanes * sizeof(*lanes));
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

/* The low bytes of a value, extended by its sign or with zeros. */
static int64_t low_bytes(int64_t value, unsigned bytes, bool is_signed)
{
    unsigned above = 64 - 8 * bytes;
    uint64_t high = (uint64_t)value << above;

    return is_signed ? (int64_t)high >> above : (int64_t)(high >> above);
}

int64_t destination_i64(const struct inst *inst, int64_t result)
{
    enum type type = (enum type)inst->destination.type;

    return inst->saturate ? saturate_integer(result, type)
                          : low_bytes(result, type_bytes(type), type_is_signed(type));
}

double destination_f64(const struct inst *inst, double result)
{
    if (inst->saturate)
        result = fmin(fmax(result, 0.0), 1.0);
    switch (inst->destination.type) {
    case TYPE_DF:
        return result;
    case TYPE_HF:
        return (double)half_to_float(double_to_half(result));
    case TYPE_BF:
        return (double)bfloat_to_float(float_to_bfloat((float)result));
    default:
        return (double)(float)result;
    }
}

int store_raw(struct thread *thread, const struct inst *inst, const uint64_t *lanes, uint32_t mask)
{
    struct region region;
    int found = find_destination(thread, inst, &region);

    if (found <= 0)
        return found;
    switch (type_bytes((enum type)inst->destination.type)) {
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

int store_i64(struct thread *thread, const struct inst *inst, const int64_t *lanes, uint32_t mask)
{
    int64_t clamped[MAX_LANES];

    if (inst->saturate) {
        for (unsigned lane = 0; lane < inst->lanes; lane++)
            clamped[lane] = saturate_integer(lanes[lane], (enum type)inst->destination.type);
        lanes = clamped;
    }
    return store_raw(thread, inst, (const uint64_t *)lanes, mask);
}

/* Stores lanes of C type `ctype`, each rounded once. */
#define STORE_REALS(name, ctype, to_half)                                                          \
    int name(struct thread *thread, const struct inst *inst, const ctype *lanes, uint32_t mask)    \
    {                                                                                              \
        struct region region;                                                                      \
        int found = find_destination(thread, inst, &region);                                       \
                                                                                                   \
        if (found <= 0)                                                                            \
            return found;                                                                          \
        ctype clamped[MAX_LANES];                                                                  \
        if (inst->saturate) {                                                                      \
            for (unsigned lane = 0; lane < inst->lanes; lane++)                                    \
                clamped[lane] = (ctype)fmin(fmax((double)lanes[lane], 0.0), 1.0);                  \
            lanes = clamped;                                                                       \
        }                                                                                          \
        switch (inst->destination.type) {                                                          \
        case TYPE_DF:                                                                              \
            WRITE_LANES(double, lanes[lane]);                                                      \
        case TYPE_HF:                                                                              \
            WRITE_LANES(uint16_t, to_half(lanes[lane]));                                           \
        case TYPE_BF:                                                                              \
            WRITE_LANES(uint16_t, float_to_bfloat((float)lanes[lane]));                            \
        default:                                                                                   \
            WRITE_LANES(float, lanes[lane]);                                                       \
        }                                                                                          \
        return 0;                                                                                  \
    }
STORE_REALS(store_f64, double, double_to_half)
STORE_REALS(store_f32, float, float_to_half)
