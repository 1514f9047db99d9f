#include "barrier-simulation.h"

#include <stdlib.h>

/* All work-items of a work-group in lockstep, an iteration at a time. */
static void simulate_group(const struct barrier_arguments *a, uint32_t group, uint32_t *slots,
                           uint32_t *data)
{
    for (uint32_t lid = 0; lid < a->workgroup_size; lid++)
        slots[lid] = a->seed + group * a->workgroup_size + lid;
    for (uint32_t i = 0; i < a->iterations; i++) {
        for (uint32_t lid = 0; lid < a->workgroup_size; lid++) {
            uint32_t gid = group * a->workgroup_size + lid;
            uint32_t l = (lid & ~a->local_mask) | ((lid + i) & a->local_mask);
            uint32_t g = (gid & ~a->global_mask) | ((gid + i) & a->global_mask);

            slots[l] = slots[l] * 5u + i;
            data[g] += slots[l];
        }
    }
}

void barrier_simulate(const struct barrier_arguments *arguments, uint32_t *data)
{
    uint32_t *slots = calloc(arguments->workgroup_size, sizeof(*slots));

    for (uint32_t group = 0; slots && group < arguments->workgroup_count; group++)
        simulate_group(arguments, group, slots, data);
    free(slots);
}
