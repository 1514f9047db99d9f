/* Measurements that several files have, each taken as one. */
#ifndef VEBENCH_RECORDS_MERGE_H
#define VEBENCH_RECORDS_MERGE_H

#include "rows/records.h"

/* The repeat that is farthest from the others, by what its interval and theirs allow. */
struct repeats {
    size_t merged;       /* measurements that were there more than once */
    size_t disagreeing;  /* of these, how many have a row outside of what the others allow */
    char worst[400];     /* the one that is farthest off, in words; "" where none is */
    double worst_excess; /* its distance from the mean of all, as a multiple of what is allowed */
};

/* Replaces the rows of each measurement that several runs have by one: the mean of the usable ones,
 * weighted by the inverse squares of their intervals. Where they scatter more than the intervals
 * say, the merged interval follows from the scatter instead (Birge 1932, with Student's factor);
 * where a row disagrees, it spans all of them. STATUS_FAILED, naming two, for rows of one file or
 * run, which are the same row twice, and for rows of ranks, which are of different GPUs. The order
 * of the others stays. */
enum status records_merge_repeats(struct records *records, struct repeats *repeats,
                                  struct error *error);

#endif
