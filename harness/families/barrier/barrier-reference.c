#include "families/barrier/barrier-reference.h"

/* Slot l of work-group k starts as s = seed + k * workgroup_size + l and becomes 5 * slot + i in
 * iteration i, whichever lane updates it. So after iteration i it holds 5^(i+1) * s + b, where b
 * follows the same rule from 0. The work-group enters only through the first term, so simulating
 * one work-group is enough. Under equal masks an element always meets the same slot: the sums of
 * the powers and of the b's are all that it takes. */
void barrier_reference(uint32_t workgroup_size, uint32_t iterations, uint32_t local_mask,
                       uint32_t global_mask, uint32_t seed, uint32_t *sums, uint32_t *sum_per_group)
{
    uint32_t power = 1;
    uint32_t b = 0;
    uint32_t powers = 0;
    uint32_t bs = 0;

    for (uint32_t e = 0; e < workgroup_size; e++)
        sums[e] = 0;
    for (uint32_t i = 0; i < iterations; i++) {
        power *= 5u;
        b = b * 5u + i;
        powers += power;
        bs += b;
        for (uint32_t lid = 0; lid < workgroup_size && local_mask != global_mask; lid++) {
            uint32_t slot = (lid & ~local_mask) | ((lid + i) & local_mask);
            uint32_t element = (lid & ~global_mask) | ((lid + i) & global_mask);

            sums[element] += power * (seed + slot) + b;
        }
    }
    for (uint32_t e = 0; e < workgroup_size && local_mask == global_mask; e++)
        sums[e] = powers * (seed + e) + bs;
    *sum_per_group = powers * workgroup_size;
}
