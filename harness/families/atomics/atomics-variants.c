#include "families/atomics/atomics-variants.h"

#define ATOMIC(memory_, is_local, operation_, type_, end, kind_, bits_, baseline_, what, xe_hpg,   \
               gen12lp, fewest)                                                                    \
    {                                                                                              \
        .name = memory_ "_" operation_ "_" type_ end,                                              \
        .own = &(const struct atomic_variant){kind_, bits_, is_local}, .type = type_,              \
        .method = memory_, .entry_point = "atomics_" memory_ "_" operation_ "_" type_ end,         \
        .means = what ", " memory_ " memory", .baseline = baseline_,                               \
        .instructions = {xe_hpg, gen12lp}, .fewest_iterations = fewest,                            \
        .is_posted = (kind_) == ATOMIC_ADD || (kind_) == ATOMIC_FLOAT, .operation = operation_ end \
    }

/* Which work-item succeeds in a loop of compare and exchange varies between iterations. */
#define LOOP_ITERATIONS 16

#define ATOMICS(memory, is_local, port, fence)                                                     \
    ATOMIC(memory, is_local, "add", "u32", "", ATOMIC_ADD, 32, "loop", "add to 32 bits",           \
           "atomic_iadd\\." port "\\.d32", "atomic int32 integer add", 0),                         \
        ATOMIC(memory, is_local, "add", "u32", "_ordered", ATOMIC_ADD, 32, "loop",                 \
               "add to 32 bits between fences", "fence\\." port, fence, 0),                        \
        ATOMIC(memory, is_local, "fetch", "u32", "", ATOMIC_FETCH, 32, "chain_u32",                \
               "add to 32 bits, wait for the old ones", "atomic_iadd\\." port "\\.d32",            \
               "atomic int32 integer add", 0),                                                     \
        ATOMIC(memory, is_local, "fetch", "u32", "_ordered", ATOMIC_FETCH, 32, "chain_u32",        \
               "add to 32 bits between fences, wait for the old ones", "fence\\." port, fence, 0), \
        ATOMIC(memory, is_local, "exchange", "u32", "", ATOMIC_EXCHANGE, 32, "chain_u32",          \
               "compare and exchange 32 bits", "atomic_icas\\." port, "integer compare and swap",  \
               LOOP_ITERATIONS)

const struct variant atomics_variants[] = {
    {.name = "loop",
     .own = &(const struct atomic_variant){ATOMIC_LOOP, 32, false},
     .entry_point = "atomics_loop",
     .means = "the loop alone"},
    {.name = "chain_u32",
     .operation = "chain",
     .type = "u32",
     .own = &(const struct atomic_variant){ATOMIC_CHAIN, 32, false},
     .entry_point = "atomics_chain_u32",
     .means = "the next operand from the last, 32 bits"},
    {.name = "chain_u64",
     .operation = "chain",
     .type = "u64",
     .own = &(const struct atomic_variant){ATOMIC_CHAIN, 64, false},
     .entry_point = "atomics_chain_u64",
     .means = "the next operand from the last, 64 bits"},
    ATOMICS("global", false, "ugm", "global fence"),
    ATOMIC("global", false, "add", "f32", "", ATOMIC_FLOAT, 32, "loop", "add to floats",
           "atomic_fadd\\.ugm", "integer compare and swap", LOOP_ITERATIONS),
    ATOMIC("global", false, "add", "u64", "", ATOMIC_ADD, 64, "loop", "add to 64 bits",
           "atomic_iadd\\.ugm\\.d64", "atomic int64 integer add", 0),
    ATOMIC("global", false, "fetch", "u64", "", ATOMIC_FETCH, 64, "chain_u64",
           "add to 64 bits, wait for the old ones", "atomic_iadd\\.ugm\\.d64",
           "atomic int64 integer add", 0),
    ATOMICS("local", true, "slm", "SLM fence"),
    ATOMIC("local", true, "add", "f32", "", ATOMIC_FLOAT, 32, "loop", "add to floats",
           "atomic_icas\\.slm", "integer compare and swap", LOOP_ITERATIONS),
    {.name = "local_fetch_u64",
     .operation = "fetch",
     .type = "u64",
     .method = "local",
     .own = &(const struct atomic_variant){ATOMIC_FETCH, 64, true},
     .entry_point = "atomics_local_fetch_u64",
     .means = "add to 64 bits, wait for the old ones, local memory",
     .baseline = "chain_u64",
     .instructions = {"atomic_store\\.slm", "atomic int32 store"},
     .may_spill = true}, /* the compiler's lock uses private memory */
};

const struct variant_table family_atomics_variants = {"atomics", atomics_variants,
                                                      ATOMICS_VARIANTS};
