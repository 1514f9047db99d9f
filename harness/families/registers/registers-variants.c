#include "families/registers/registers-variants.h"

#define LARGE_REGISTER_FILE "-ze-opt-large-register-file"

#define REGISTERS(kind_, values_, step_, updates_)                                                 \
    .own = &(const struct registers_variant)                                                       \
    {                                                                                              \
        kind_, values_, step_, updates_                                                            \
    }

#define SAME(n)                                                                                    \
    {                                                                                              \
        .name = "same_" #n, REGISTERS(REGISTERS_SAME, 0, 1, n),                                    \
        .entry_point = "registers_same_" #n, .means = #n " updates of few values, which fit",      \
        .instructions = {                                                                          \
            " add ",                                                                               \
            " add "                                                                                \
        }                                                                                          \
    }
#define LIVE(n, spill)                                                                             \
    {                                                                                              \
        .name = "live_" #n, REGISTERS(REGISTERS_LIVE, n, 1, n),                                    \
        .entry_point = "registers_live_" #n, .means = #n " updates on " #n " values",              \
        .baseline = "same_" #n, .instructions = {spill, spill}, .may_spill = true                  \
    }
#define VECTORS(n, vectors, spill)                                                                 \
    {                                                                                              \
        .name = "vectors_" #n, REGISTERS(REGISTERS_VECTORS, n, 16, n),                             \
        .entry_point = "registers_vectors_" #n,                                                    \
        .means = #n " updates on " #vectors " vectors of 16", .baseline = "same_" #n,              \
        .instructions = {spill, spill}, .may_spill = true                                          \
    }
#define LARGE(n)                                                                                   \
    {                                                                                              \
        .name = "large_" #n, REGISTERS(REGISTERS_LARGE, n, 1, n),                                  \
        .entry_point = "registers_live_" #n, .means = "live_" #n " with a large register file",    \
        .baseline = "same_" #n, .build_flags = LARGE_REGISTER_FILE, .may_spill = true              \
    }

const struct variant registers_variants[] = {
    SAME(16),
    SAME(32),
    SAME(64),
    SAME(128),
    SAME(192),
    LIVE(16, NULL),
    LIVE(32, NULL),
    LIVE(64, NULL),
    LIVE(128, "scratch"),
    LIVE(192, "scratch"),
    VECTORS(64, 4, NULL),
    VECTORS(192, 12, "scratch"),
    LARGE(64),
    LARGE(128),
    LARGE(192),
};

const struct variant_table family_registers_variants = {"registers", registers_variants,
                                                        REGISTERS_VARIANTS};
