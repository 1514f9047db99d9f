/* The variants of family `slm`, for its run, its model and its report. */
#ifndef VEBENCH_SLM_VARIANTS_H
#define VEBENCH_SLM_VARIANTS_H

#include "base/variant.h"

enum slm_access {
    SLM_ADDRESSES,
    SLM_ADDRESSES_X4,
    SLM_LOAD,
    SLM_LOAD_X4,
    SLM_STORE,
    SLM_ATOMIC_ADD
};

/* After so many words comes a word of padding, in the padded variants. */
#define SLM_PADDED_EVERY 32u

struct slm_variant {
    enum slm_access access;
    bool padded;
    unsigned width; /* words of an element, which are neighbours */
    unsigned moved; /* words that an access moves for each work-item */
};

enum { SLM_VARIANTS = 9 };

extern const struct variant slm_variants[SLM_VARIANTS];

#endif
