#include "timing/register-banks.h"

#include <stdbool.h>

struct place {
    unsigned bank, bundle;
};

/* Xe-HPG: pairs of registers alternate, 16 bundles. Before and after it single ones, 8. */
static struct place place_of(const struct vesim_device *device, unsigned number)
{
    if (device->architecture == VESIM_XE_HPG)
        return (struct place){number % 4 / 2, number % 64 / 4};
    return (struct place){number % 2, number % 16 / 2};
}

unsigned register_bank_conflicts(const struct vesim_device *device, const unsigned *registers,
                                 unsigned count)
{
    unsigned same_bundle = 0, in_bank[2] = {0, 0};

    for (unsigned i = 0; i < count; i++) {
        struct place own = place_of(device, registers[i]);
        bool taken = false;

        for (unsigned j = 0; j < i; j++) {
            struct place other = place_of(device, registers[j]);

            taken |= own.bank == other.bank && own.bundle == other.bundle;
        }
        same_bundle += taken;
        in_bank[own.bank]++;
    }
    return same_bundle ? same_bundle : in_bank[0] > 2 || in_bank[1] > 2;
}
