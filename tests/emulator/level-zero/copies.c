/* Copies and fills on every queue group, between every two kinds of memory, by regular and by
 * immediate lists; each destination is compared whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "l0.h"

enum { BYTES = 192 * 1024 };

enum submission { REGULAR, IMMEDIATE_SYNCHRONOUS, IMMEDIATE_ASYNCHRONOUS, SUBMISSIONS };

/* A list to append to, and how it is completed. */
struct target {
    uint32_t ordinal;
    enum submission submission;
    ze_command_list_handle_t list;
    ze_command_queue_handle_t queue;
    struct event_set events;
};

static struct target open_target(uint32_t ordinal, enum submission submission)
{
    struct target target = {.ordinal = ordinal, .submission = submission};

    target.events = l0_events(l0_context, 0);
    if (submission == REGULAR) {
        target.queue = l0_queue(l0_context, ordinal);
        target.list = l0_list(l0_context, ordinal);
    } else {
        target.list =
            l0_immediate(l0_context, ordinal,
                         submission == IMMEDIATE_SYNCHRONOUS ? ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
                                                             : ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    }
    return target;
}

static void barrier(struct target *target)
{
    CHECK(zeCommandListAppendBarrier(target->list, NULL, 0, NULL));
}

/* Waits for everything that was appended; afterwards the list can be appended to again. */
static void finish(struct target *target)
{
    if (target->submission == REGULAR) {
        CHECK(zeCommandListClose(target->list));
        l0_run(target->queue, target->list);
        CHECK(zeCommandListReset(target->list));
    } else {
        CHECK(zeCommandListAppendBarrier(target->list, target->events.event[0], 0, NULL));
        CHECK(zeEventHostSynchronize(target->events.event[0], UINT64_MAX));
        CHECK(zeEventHostReset(target->events.event[0]));
    }
}

static void close_target(struct target *target)
{
    CHECK(zeCommandListDestroy(target->list));
    if (target->queue)
        CHECK(zeCommandQueueDestroy(target->queue));
    l0_destroy_events(&target->events);
}

/* A buffer of one kind, and the contents that the host expects. */
struct area {
    enum memory_kind kind;
    uint8_t *memory;
    uint8_t *staging; /* on the host, which the device reaches */
    uint8_t *wanted;
};

static struct area make_area(enum memory_kind kind, uint32_t seed)
{
    struct area area = {.kind = kind,
                        .memory = l0_allocate(l0_context, kind, BYTES),
                        .staging = l0_allocate(l0_context, MEMORY_HOST, BYTES),
                        .wanted = malloc(BYTES)};

    EXPECT(area.wanted != NULL);
    l0_noise(area.wanted, BYTES, seed);
    memcpy(area.staging, area.wanted, BYTES);
    return area;
}

/* Writes the expected contents to the memory. */
static void upload(struct target *target, struct area *area)
{
    if (area->kind == MEMORY_DEVICE)
        CHECK(zeCommandListAppendMemoryCopy(target->list, area->memory, area->staging, BYTES, NULL,
                                            0, NULL));
    else
        memcpy(area->memory, area->wanted, BYTES);
}

static void download(struct target *target, struct area *area)
{
    if (area->kind == MEMORY_DEVICE)
        CHECK(zeCommandListAppendMemoryCopy(target->list, area->staging, area->memory, BYTES, NULL,
                                            0, NULL));
}

static void compare(struct area *area)
{
    EXPECT_BYTES(area->kind == MEMORY_DEVICE ? area->staging : area->memory, area->wanted, BYTES);
}

static void release(struct area *area)
{
    l0_free(l0_context, area->kind, area->memory);
    l0_free(l0_context, MEMORY_HOST, area->staging);
    free(area->wanted);
}

/* Sizes around those at which copies change their method (bytes, 16 bytes, cache lines, pages, the
 * copy engine's rows), at offsets that do and do not share an alignment. */
static void copy_lines(struct target *target, struct area *to, struct area *from)
{
    static const size_t sizes[] = {1, 2, 3, 15, 16, 17, 63, 64, 65, 255, 4095, 4097, 16384, 16385};
    static const size_t offsets[][2] = {{0, 0}, {1, 0}, {0, 3}, {5, 5}, {64, 16}};
    size_t at = 0;

    for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        for (unsigned o = 0; o < sizeof(offsets) / sizeof(offsets[0]); o++) {
            size_t source = at / 2 + offsets[o][0], destination = at + offsets[o][1];

            if (destination + sizes[s] > BYTES)
                return;
            CHECK(zeCommandListAppendMemoryCopy(target->list, to->memory + destination,
                                                from->memory + source, sizes[s], NULL, 0, NULL));
            memcpy(to->wanted + destination, from->wanted + source, sizes[s]);
            at = (destination + sizes[s] + 127) & ~(size_t)63; /* leaves a gap */
        }
    }
}

struct block {
    ze_copy_region_t to, from;
    uint32_t to_pitch, to_slice, from_pitch, from_slice;
};

static const struct block blocks[] = {
    /* a rectangle whose rows lie apart, at an odd place */
    {{3, 2, 0, 37, 11, 1}, {7, 5, 0, 37, 11, 1}, 101, 0, 128, 0},
    /* whole rows: one piece */
    {{0, 0, 0, 256, 16, 1}, {0, 0, 0, 256, 16, 1}, 256, 0, 256, 0},
    /* rows of a byte, and one long row */
    {{1, 0, 0, 1, 50, 1}, {0, 3, 0, 1, 50, 1}, 17, 0, 5, 0},
    {{5, 1, 0, 5001, 1, 1}, {9, 0, 0, 5001, 1, 1}, 6000, 0, 5100, 0},
    /* boxes; slices with a rest between them */
    {{1, 2, 3, 20, 7, 4}, {2, 1, 0, 20, 7, 4}, 64, 640, 33, 400},
    {{0, 0, 1, 64, 8, 5}, {0, 0, 0, 64, 8, 5}, 64, 512, 64, 512},
    {{4, 4, 1, 16, 16, 3}, {4, 0, 2, 16, 16, 3}, 32, 1024, 48, 1008},
};

/* The driver takes width times height for the extent of a region, and so maps too little of memory
 * that is not its own unless the rows lie without gaps. */
static bool is_dense(const struct block *block)
{
    return block->to.width == block->to_pitch && block->to.width == block->from_pitch &&
           (block->to.depth == 1 || (block->to_slice == block->to_pitch * block->to.height &&
                                     block->from_slice == block->to_slice));
}

static void copy_block(struct target *target, const struct block *block, struct area *to,
                       struct area *from)
{
    CHECK(zeCommandListAppendMemoryCopyRegion(target->list, to->memory, &block->to, block->to_pitch,
                                              block->to_slice, from->memory, &block->from,
                                              block->from_pitch, block->from_slice, NULL, 0, NULL));
    for (uint32_t z = 0; z < block->to.depth; z++) {
        for (uint32_t y = 0; y < block->to.height; y++) {
            size_t destination = (block->to.originZ + z) * block->to_slice +
                                 (block->to.originY + y) * block->to_pitch + block->to.originX;
            size_t source = (block->from.originZ + z) * block->from_slice +
                            (block->from.originY + y) * block->from_pitch + block->from.originX;

            EXPECT(destination + block->to.width <= BYTES && source + block->to.width <= BYTES);
            memcpy(to->wanted + destination, from->wanted + source, block->to.width);
        }
    }
}

static void check_copies(struct target *target, enum memory_kind to_kind,
                         enum memory_kind from_kind)
{
    struct area to = make_area(to_kind, 1), from = make_area(from_kind, 2);

    upload(target, &to);
    upload(target, &from);
    barrier(target);
    copy_lines(target, &to, &from);
    barrier(target);
    download(target, &to);
    finish(target);
    compare(&to);

    for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        if ((to_kind == MEMORY_PLAIN || from_kind == MEMORY_PLAIN) && !is_dense(&blocks[i]))
            continue;
        copy_block(target, &blocks[i], &to, &from);
        barrier(target);
    }
    download(target, &to);
    finish(target);
    compare(&to);
    release(&to);
    release(&from);
}

static void fill(struct target *target, struct area *area, size_t at, const uint8_t *pattern,
                 size_t pattern_size, size_t size)
{
    CHECK(zeCommandListAppendMemoryFill(target->list, area->memory + at, pattern, pattern_size,
                                        size, NULL, 0, NULL));
    for (size_t i = 0; i < size; i++)
        area->wanted[at + i] = pattern[i % pattern_size];
}

/* All pattern sizes that the group supports; lengths that are whole patterns and, if the group
 * supports them, others: the copy engine fills whole pixels only. */
static void check_fills(struct target *target, enum memory_kind kind)
{
    static const size_t repeats[] = {1, 2, 7, 33, 300};
    struct area area = make_area(kind, 3);
    size_t most = l0_group(target->ordinal).maxMemoryFillPatternSize, at = 0;
    uint8_t pattern[128];

    l0_noise(pattern, sizeof(pattern), 4);
    upload(target, &area);
    barrier(target);
    for (size_t pattern_size = 1; pattern_size <= 128 && pattern_size <= most; pattern_size *= 2) {
        for (unsigned i = 0; i < sizeof(repeats) / sizeof(repeats[0]); i++) {
            size_t rest = l0_computes(target->ordinal) ? pattern_size / 2 : 0;
            size_t size = repeats[i] * pattern_size + rest;

            fill(target, &area, at, pattern, pattern_size, size);
            at = (at + size + 191) & ~(size_t)63;
            EXPECT(at <= BYTES);
        }
    }
    /* bytes at odd places */
    for (size_t offset = 1; offset < 64; offset += 9) {
        fill(target, &area, at + offset, pattern + offset, 1, 100 + offset);
        at += 256;
        EXPECT(at <= BYTES);
    }
    barrier(target);
    download(target, &area);
    finish(target);
    compare(&area);
    release(&area);
}

/* Longer than one command of the copy engine reaches. */
static void check_long(struct target *target)
{
    const size_t size = (9 << 20) + 77;
    uint8_t *from = l0_allocate(l0_context, MEMORY_HOST, size);
    uint8_t *to = l0_allocate(l0_context, MEMORY_HOST, size);
    uint8_t *middle = l0_allocate(l0_context, MEMORY_DEVICE, size);
    const uint32_t pattern = 0x5a17c3e9;
    const size_t most = l0_group(target->ordinal).maxMemoryFillPatternSize;
    const size_t pattern_size = most < sizeof(pattern) ? most : sizeof(pattern);

    l0_noise(from, size, 5);
    memset(to, 0, size);
    CHECK(zeCommandListAppendMemoryCopy(target->list, middle, from, size, NULL, 0, NULL));
    barrier(target);
    CHECK(zeCommandListAppendMemoryFill(target->list, middle + 4096, &pattern, pattern_size,
                                        5 << 20, NULL, 0, NULL));
    barrier(target);
    CHECK(zeCommandListAppendMemoryCopy(target->list, to, middle, size, NULL, 0, NULL));
    finish(target);
    for (size_t i = 4096; i < 4096 + (5 << 20); i += pattern_size)
        memcpy(from + i, &pattern, pattern_size);
    EXPECT(memcmp(to, from, size) == 0);
    l0_free(l0_context, MEMORY_HOST, from);
    l0_free(l0_context, MEMORY_HOST, to);
    l0_free(l0_context, MEMORY_DEVICE, middle);
}

int main(void)
{
    l0_open();
    for (uint32_t ordinal = 0; ordinal < l0_groups(); ordinal++) {
        printf("group %u: flags 0x%x, patterns of %zu bytes\n", ordinal, l0_group(ordinal).flags,
               l0_group(ordinal).maxMemoryFillPatternSize);
        for (enum submission submission = REGULAR; submission < SUBMISSIONS; submission++) {
            struct target target = open_target(ordinal, submission);

            for (enum memory_kind to = 0; to < MEMORY_KINDS; to++) {
                for (enum memory_kind from = 0; from < MEMORY_KINDS; from++) {
                    /* how a copy is submitted does not depend on where memory is: all pairs once */
                    if (submission == REGULAR || to == from)
                        check_copies(&target, to, from);
                }
                if (to != MEMORY_PLAIN) /* the driver fills its own memory only */
                    check_fills(&target, to);
            }
            if (submission == REGULAR)
                check_long(&target);
            close_target(&target);
        }
    }
    l0_close();
    return 0;
}
