/* A naive simulation of the kernels of family `barrier`, written from the kernel's source, not from
 * the reference that it checks. */
#ifndef TESTS_HARNESS_BARRIER_SIMULATION_H
#define TESTS_HARNESS_BARRIER_SIMULATION_H

#include <stdint.h>

struct barrier_arguments {
    uint32_t workgroup_size, workgroup_count;
    uint32_t iterations, local_mask, global_mask, seed;
};

/* Runs the kernel on `data`, one uint per work-item of all work-groups. */
void barrier_simulate(const struct barrier_arguments *arguments, uint32_t *data);

#endif
