/* The variants of family `divergence`, for its run, its model and its report. */
#ifndef VEBENCH_DIVERGENCE_VARIANTS_H
#define VEBENCH_DIVERGENCE_VARIANTS_H

#include "base/variant.h"

struct divergence_variant {
    bool has_conditions;
    bool is_divergent; /* work-items take different paths */
};

enum { DIVERGENCE_VARIANTS = 7 };

extern const struct variant divergence_variants[DIVERGENCE_VARIANTS];

#endif
