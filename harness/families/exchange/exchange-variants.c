#include "families/exchange/exchange-variants.h"

#define EXCHANGE(memory_, has_barrier_, movement_, bits_)                                          \
    .own = &(const struct exchange_variant)                                                        \
    {                                                                                              \
        {memory_, has_barrier_}, movement_, bits_                                                  \
    }

#define BY(name_, operation_, type_, method_, none_, text)                                         \
    .name = name_, .operation = operation_, .type = type_, .method = method_,                      \
    .entry_point = "exchange_" name_, .baseline = none_, .means = text

/* The variants of one exchange. `moves_*` is what the sub-group function compiles to. */
#define THREE_WAYS(name_, operation_, type_, movement_, bits_, none_, what, moves_xe_hpg,          \
                   moves_gen12lp)                                                                  \
    {BY(name_, operation_, type_, "function", none_, what ", by sub-group function"),              \
     EXCHANGE(CHAIN_FUNCTION, false, movement_, bits_),                                            \
     .instructions = {moves_xe_hpg, moves_gen12lp}},                                               \
        {BY(name_ "_slm_group", operation_, type_, "slm_group", none_,                             \
            what ", through SLM with a work-group barrier"),                                       \
         EXCHANGE(CHAIN_SLM, true, movement_, bits_),                                              \
         .instructions = {"sync\\.bar", "sync\\.bar"}},                                            \
    {                                                                                              \
        BY(name_ "_slm", operation_, type_, "slm", none_,                                          \
           what ", through SLM within the sub-group"),                                             \
            EXCHANGE(CHAIN_SLM, false, movement_, bits_), .instructions = {                        \
                "(load|store)\\.slm",                                                              \
                "send"                                                                             \
            }                                                                                      \
    }

/* Of 32 bits. */
#define GLOBAL_WAYS(operation_, movement_, what)                                                   \
    {BY(operation_ "_u32_global_group", operation_, "u32", "global_group", "none_u32",             \
        what ", through global memory with a work-group barrier"),                                 \
     EXCHANGE(CHAIN_GLOBAL, true, movement_, 32), .instructions = {"sync\\.bar", "sync\\.bar"}},   \
    {                                                                                              \
        BY(operation_ "_u32_global", operation_, "u32", "global", "none_u32",                      \
           what ", through global memory within the sub-group"),                                   \
            EXCHANGE(CHAIN_GLOBAL, false, movement_, 32), .instructions = {                        \
                "store\\.ugm",                                                                     \
                "send"                                                                             \
            }                                                                                      \
    }

/* Any lane of a register through an address register. */
#define INDIRECT "r\\[a0"
/* A single lane as the operand of the instruction that uses it. */
#define ONE_LANE "(add|mov|addc|add3).* r[0-9]+\\.[0-9]+<0;(1,)?0>"
/* Register regions, reordered. */
#define REGIONS "mov "

#define TYPED(operation_, movement_, bits_, what, moves)                                           \
    THREE_WAYS(operation_ "_u" #bits_, operation_, "u" #bits_, movement_, bits_, "none_u" #bits_,  \
               #bits_ what, moves, moves)

#define COMMON_VARIANTS(bits_)                                                                     \
    {.name = "none_u" #bits_,                                                                      \
     .operation = "none",                                                                          \
     .type = "u" #bits_,                                                                           \
     EXCHANGE(CHAIN_NO_EXCHANGE, false, MOVE_NONE, bits_),                                         \
     .entry_point = "exchange_none_u" #bits_,                                                      \
     .means = #bits_ "-bit values: each lane keeps its own"},                                      \
        TYPED("broadcast", MOVE_BROADCAST, bits_, " bits of lane 3 to all", ONE_LANE),             \
        TYPED("shuffle", MOVE_SHUFFLE, bits_, " bits, any permutation", INDIRECT),                 \
        TYPED("pairs", MOVE_PAIRS, bits_, " bits, neighbours swap (xor 1)", REGIONS)

const struct variant exchange_variants[] = {
    COMMON_VARIANTS(32),
    TYPED("broadcast_index", MOVE_BROADCAST_INDEX, 32, " bits of a lane known at run time to all",
          INDIRECT),
    TYPED("up", MOVE_UP, 32, " bits to the next lane, the last to the first", REGIONS),
    TYPED("down", MOVE_DOWN, 32, " bits to the lane before, the first to the last", REGIONS),
    TYPED("reverse", MOVE_REVERSE, 32, " bits, lanes in reverse (xor S-1)", REGIONS),
    {.name = "own_vote",
     EXCHANGE(CHAIN_NO_EXCHANGE, false, VOTE_NONE, 32),
     .entry_point = "exchange_own_vote",
     .means = "each lane goes by its own predicate"},
    THREE_WAYS("any", "any", NULL, VOTE_ANY, 32, "own_vote", "does the predicate hold in any lane",
               "sel ", "sel "),
    THREE_WAYS("all", "all", NULL, VOTE_ALL, 32, "own_vote", "does the predicate hold in all lanes",
               "sel ", "sel "),
    COMMON_VARIANTS(8),
    COMMON_VARIANTS(16),
    COMMON_VARIANTS(64),
    GLOBAL_WAYS("broadcast", MOVE_BROADCAST, "32 bits of lane 3 to all"),
    GLOBAL_WAYS("shuffle", MOVE_SHUFFLE, "32 bits, any permutation"),
    GLOBAL_WAYS("pairs", MOVE_PAIRS, "32 bits, neighbours swap (xor 1)"),
};

const struct variant_table family_exchange_variants = {"exchange", exchange_variants,
                                                       EXCHANGE_VARIANTS};
