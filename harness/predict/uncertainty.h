/* The figures of a predictor that are not known exactly, and devices that have others of their
 * possible values. Assumed figures may have any value of the range in their source; measured ones
 * any of their 95 % interval. */
#ifndef VEBENCH_UNCERTAINTY_H
#define VEBENCH_UNCERTAINTY_H

#include "base/prng.h"
#include "predict/figures.h"

struct uncertain_figure {
    size_t index; /* enum vesim_figure_index */
    bool assumed; /* otherwise measured */
    double low, high;
    uint64_t lines; /* of a cache, whose sets, this over the ways, are a power of two; 0: it is no
                       figure of ways, or no ways in its range make such sets */
};

struct uncertainty {
    struct uncertain_figure figure[VESIM_FIGURE_COUNT]; /* several whole values are possible */
    size_t count;
    struct uncertain_figure fine[VESIM_FIGURE_COUNT]; /* measured to less than a whole unit */
    size_t fine_count;
};

void uncertainty_find(struct uncertainty *uncertainty, const struct figures *figures);

/* One of figure[], by its index of vesim_figures[]; NULL: it is none of them. */
const struct uncertain_figure *uncertainty_of(const struct uncertainty *uncertainty, size_t index);

/* Of banks and of work-groups in a row hardware has a power of two. */
bool uncertainty_is_power_of_two(size_t figure);

/* Of ways as many as make sets: each number of them is twice the one before. */
bool uncertainty_is_of_ways(size_t figure);

#define UNCERTAINTY_DRAWS 24

/* A Latin hypercube: in the draws together, each figure has a value from each part of its range, of
 * which there are as many as draws. The same figures always give the same draws. */
struct uncertainty_draws {
    double value[UNCERTAINTY_DRAWS][VESIM_FIGURE_COUNT]; /* of uncertainty.figure[] */
};

/* So many draws, up to UNCERTAINTY_DRAWS. */
void uncertainty_draw(struct uncertainty_draws *draws, const struct uncertainty *uncertainty,
                      size_t count);

#endif
