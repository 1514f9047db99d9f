/* Host reference for the kernels of family `slm`. */
#ifndef VEBENCH_SLM_REFERENCE_H
#define VEBENCH_SLM_REFERENCE_H

#include "families/slm/slm-variants.h"

#include <stdbool.h>
#include <stdint.h>

/* Accesses per iteration, all in the same bank. */
#define SLM_ACCESSES 8

/* A work-item's word advances by one in each iteration and wraps around after this many. */
#define SLM_ROTATIONS 8

/* Words between one access of an iteration and the next. */
#define SLM_PITCH SLM_PADDED_EVERY

struct slm_shape {
    uint32_t workgroup_size;
    uint32_t stride;
    uint32_t power;     /* the largest power of two that divides the stride; 0 if that is 0 */
    uint32_t log2_span; /* of the span of words over which work-items are spread */
    uint32_t words;     /* of shared local memory, in total */
};

/* The shape for work-groups of `workgroup_size` work-items, a power of two; `element_words` is 4
 * for accesses to elements of four words, else 1. */
struct slm_shape slm_shape_of(uint32_t workgroup_size, uint32_t subgroup_size, uint32_t stride,
                              uint32_t element_words);

/* Computes work-group `group`: `contents` receives the final contents of its shared local memory,
 * shape->words words, and `gathered` the result of each of its work-items. */
void slm_reference(const struct slm_shape *shape, enum slm_access access, bool padded,
                   uint32_t iterations, uint32_t group, uint32_t seed, uint32_t *contents,
                   uint32_t *gathered);

#endif
