/* Host reference for the kernels of families memory_8 to memory_64: which element a work-item moves
 * when, the resulting contents, and the messages sent. */
#ifndef VEBENCH_MEMORY_REFERENCE_H
#define VEBENCH_MEMORY_REFERENCE_H

#include "families/memory/memory-variants.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_ITEMS                                                                               \
    16 /* elements of a work-item per turn; as in spirv_kernels/memory-patterns.h */

/* A launch as one variant sees it. Counts are in elements, except for `width`. */
struct memory_walk {
    enum memory_operation operation;
    enum memory_pattern pattern;
    uint32_t width;          /* bytes of an element: 1, 2, 4 or 8 */
    uint32_t lanes;          /* of a sub-group */
    uint32_t items;          /* work-items of the launch */
    uint32_t stride;         /* 1 for all patterns but MEMORY_STRIDED */
    uint32_t steps;          /* turns for the launch to go through the source */
    uint32_t dst_steps;      /* the same for the destination */
    const uint32_t *offsets; /* for MEMORY_GATHER, as passed to the kernels */
};

/* Elements that the launch covers in a turn, gaps included. */
uint32_t memory_total(const struct memory_walk *walk);

/* The position of element k of a work-item in the first step of the working set. */
uint32_t memory_offset(const struct memory_walk *walk, uint32_t item, uint32_t k);

/* Fills the offsets of a gather, [sub-group][MEMORY_ITEMS][lane]: each element of a step once,
 * moved by a random number of steps. `random(context, limit)` is uniform below `limit`. */
void memory_make_offsets(uint32_t *offsets, uint32_t count, uint32_t steps,
                         uint32_t (*random)(void *context, uint32_t limit), void *context);

/* The sum of a work-item after `turns` turns of loading from `src`. */
uint32_t memory_sum(const struct memory_walk *walk, const void *src, uint32_t item, uint32_t turns);

/* Updates `dst`, the contents before the launch, to those after `turns` turns of storing or
 * copying. */
void memory_write(const struct memory_walk *walk, const void *src, void *dst, uint32_t turns);

/* Messages of a turn of the whole launch, and the 64-byte lines that they touch. Both are 0 where
 * the compilers for Xe-HPG and Gen12LP differ: the former moves up to 32 bytes per lane in
 * sub-groups of 8, and writes blocks of 256 bytes. Lines are also 0 where they are random. */
struct memory_messages {
    uint32_t messages;
    uint32_t lines;
};

struct memory_messages memory_messages(const struct memory_walk *walk);

#endif
