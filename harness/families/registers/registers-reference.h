/* Host reference for the kernels of family `registers`. */
#ifndef VEBENCH_REGISTERS_REFERENCE_H
#define VEBENCH_REGISTERS_REFERENCE_H

#include <stdint.h>

#define REGISTERS_MOST_VALUES 192u

/* A kernel's ring of values. */
struct registers_ring {
    unsigned values;  /* at most REGISTERS_MOST_VALUES */
    unsigned step;    /* value k is updated by value k + step */
    unsigned updates; /* per iteration; a multiple of `values` */
};

/* The result of work-item `gid` is *constant + gid * *slope, modulo 2^32. */
void registers_reference(const struct registers_ring *ring, uint32_t iterations, uint32_t seed,
                         uint32_t *constant, uint32_t *slope);

#endif
