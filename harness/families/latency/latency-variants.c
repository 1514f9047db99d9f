#include "families/latency/latency-variants.h"

/* On Gen12LP only the surface, 254, distinguishes local from global memory in the listing. */
#define GLOBAL_LOADS                                                                               \
    {                                                                                              \
        "load\\.ugm\\.d64.*\\.a64", "a64 qword gathering read"                                     \
    }
#define LOCAL_LOADS                                                                                \
    {                                                                                              \
        "load\\.slm\\.d32", "FE .*(untyped surface|byte gathering) read"                           \
    }

const struct variant latency_variants[] = {
    {.name = "global_scalar",
     .operation = "global",
     .method = "scalar",
     .own = &(const struct latency_variant){LATENCY_SUBGROUP, false, true},
     .entry_point = "latency_scalar",
     .means = "global memory, one chain in a sub-group, and the compiler knows",
     .instructions = GLOBAL_LOADS},
    {.name = "global_one_lane",
     .operation = "global",
     .method = "one_lane",
     .own = &(const struct latency_variant){LATENCY_ONE_LANE, false, false},
     .entry_point = "latency_one_lane",
     .means = "global memory, a chain for lane 0, the others switched off",
     .instructions = GLOBAL_LOADS},
    {.name = "global_uniform",
     .operation = "global",
     .method = "uniform",
     .own = &(const struct latency_variant){LATENCY_SUBGROUP, false, false, true},
     .entry_point = "latency_lanes",
     .means = "global memory, all lanes at the same address",
     .instructions = GLOBAL_LOADS},
    {.name = "global_divergent",
     .operation = "global",
     .method = "divergent",
     .own = &(const struct latency_variant){LATENCY_LANE, false, false, true},
     .entry_point = "latency_lanes",
     .means = "global memory, a chain for each lane",
     .instructions = GLOBAL_LOADS},
    {.name = "slm_scalar",
     .operation = "slm",
     .method = "scalar",
     .own = &(const struct latency_variant){LATENCY_SUBGROUP, true, true},
     .entry_point = "latency_slm_scalar",
     .means = "the same as global_scalar in local memory",
     .instructions = LOCAL_LOADS},
    {.name = "slm_one_lane",
     .operation = "slm",
     .method = "one_lane",
     .own = &(const struct latency_variant){LATENCY_ONE_LANE, true, false},
     .entry_point = "latency_slm_one_lane",
     .means = "the same as global_one_lane in local memory",
     .instructions = LOCAL_LOADS},
    {.name = "slm_uniform",
     .operation = "slm",
     .method = "uniform",
     .own = &(const struct latency_variant){LATENCY_SUBGROUP, true, false},
     .entry_point = "latency_slm_lanes",
     .means = "the same as global_uniform in local memory",
     .instructions = LOCAL_LOADS},
    {.name = "slm_divergent",
     .operation = "slm",
     .method = "divergent",
     .own = &(const struct latency_variant){LATENCY_LANE, true, false},
     .entry_point = "latency_slm_lanes",
     .means = "the same as global_divergent in local memory",
     .instructions = LOCAL_LOADS},
};

const struct variant_table family_latency_variants = {"latency", latency_variants,
                                                      LATENCY_VARIANTS};
