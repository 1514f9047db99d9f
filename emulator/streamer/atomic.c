/* MI_ATOMIC: read-modify-write of memory by the streamer (PRM Vol 2a, MI_ATOMIC). */
#include <errno.h>
#include <inttypes.h>

#include "streamer/context.h"

/* The low 5 bits of Atomic Opcode; the bits above repeat the size. */
enum mi_atomic_operation {
    ATOMIC_AND = 0x01,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_MOVE,
    ATOMIC_INCREMENT,
    ATOMIC_DECREMENT,
    ATOMIC_ADD,
    ATOMIC_SUBTRACT,
    ATOMIC_REVERSE_SUBTRACT,
    ATOMIC_IMAX,
    ATOMIC_IMIN,
    ATOMIC_UMAX,
    ATOMIC_UMIN,
    ATOMIC_COMPARE_WRITE,
};

/* Which register gets what was there: compute-runtime reads it from generalPurposeRegister4, 0x2620
 * (walker_partition_interface.h). */
enum { RETURN_GPR = 4 };

static int64_t sign_extend(uint64_t value, bool qword)
{
    return qword ? (int64_t)value : (int32_t)(uint32_t)value;
}

static uint64_t result(enum mi_atomic_operation operation, uint64_t old, uint64_t operand1,
                       uint64_t operand2, bool qword)
{
    switch (operation) {
    case ATOMIC_AND:
        return old & operand1;
    case ATOMIC_OR:
        return old | operand1;
    case ATOMIC_XOR:
        return old ^ operand1;
    case ATOMIC_MOVE:
        return operand1;
    case ATOMIC_INCREMENT:
        return old + 1;
    case ATOMIC_DECREMENT:
        return old - 1;
    case ATOMIC_ADD:
        return old + operand1;
    case ATOMIC_SUBTRACT:
        return old - operand1;
    case ATOMIC_REVERSE_SUBTRACT:
        return operand1 - old;
    case ATOMIC_IMAX:
        return sign_extend(old, qword) > sign_extend(operand1, qword) ? old : operand1;
    case ATOMIC_IMIN:
        return sign_extend(old, qword) < sign_extend(operand1, qword) ? old : operand1;
    case ATOMIC_UMAX:
        return old > operand1 ? old : operand1;
    case ATOMIC_UMIN:
        return old < operand1 ? old : operand1;
    case ATOMIC_COMPARE_WRITE:
        return old == operand1 ? operand2 : old;
    }
    return old;
}

int batch_atomic(struct batch *batch, uint64_t address, const struct batch_atomic *atomic)
{
    const enum mi_atomic_operation operation = (enum mi_atomic_operation)(atomic->opcode & 0x1f);
    const uint32_t bytes = atomic->qword ? 8 : 4;
    void *host = address_space_host(batch->space, address, bytes);
    uint64_t old, new;

    if (atomic->opcode >> 5 != atomic->qword || operation < ATOMIC_AND ||
        operation > ATOMIC_COMPARE_WRITE)
        return batch_fault(batch,
                           "atomic operation 0x%" PRIx32 " of %" PRIu32 " bytes is not modelled",
                           atomic->opcode, bytes);
    if (!host)
        return batch_page_fault(batch, address, "atomic");
    if (address % bytes)
        return batch_fault(batch, "atomic at 0x%" PRIx64 ", not aligned", address);

    /* The host may access the same word: a compare-and-swap loop. */
    if (atomic->qword) {
        uint64_t *word = host;

        old = __atomic_load_n(word, __ATOMIC_ACQUIRE);
        do {
            new = result(operation, old, atomic->operand1, atomic->operand2, true);
        } while (!__atomic_compare_exchange_n(word, &old, new, false, __ATOMIC_ACQ_REL,
                                              __ATOMIC_ACQUIRE));
    } else {
        uint32_t *word = host, seen = __atomic_load_n(word, __ATOMIC_ACQUIRE);

        do {
            new = result(operation, seen, (uint32_t)atomic->operand1, (uint32_t)atomic->operand2,
                         false);
        } while (!__atomic_compare_exchange_n(word, &seen, (uint32_t) new, false, __ATOMIC_ACQ_REL,
                                              __ATOMIC_ACQUIRE));
        old = seen;
    }
    if (atomic->returns)
        register_set_gpr(batch->context, RETURN_GPR, old);
    return 0;
}

int command_atomic(struct batch *batch, const uint32_t *d, uint32_t count)
{
    const struct mi_atomic command = mi_atomic_unpack(d);
    const uint32_t operation = command.opcode & 0x1f;
    struct batch_atomic atomic = {.opcode = command.opcode,
                                  .qword = command.data_size == 1,
                                  .returns = command.return_data_control};

    if (count != (command.inline_data ? 11 : 3))
        return batch_fault(batch, "MI_ATOMIC has %" PRIu32 " dwords", count);
    if (command.data_size > 1)
        return batch_fault(batch, "MI_ATOMIC of size %" PRIu32 " is not modelled",
                           command.data_size);
    if (!command.inline_data && operation != ATOMIC_INCREMENT && operation != ATOMIC_DECREMENT)
        return batch_fault(batch, "MI_ATOMIC with operands in registers is not modelled");
    if (command.inline_data) {
        atomic.operand1 = command.operand1_low | (uint64_t)command.operand1_high << 32;
        atomic.operand2 = command.operand2_low | (uint64_t)command.operand2_high << 32;
    }
    return batch_atomic(
        batch, batch_partition_address(batch, command.partition_offset, command.address), &atomic);
}
