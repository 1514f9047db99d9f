/* How the figures of many GPUs are distributed, in a form that two members can put together: of
 * each figure, how many values lie in each of many narrow classes, 0.2 % wide (as DDSketch, Masson
 * and others 2019). The size follows from how far the GPUs differ, not from their number. */
#ifndef VEBENCH_SKETCH_H
#define VEBENCH_SKETCH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value and its class's middle differ by half of this at most, relative. */
#define SKETCH_STEP 0.002

/* Of the figure `key`, `count` values in the class `level`. As laid out in messages. */
struct sketch_cell {
    uint64_t key;
    int32_t level;
    uint32_t count;
};

/* Cells by key and level, each at most once. Starts zeroed. */
struct sketch {
    struct sketch_cell *cells; /* owned */
    size_t count;
};

/* The cell of one value, which must be above zero. */
struct sketch_cell sketch_cell(uint64_t key, double value);

/* Adds cells in any order. Fails only when out of memory. */
enum status sketch_add(struct sketch *sketch, const struct sketch_cell *cells, size_t count,
                       struct error *error);
void sketch_free(struct sketch *sketch);

/* What all GPUs have of a figure. As laid out in messages. */
struct sketch_median {
    uint64_t key;
    double median;
    double spread; /* the median absolute deviation from it, relative to it */
    uint64_t values;
};

/* Of each figure, by key: `*medians` is the caller's to free. Fails only when out of memory. */
enum status sketch_medians(const struct sketch *sketch, struct sketch_median **medians,
                           size_t *count, struct error *error);

/* The one of a key, or NULL. */
const struct sketch_median *sketch_find(const struct sketch_median *medians, size_t count,
                                        uint64_t key);

#endif
