/* The variants of family `latency`, for its run, its model and its report. */
#ifndef VEBENCH_LATENCY_VARIANTS_H
#define VEBENCH_LATENCY_VARIANTS_H

#include "base/variant.h"

/* Who follows a chain. */
enum latency_chain {
    LATENCY_SUBGROUP, /* all lanes the same one */
    LATENCY_ONE_LANE, /* lane 0 only */
    LATENCY_LANE,     /* each lane its own */
};

struct latency_variant {
    enum latency_chain chain;
    bool is_local;       /* in shared local memory */
    bool is_one_address; /* per message, as the compiler knows */
    bool takes_pages;    /* its kernel can find translations before its steps */
};

/* The first variants of either memory. */
enum { LATENCY_GLOBAL = 0, LATENCY_SLM = 4, LATENCY_VARIANTS = 8 };

/* An iteration goes through the whole set of no more nodes than this: of 64 bytes, 512 KiB, the
 * first level of Xe-HPC. */
#define LATENCY_FAR_NODES 8192u

extern const struct variant latency_variants[LATENCY_VARIANTS];

#endif
