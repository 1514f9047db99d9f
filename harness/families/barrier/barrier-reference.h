/* Host reference for the kernels of family `barrier`. */
#ifndef VEBENCH_BARRIER_REFERENCE_H
#define VEBENCH_BARRIER_REFERENCE_H

#include <stdint.h>

/* What the kernel adds to the data of work-group 0: `sums` gets one value per work-item, and
 * element e of work-group k gets sums[e] + k * *sum_per_group (all modulo 2^32). Both masks are
 * spans - 1, spans powers of two that divide workgroup_size. */
void barrier_reference(uint32_t workgroup_size, uint32_t iterations, uint32_t local_mask,
                       uint32_t global_mask, uint32_t seed, uint32_t *sums,
                       uint32_t *sum_per_group);

#endif
