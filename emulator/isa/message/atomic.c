#include "isa/message/atomic.h"

#include <math.h>
#include <pthread.h>

#include "isa/execute/operand.h"
#include "isa/message/words.h"

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

/* The value that an operation leaves in memory. Values are `bytes` wide; higher bits are
 * undefined. */
static uint64_t atomic_result(enum atomic_operation operation, uint64_t old, unsigned bytes,
                              uint64_t operand0, uint64_t operand1)
{
    int64_t a = sign_extend(old, bytes), b = sign_extend(operand0, bytes);

    switch (operation) {
    case ATOMIC_LOAD:
        return old;
    case ATOMIC_INCREMENT:
        return old + 1;
    case ATOMIC_DECREMENT:
    case ATOMIC_PREDECREMENT:
        return old - 1;
    case ATOMIC_STORE:
    case ATOMIC_EXCHANGE:
        return operand0;
    case ATOMIC_ADD:
        return old + operand0;
    case ATOMIC_SUB:
        return old - operand0;
    case ATOMIC_REVERSE_SUB:
        return operand0 - old;
    case ATOMIC_SMIN:
        return a < b ? old : operand0;
    case ATOMIC_SMAX:
        return a > b ? old : operand0;
    case ATOMIC_UMIN:
        return old < operand0 ? old : operand0;
    case ATOMIC_UMAX:
        return old > operand0 ? old : operand0;
    case ATOMIC_AND:
        return old & operand0;
    case ATOMIC_OR:
        return old | operand0;
    case ATOMIC_XOR:
        return old ^ operand0;
    case ATOMIC_COMPARE_EXCHANGE:
        return old == operand0 ? operand1 : old;
    default:
        return float_result(operation, old, operand0, operand1, bytes);
    }
}

static uint64_t all_ones(unsigned bytes)
{
    return bytes == 8 ? UINT64_MAX : (UINT64_C(1) << bytes * 8) - 1;
}

uint64_t atomic_apply(enum atomic_operation operation, void *at, unsigned bytes, uint64_t operand0,
                      uint64_t operand1)
{
    uint64_t mask = all_ones(bytes), old = word_load(at, bytes);
    uint64_t result = atomic_result(operation, old, bytes, operand0 & mask, operand1 & mask);
    word_store(at, result, bytes);
    return operation == ATOMIC_PREDECREMENT ? result & mask : old;
}

/* Repeats the operation until no other thread has intervened. */
#define APPLY(type)                                                                                \
    do {                                                                                           \
        type *word = at, seen = __atomic_load_n(word, __ATOMIC_RELAXED), wanted;                   \
        do                                                                                         \
            wanted = (type)atomic_result(operation, seen, bytes, operand0, operand1);              \
        while (!__atomic_compare_exchange_n(word, &seen, wanted, true, __ATOMIC_SEQ_CST,           \
                                            __ATOMIC_RELAXED));                                    \
        return operation == ATOMIC_PREDECREMENT ? wanted : seen;                                   \
    } while (0)

uint64_t atomic_apply_shared(enum atomic_operation operation, void *at, unsigned bytes,
                             uint64_t operand0, uint64_t operand1)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    uint64_t mask = all_ones(bytes);

    operand0 &= mask;
    operand1 &= mask;
    if ((uintptr_t)at % bytes == 0) {
        if (bytes == 1)
            APPLY(uint8_t);
        if (bytes == 2)
            APPLY(uint16_t);
        if (bytes == 4)
            APPLY(uint32_t);
        APPLY(uint64_t);
    }
    /* Any trap happens here, before the lock is taken: see memory/guard.h. */
    __atomic_fetch_or((uint8_t *)at, 0, __ATOMIC_RELAXED);
    __atomic_fetch_or((uint8_t *)at + bytes - 1, 0, __ATOMIC_RELAXED);
    pthread_mutex_lock(&lock); /* atomic only with respect to other operations under this lock */
    uint64_t old = atomic_apply(operation, at, bytes, operand0, operand1);
    pthread_mutex_unlock(&lock);
    return old;
}
