/* Measured launches of the kernel that is predicted, at other sizes. How much longer the nearest
 * one took than predicted corrects the prediction; how that factor changes from launch to launch
 * says how far the correction holds. */
#ifndef VEBENCH_NEIGHBOURS_H
#define VEBENCH_NEIGHBOURS_H

#include "predict/interval.h"

/* So many are used, the nearest: each is emulated. */
#define NEIGHBOURS_MOST 5

/* Fewer tell little of how the factor changes. */
#define NEIGHBOURS_ENOUGH 3

/* What a launch is as large as. */
struct launch_size {
    double lanes;              /* of a sub-group */
    double local[3], count[3]; /* work-items of a work-group, work-groups */
};

struct neighbour {
    struct launch_size size;
    double measured, low, high; /* ns, with the 95 % interval */
    double predicted;           /* ns */
    const char *mechanism;      /* that limits it, as predicted; NULL: nothing does */
};

struct neighbours {
    struct launch_size size; /* of the launch that is predicted, and what limits it: */
    const char *mechanism;
    struct neighbour at[NEIGHBOURS_MOST]; /* nearest first */
    size_t count;
};

/* How far two launches are apart: the Euclidean distance of the logarithms of their sizes, in
 * doublings. Less than one counts as one. */
double launch_distance(const struct launch_size *a, const struct launch_size *b);

/* How many times as long as predicted a launch took. */
double neighbour_ratio(const struct neighbour *neighbour);

/* Do they tell how the factor changes: are there NEIGHBOURS_ENOUGH, and is the nearest limited by
 * what limits the launch that is predicted? */
bool neighbours_tell(const struct neighbours *neighbours);

/* Widens the interval of the launch that is predicted, whose value is corrected by the nearest of
 * at least one neighbour: by that one's own interval and by how much the ratio may differ, with
 * independent errors. From launch to launch the logarithm of the ratio is taken for a random walk
 * over the distance. Its step is the root mean square of those from the nearest to the others,
 * times Student's factor of 95 %; but where neighbours_tell() is false the largest of them, or the
 * whole correction if that is more. */
void neighbours_widen(const struct neighbours *neighbours, struct prediction_interval *interval);

#endif
