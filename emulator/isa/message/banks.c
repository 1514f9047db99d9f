#include "isa/message/banks.h"

/* The dwords that a transfer accesses; an 8-byte element takes two. */
struct bank_load {
    uint32_t count;
    uint32_t dwords[2 * TRANSFER_MAX_HOSTS];
};

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

/* Whether all dwords lie within one row of banks, so that no bank serves two; by far the most
 * common case. */
static bool is_one_row(const struct bank_load *load, uint32_t banks)
{
    uint32_t low = UINT32_MAX, high = 0;

    for (uint32_t i = 0; i < load->count; i++) {
        low = load->dwords[i] < low ? load->dwords[i] : low;
        high = load->dwords[i] > high ? load->dwords[i] : high;
    }
    return load->count == 0 || high - low < banks;
}

/* Lanes that access the same dword share one read; atomics on one dword are serialized. */
static uint32_t fullest_bank(const struct bank_load *load, uint32_t banks, bool share)
{
    uint32_t busy[128] = {0}, most = 0;

    for (uint32_t i = 0; i < load->count; i++) {
        bool repeated = false;

        for (uint32_t j = 0; share && j < i && !repeated; j++)
            repeated = load->dwords[j] == load->dwords[i];
        if (repeated)
            continue;
        uint32_t cycles = ++busy[load->dwords[i] % banks];
        most = cycles > most ? cycles : most;
    }
    return most ? most : 1;
}

uint32_t banks_busy(const struct transfer *t, uint8_t *const *hosts, const uint8_t *slm,
                    uint32_t banks)
{
    struct bank_load load;
    bool share = t->shape.kind != MESSAGE_ATOMIC;

    load.count = 0;
    if (t->form == TRANSFER_RUN) {
        uint32_t first = (uint32_t)(hosts[0] - slm);

        if ((first + t->run_bytes - 1) / 4 - first / 4 < banks)
            return 1;
        for (uint32_t i = 0; i < t->run_bytes; i += t->shape.element_bytes)
            add_element(&load, t, first + i);
    } else {
        for (unsigned lane = 0; lane < t->shape.lanes; lane++)
            if (t->mask >> lane & 1)
                add_lane(&load, t, hosts, slm, lane);
    }
    if (share && is_one_row(&load, banks))
        return 1;
    return fullest_bank(&load, banks, share);
}
