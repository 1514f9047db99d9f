/* What the kernels of family `slm` compute, worked out on the host. */
#ifndef VEBENCH_SLM_REFERENCE_H
#define VEBENCH_SLM_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Accesses of an iteration, all in the same bank. */
#define SLM_ACCESSES 8

/* The word of a work-item moves on by one in each iteration, so many times. */
#define SLM_ROTATIONS 8

/* Words that lie between one access of an iteration and the next. */
#define SLM_PITCH 32

enum slm_access {
    SLM_ADDRESSES,
    SLM_ADDRESSES_X4,
    SLM_LOAD,
    SLM_LOAD_X4,
    SLM_STORE,
    SLM_ATOMIC_ADD
};

struct slm_shape {
    uint32_t workgroup_size;
    uint32_t stride;
    uint32_t power;     /* the greatest power of two that divides the stride; 0 if that is 0 */
    uint32_t log2_span; /* of the words the work-items spread over */
    uint32_t words;     /* of shared local memory, in all */
};

/* The shape for work-groups of so many work-items, a power of two; `element_words` is 4 for
 * accesses to elements of four words, else 1. */
struct slm_shape slm_shape_of(uint32_t workgroup_size, uint32_t subgroup_size, uint32_t stride,
                              uint32_t element_words);

/* Work-group `group`: `contents` gets what its shared local memory holds at the end, shape->words
 * words, and `gathered` what each of its work-items writes. */
void slm_reference(const struct slm_shape *shape, enum slm_access access, bool padded,
                   uint32_t iterations, uint32_t group, uint32_t seed, uint32_t *contents,
                   uint32_t *gathered);

#endif
