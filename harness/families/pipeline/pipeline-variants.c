#include "families/pipeline/pipeline-variants.h"

/* As in spirv_kernels/pipeline.cl. */
#define FEW         8u
#define MANY        32u
#define MORE_ROUNDS 4u /* of independent instructions, beyond the baseline's */

#define PIPELINE(kind_, steps_, units_, sharing_)                                                  \
    .own = &(const struct pipeline_variant)                                                        \
    {                                                                                              \
        PIPELINE_##kind_, steps_, units_, PIPELINE_##sharing_                                      \
    }

#define BASELINE(name_, kind, steps, what)                                                         \
    {                                                                                              \
        .name = name_ "_few", PIPELINE(kind, steps, 1, ALONE),                                     \
        .entry_point = "pipeline_" name_ "_few", .means = what                                     \
    }
#define STEPS(name_, kind, steps, units, unit_, what, xe_hpg, gen12lp)                             \
    {                                                                                              \
        .name = name_, PIPELINE(kind, steps, units, ALONE), .entry_point = "pipeline_" name_,      \
        .means = what, .baseline = name_ "_few", .unit = unit_, .instructions = {                  \
            xe_hpg,                                                                                \
            gen12lp                                                                                \
        }                                                                                          \
    }
#define BARRIER_OF(name_, sharing, what, xe_hpg, gen12lp)                                          \
    {                                                                                              \
        .name = name_, PIPELINE(BARRIER, 1, 1, sharing), .entry_point = "pipeline_" name_,         \
        .means = what, .baseline = "no_barrier", .unit = "ns/barrier", .instructions = {           \
            xe_hpg,                                                                                \
            gen12lp                                                                                \
        }                                                                                          \
    }

const struct variant pipeline_variants[] = {
    {.name = "loop",
     PIPELINE(LOOP, 1, 1, ALONE),
     .entry_point = "pipeline_loop",
     .means = "a loop of one multiply-add",
     .instructions = {"goto", "while"}},
    BASELINE("register", REGISTER, FEW, "8 times rotate and add"),
    STEPS("register", REGISTER, MANY, 2 * (MANY - FEW), "ns/instruction",
          "32 times: results handed on in registers", " rol ", " rol "),
    BASELINE("accumulator", ACCUMULATOR, FEW, "8 multiply-adds of one float"),
    STEPS("accumulator", ACCUMULATOR, MANY, MANY - FEW, "ns/instruction",
          "32 of them: the value stays in the accumulator", "mad .* acc0", "mad .* acc0"),
    BASELINE("product", PRODUCT, FEW, "8 multiplications of 32 bits, one after another"),
    STEPS("product", PRODUCT, MANY, MANY - FEW, "ns/multiplication", "32 of them", "mach", "mach"),
    BASELINE("flag", FLAG, FEW, "8 times compare, select by the flag, convert, rotate"),
    STEPS("flag", FLAG, MANY, MANY - FEW, "ns/step", "32 times", "\\(~?f[01]\\.[01]\\) +sel",
          "\\(~?f[01]\\.[01]\\) +sel"),
    BASELINE("math", MATH, FEW, "8 reciprocals, one after another"),
    STEPS("math", MATH, MANY, MANY - FEW, "ns/instruction", "32 of them", "math\\.inv",
          "math\\.inv"),
    BASELINE("lanes", LANES, 3, "3 rounds of multiply-adds that do not depend on each other"),
    STEPS("lanes", LANES, 7, MORE_ROUNDS, "ns/instruction", "7 rounds of them", " mad ", " mad "),
    {.name = "shared_lanes_few",
     PIPELINE(LANES, 3, 1, SHARED),
     .entry_point = "pipeline_lanes_few",
     .means = "the same 3 rounds by 32 sub-groups at once"},
    {.name = "shared_lanes",
     PIPELINE(LANES, 7, MORE_ROUNDS, SHARED),
     .entry_point = "pipeline_lanes",
     .means = "7 rounds: an instruction of the Xe-core, whose engines are all busy",
     .baseline = "shared_lanes_few",
     .unit = "ns/instruction",
     .instructions = {" mad ", " mad "}},
    {.name = PIPELINE_SPREAD_LANES,
     PIPELINE(LANES, 7, 1, SPREAD),
     .entry_point = "pipeline_lanes",
     .means = "7 rounds by several work-groups, as they are spread over the Xe-cores"},
    {.name = PIPELINE_OLD_WAITS,
     PIPELINE(OLD_WAIT, 3, 1, SHARED),
     .entry_point = "pipeline_old_wait",
     .means =
         "3 rounds of sums by the younger half of 32 sub-groups, while the older wait for loads"},
    {.name = "young_wait",
     PIPELINE(YOUNG_WAIT, 3, 1, SHARED),
     .entry_point = "pipeline_young_wait",
     .means = "the same by the older half, while the younger wait for loads"},
    BASELINE("operands", LANES, 3, "3 rounds of multiply-adds that take one value twice"),
    STEPS("operands", LANES, 7, MORE_ROUNDS, "ns/instruction", "7 rounds of them", " mad ",
          " mad "),
    BASELINE("math_lanes", MATH_LANES, 2,
             "2 rounds of reciprocals that do not depend on each other"),
    STEPS("math_lanes", MATH_LANES, 6, MORE_ROUNDS, "ns/instruction", "6 rounds of them",
          "math\\.inv", "math\\.inv"),
    BASELINE("send", SEND, FEW, "8 stores to local memory"),
    STEPS("send", SEND, MANY, MANY - FEW, "ns/message", "32 of them", "send\\.slm", "send\\.dc1"),
    {.name = "no_barrier",
     PIPELINE(BARRIER, 1, 1, ANY_NUMBER),
     .entry_point = "pipeline_no_barrier",
     .means = "a loop of one load from local memory"},
    BARRIER_OF("barrier", ANY_NUMBER, "a barrier without a fence behind the load", "sync\\.bar",
               "sync\\.bar"),
    BARRIER_OF("barrier_local", ALONE, "with a fence of local memory", "send\\.slm .*fence",
               "send\\.dc0 .* synch"),
    BARRIER_OF("barrier_global", ALONE, "with a fence of global memory", "send\\.ugm .*fence",
               "send\\.dc0 .* synch"),
};

const struct variant_table family_pipeline_variants = {"pipeline", pipeline_variants,
                                                       PIPELINE_VARIANTS};
