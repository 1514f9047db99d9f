/* Atomic operations. The model executes one message at a time, so that plain loads and stores are
 * atomic among threads of the GPU; the host sees whole dwords and quadwords. */
#include <math.h>

#include "xe/memory-access.h"
#include "xe/operand.h"

unsigned atomic_operands(enum atomic_operation operation)
{
    switch (operation) {
    case ATOMIC_INCREMENT:
    case ATOMIC_DECREMENT:
    case ATOMIC_PREDECREMENT:
    case ATOMIC_LOAD:
        return 0;
    case ATOMIC_COMPARE_EXCHANGE:
    case ATOMIC_FCOMPARE_EXCHANGE:
        return 2;
    default:
        return 1;
    }
}

static int64_t sign_extend(uint64_t value, unsigned bytes)
{
    unsigned shift = 64 - bytes * 8;
    return (int64_t)(value << shift) >> shift;
}

static double to_double(uint64_t bits, unsigned bytes)
{
    uint32_t low = (uint32_t)bits;
    float single;
    double value;
    if (bytes == 2)
        return half_to_float((uint16_t)bits);
    if (bytes == 4) {
        memcpy(&single, &low, sizeof(single));
        return (double)single;
    }
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint64_t from_double(double value, unsigned bytes)
{
    uint32_t low;
    uint64_t bits;
    float single = (float)value;
    if (bytes == 2)
        return float_to_half(single);
    if (bytes == 4) {
        memcpy(&low, &single, sizeof(low));
        return low;
    }
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint64_t float_result(enum atomic_operation operation, uint64_t old, uint64_t operand0,
                             uint64_t operand1, unsigned bytes)
{
    double a = to_double(old, bytes), b = to_double(operand0, bytes);
    switch (operation) {
    case ATOMIC_FADD:
        return from_double(a + b, bytes);
    case ATOMIC_FSUB:
        return from_double(a - b, bytes);
    case ATOMIC_FMIN:
        return from_double(fmin(a, b), bytes);
    case ATOMIC_FMAX:
        return from_double(fmax(a, b), bytes);
    default:
        return a == b ? operand1 : old;
    }
}

uint64_t atomic_apply(enum atomic_operation operation, void *at, unsigned bytes, uint64_t operand0,
                      uint64_t operand1)
{
    uint64_t mask = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << bytes * 8) - 1, old = 0, result;
    memcpy(&old, at, bytes);
    operand0 &= mask;
    operand1 &= mask;
    int64_t a = sign_extend(old, bytes), b = sign_extend(operand0, bytes);
    switch (operation) {
    case ATOMIC_LOAD:
        return old;
    case ATOMIC_INCREMENT:
        result = old + 1;
        break;
    case ATOMIC_DECREMENT:
    case ATOMIC_PREDECREMENT:
        result = old - 1;
        break;
    case ATOMIC_STORE:
    case ATOMIC_EXCHANGE:
        result = operand0;
        break;
    case ATOMIC_ADD:
        result = old + operand0;
        break;
    case ATOMIC_SUB:
        result = old - operand0;
        break;
    case ATOMIC_REVERSE_SUB:
        result = operand0 - old;
        break;
    case ATOMIC_SMIN:
        result = a < b ? old : operand0;
        break;
    case ATOMIC_SMAX:
        result = a > b ? old : operand0;
        break;
    case ATOMIC_UMIN:
        result = old < operand0 ? old : operand0;
        break;
    case ATOMIC_UMAX:
        result = old > operand0 ? old : operand0;
        break;
    case ATOMIC_AND:
        result = old & operand0;
        break;
    case ATOMIC_OR:
        result = old | operand0;
        break;
    case ATOMIC_XOR:
        result = old ^ operand0;
        break;
    case ATOMIC_COMPARE_EXCHANGE:
        result = old == operand0 ? operand1 : old;
        break;
    default:
        result = float_result(operation, old, operand0, operand1, bytes);
        break;
    }
    memcpy(at, &result, bytes);
    return operation == ATOMIC_PREDECREMENT ? result & mask : old;
}
