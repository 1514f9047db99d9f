#include "isa/message/transfer.h"

#include <string.h>

#include "isa/message/atomic.h"
#include "isa/message/block-2d.h"
#include "isa/message/texel.h"
#include "isa/message/words.h"

/* The host address of a lane's component, `within` bytes behind the lane's first, skipped ones
 * included; NULL when out of bounds. `component` excludes skipped ones. */
static inline uint8_t *element_host(const struct transfer *t, uint8_t *const *hosts, unsigned lane,
                                    unsigned component, unsigned within)
{
    if (t->form == TRANSFER_ELEMENTS)
        return hosts[component * t->shape.lanes + lane];
    return hosts[lane] ? hosts[lane] + within : NULL;
}

/* One 32-bit component per lane: the most common transfer. */
static void load_dwords(const struct transfer *t, uint8_t *const *hosts, uint8_t *registers)
{
    for (unsigned lane = 0; lane < t->shape.lanes; lane++) {
        if (!(t->mask >> lane & 1))
            continue;
        uint32_t value = 0;
        if (hosts[lane])
            memcpy(&value, hosts[lane], sizeof(value));
        memcpy(registers + lane * 4, &value, sizeof(value));
    }
}

static void store_dwords(const struct transfer *t, uint8_t *const *hosts, const uint8_t *payload)
{
    for (unsigned lane = 0; lane < t->shape.lanes; lane++)
        if ((t->mask >> lane & 1) && hosts[lane])
            memcpy(hosts[lane], payload + lane * 4, 4);
}

/* Goes lane by lane, and component by component within a lane: the later of two writes to one
 * address wins. Elements of `bytes` are zero-extended to `apart` in registers. */
__attribute__((always_inline)) static inline void
move_each(const struct transfer *transfer, uint8_t *const *hosts, const uint8_t *payload,
          uint8_t *registers, unsigned bytes, unsigned apart)
{
    const struct transfer copy = *transfer, *t = &copy; /* which no write below can change */

    for (unsigned lane = 0; lane < t->shape.lanes; lane++) {
        uint32_t left = t->shape.component_mask;

        if (!(t->mask >> lane & 1))
            continue;
        for (unsigned i = 0; i < t->shape.components; i++, left &= left - 1) {
            unsigned element = t->form == TRANSFER_LANES ? (unsigned)__builtin_ctz(left) : 0;
            uint8_t *at = element_host(t, hosts, lane, i, element * bytes);
            uint32_t offset = i * t->shape.step + lane * apart;
            uint64_t value = 0;

            if (t->shape.kind == MESSAGE_LOAD) {
                if (at)
                    memcpy(&value, at, bytes);
                memcpy(registers + offset, &value, apart);
            } else if (at) {
                memcpy(at, payload + offset, bytes);
            }
        }
    }
}

/* The usual sizes are known to the compiler. */
static void move_elements(const struct transfer *t, uint8_t *const *hosts, const uint8_t *payload,
                          uint8_t *registers)
{
    unsigned bytes = t->shape.element_bytes, apart = t->shape.register_bytes;

    if (bytes == 1 && apart == 4)
        move_each(t, hosts, payload, registers, 1, 4);
    else if (bytes == 2 && apart == 4)
        move_each(t, hosts, payload, registers, 2, 4);
    else if (bytes == 4 && apart == 4)
        move_each(t, hosts, payload, registers, 4, 4);
    else if (bytes == 8 && apart == 8)
        move_each(t, hosts, payload, registers, 8, 8);
    else
        move_each(t, hosts, payload, registers, bytes, apart);
}

static void move_atomics(const struct transfer *t, uint8_t *const *hosts, const uint8_t *payload,
                         uint8_t *registers, bool shared)
{
    enum atomic_operation operation = (enum atomic_operation)t->shape.atomic;
    unsigned operands = atomic_operands(operation), bytes = t->shape.element_bytes;

    for (unsigned lane = 0; lane < t->shape.lanes; lane++) {
        uint64_t operand[2] = {0, 0}, old = 0;

        if (!(t->mask >> lane & 1))
            continue;
        for (unsigned i = 0; i < operands; i++)
            operand[i] =
                word_load(payload + i * t->shape.step + lane * t->shape.register_bytes, bytes);
        if (hosts[lane] && shared)
            old = atomic_apply_shared(operation, hosts[lane], bytes, operand[0], operand[1]);
        else if (hosts[lane])
            old = atomic_apply(operation, hosts[lane], bytes, operand[0], operand[1]);
        if (t->shape.returns)
            word_store(registers + lane * t->shape.register_bytes, old, t->shape.register_bytes);
    }
}

void transfer_move(const struct transfer *t, uint8_t *const *hosts, const uint8_t *payload,
                   uint8_t *registers, bool shared)
{
    if (t->shape.kind == MESSAGE_LOAD && transfer_move_together(t, hosts, registers))
        return;
    registers += t->destination;
    bool dwords = t->form != TRANSFER_RUN && t->shape.components == 1 &&
                  t->shape.element_bytes == 4 && t->shape.register_bytes == 4 &&
                  (t->form == TRANSFER_ELEMENTS || t->shape.component_mask == 1);
    if (t->form == TRANSFER_ROWS)
        block_2d_move(t, hosts, payload, registers);
    else if (t->form == TRANSFER_SAMPLES)
        samples_move(t, hosts, payload, registers);
    else if (t->shape.texel)
        texels_move(t, hosts, payload, registers);
    else if (t->shape.kind == MESSAGE_ATOMIC)
        move_atomics(t, hosts, payload, registers, shared);
    else if (t->form == TRANSFER_RUN && t->shape.kind == MESSAGE_LOAD)
        memcpy(registers, hosts[0], t->run_bytes);
    else if (t->form == TRANSFER_RUN)
        memcpy(hosts[0], payload, t->run_bytes);
    else if (dwords && t->shape.kind == MESSAGE_LOAD)
        load_dwords(t, hosts, registers);
    else if (dwords)
        store_dwords(t, hosts, payload);
    else
        move_elements(t, hosts, payload, registers);
}

void transfer_visit(const struct transfer *t, uint8_t *const *hosts, transfer_visitor visitor,
                    void *context)
{
    if (t->form == TRANSFER_ROWS) {
        block_2d_visit(t, hosts, visitor, context);
        return;
    }
    if (t->form == TRANSFER_RUN) {
        visitor(context, hosts[0], 0, t->run_bytes);
        return;
    }
    if (t->form == TRANSFER_SAME) {
        for (uint32_t i = 0; i < t->run_bytes; i += 4)
            visitor(context, hosts[0], i, 4);
        return;
    }
    for (unsigned lane = 0; lane < t->shape.lanes; lane++) {
        uint32_t left = t->shape.component_mask;

        for (unsigned i = 0; (t->mask >> lane & 1) && i < t->shape.components;
             i++, left &= left - 1) {
            unsigned element = t->form == TRANSFER_LANES ? (unsigned)__builtin_ctz(left) : 0;
            uint8_t *host = element_host(t, hosts, lane, i, element * t->shape.element_bytes);

            if (host)
                visitor(context, host, i * t->shape.step + lane * t->shape.register_bytes,
                        t->shape.element_bytes);
        }
    }
}
