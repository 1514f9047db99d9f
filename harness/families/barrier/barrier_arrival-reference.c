#include "families/barrier/barrier_arrival-reference.h"

/* Runs one work-group, whose first work-item is number `first_item`. Doing v * 3 + i `operations`
 * times equals v * power + i * powers, with a power of 3 and the sum of the lower powers. */
static void run(const struct barrier_arrival_shape *shape, uint32_t iterations, uint32_t first_item,
                uint32_t *values, uint32_t *slots)
{
    uint32_t power = 1, powers = 0;

    for (uint32_t o = 0; o < shape->operations; o++) {
        powers += power;
        power *= 3u;
    }
    for (uint32_t lid = 0; lid < shape->workgroup_size; lid++)
        values[lid] = first_item + lid;
    for (uint32_t i = 0; i < iterations; i++) {
        for (uint32_t lid = 0; lid < shape->workgroup_size; lid++)
            slots[lid] = values[lid];
        for (uint32_t lid = 0; lid < shape->workgroup_size; lid++) {
            uint32_t partner = (lid & ~shape->span_mask) | ((lid + 1u) & shape->span_mask);

            if (lid / shape->subgroup_size >= shape->late_from)
                values[lid] = values[lid] * power + i * powers;
            values[lid] = values[lid] * 2u + slots[partner];
        }
    }
}

/* Values are sums of multiples of the initial ones, so all grow by the same amount from one
 * work-group to the next. */
void barrier_arrival_reference(const struct barrier_arrival_shape *shape, uint32_t iterations,
                               uint32_t *values, uint32_t *steps, uint32_t *slots)
{
    run(shape, iterations, 0, values, slots);
    run(shape, iterations, shape->workgroup_size, steps, slots);
    for (uint32_t lid = 0; lid < shape->workgroup_size; lid++)
        steps[lid] -= values[lid];
}
