/* Shared by families memory_8, memory_16, memory_32 and memory_64: everything but the width of an
 * element. A family's file consists of MEMORY_FAMILY(bits, ...). */
#ifndef VEBENCH_MEMORY_PATTERNS_H
#define VEBENCH_MEMORY_PATTERNS_H

#include "families/memory/memory-reference.h"
#include "family/common-axes.h"
#include "family/family.h"

enum { MEMORY_OWN_WORKING_SET, MEMORY_OWN_STRIDE };

/* As in struct family. */
void memory_work(const struct configuration *configuration, const struct variant *variant,
                 struct work *work);
enum status memory_check(const struct device *device, const struct configuration *configuration,
                         const struct variant *variant, struct error *error);
void memory_arguments(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *arguments);
enum status memory_verify(struct workspace *workspace, const struct launch *launch,
                          struct error *error);

/* The buffers: source, destination, sums, witness, and the offsets of gathers and gathering copies.
 */
enum {
    MEMORY_SRC,
    MEMORY_DST,
    MEMORY_SUMS,
    MEMORY_WITNESS,
    MEMORY_OFFSETS,
    MEMORY_COPY_OFFSETS,
    MEMORY_BUFFERS
};

size_t memory_set_bytes(const struct configuration *configuration);
size_t memory_offset_bytes(const struct configuration *configuration);

/* Fills the offsets of gathers, of elements of `width` bytes. */
void memory_fill_offsets(uint32_t width, enum memory_operation operation,
                         struct workspace *workspace, const struct configuration *configuration,
                         struct buffer *buffer);

#define MEMORY_AXES                                                                                \
    SUBGROUP_SIZE_AXIS, WORKGROUP_SIZE_AXIS("S,1024", "S", "S,8S,512"),                            \
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

/* With few and with many bytes in flight: what advice rests on; and the same work at each sub-group
 * size. Of one width; the others would say much the same. */
#define MEMORY_POINTS_8
#define MEMORY_POINTS_16
#define MEMORY_POINTS_32                                                                           \
    "subgroup_size=16 workgroup_size=8S", "subgroup_size=16 workgroup_size=64S",                   \
        "subgroup_size=8 workgroup_size=512", "subgroup_size=16 workgroup_size=512",               \
        "subgroup_size=32 workgroup_size=512",
#define MEMORY_POINTS_64

/* What depends on the width, and the descriptor. */
#define MEMORY_FAMILY(bits)                                                                        \
    static void fill_offsets(struct workspace *workspace,                                          \
                             const struct configuration *configuration, struct buffer *buffer)     \
    {                                                                                              \
        memory_fill_offsets(bits / 8, MEMORY_LOAD, workspace, configuration, buffer);              \
    }                                                                                              \
    static void fill_copy_offsets(struct workspace *workspace,                                     \
                                  const struct configuration *configuration,                       \
                                  struct buffer *buffer)                                           \
    {                                                                                              \
        memory_fill_offsets(bits / 8, MEMORY_COPY, workspace, configuration, buffer);              \
    }                                                                                              \
    static const struct buffer_plan buffers[] = {                                                  \
        [MEMORY_SRC] = {"src", BUFFER_INPUT, memory_set_bytes},                                    \
        [MEMORY_DST] = {"dst", BUFFER_OUTPUT, memory_set_bytes},                                   \
        [MEMORY_SUMS] = {"sums", BUFFER_OUTPUT},                                                   \
        [MEMORY_WITNESS] = {"witness", BUFFER_WITNESS},                                            \
        [MEMORY_OFFSETS] = {"offsets", BUFFER_INPUT, memory_offset_bytes, fill_offsets},           \
        [MEMORY_COPY_OFFSETS] = {"offsets", BUFFER_INPUT, memory_offset_bytes, fill_copy_offsets}, \
    };                                                                                             \
    static const struct axis axes[] = {MEMORY_AXES};                                               \
    static const char *const points[] = {MEMORY_POINTS_##bits NULL};                               \
    const struct family family_memory_##bits = {                                                   \
        .name = "memory_" #bits,                                                                   \
        .measures = "loads, stores and copies of " #bits "-bit elements, by pattern",              \
        .unit = "ns/KiB",                                                                          \
        .baseline_unit = "ns/KiB",                                                                 \
        .axes = axes,                                                                              \
        .axis_count = sizeof(axes) / sizeof(axes[0]),                                              \
        .points = points,                                                                          \
        .variants = memory_##bits##_variants,                                                      \
        .variant_count = MEMORY_VARIANTS,                                                          \
        .buffers = buffers,                                                                        \
        .buffer_count = MEMORY_BUFFERS,                                                            \
        .work = memory_work,                                                                       \
        .check = memory_check,                                                                     \
        .arguments = memory_arguments,                                                             \
        .lists_buffers = true,                                                                     \
        .verify = memory_verify,                                                                   \
    }

#endif
