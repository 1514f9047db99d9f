/* What families `exchange`, `collective` and `group_collective` share: kernels in which every lane
 * runs a chain of dependent operations, CHAIN_STEPS an iteration, from a start that the host can
 * follow. */
#ifndef VEBENCH_CHAIN_H
#define VEBENCH_CHAIN_H

#include "measure/family.h"

#define CHAIN_LANES_MAX 32

/* Sub-groups with values of their own; after so many they repeat. */
#define CHAIN_PATTERNS 8

/* Lanes with values of their own, at most. */
#define CHAIN_VALUES_MAX (CHAIN_PATTERNS * CHAIN_LANES_MAX)

/* Operations in sequence of one iteration. */
#define CHAIN_STEPS 4

/* The first buffers of the workspace; a family may add more. */
enum { CHAIN_VALUES, CHAIN_OUT, CHAIN_WITNESS, CHAIN_BUFFERS };

/* A lane as the kernels read it: where x starts, and constants. Random. */
struct chain_lane {
    uint64_t x, c, d, e;
};

/* SLM for two values of 64 bits for each work-item of the work-group. */
size_t chain_slm_bytes(const struct configuration *configuration);

/* Refuses work-groups that do not fill a sub-group. */
enum status chain_check(const struct device *device, const struct configuration *configuration,
                        size_t variant, struct error *error);

/* Adds the buffers above. */
enum status chain_setup(struct workspace *workspace, const struct configuration *configuration,
                        struct error *error);

/* values, out, witness, local memory, iterations. */
void chain_arguments(const struct workspace *workspace, const struct launch *launch,
                     struct arguments *arguments);

/* Steps as units and exchanges; and as barriers where the variant's name ends in "_slm_group" or
 * "_global_group", `barriers_per_step` of them. */
void chain_work(const struct configuration *configuration, const struct variant *variant,
                unsigned barriers_per_step, struct work *work);

/* Sets lane[].x of the lanes that depend on one another to what it is after the launch; `block`
 * counts such blocks, from 0. */
typedef void chain_compute(const struct workspace *workspace, const struct launch *launch,
                           unsigned block, struct chain_lane *lane);

/* Compares every work-item's x with what `compute` says of blocks of `lanes` lanes, which divides
 * the number of lanes with values of their own: bit by bit, or where `tolerance` is not 0 as
 * floats, which may differ by that much of what is expected. */
enum status chain_verify(struct workspace *workspace, const struct launch *launch, unsigned lanes,
                         chain_compute *compute, float tolerance, struct error *error);

#endif
