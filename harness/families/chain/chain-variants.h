/* What variants of `exchange`, `collective` and `group_collective` have in common: by way of which
 * memory lanes get each other's values. The `own` of such a variant begins with it. */
#ifndef VEBENCH_CHAIN_VARIANTS_H
#define VEBENCH_CHAIN_VARIANTS_H

#include "base/variant.h"

enum chain_memory {
    CHAIN_NO_EXCHANGE, /* a baseline */
    CHAIN_FUNCTION,    /* by a function of the language: registers, or what the compiler takes */
    CHAIN_SLM,
    CHAIN_GLOBAL,
};

struct chain_variant {
    enum chain_memory memory;
    bool has_barrier; /* of the work-group, where one of the sub-group suffices */
};

#endif
