/* The levels of a staircase: values over sizes, such as latency over a working set, that are about
 * constant within a level of the memory hierarchy and rise between levels. */
#ifndef VEBENCH_CHANGE_POINT_H
#define VEBENCH_CHANGE_POINT_H

#include "model/bootstrap.h"

struct staircase_point {
    double size;  /* above 0 */
    double value; /* above 0 */
    double sd;    /* standard deviation of the value's measurement, or 0 */
};

struct staircase_level {
    double value; /* median of its sizes */
    struct interval interval;
    size_t points;
    double first_size, last_size; /* of its points */
    double next_size; /* the next size measured: what the level holds is at least last_size and
                         less than this; INFINITY where there is none */
};

#define STAIRCASE_LEVELS_MAX 8

/* Finds the levels by optimal partitioning (Jackson et al. 2005): every size belongs to a level or
 * to a step between two, and the partition chosen has the least sum of squared deviations from its
 * levels, in logarithms, with a penalty for each level (Schwarz 1978) and a smaller one for each
 * size within a step. So a step may be blurred over several sizes, and no size has to be measured.
 *
 * A level has at least two sizes, one half as large again as the other, over which it rises by no
 * more than 5 % for each doubling, and lies above the one before: neighbours less than 15 % above
 * are one with it. Points may come in any order, and a size several times.
 *
 * STATUS_FAILED for no points, sizes or values that are not positive numbers, and where there are
 * no clear levels: most sizes are within steps, off their level, or there are more than
 * STAIRCASE_LEVELS_MAX. `levels` gets `*level_count`, smallest size first. */
enum status staircase_levels(const struct staircase_point *points, size_t count, uint64_t seed,
                             struct staircase_level *levels, size_t *level_count,
                             struct error *error);

#endif
