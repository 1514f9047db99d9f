/* Shared by families `exchange`, `collective` and `group_collective`: kernels in which every lane
 * runs a chain of dependent operations, CHAIN_STEPS per iteration, from a start value that the host
 * can follow. */
#ifndef VEBENCH_CHAIN_H
#define VEBENCH_CHAIN_H

#include "families/chain/chain-variants.h"
#include "family/family.h"

#define CHAIN_LANES_MAX 32

/* Sub-groups with values of their own; after this many, values repeat. */
#define CHAIN_PATTERNS 8

/* Upper bound on lanes with values of their own. */
#define CHAIN_VALUES_MAX (CHAIN_PATTERNS * CHAIN_LANES_MAX)

/* Dependent operations per iteration. */
#define CHAIN_STEPS 4

/* The first buffers of the workspace; a family may add more. */
enum { CHAIN_VALUES, CHAIN_OUT, CHAIN_WITNESS, CHAIN_BUFFERS };

/* A lane's input as the kernels read it: the start value of x, and constants. Random. */
struct chain_lane {
    uint64_t x, c, d, e;
};

/* Shared local memory for two 64-bit values per work-item of the work-group. */
size_t chain_slm_bytes(const struct configuration *configuration);

/* Excludes work-groups that do not fill a sub-group. */
enum status chain_check(const struct device *device, const struct configuration *configuration,
                        const struct variant *variant, struct error *error);

size_t chain_value_bytes(const struct configuration *configuration);
size_t chain_out_bytes(const struct configuration *configuration);

/* The buffers above. */
#define CHAIN_BUFFER_PLANS                                                                         \
    [CHAIN_VALUES] = {"values", BUFFER_INPUT, chain_value_bytes},                                  \
    [CHAIN_OUT] = {"out", BUFFER_OUTPUT, chain_out_bytes},                                         \
    [CHAIN_WITNESS] = {"witness", BUFFER_WITNESS}

/* Sets: local memory, iterations. */
void chain_arguments(const struct workspace *workspace, const struct launch *launch,
                     struct arguments *arguments);

/* Counts steps as units and exchanges and, for variants with a work-group barrier,
 * `barriers_per_step` barriers per step. */
void chain_work(const struct configuration *configuration, const struct variant *variant,
                unsigned barriers_per_step, struct work *work);

/* Sets lane[].x of a block of interdependent lanes to its value after the launch; `block` numbers
 * such blocks from 0. */
typedef void chain_compute(const struct workspace *workspace, const struct launch *launch,
                           unsigned block, struct chain_lane *lane);

/* Compares every work-item's x with the results of `compute` for blocks of `lanes` lanes, where
 * `lanes` divides the number of lanes with values of their own. Bitwise, or where `tolerance` is
 * not 0 as floats, with `tolerance` as the relative error allowed. */
enum status chain_verify(struct workspace *workspace, const struct launch *launch, unsigned lanes,
                         chain_compute *compute, float tolerance, struct error *error);

#endif
