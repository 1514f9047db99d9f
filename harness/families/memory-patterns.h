/* Shared by families memory_8, memory_16, memory_32 and memory_64: everything but the width of an
 * element. A family's file consists of MEMORY_FAMILY(bits, ...). */
#ifndef VEBENCH_MEMORY_PATTERNS_H
#define VEBENCH_MEMORY_PATTERNS_H

#include "families/memory-reference.h"
#include "measure/common-axes.h"
#include "measure/family.h"

enum { MEMORY_OWN_WORKING_SET, MEMORY_OWN_STRIDE };

/* As in struct family, with the width of an element in bytes added. */
void memory_work(uint32_t width, const struct configuration *configuration, size_t variant,
                 struct work *work);
enum status memory_check(uint32_t width, const struct configuration *configuration, size_t variant,
                         struct error *error);
size_t memory_buffer_bytes(const struct configuration *c);
enum status memory_setup(uint32_t width, struct workspace *workspace,
                         const struct configuration *configuration, struct error *error);
void memory_arguments(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *arguments);
enum status memory_verify(struct workspace *workspace, const struct launch *launch,
                          struct error *error);
void memory_teardown(void *own);

#define MEMORY_SPILLS "the compiler spills registers to memory in sub-groups of this size"
#define MEMORY_NO_BLOCK                                                                            \
    "the compiler: Block reads not supported in SIMD32, Block writes not supported in SIMD32"

/* Patterns for the disassembly: of plain messages and of those with a single address. */
#define MEMORY_PLAIN_LOAD  "load\\.ugm\\.d[0-9ux]+\\.a32.*bti\\[0\\]"
#define MEMORY_PLAIN_STORE "store\\.ugm\\.d[0-9ux]+\\.a32.*bti\\[1\\]"
#define MEMORY_BLOCK_LOAD  "load\\.ugm\\.d[0-9]+x[0-9]+t\\."
#define MEMORY_BLOCK_STORE "store\\.ugm\\.d[0-9]+x[0-9]+t\\."

#define MEMORY_GEN12_LOAD  "(untyped surface|byte gathering) read"
#define MEMORY_GEN12_STORE "(untyped surface write|byte scattering write)"
/* Blocks smaller than an oword are accessed as words. */
#define MEMORY_GEN12_BLOCK_LOAD  "(oword aligned block|\\(2\\|M0\\).*byte gathering) read"
#define MEMORY_GEN12_BLOCK_STORE "(oword block|\\(2\\|M0\\).*byte scattering) write"

#define MEMORY_PLAIN(bits, operation, pattern, text, sizes_, load, store)                          \
    {                                                                                              \
        .name = #operation "_" #pattern,                                                           \
        .entry_point = "memory_" #bits "_" #operation "_" #pattern, .means = text,                 \
        .instructions = {load, store}, .sizes = sizes_, .no_size = (sizes_) ? MEMORY_SPILLS : NULL \
    }
#define MEMORY_BLOCK(bits, operation, pattern, text, xe_hpg, gen12lp)                              \
    {                                                                                              \
        .name = #operation "_" #pattern,                                                           \
        .entry_point = "memory_" #bits "_" #operation "_" #pattern, .means = text,                 \
        .instructions = {xe_hpg, gen12lp}, .sizes = SIZE_8 | SIZE_16, .no_size = MEMORY_NO_BLOCK   \
    }

/* The variants of one operation. `plain`, `single` and `wide` are sub-group sizes, 0 for all: of
 * most patterns, of the one that goes element by element, and of those that keep an address for
 * each element. */
#define MEMORY_OPERATION(bits, o, plain, single, wide, xe, gen12, xe_block, gen12_block)           \
    MEMORY_PLAIN(bits, o, item, "16 neighbouring elements a work-item", plain, xe, gen12),         \
        MEMORY_PLAIN(bits, o, subgroup, "the lanes side by side, element by element", single, xe,  \
                     gen12),                                                                       \
        MEMORY_PLAIN(bits, o, vec2, "the lanes side by side, in vectors of 2", plain, xe, gen12),  \
        MEMORY_PLAIN(bits, o, vec4, "the lanes side by side, in vectors of 4", plain, xe, gen12),  \
        MEMORY_PLAIN(bits, o, vec8, "the lanes side by side, in vectors of 8", plain, xe, gen12),  \
        MEMORY_PLAIN(bits, o, vec16, "the lanes side by side, in vectors of 16", plain, xe,        \
                     gen12),                                                                       \
        MEMORY_BLOCK(bits, o, block1, "a block of 1 element a lane", xe_block, gen12_block),       \
        MEMORY_BLOCK(bits, o, block2, "a block of 2 elements a lane", xe_block, gen12_block),      \
        MEMORY_BLOCK(bits, o, block4, "a block of 4 elements a lane", xe_block, gen12_block),      \
        MEMORY_BLOCK(bits, o, block8, "a block of 8 elements a lane", xe_block, gen12_block),      \
        MEMORY_PLAIN(bits, o, strided, "`stride` elements from lane to lane", wide, xe, gen12),    \
        MEMORY_PLAIN(bits, o, gather, "anywhere in the working set, at random", wide, xe, gen12)

/* In the order of memory_operation and memory_pattern, after the loop. */
#define MEMORY_VARIANTS(bits, wide_load, plain_copy)                                               \
    {.name = "none",                                                                               \
     .entry_point = "memory_" #bits "_none",                                                       \
     .means = "the loop alone",                                                                    \
     .unit = "ns/iteration"},                                                                      \
        MEMORY_OPERATION(bits, load, 0, wide_load, wide_load, MEMORY_PLAIN_LOAD,                   \
                         MEMORY_GEN12_LOAD, MEMORY_BLOCK_LOAD, MEMORY_GEN12_BLOCK_LOAD),           \
        MEMORY_OPERATION(bits, store, 0, 0, 0, MEMORY_PLAIN_STORE, MEMORY_GEN12_STORE,             \
                         MEMORY_BLOCK_STORE, MEMORY_GEN12_BLOCK_STORE),                            \
        MEMORY_OPERATION(bits, copy, plain_copy, plain_copy, SIZE_8 | SIZE_16, MEMORY_PLAIN_STORE, \
                         MEMORY_GEN12_STORE, MEMORY_BLOCK_STORE, MEMORY_GEN12_BLOCK_STORE)

#define MEMORY_WAYS "item subgroup vec2 vec4 vec8 vec16 block1 block2 block4 block8 strided gather"

#define MEMORY_AXES                                                                                \
    SUBGROUP_SIZE_AXIS, WORKGROUP_SIZE_AXIS("S", NULL, "S,8S,512"),                                \
        WORKGROUP_COUNT_AXIS("1", NULL, "1,C,8C"),                                                 \
        {.name = "working_set",                                                                    \
         .means = "bytes that are gone through, source and destination of a copy together; L "     \
                  "stands for the last-level cache",                                               \
         .defaults = "64K",                                                                        \
         .full = "16K,64K,1M,4M,L,4L",                                                             \
         .kind = AXIS_COUNT,                                                                       \
         .least = 128,                                                                             \
         .largest = 1u << 30},                                                                     \
    {                                                                                              \
        .name = "stride",                                                                          \
        .means = "elements from lane to lane in the strided variants, which alone have any but 1", \
        .defaults = "1,16", .full = "1,2,4,8,16,32,64", .kind = AXIS_COUNT, .least = 1,            \
        .largest = 1024                                                                            \
    }

/* With few and with many bytes in flight: what advice rests on. Of one width; the others would say
 * much the same. */
#define MEMORY_POINTS_8
#define MEMORY_POINTS_16
#define MEMORY_POINTS_32                                                                           \
    "subgroup_size=16 workgroup_size=8S", "subgroup_size=16 workgroup_size=64S",
#define MEMORY_POINTS_64

/* The functions that depend on the width, and the descriptor. */
#define MEMORY_FAMILY(bits, wide_load, plain_copy)                                                 \
    static void work_of(const struct configuration *configuration, size_t variant,                 \
                        struct work *work)                                                         \
    {                                                                                              \
        memory_work(bits / 8, configuration, variant, work);                                       \
    }                                                                                              \
    static enum status check(const struct device *device,                                          \
                             const struct configuration *configuration, size_t variant,            \
                             struct error *error)                                                  \
    {                                                                                              \
        (void)device;                                                                              \
        return memory_check(bits / 8, configuration, variant, error);                              \
    }                                                                                              \
    static enum status setup(struct workspace *workspace,                                          \
                             const struct configuration *configuration, struct error *error)       \
    {                                                                                              \
        return memory_setup(bits / 8, workspace, configuration, error);                            \
    }                                                                                              \
    static const struct axis axes[] = {MEMORY_AXES};                                               \
    static const char *const points[] = {MEMORY_POINTS_##bits NULL};                               \
    static const struct variant variants[] = {MEMORY_VARIANTS(bits, wide_load, plain_copy)};       \
    const struct family family_memory_##bits = {                                                   \
        .name = "memory_" #bits,                                                                   \
        .measures = "loads, stores and copies of " #bits "-bit elements, by pattern",              \
        .unit = "ns/KiB",                                                                          \
        .baseline_unit = "ns/KiB",                                                                 \
        .axes = axes,                                                                              \
        .axis_count = sizeof(axes) / sizeof(axes[0]),                                              \
        .points = points,                                                                          \
        .variants = variants,                                                                      \
        .variant_count = sizeof(variants) / sizeof(variants[0]),                                   \
        .ways = MEMORY_WAYS,                                                                       \
        .type = "u" #bits,                                                                         \
        .work = work_of,                                                                           \
        .check = check,                                                                            \
        .buffer_bytes = memory_buffer_bytes,                                                       \
        .setup = setup,                                                                            \
        .arguments = memory_arguments,                                                             \
        .verify = memory_verify,                                                                   \
        .teardown = memory_teardown,                                                               \
    }

#endif
