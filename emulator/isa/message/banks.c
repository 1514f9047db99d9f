#include "isa/message/banks.h"

#include <string.h>

enum { MAX_BANKS = 128, MAX_DWORDS = 2 * TRANSFER_MAX_HOSTS };

/* The dwords that a transfer accesses; an 8-byte element takes two. */
struct bank_load {
    uint32_t count;
    uint32_t dwords[MAX_DWORDS];
};

static uint32_t bank_of(uint32_t dword, uint32_t banks)
{
    return (banks & (banks - 1)) == 0 ? dword & (banks - 1) : dword % banks;
}

static void add_element(struct bank_load *load, const struct transfer *t, uint32_t offset)
{
    load->dwords[load->count++] = offset / 4;
    if (t->shape.element_bytes == 8)
        load->dwords[load->count++] = offset / 4 + 1;
}

static void add_lane(struct bank_load *load, const struct transfer *t, uint8_t *const *hosts,
                     const uint8_t *slm, unsigned lane)
{
    uint32_t left = t->shape.component_mask;

    for (unsigned i = 0; i < t->shape.components; i++, left &= left - 1) {
        const uint8_t *host =
            t->form == TRANSFER_ELEMENTS ? hosts[i * t->shape.lanes + lane] : hosts[lane];

        if (!host)
            continue;
        if (t->form == TRANSFER_LANES)
            host += __builtin_ctz(left) * t->shape.element_bytes;
        add_element(load, t, (uint32_t)(host - slm));
    }
}

/* The same for all lanes of a transfer of one component each, of at most a dword. */
static void add_single(struct bank_load *load, const struct transfer *t, uint8_t *const *hosts,
                       const uint8_t *slm)
{
    uint32_t skipped =
        t->form == TRANSFER_LANES
            ? (uint32_t)__builtin_ctz(t->shape.component_mask) * t->shape.element_bytes
            : 0;

    for (uint32_t left = t->mask & UINT32_MAX >> (32 - t->shape.lanes); left; left &= left - 1) {
        const uint8_t *host = hosts[__builtin_ctz(left)];

        if (host)
            load->dwords[load->count++] = ((uint32_t)(host - slm) + skipped) / 4;
    }
}

/* Whether all dwords lie within one row of banks, so that no bank serves two; by far the most
 * common case. */
static bool is_one_row(const uint32_t *dwords, uint32_t count, uint32_t banks)
{
    uint32_t low = UINT32_MAX, high = 0;

    for (uint32_t i = 0; i < count; i++) {
        low = dwords[i] < low ? dwords[i] : low;
        high = dwords[i] > high ? dwords[i] : high;
    }
    return count == 0 || high - low < banks;
}

/* Whether each dword lies behind the one before it, so that none comes twice: so they do with any
 * stride. */
static bool is_rising(const uint32_t *dwords, uint32_t count)
{
    uint32_t falls = 0;

    for (uint32_t i = 1; i < count; i++)
        falls |= dwords[i] <= dwords[i - 1];
    return falls == 0;
}

/* Each dword takes a turn of its bank. */
static uint32_t most_turns(const uint32_t *dwords, uint32_t count, uint32_t banks)
{
    uint16_t served[MAX_BANKS];
    uint32_t most = 1;

    memset(served, 0, banks * sizeof(*served));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t turns = ++served[bank_of(dwords[i], banks)];

        most = turns > most ? turns : most;
    }
    return most;
}

/* The dwords that a bank serves, linked from the last one. Places count from 1; 0: none. */
struct bank {
    uint16_t last, served;
};

/* Lanes that access the same dword share one read. */
static uint32_t most_shared_turns(const uint32_t *dwords, uint32_t count, uint32_t banks)
{
    struct bank busy[MAX_BANKS] = {{0, 0}};
    uint16_t before[MAX_DWORDS + 1];
    uint32_t most = 1;

    for (uint32_t place = 1; place <= count; place++) {
        uint32_t dword = dwords[place - 1];
        struct bank *bank = &busy[bank_of(dword, banks)];
        uint16_t same = bank->last;

        while (same && dwords[same - 1] != dword)
            same = before[same];
        if (same)
            continue;
        before[place] = bank->last;
        bank->last = (uint16_t)place;
        most = ++bank->served > most ? bank->served : most;
    }
    return most;
}

/* Atomics on one dword are serialized. */
static uint32_t cycles_of(const uint32_t *dwords, uint32_t count, uint32_t banks, bool share)
{
    if (share && is_one_row(dwords, count, banks))
        return 1;
    return share && !is_rising(dwords, count) ? most_shared_turns(dwords, count, banks)
                                              : most_turns(dwords, count, banks);
}

struct bank_use bank_use_of_dwords(const uint32_t *dwords, uint32_t count, uint32_t banks,
                                   bool share)
{
    uint32_t cycles = cycles_of(dwords, count, banks, share);

    while (cycles == 1 && banks % 2 == 0 && banks / 2 >= BANKS_LEAST &&
           cycles_of(dwords, count, banks / 2, share) == 1)
        banks /= 2;
    return (struct bank_use){cycles, banks};
}

struct bank_use bank_use_of(const struct transfer *t, uint8_t *const *hosts, const uint8_t *slm,
                            uint32_t banks)
{
    struct bank_load load;

    load.count = 0;
    if (t->form == TRANSFER_RUN) {
        uint32_t first = (uint32_t)(hosts[0] - slm);

        if ((first + t->run_bytes - 1) / 4 - first / 4 < banks)
            return (struct bank_use){
                1, banks_of_row((first + t->run_bytes - 1) / 4 - first / 4 + 1, banks)};
        for (uint32_t i = 0; i < t->run_bytes; i += t->shape.element_bytes)
            add_element(&load, t, first + i);
    } else if (t->shape.components == 1 && t->shape.element_bytes <= 4) {
        add_single(&load, t, hosts, slm);
    } else {
        for (unsigned lane = 0; lane < t->shape.lanes; lane++)
            if (t->mask >> lane & 1)
                add_lane(&load, t, hosts, slm, lane);
    }
    return bank_use_of_dwords(load.dwords, load.count, banks, t->shape.kind != MESSAGE_ATOMIC);
}
