/* Compares what a launch left in a buffer, all of it, with what the host computes, and describes
 * the first difference. */
#ifndef VEBENCH_VERIFY_H
#define VEBENCH_VERIFY_H

#include "family/family.h"

/* STATUS_FAILED at the first of `count` elements that differs. */
enum status verify_uints(const struct buffer *buffer, const uint32_t *expected, size_t count,
                         const struct launch *launch, struct error *error);

/* The same for all uints of a buffer, the workspace's number `index`: `expect` computes what uint
 * `i` of it holds after the launch. */
typedef uint32_t verify_expect(const struct buffer *buffer, const struct launch *launch, size_t i);

enum status verify_each(struct workspace *workspace, size_t index, verify_expect *expect,
                        const struct launch *launch, struct error *error);

/* STATUS_FAILED at the first of `count` elements that differs. */
enum status verify_ulongs(const struct buffer *buffer, const uint64_t *expected, size_t count,
                          const struct launch *launch, struct error *error);

/* The same for floats that may be off by rounding: |found - expected| <= tolerance * scale, where
 * scale is the largest |expected|. */
enum status verify_floats(const struct buffer *buffer, const float *expected, size_t count,
                          float tolerance, const struct launch *launch, struct error *error);

/* One uint per work-item: the size of the sub-group it ran in. */
enum status verify_subgroup_sizes(const struct buffer *buffer, const struct launch *launch,
                                  struct error *error);

#endif
