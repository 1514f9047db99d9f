/* Host reference for the kernels of family `barrier_arrival`. */
#ifndef VEBENCH_BARRIER_ARRIVAL_REFERENCE_H
#define VEBENCH_BARRIER_ARRIVAL_REFERENCE_H

#include <stdint.h>

struct barrier_arrival_shape {
    uint32_t workgroup_size; /* work-items */
    uint32_t subgroup_size;
    uint32_t operations; /* of each sub-group that works */
    uint32_t late_from;  /* the first sub-group that works */
    uint32_t span_mask;  /* span of partners - 1, a power of two that divides workgroup_size */
};

/* Computes the final values of work-group 0, `values`, and their increments from one work-group to
 * the next, `steps`: each one per work-item of a work-group, modulo 2^32. `slots` is room for as
 * many. */
void barrier_arrival_reference(const struct barrier_arrival_shape *shape, uint32_t iterations,
                               uint32_t *values, uint32_t *steps, uint32_t *slots);

#endif
