/* The levels of a staircase: values over sizes, such as latency over a working set, that are
 * roughly constant within a level of the memory hierarchy and rise between levels. */
#ifndef VEBENCH_CHANGE_POINT_H
#define VEBENCH_CHANGE_POINT_H

#include "math/bootstrap.h"

struct staircase_point {
    double size;  /* above 0 */
    double value; /* above 0 */
    double sd;    /* standard deviation of the value's measurement, or 0 */
};

struct staircase_level {
    double value; /* median over its sizes */
    struct interval interval;
    size_t points;
    double first_size, last_size; /* of its points */
    double next_size; /* the next size measured, or INFINITY: the level's capacity is at least
                         last_size and less than this */
    double ramp_end; /* 0; or, where no step ends the level but values rise gradually up to the next
                        one, the first size of that */
};

#define STAIRCASE_LEVELS_MAX 8

/* Finds the levels by optimal partitioning (Jackson et al. 2005). Every size belongs to a level or
 * to a step between two; the partition chosen minimises the sum of squared deviations from the
 * levels, in logarithms, plus a penalty for each level (Schwarz 1978) and a smaller one for each
 * size within a step. So a step may be blurred over several sizes, and no particular size has to be
 * measured.
 *
 * A level has at least two sizes, the largest at least 1.5 times the smallest, rises by at most 5 %
 * per doubling, and lies above the one before; neighbours less than 15 % apart are merged. Points
 * may come in any order, and sizes may repeat.
 *
 * STATUS_FAILED where there are no points, where a size or value is not a positive number, and
 * where the levels are unclear: most sizes are within steps or off their level, or there are more
 * than STAIRCASE_LEVELS_MAX levels. `levels` receives `*level_count` levels, smallest size first.
 */
enum status staircase_levels(const struct staircase_point *points, size_t count, uint64_t seed,
                             struct staircase_level *levels, size_t *level_count,
                             struct error *error);

#endif
